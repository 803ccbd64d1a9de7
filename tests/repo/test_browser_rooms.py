"""What stands once in the browser's side stands where one looks for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.assets import names, read_text
from app.build.figures import CHARTS
from app.contract import PARTS, VIEWS

ROOT = Path(__file__).parents[2]

#: Whoever knows Material's class names: where it is set up, and where its rail is read.
KNOW_MATERIAL = {"app/build/widgets.py", "assets/parts/controls/slider.mjs"}


def here(pieces: dict[str, object]) -> set[str]:
    return {name for name, piece in pieces.items() if piece.here}


def test_a_chart_is_a_module_a_figure_and_a_tab():
    modules = {Path(name).stem for name in names(".mjs") if name.startswith("parts/charts/")}
    table = re.search(r"^const CHARTS = \{(.*)\};", read_text("parts/charts.mjs"), re.M)[1]
    assert set(CHARTS) == modules == set(table.split(", "))
    assert set(CHARTS) <= here(PARTS)


def test_a_view_is_a_module_that_is_asked_for():
    modules = {Path(name).stem for name in names(".mjs") if name.startswith("views/")}
    asked = re.findall(r'(\w+): \(\) => import\("./views/\w+.mjs"\)', read_text("views.mjs"))
    assert here(VIEWS) == modules == set(asked)


def test_material_is_behind_one_seam():
    files = [*ROOT.glob("app/**/*.py"), *ROOT.glob("assets/**/*.*")]
    know = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if re.search(r"Mui[A-Z-]", path.read_text())
    }
    assert know == KNOW_MATERIAL


@pytest.mark.parametrize("name", [each for each in names(".mjs") if each.startswith("parts/")])
def test_a_part_looks_only_inside_its_root(name):
    assert not re.search(r"\bdocument\.(query|getElement)", read_text(name))


@pytest.mark.parametrize("name", names(".mjs"))
def test_a_module_says_what_it_is_for_and_is_short(name):
    first, *lines = read_text(name).splitlines()
    assert first.startswith("// ")
    assert len(lines) < 210
