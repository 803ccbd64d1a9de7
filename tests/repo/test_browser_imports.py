"""Which of the browser's modules may import which, in `assets` as in Python's rooms."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from pathlib import Path

import pytest

from app.assets import names, read_text
from app.build.modules import modules
from app.contract import LATER_VIEWS

#: Each folder of `assets`, the innermost first, and the folders that its modules may import from
#: beside their own. `built` is what the build writes; at the top stands what starts the page.
ROOMS = {
    "built": set(),
    "core": {"built"},
    "core/words": {"built", "core"},
    "contract": {"built", "core"},
    "parts": {"built", "core", "core/words"},
    "views": {"built", "core", "core/words", "contract", "parts"},
    "": {"built", "core", "core/words", "contract", "parts", "views"},
}

#: Modules that the build writes.
BUILT = {
    f"built/{name}.mjs"
    for name in (
        *("arithmetic", "contract", "data", "formulas", "presets"),
        *("exercises", "tries", "replay", "explorer", "config"),
        *(f"{view}_face" for view in LATER_VIEWS),
    )
}


#: Imports by a variable, and where: Panel gives the address of its bundle.
BY_VARIABLE = {"libraries.mjs": {"url"}}


def room_of(module: str) -> str:
    """The innermost folder with a rule of its own."""
    return max(
        (room for room in ROOMS if f"/{module}".startswith(f"/{room}/")), key=len, default=""
    )


@cache
def imported(module: str) -> set[str]:
    return at_once(module) | when_asked_for(module)


def at_once(module: str) -> set[str]:
    return {_path(module, path) for path in paths_at_once(_code(read_text(module)))}


def when_asked_for(module: str) -> set[str]:
    paths = paths_when_asked_for(_code(read_text(module))) - BY_VARIABLE.get(module, set())
    return {_path(module, path) for path in paths}


def paths_at_once(code: str) -> set[str]:
    found = re.findall(r"""(?:\bfrom|^\s*import)\s*(["'])(.+?)\1""", code, re.M)
    return {path for _, path in found}


def paths_when_asked_for(code: str) -> set[str]:
    """What stands in `import(…)`, whatever its quotes; what has none, as it is."""
    return {path.strip("\"'`") for path in re.findall(r"\bimport\s*\(\s*([^)]*?)\s*\)", code)}


def _code(source: str) -> str:
    return re.sub(r"/\*.*?\*/|^\s*//.*?$", "", source, flags=re.M | re.S)


@pytest.mark.parametrize(
    ("code", "at_once", "later"),
    [
        ("import {a} from '../../parts/dom.mjs';", {"../../parts/dom.mjs"}, set()),
        ('import {\n  a,\n  b,\n} from "./b.mjs";', {"./b.mjs"}, set()),
        ("import './a.mjs';\nexport * from './b.mjs';", {"./a.mjs", "./b.mjs"}, set()),
        ("const a = await import( `./a.mjs` );", set(), {"./a.mjs"}),
        ("import(`./${name}.mjs`); import(name);", set(), {"./${name}.mjs", "name"}),
    ],
)
def test_no_form_of_import_is_overlooked(code, at_once, later):
    assert (paths_at_once(code), paths_when_asked_for(code)) == (at_once, later)


def _path(module: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), path))


@pytest.mark.parametrize("module", names(".mjs"))
def test_a_module_imports_from_where_it_may(module):
    home = room_of(module)
    for other in imported(module):
        assert other in {*names(".mjs"), *BUILT}, f"{other} is not there"
        assert room_of(other) in {home, *ROOMS[home]}, f"{home} may not import {other}"


def test_what_is_built_stands_below_all():
    built = {name: source for name, source in modules().items() if name.startswith("built/")}
    assert built.keys() == BUILT
    for name, source in built.items():
        paths = re.findall(r'(?:from|import) ?\(?"(\.[^"]+)"', source)
        assert {_path(name, path) for path in paths} <= BUILT, name


def test_a_view_is_loaded_when_it_is_asked_for():
    for module in names(".mjs"):
        assert not [other for other in at_once(module) if room_of(other) == "views"], module


@pytest.mark.parametrize("name", ["exercises", "exercises_face"])
def test_what_one_view_knows_comes_with_it(name):
    assert {each for each in names(".mjs") if f"built/{name}.mjs" in imported(each)} == {
        "views/exercises.mjs"
    }


def test_no_circles():
    done = set()

    def follow(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, f"circle: {' → '.join([*trail, module])}"
        if module not in done:
            for other in imported(module) - BUILT:
                follow(other, (*trail, module))
            done.add(module)

    for module in names(".mjs"):
        follow(module, ())


def test_every_folder_has_its_rule():
    top = {Path(name).parts[0] if "/" in name else "" for name in [*names(".mjs"), *BUILT]}
    assert top <= ROOMS.keys()
