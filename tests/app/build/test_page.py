"""The page's HTML and documents follow the tables that they are made of."""

from __future__ import annotations

import json
import re

import pytest

from app.build.page import page
from app.controls import CONTROLS


def test_a_line_in_the_table_is_a_control(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CONTROLS, "gpu", "select")
    monkeypatch.setitem(CONTROLS, "gpus", "entry")
    built = page.__wrapped__()
    assert "<legend>Hardware</legend>" in built.html
    assert re.search(r'<select [^>]*aria-label="GPU"', built.html)
    assert 'data-exact="gpus"' in built.html
    # They are the page's own: Panel makes nothing for them.
    made = json.loads(built.documents)["controls"]["roots"].values()
    assert list(made) == [f"place-{key}" for key in CONTROLS if key not in ("gpu", "gpus")]


def test_every_place_is_there_for_what_comes_into_it() -> None:
    built = page()
    places = [
        place
        for document in json.loads(built.documents).values()
        for place in document["roots"].values()
    ]
    assert len(places) == len(set(places))
    assert all(built.html.count(f'id="{place}"') == 1 for place in places)
