"""The page makes the same of a config.json as Python: numbers to the bit, the same sentences."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from calc import ConfigError, read_config
from calc.quantity import numbers as numbers_of
from tests.calc.test_hostile_configs import CONFIGS, changed
from tests.helpers.hostile import fuzz
from tests.helpers.node import node

LARGEST = sys.float_info.max

#: So many are told to one Node, and compared in one round.
AT_ONCE = 1000


def pages(texts):
    """What the page makes of them, in Node."""
    script = Path(__file__).with_name("configs.mjs")
    run = subprocess.run(
        [node(), script], input=json.dumps(texts).encode(), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def python(config):
    """What Python makes of it."""
    try:
        reading = read_config(config)
    except ConfigError as refused:
        return str(refused)
    values = {name: float(value) for name, _, value in numbers_of(reading.model)}
    fates = {name: [*getattr(reading, name)] for name in ("used", "ignored", "guesses")}
    formats = {"weights": reading.weights, "kv": reading.kv}
    return {"model": values, "derived": sorted(reading.derived)} | fates | formats


def as_json(value):
    """What the page's language has of a value: 8.0 is 8, and no number is longer than a double."""
    if isinstance(value, dict):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list):
        return [as_json(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return int(max(-LARGEST, min(LARGEST, value)))
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return int(value)
    return value


def told(page):
    """What the page made of a file, but for the text that it makes of it."""
    return {key: page[key] for key in page if key != "short"} if isinstance(page, dict) else page


def test_every_public_file(written):
    configs = [as_json(config) for config in CONFIGS]
    for config, page in zip(configs, pages([json.dumps(each) for each in configs]), strict=True):
        assert told(page) == python(config)


def test_the_short_text_of_every_public_file_says_the_same(written):
    found = pages([json.dumps(as_json(config)) for config in CONFIGS])
    for config, page in zip(CONFIGS, found, strict=True):
        if isinstance(page, str):
            continue
        again = python(page["short"])
        assert again["model"] == page["model"], config
        assert len(again["guesses"]) == len(page["guesses"]), config
        assert (again["weights"], again["kv"]) == (page["weights"], page["kv"]), config


@pytest.mark.fuzz
def test_changed_files(written):
    def attack(chance: Random) -> None:
        configs = [as_json(changed(chance)) for _ in range(AT_ONCE)]
        for config, page in zip(
            configs, pages([json.dumps(each) for each in configs]), strict=True
        ):
            assert told(page) == python(config), json.dumps(config)[:3000]

    fuzz(attack, 4)
