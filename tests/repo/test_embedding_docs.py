"""The embedding guide's tables are those of the code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from app.contract import (
    FROM_FRAME,
    PARTS,
    SOURCE,
    TO_FRAME,
    VERSION,
    VIEWS,
    Message,
    Setting,
    settings,
)
from app.controls import CONTROLS
from app.explorer import explorer_settings
from app.lab import lab_settings
from calc.inputs.table import INPUTS
from tests.helpers.golden import frozen_part, table

PAGE = Path(__file__).parents[2] / "docs/embedding.md"
GUIDE = PAGE.read_text()


def keys() -> list[tuple[str, ...]]:
    found = (settings(CONTROLS) | lab_settings() | explorer_settings()).items()
    return [(f"`{name}`", values(key), key.meaning) for name, key in found]


def values(key: Setting) -> str:
    if key.kind == "origin":
        return "an origin, such as `https://lms.example`"
    if key.kind == "scenario":
        return "inputs, such as `batch:64,gpus:2`, or `defaults`"
    if key.kind == "list":
        return f"comma list of {key.noun}s" + (", `all`" if "all" in key.options else "")
    if key.kind == "number":
        low, high = key.range
        return f"a {'whole ' * key.whole}number from {low:,} to {high:,.10g}"
    return ", ".join(f"`{option}`" for option in key.options) or "an id"


def parts() -> list[tuple[str, ...]]:
    return [(f"`{name}`", part.meaning) for name, part in PARTS.items() if part.here]


def inputs() -> list[tuple[str, ...]]:
    return [(f"`{key}`", what.allowed, what.usual, what.doc) for key, what in INPUTS.items()]


def messages(table: dict[str, Message]) -> list[tuple[str, ...]]:
    return [
        (f"`{type_}`", ", ".join(f"`{field}`" for field in message.fields), message.meaning)
        for type_, message in table.items()
    ]


#: The guide's tables, by their first lines.
TABLES: dict[str, Callable[[], list[tuple[str, ...]]]] = {
    "| key | values | meaning |": keys,
    "| part | what it is |": parts,
    "| key | values | default | meaning |": inputs,
    "| from the frame | with | when |": lambda: messages(FROM_FRAME),
    "| to the frame | with | effect |": lambda: messages(TO_FRAME),
}


@pytest.mark.parametrize("head", TABLES)
def test_tables(head):
    below = table(head, TABLES[head]()).removeprefix(head)
    assert frozen_part(PAGE, f"\n\n{head}", below, "\n\n") == below


def test_what_a_later_version_has_is_named():
    said = " ".join(GUIDE.split())
    for pieces, noun in ((VIEWS, "view"), (PARTS, "part")):
        later = [f"`{name}`" for name, piece in pieces.items() if not piece.here]
        named = f"the {noun}{'s' if len(later) > 1 else ''} {', '.join(later)}"
        assert not later or named in said


def test_the_element_s_methods_and_events_are_the_messages():
    said = GUIDE.partition("In JavaScript the element has ")[2].partition(".\n")[0]
    methods, events = said.split("dispatches the events")
    calls = dict(re.findall(r"`(\w+)\((.*?)\)`", methods))
    assert {type_: bool(given) for type_, given in calls.items()} == {
        type_: bool(message.fields) for type_, message in TO_FRAME.items()
    }
    assert set(re.findall(r"`(\w+)`", events)) == FROM_FRAME.keys()


def test_source_and_version():
    assert f'`source: "{SOURCE}"` and\n`version: {VERSION}`' in GUIDE
