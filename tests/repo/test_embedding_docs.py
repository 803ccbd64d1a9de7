"""The embedding guide's tables are the page's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.contract import FROM_FRAME, PARTS, SOURCE, TO_FRAME, VERSION, page_keys
from app.controls import CONTROLS
from calc.inputs import INPUTS
from calc.presets.models import OWN_MODELS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/embedding.md"
GUIDE = PAGE.read_text()


def table(heading: str, first: str) -> list[list[str]]:
    """The rows of the table under a heading whose first column is called so."""
    section = GUIDE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = section.partition(f"\n| {first} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines]


def test_keys_of_the_address():
    rows = {row[0].strip("`"): row for row in table("Keys of the address", "key")}
    keys = page_keys(list(CONTROLS))
    assert rows.keys() == keys.keys()
    for name, key in keys.items():
        assert rows[name][2] == key.meaning
        if key.options and not key.several:
            assert rows[name][1] == ", ".join(f"`{option}`" for option in key.options)
        elif not key.options:
            assert rows[name][1] == "any text"


def inputs_table() -> str:
    """What the guide's table of inputs has to be: run this file to write it there."""
    rows = ["| key | values | default | meaning |", "|---|---|---|---|"]
    lists = {"model": "decode-arithmetic models", "gpu": "decode-arithmetic gpus"}
    for key, what in INPUTS.items():
        own = f"{', '.join(OWN_MODELS)}, or " if key == "model" else ""
        listed = f"{own}a name that `{lists[key]}` lists" if key in lists else what.allowed
        rows.append(f"| `{key}` | {listed} | {what.usual} | {what.doc} |".replace("|  |", "| |"))
    return "\n".join(rows)


def test_inputs():
    assert inputs_table() in GUIDE


def test_parts():
    named = GUIDE.partition("\nParts: ")[2].partition(". Some")[0]
    assert tuple(re.findall(r"`(\w+)`", named)) == PARTS


@pytest.mark.parametrize(
    ("heading", "messages"), [("from the frame", FROM_FRAME), ("to the frame", TO_FRAME)]
)
def test_messages(heading, messages):
    rows = table("Messages", heading)
    assert [row[0] for row in rows] == [f"`{type_}`" for type_ in messages]
    for (_, fields, meaning), message in zip(rows, messages.values(), strict=True):
        assert fields == ", ".join(f"`{field}`" for field in message.fields)
        assert meaning == message.meaning


def test_the_element_s_methods_and_events_are_the_messages():
    said = GUIDE.partition("In JavaScript the element has ")[2].partition(".\n")[0]
    methods, events = said.split("dispatches the events")
    calls = dict(re.findall(r"`(\w+)\((.*?)\)`", methods))
    assert {type_: bool(values) for type_, values in calls.items()} == {
        type_: bool(message.fields) for type_, message in TO_FRAME.items()
    }
    assert set(re.findall(r"`(\w+)`", events)) == FROM_FRAME.keys()


def test_source_and_version():
    assert f'`source: "{SOURCE}"` and\n`version: {VERSION}`' in GUIDE


if __name__ == "__main__":
    before, _, after = GUIDE.partition("| key | values | default | meaning |")
    after = after.partition("\n\n")[2]
    PAGE.write_text(f"{before}{inputs_table()}\n\n{after}")
