"""Config files with something wrong in them: each ends in a number or in one sentence."""

from __future__ import annotations

import json
import math
from copy import deepcopy
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from calc import ConfigError, evaluate, read_config, scenario
from calc.presets.models import model_rows
from calc.text import harmless
from tests.helpers.cases import configs
from tests.helpers.hostile import fuzz, kinds
from tests.helpers.typed import TEXTS

CONFIGS = [*configs().values(), *(row["config"] for row in model_rows().values())]
KINDS = kinds("configs.toml")

#: A sentence that somebody reads to its end. [characters]
LONGEST = 300


def with_block(changes):
    """A config whose blocks have sizes of their own, with changes in the last one that attends."""
    config = deepcopy(configs()["nvidia/Llama-3_3-Nemotron-Super-49B-v1"])
    block = [each for each in config["block_configs"] if not each["attention"]["no_op"]][-1]
    for part, fields in changes.items():
        block[part] |= fields
    return config


def outcome(source):
    """What a config ends in: its parameters, or a sentence."""
    try:
        model = read_config(source).model
        return evaluate(replace(scenario(), model=model).validate()).n_params
    except ValueError as refused:
        said = str(refused)
        assert 0 < len(said) <= LONGEST, said
        assert said == harmless(said), ascii(said)
        return said


@pytest.mark.parametrize("kind", KINDS)
def test_the_corpus(kind):
    row = KINDS[kind]
    for changes in row.get("block", []):
        assert outcome(with_block(changes)) == row["says"], changes
    base = {} if row.get("alone") else CONFIGS[0]
    for fields in row.get("fields", []):
        assert outcome(base | fields) == row["says"] or row["says"] in outcome(base | fields), (
            fields
        )
        text = json.dumps(base | fields)
        assert outcome(text) == outcome(base | fields)
    for text in row.get("texts", []):
        assert row["says"] in outcome(text.replace("{MANY}", "7" * 5000)), text[:80]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("[" * 10**6, "nested too deeply"),
        ('{"a":' * 10**5 + "1" + "}" * 10**5, "nested too deeply"),
        (b"\xff\xfe", "not UTF-8"),
        (b" " * (8 * 2**20 + 1), "larger than 8 MiB"),
        ({"hidden_size": 10**5000}, "hidden_size must be between 1 and 100,000,000"),
        (CONFIGS[0] | {"attn_type_list": [10**5000]}, "not known: a value of type int"),
        (
            {"linear_attn_config": {"full_attn_layers": [10**400]}},
            "full_attn_layers must be a list of layers' numbers",
        ),
        ({"hidden_size": object()}, "hidden_size must be a number"),
        ({1: 2}, "hidden_size is missing"),
    ],
    ids=[
        "lists",
        "objects",
        "bytes",
        "blanks",
        "digits",
        "digits in a list",
        "digits in a place",
        "an object",
        "a number for a key",
    ],
)
def test_what_no_data_file_can_hold(source, said):
    assert said in outcome(source)


def test_what_is_not_used_is_told_in_short():
    config = CONFIGS[0] | {f"\x1b[31m{'x' * 100}{n}": n for n in range(1000)}
    ignored = read_config(config).ignored
    assert all(len(each) <= 40 and each == harmless(each) for each in ignored)


def test_what_stands_inside_an_object_and_is_not_used_is_told():
    in_block = {"attention": {"window_length": 1024, "sparsify": ["x"]}, "ffn": {"gate": 1}}
    assert set(read_config(with_block(in_block)).ignored) >= {
        "block_configs.attention.window_length",
        "block_configs.attention.sparsify",
        "block_configs.ffn.gate",
    }
    beside = deepcopy(configs()["moonshotai/Kimi-Linear-48B-A3B-Instruct"])
    beside["linear_attn_config"]["mystery"] = 1
    assert "linear_attn_config.mystery" in read_config(beside).ignored


def test_a_cache_is_shared_among_listed_layers_only():
    assert "num_kv_shared_layers" in read_config(CONFIGS[0] | {"num_kv_shared_layers": 4}).ignored


#: What may stand where a number, a list or a word was.
STRANGE = [
    *(None, True, False, 0, -1, 1, 0.5, -0.0, 1e308, math.inf, -math.inf, math.nan, 2**63, 10**401),
    *("", "8", "full_attention", "linear_attention", [], {}, [1], [[]], [None], ["x"] * 20_000),
    *({"hidden_size": 1}, {"a": {"b": {"c": []}}}, [{"attention": {}, "ffn": {}}], *TEXTS),
]


def changed(chance: Random):
    """One of the real configs, with a few things changed, wherever they stand."""
    config = deepcopy(chance.choice(CONFIGS))
    for _ in range(chance.choice([1, 1, 2, 5])):
        part = config
        while isinstance(part, dict) and part and chance.random() < 0.5:
            inner = [each for each in part.values() if isinstance(each, dict) and each]
            if not inner:
                break
            part = chance.choice(inner)
        key = chance.choice(list(part) or ["x"])
        change(chance, part, key)
    return config


def change(chance: Random, part, key) -> None:
    match chance.randrange(6):
        case 0:
            part.pop(key, None)
        case 1 | 2:
            part[key] = deepcopy(chance.choice(STRANGE))
        case 3 if isinstance(part.get(key), int | float) and abs(part[key]) < 1e300:
            part[key] = part[key] * chance.choice([-1, 0, 2, 3, 1000, 0.5, 1e-9, 1e9, 1 / 3])
        case 4 if isinstance(part.get(key), list) and part[key]:
            part[key] = chance.choice(
                [part[key][:-1], part[key] * 2, [deepcopy(chance.choice(STRANGE))]]
            )
        case _:
            other = chance.choice(CONFIGS)
            key = chance.choice(list(other))
            part[key] = deepcopy(other[key])


@pytest.mark.fuzz
def test_changed_configs():
    def attack(chance: Random) -> None:
        config = changed(chance)
        ended = outcome(config)
        assert isinstance(ended, str) or np.isfinite(ended)
        if chance.random() < 0.05:
            text = bytearray(
                json.dumps(config, ensure_ascii=chance.random() < 0.5).encode(errors="replace")
            )
            for _ in range(chance.choice([0, 1, 3])):
                text[chance.randrange(len(text))] = chance.choice(
                    b'"{}[],:0123456789eE.- \\u\x00\xff'
                )
            outcome(bytes(text))

    fuzz(attack, 10_000)


def test_a_refusal_of_a_config_can_be_told_from_others():
    with pytest.raises(ConfigError):
        read_config("{")
