"""The page and Python take the same texts for the same inputs, and refuse the same ones alike."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import pytest

from app.errors import InputError
from app.inputs import from_texts, parsed
from calc.inputs.table import CHOICES, INPUTS
from calc.text import shortened, suggestion
from tests.helpers.hostile import fuzz, kinds
from tests.helpers.node import node
from tests.helpers.typed import NO_NUMBERS, TEXTS, typed

#: So many are told to one Node, and compared in one round.
AT_ONCE = 1000


def answers(**told):
    """What the page says, in Node."""
    script = Path(__file__).with_name("answers.mjs")
    run = subprocess.run(
        [node(), script], input=json.dumps(told).encode(), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def address(texts):
    return "?" + urlencode(texts, errors="replace")


def python_says(texts):
    try:
        return from_texts(texts).as_dict(), ""
    except InputError as refused:
        return None, str(refused)


def is_text(text):
    return not any("\ud800" <= each <= "\udfff" for each in text)


@pytest.mark.fuzz
def test_addresses(written):
    def attack(chance: Random) -> None:
        asked = [
            texts for _ in range(AT_ONCE) if all(map(is_text, (texts := typed(chance)).values()))
        ]
        said = answers(addresses=[address(texts) for texts in asked])["addresses"]
        for texts, page in zip(asked, said, strict=True):
            inputs, refusal = python_says(texts)
            if refusal:
                assert page["notes"], (texts, refusal)
                if texts.keys() <= INPUTS.keys():
                    assert page["notes"][0] == refusal, texts
            else:
                assert (page["state"], page["notes"]) == (inputs, []), texts

    fuzz(attack, 10)


def test_texts(written):
    names = [*INPUTS, *CHOICES["model"].table, *CHOICES["gpu"].table]
    takes = [text for kind in kinds("numbers.json").values() for text in kind.get("takes", {})]
    texts = [*TEXTS, *NO_NUMBERS, *takes]
    for text, (short, meant, number) in zip(texts, answers(texts=texts)["texts"], strict=True):
        assert shortened(text) == short, ascii(text)
        assert suggestion(text, names) == meant, ascii(text)
        value = parsed(text)
        assert (None if not math.isfinite(value) else value) == number, ascii(text)
