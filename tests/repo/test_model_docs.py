"""The table of keys in docs/model.md is that of the code."""

from __future__ import annotations

import re
from pathlib import Path

from app.__main__ import _parser
from calc.serving.inputs import SERVING_INPUTS
from tests.helpers.golden import frozen_part, table

PAGE = Path(__file__).parents[2] / "docs/model.md"
MARK = "tests/repo/test_model_docs.py -->\n\n"


def test_the_keys():
    rows = [
        (f"`{key}`", what.allowed, what.usual, what.doc) for key, what in SERVING_INPUTS.items()
    ]
    text = table("| key | takes | default | meaning |", rows) + "\n"
    assert frozen_part(PAGE, MARK, text, "\n### The rules\n") == text


def test_the_commands_parse():
    commands = re.findall(r"^decode-arithmetic (.*?)(?:  +#.*)?$", PAGE.read_text(), re.M)
    assert len(commands) == 3
    for words in commands:
        _parser().parse_args(words.split())
