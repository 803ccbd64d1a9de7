"""docs/names.md lists the quantities that the code declares, and its rules hold for their names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.golden import frozen_part, table
from tests.helpers.quantities import declared, own_quantities, records, sections

PAGE = Path(__file__).parents[2] / "docs/names.md"
TEXT = PAGE.read_text()


def quantity_tables() -> Iterator[str]:
    """A table for each record and each section that has quantities of its own."""
    for group, members in (("Scenario", records()), ("Report", sections())):
        for record in members:
            rows = [
                (f"`{name}`", what.label, what.unit, what.symbol)
                for name, what in own_quantities(record)
            ]
            if rows:
                meaning = (inspect.getdoc(record) or "").partition("\n\n")[0]
                yield f"### {group}: {record.__name__}\n\n{' '.join(meaning.split())}\n"
                yield table("| name | label | unit | symbol |", rows) + "\n"


def test_quantities():
    tables = "\n".join(quantity_tables())
    assert frozen_part(PAGE, "tests/repo/test_names.py -->\n\n", tables) == tables


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    section = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines]


#: What may follow the unit in a name: what it is counted for, where, when.
QUALIFIERS = re.compile(
    r"(_per_(gpu|kv|pass|sequence|token|user|weight)|_at_\d|_in_all|_inside|_read)+$"
)


@pytest.mark.parametrize("name", declared())
def test_the_last_words_of_a_name_are_its_unit(name):
    endings: dict[str, str] = {}
    for cell, unit, example in rows("How a quantity is named"):
        assert example.strip("`") in declared()
        for ending in re.findall(r"`(\w+)`", cell):
            endings[ending.lstrip("_")] = unit
    words = QUALIFIERS.sub("", name).replace("_input_tokens", "_output_tokens")
    found = [ending for ending in endings if f"_{words}".endswith(f"_{ending}")]
    for what in declared()[name]:
        assert what.unit == (endings[max(found, key=len)] if found else "")


def test_each_word_has_one_meaning():
    words = [word for word, _ in rows("The project's own words")]
    assert words == sorted(set(words))
