"""Each promise of SECURITY.md is held by a test that is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text()
PROMISES = {
    promise: held
    for promise, held in re.findall(r"^\| (.+) \| (.+) \|$", TEXT, re.M)
    if promise != "promise"
}


def test_there_are_as_many_as_it_says():
    (count,) = re.findall(r"(\d+) promises in all", TEXT)
    assert len(PROMISES) == int(count)
    assert len(re.findall(r"^\| ", TEXT, re.M)) - TEXT.count("| promise |") == int(count)


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_names_tests_that_are_there(promise):
    held = PROMISES[promise].split(", ")
    for each in held:
        path, name = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", each).groups()
        functions = ast.parse((ROOT / path).read_text()).body
        assert name in {one.name for one in functions if isinstance(one, ast.FunctionDef)}


def test_it_is_found_and_leads_nowhere_else():
    assert "](SECURITY.md)" in (ROOT / "README.md").read_text()
    assert not re.search(r"://|@\w", TEXT)
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert (ROOT / target).is_file()
