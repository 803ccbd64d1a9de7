"""The tables of the contract are those of the page."""

from __future__ import annotations

import re

from app.build.page import page, templates
from app.contract import LATER_VIEWS, PARTS, VIEWS, settings
from app.controls import CONTROLS
from app.explorer import explorer_settings
from app.lab import lab_settings
from calc.inputs.table import INPUTS


def test_the_parts_of_this_version_are_on_the_page():
    later = [templates().get_template(f"views/{view}.html").render() for view in LATER_VIEWS]
    assert set(re.findall(r'data-part="(\w+)"', "".join([page().html, *later]))) == {
        name for name, part in PARTS.items() if part.here
    }


def test_keys_are_told_apart_from_inputs():
    assert (settings(CONTROLS) | lab_settings() | explorer_settings()).keys().isdisjoint(INPUTS)


def test_what_there_is_by_default_is_here():
    for key in (settings(CONTROLS) | lab_settings() | explorer_settings()).values():
        if key.kind == "number":
            assert key.range[0] <= float(key.default) <= key.range[1]
        else:
            assert key.default in ("", *key.options)
        assert set(key.options).isdisjoint(key.later)
    assert VIEWS[settings(CONTROLS)["view"].default].here
