"""One grammar of numbers at every door: Node reads the same corpus, in numbers.test.mjs."""

from __future__ import annotations

import math

import pytest

from app.__main__ import main
from calc.text import parsed
from tests.helpers.hostile import kinds

KINDS = kinds("numbers.json")


@pytest.mark.parametrize("kind", KINDS)
def test_the_corpus(kind):
    unit = KINDS[kind].get("unit", "")
    for text, value in KINDS[kind].get("takes", {}).items():
        assert parsed(text, unit) == float(value), ascii(text)
    for text in KINDS[kind].get("refuses", []):
        assert math.isnan(parsed(text, unit)), ascii(text)


def test_a_long_text_is_judged_at_once():
    many = 10**6
    for text in (
        *("1" * many, "1" * many + "x", "1," * many, "1" + ",111" * many + "x", " " * many),
        *("1e" + "1" * many, "." + "0" * many + "x"),
    ):
        parsed(text)


def test_the_command_line_takes_what_the_page_takes(capsys):
    assert main(["report", "context=32K", "prompt=1,024", "batch= 1e2", "alpha=0,5"]) == 0
    assert capsys.readouterr().err == ""
    for text in ("٨", "1_0_0", "+8", "2,5", "1K"):
        assert main(["report", f"batch={text}"]) == 2
        said = capsys.readouterr().err
        assert (
            said == f"decode-arithmetic: batch={text}: allowed is a whole number from 1 to 1,024\n"
        )
