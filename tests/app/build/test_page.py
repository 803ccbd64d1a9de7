"""The page's HTML and documents follow the tables that they are made of."""

from __future__ import annotations

import json
import re

import pytest

from app.build.page import page
from app.controls import CONTROLS, FORM
from calc.inputs.table import CHOICES, INPUTS


def test_a_line_in_the_table_is_a_control(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"acceptance": "select", "mbu": "entry", "overlap": "switch"}
    for table in (FORM, CONTROLS):
        for key, kind in own.items():
            monkeypatch.setitem(table, key, kind)
    built = page.__wrapped__()
    assert "<legend>Assumptions</legend>" in built.html
    assert re.search(r'<ul [^>]*aria-label="Measured acceptance"', built.html)
    assert 'data-exact="mbu"' in built.html
    assert re.findall(r'name="overlap" value="(\w+)"', built.html) == list(CHOICES["overlap"].table)
    for key in own:
        assert re.search(rf"<span [^>]*>{INPUTS[key].label}</span>", built.html), key
    # They are the page's own: Panel makes nothing for them.
    made = json.loads(built.documents)["controls"]["roots"].values()
    assert list(made) == [f"place-{key}" for key in FORM if key not in own]


def test_every_place_is_there_for_what_comes_into_it() -> None:
    built = page()
    places = [
        place
        for document in json.loads(built.documents).values()
        for place in document["roots"].values()
    ]
    assert len(places) == len(set(places))
    assert all(built.html.count(f'id="{place}"') == 1 for place in places)
