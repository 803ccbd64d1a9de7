"""Nothing is shipped without saying whose it is."""

from __future__ import annotations

import re
from pathlib import Path

import bokeh
import panel
import pytest

from app.build.bundles import Bundle
from app.build.export import exported, files_of_page, single_file
from app.build.licenses import libraries

ROOT = Path(__file__).parents[3]
NOTICES = ROOT / "app/build/notices"
TEXT = exported()["licenses.txt"].decode()
SHIPPED = files_of_page().scripts | files_of_page().others
OURS = {"documents.json", "icon.svg"}
THERE = [library for library in libraries() if library.files(SHIPPED)]
PARTS = {part for library in THERE for part in library.parts}


def full(name: str) -> Path:
    """The form of a bundle in which its modules have names."""
    dist = Path(panel.__file__).parent / "dist"
    return (dist if name == "panel.js" else Path(bokeh.__file__).parent / "server/static/js") / name


def packages(name: str) -> set[str]:
    """The npm packages of which modules are in a shipped bundle of Bokeh's or Panel's."""
    source = full(name.replace(".min", "")).read_text("utf-8")
    own = {each.name.partition(".")[0] for each in (full(name).parent / "lib").iterdir()}
    named = re.findall(r'^(?:("[^"\n]+"|\d+): )?/\* ([^*\n]+) \*/ function _\(', source, re.M)
    assert len(named) > 10
    left = Bundle.parse(SHIPPED[name].decode()).modules
    modules = [
        module
        for place, (key, module) in enumerate(named)
        if (key or str(place)) in left and re.split("[./]", module)[0] not in own
    ]
    return {re.match(r"(@[^/]+/)?[^/]+", module)[0] for module in modules}


@pytest.mark.parametrize("name", sorted(SHIPPED.keys() - OURS))
def test_every_shipped_file_is_somebody_s(name):
    assert re.search(rf"^In .*\b{re.escape(name)}[,:.]", TEXT, re.M)


@pytest.mark.parametrize("name", files_of_page().scripts)
def test_what_bokeh_and_panel_have_inside_is_noted(name):
    assert packages(name) <= PARTS


def test_what_is_left_of_bokeh_is_looked_at():
    assert packages("bokeh.min.js") >= {"@bokeh/numbro", "sprintf-js", "tslib"}
    assert "preact" not in packages("bokeh.min.js")


def test_what_the_material_bundle_says_of_itself_is_noted():
    (bundle,) = (content.decode() for name, content in SHIPPED.items() if "material" in name)
    said = re.findall(r"^((?:@[\w-]+/)?[\w.-]+)/\S+\.m?js:$", bundle.rpartition("/*!")[2], re.M)
    assert {"react", "@mui/material"} <= set(said) <= PARTS
    # Of these it says nothing; whether they are still there, their signs say.
    assert {"@emotion/react", "stylis", "@popperjs/core", "dayjs", "notistack"} <= PARTS


def test_every_legal_comment_in_a_shipped_file_is_noted():
    known = [text for library in THERE for text in (*library.signs, *library.copyright)]
    for name in SHIPPED.keys() - OURS:
        source = SHIPPED[name].decode()
        for comment in re.findall(r"/\*.*?\*/|(?:^ *//[^\n]*\n)+", source, re.M | re.S):
            if re.search(r"licen[cs]e|copyright", comment, re.IGNORECASE):
                assert any(text in comment for text in known), comment[:300]


def test_every_library_has_its_notice_and_its_licence():
    for library in THERE:
        section = re.split(rf"^{re.escape(library.name)}\n=+\n", TEXT, flags=re.M)[1]
        assert all(notice in section for notice in library.copyright)
        if library.distribution:
            assert "Redistribution and use" in section.split("\n\n\n")[0]
        else:
            assert library.source
            assert (NOTICES / f"{library.text}.txt").read_text("utf-8").strip() in TEXT
    assert TEXT.count("Permission is hereby granted") == 1
    named = {f"{library.text}.txt" for library in libraries() if library.text}
    assert named == {each.name for each in NOTICES.glob("*.txt")}


def test_our_own_licence_comes_first():
    assert TEXT.partition("\n\n\n")[0].endswith((ROOT / "LICENSE").read_text().strip())


def test_the_single_file_has_it_inside():
    block = re.search(r'data-file="licenses.txt">(.*?)</script>', single_file(), re.S)
    assert block[1] == TEXT
