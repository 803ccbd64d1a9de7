"""The embedding guide's tables are the page's own."""

from __future__ import annotations

import re
from pathlib import Path

from app.contract import PARTS, page_keys
from app.controls import CONTROLS
from calc.inputs import INPUTS
from calc.presets.models import OWN_MODELS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/embedding.md"
GUIDE = PAGE.read_text()


def table(heading: str, after: str = "") -> list[list[str]]:
    section = GUIDE.partition(f"## {heading}")[2].partition("\n## ")[0].partition(after)[2]
    rows = re.findall(r"^\| (.*) \|$", section.split("\n\n|---")[0], re.M)
    return [[cell.strip() for cell in row.split("|")] for row in rows]


def test_keys_of_the_address():
    rows = {row[0].strip("`"): row for row in table("Keys of the address", "meaning |")}
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


def test_messages_are_those_of_the_page():
    source = (ROOT / "assets/messages.mjs").read_text() + (ROOT / "assets/page.mjs").read_text()
    out = set(re.findall(r'say\("(\w+)"', source))
    heard = set(re.findall(r'type === "(\w+)"', source))
    section = GUIDE.partition("## Messages")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `(\w+)` \|", section, re.M)
    assert set(named[:4]) == out
    assert set(named[4:]) == heard


def test_example_is_the_element_of_the_script():
    script = (ROOT / "assets/embed.js").read_text()
    for method in ("setState", "getState", "reset"):
        assert f"    {method}(" in script
        assert f"`{method}(" in GUIDE


if __name__ == "__main__":
    before, _, after = GUIDE.partition("| key | values | default | meaning |")
    after = after.partition("\n\n")[2]
    PAGE.write_text(f"{before}{inputs_table()}\n\n{after}")
