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
from app.inputs import from_texts
from calc import MODELS
from calc.inputs.table import CHOICES, INPUTS
from calc.presets.models import OWN_MODELS
from calc.studies.crossing import crossing_batch
from calc.text import parsed, shortened, suggestion
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


#: Dense and with experts, a cache that grows and one that hardly does, guesses good and bad.
CROSSINGS = [
    {"spec_k": str(k), "alpha": alpha, "context": context, **others}
    for k in (1, 4, 8)
    for alpha in ("0.01", "0.4", "0.7", "0.95")
    for context in ("1", "512", "8192")
    for others in (
        {},
        {"gqa": "1"},
        {"weights": "int4", "kv": "fp8"},
        {"model": "deepseek-v3", "gpus": "8"},
        {"model": "gemma-3-27b", "assumptions": "engine"},
    )
]


def test_the_page_and_the_study_see_speculation_lose_at_the_same_batch(written):
    pages = answers(crossings=[address(texts) for texts in CROSSINGS])["crossings"]
    for texts, page in zip(CROSSINGS, pages, strict=True):
        inputs = from_texts(texts).as_dict()
        batch = crossing_batch(1024, **{key: inputs[key] for key in texts})
        assert (None if math.isnan(batch) else batch) == page, texts
    assert len({*pages}) > 20


def test_the_page_and_the_model_mean_the_same_kind_by_the_kv_heads(written):
    models = {name: model for name, model in MODELS.items() if name not in OWN_MODELS}
    pages = answers(mainKinds=[address({"model": name}) for name in models])["mainKinds"]
    for model, page in zip(models.values(), pages, strict=True):
        assert page == {name: getattr(model.main, name) for name in page}, model
    assert {"n_kv_heads", "cache_width", "d_head"} == pages[0].keys()


def test_texts(written):
    names = [*INPUTS, *CHOICES["model"].table, *CHOICES["gpu"].table]
    takes = [text for kind in kinds("numbers.json").values() for text in kind.get("takes", {})]
    texts = [*TEXTS, *NO_NUMBERS, *takes]
    for text, (short, meant, number) in zip(texts, answers(texts=texts)["texts"], strict=True):
        assert shortened(text) == short, ascii(text)
        assert suggestion(text, names) == meant, ascii(text)
        value = parsed(text)
        assert (None if not math.isfinite(value) else value) == number, ascii(text)
