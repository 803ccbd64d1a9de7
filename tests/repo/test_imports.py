"""Who may import whom: by what is written, and by what is loaded in a fresh interpreter."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: Each room of the house, the innermost first, and what its modules may import beside each other
#: and the standard library.
ROOMS = {
    "calc": {"numpy"},
    "app.errors": set(),
    "app.assets": set(),
    "app.glossary": {"app.assets"},
    "app.contract": set(),
    "app.lab": {"calc", "app.contract"},
    "app.explorer": {"calc", "app.contract"},
    "app.theme": set(),
    "app.controls": {"calc", "param"},
    "app.inputs": {"calc", "app.errors"},
    "app.totals": set(),
    "app.simulate": {
        *("calc", "app.errors", "app.files", "app.inputs", "app.lab", "app.totals"),
        *("numpy", "numba"),
    },
    "app.tracing": {"calc", "numpy"},
    "app.exercises": {
        *("calc", "app.assets", "app.contract", "app.errors", "app.glossary"),
        *("app.lab", "app.totals"),
    },
    "app.build": {
        *("calc", "app.assets", "app.contract", "app.controls", "app.errors", "app.exercises"),
        *("app.explorer", "app.glossary", "app.lab", "app.theme", "app.totals", "app.tracing"),
        *("numpy", "panel", "panel_material_ui", "param", "bokeh", "jinja2"),
    },
    "app.server": {"tornado", "brotli"},
    "app.files": {"calc", "app.errors", "app.server"},
    "app.notebook": {"calc", "app.assets", "app.build", "panel", "param"},
    "app.__main__": {
        "calc",
        "app.errors",
        "app.exercises",
        "app.files",
        "app.inputs",
        "app.build",
        "app.server",
        "app.simulate",
        "numpy",
    },
    "examples.toy_serving.prediction": {"calc", "examples"},
    "examples.toy_serving.measure": {
        *("calc", "numpy", "examples", "examples.toy_serving.prediction"),
    },
    "examples.toy_serving.__main__": {"examples", "examples.toy_serving.measure"},
    "examples": {"numpy"},
}

#: Where all of these stand.
TOPS = ("calc", "app", "examples")

#: The rooms of calc: each may import those before it. `calc` itself only gathers public names.
ROOMS_OF_CALC = (
    *("units", "text", "quantity", "conversion", "primitives", "rules", "scenario", "report"),
    *("formulas", "evaluate", "architecture", "hf_config", "presets", "inputs", "studies"),
    "serving",
)

#: What importing a module must not load, however far away.
NOT_LOADED = {
    "calc": {"app", "panel", "bokeh", "param", "tornado", "jinja2"},
    "app.controls": {"panel", "bokeh", "tornado", "app.build"},
    "app.inputs": {"panel", "bokeh", "tornado", "param", "app.build"},
    "app.exercises.read": {"panel", "bokeh", "tornado", "param", "app.build"},
    "app.tracing.module": {"panel", "bokeh", "param", "tornado"},
    "app.build.figures": {"calc", "param", "tornado"},
    "app.files": {"tornado", "app.build"},
    "app.build.page": {"app.build.export"},
    "app.build.export": {"app.files", "app.server"},
    "app.server.serve": {"panel", "bokeh", "param", "numpy", "calc", "app.build"},
    "app.__main__": {"panel", "bokeh", "tornado", "param", "numpy", "calc"},
}


@pytest.mark.parametrize("module", NOT_LOADED)
def test_what_an_import_does_not_load(module):
    script = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert NOT_LOADED[module].isdisjoint(loaded)


def modules() -> dict[str, Path]:
    found = {}
    for path in [path for top in TOPS for path in ROOT.glob(f"{top}/**/*.py")]:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imported(path: Path) -> set[str]:
    return imported_by(path.read_text(), ".".join(path.parent.relative_to(ROOT).parts))


def imported_by(code: str, package: str) -> set[str]:
    """All that a module of a package may mean by its imports."""
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            home = resolve_name("." * node.level + (node.module or ""), package)
            names |= {home} | {f"{home}.{each.name}" for each in node.names}
    return names


def room_of(name: str) -> str:
    """The room that a module is in; for those from elsewhere, the package."""
    return next((r for r in ROOMS if f"{name}.".startswith(f"{r}.")), name.partition(".")[0])


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("from . import page", {"app.build", "app.build.page"}),
        ("from ..server import files", {"app.server", "app.server.files"}),
        ("def late():\n    import app.build.page", {"app.build.page"}),
    ],
)
def test_no_form_of_import_is_overlooked(code, names):
    assert imported_by(code, "app.build") == names


def test_every_module_has_a_room():
    assert {room_of(module) for module in modules() if module != "app"} == ROOMS.keys()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may(room):
    inside = [path for module, path in modules().items() if room_of(module) == room]
    used = {room_of(name) for path in inside for name in imported(path) - {"app"}}
    assert used - sys.stdlib_module_names - {room} <= ROOMS[room]


def test_calc_imports_inwards():
    for module, path in modules().items():
        if room_of(module) != "calc" or module == "calc":
            continue
        home = module.split(".")[1]
        used = {name.split(".")[1] for name in imported(path) & modules().keys() - {"calc"}}
        assert used - {home} <= set(ROOMS_OF_CALC[: ROOMS_OF_CALC.index(home)]), module


def test_nobody_imports_a_main_module():
    used = set().union(*map(imported, modules().values()))
    assert not [name for name in used if name.endswith("__main__")]


def test_no_module_of_calc_takes_what_calc_gathers():
    inside = {name: path for name, path in modules().items() if name.startswith("calc.")}
    assert [name for name, path in inside.items() if "calc" in imported(path)] == []


def test_no_circles():
    graph = {name: imported(path) & modules().keys() for name, path in modules().items()}
    reached: dict[str, set[str]] = {}

    def reach(name: str, trail: tuple[str, ...]) -> set[str]:
        assert name not in trail, f"circle: {' → '.join([*trail, name])}"
        if name not in reached:
            used = graph[name] - {"calc", "app", name}
            reached[name] = used.union(*(reach(each, (*trail, name)) for each in used))
        return reached[name]

    for name in graph:
        reach(name, ())


@pytest.mark.parametrize(
    "module",
    [
        "calc",
        "app.controls",
        "app.inputs",
        "app.exercises.read",
        "app.build.page",
        "app.build.export",
        "app.server.serve",
        "app.notebook",
    ],
)
def test_importing_reads_no_files_of_ours(module):
    script = f"""
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import {module}
ours = {str(ROOT)!r}
print(*[o for o in opened if o.startswith(ours) and not o.endswith((".py", ".pyc"))
        and "__pycache__" not in o and ".venv" not in o])
"""
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert result.stdout.strip() == ""
