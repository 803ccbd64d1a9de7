"""Config files with something wrong in them: each ends in a number or in one sentence."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from copy import deepcopy
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from calc import ConfigError, evaluate, read_config, scenario
from calc.architecture.record import Architecture
from calc.hf_config.conditions import Conditions
from calc.hf_config.family import Family
from calc.hf_config.fields import FORMS, Block, Fields
from calc.hf_config.layers import Blocks, Layers
from calc.hf_config.numbers import language_part
from calc.presets.models import model_rows
from calc.quantity import numbers
from calc.scenario import Model
from calc.text import harmless
from tests.helpers.cases import configs, records
from tests.helpers.hostile import fuzz, kinds
from tests.helpers.typed import TEXTS

CONFIGS = [*configs().values(), *(row["config"] for row in model_rows().values())]
CONFIGS += [each["config"] for each in records("configs")]
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


#: Names of our own, which mean nothing to who wrote a config.json.
OWN_NAMES = {
    each.name
    for record in (Fields, Block, Family, Conditions, Layers, Blocks, Architecture, Model)
    for each in dataclasses.fields(record)
    if "_" in each.name
} | {name for name, *_ in numbers(scenario().model)}
OWN_NAMES -= {name for form in FORMS.values() for name in form.names}


def outcome(source):
    """What a config ends in: its parameters, or a sentence."""
    try:
        reading = read_config(source)
    except ConfigError as refused:
        said = str(refused)
        check_sentence(said, source)
        return said
    for each in (*reading.derived, *reading.guesses):
        check_sentence(each, source)
    return evaluate(replace(scenario(), model=reading.model).validate()).n_params


def check_sentence(said, source):
    assert 0 < len(said) <= LONGEST, said
    assert said == harmless(said), ascii(said)
    own = OWN_NAMES.intersection(re.findall(r"\w+", said))
    assert all(each in str(source) for each in own), said


@pytest.mark.parametrize("kind", KINDS)
def test_the_corpus(kind):
    row = KINDS[kind]
    for changes in row.get("block", []):
        assert outcome(with_block(changes)) == row["says"], changes
    base = configs()[row["of"]] if "of" in row else CONFIGS[0]
    for fields in row.get("fields", []):
        inside = row.get("inside")
        config = base | ({inside: base[inside] | fields} if inside else fields)
        if "guesses" in row:
            guesses = read_config(config).guesses
            assert any(row["guesses"] in each for each in guesses), (fields, guesses)
            assert outcome(config) > 0
            continue
        said = outcome(config)
        assert isinstance(said, str), fields
        assert row["says"] in said, fields
        assert outcome(json.dumps(config)) == said
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


def test_what_stands_inside_an_object_and_is_not_used_is_told_or_refused():
    assert "block_configs.ffn.gate" in read_config(with_block({"ffn": {"gate": 1}})).ignored
    beside = deepcopy(configs()["moonshotai/Kimi-Linear-48B-A3B-Instruct"])
    beside["linear_attn_config"] |= {"gate_lower_bound": -5.0, "mystery": False}
    assert "linear_attn_config.gate_lower_bound" in read_config(beside).ignored
    beside["linear_attn_config"]["mystery"] = 1
    with pytest.raises(ConfigError, match=r"linear_attn_config\.mystery is not understood"):
        read_config(beside)


def test_what_changes_no_count_stops_no_reading():
    # As the public files of Granite, Llama 4, Kimi Linear, MiniMax and others have it.
    harmless = {
        "attention_multiplier": 0.015625,
        "attention_probs_dropout_prob": 0.1,
        "attn_scale": 0.1,
        "attn_temperature_tuning": 4,
        "_attn_implementation_autoset": True,
        "embd_layer": {"embedding_cls": "image"},
        "layernorm_full_attention_beta": 3.5,
        "conv_dim_out": 2048,
        "mamba_chunk_size": 256,
        "moe_gate": "topk",
        "moe_random_routing_dropped_token": True,
        "moe_renormalize": True,
        "moe_router_activation_func": "sigmoid",
        "no_rope_layers": [1, 1, 1, 0],
        "num_expert_group": 1,
        "order_of_interleaved_layers": "local_attn_first",
        "parallel_attn": True,
        "shared_moe_mode": "sigmoid",
        "ssm_multipliers": [0.9, 1.1],
        "use_flash_attn": True,
    }
    base = configs()["meta-llama/Llama-3.1-8B"]
    reading = read_config(base | harmless)
    assert reading.model == read_config(base).model
    assert {*harmless} <= {*reading.ignored}


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


# --- contradictions -------------------------------------------------------------------------

EXPERTS = configs()["Qwen/Qwen3-30B-A3B"]


@pytest.mark.fuzz
def test_what_agrees_counts_the_same_and_what_does_not_is_refused():
    """Periods, firsts and counts, lists that say the same of each layer, and one other entry."""

    def attack(chance: Random) -> None:
        n_layers = chance.randrange(4, 60)
        every, first = chance.randrange(2, n_layers), chance.randrange(n_layers - 1)
        base = EXPERTS | {
            "num_hidden_layers": n_layers,
            "sliding_window": 512,
            "use_sliding_window": True,
            "max_window_layers": 0,
            "sliding_window_pattern": every,
            "first_k_dense_replace": first,
        }
        slides = [(layer + 1) % every > 0 for layer in range(n_layers)]
        sparse = [layer >= first for layer in range(n_layers)]
        lists = {
            "layer_types": [["full_attention", "sliding_attention"][each] for each in slides],
            "hybrid_layer_pattern": [int(each) for each in slides],
            "mlp_layer_types": [["dense", "sparse"][each] for each in sparse],
            "moe_layer_freq": [int(each) for each in sparse],
        }
        same = {name: lists[name] for name in lists if chance.random() < 0.6}
        same |= {"n_layer": n_layers, "num_experts_per_token": EXPERTS["num_experts_per_tok"]}
        counted = outcome(base)
        assert isinstance(counted, float)
        assert outcome(base | same) == counted
        name, layer = chance.choice(list(same)), chance.randrange(n_layers)
        if name in lists:
            entries = list(lists[name])
            others = [each for each in dict.fromkeys(entries) if each != entries[layer]]
            if not others:
                return
            entries[layer] = others[0]
            wrong = {name: entries}
        else:
            wrong = {name: same[name] + 1}
        assert isinstance(outcome(base | same | wrong), str), (name, layer)

    fuzz(attack, 500)


#: Fields that may be there and not count, and what says so.
MAY_IDLE = {
    "window_len": "no layer slides, by a list or a switch",
    "n_before_window": "no window is stated, or a list says who has one",
    "uses_window": "the same",
    "full_every": "a list says which layers are full, and agrees",
    "double_wide": "no layer shares a cache",
    "n_layers_per_cache": "the switch is off",
    "n_first_dense": "a list says which layers have experts, and agrees",
    "moe_every": "the same",
    "moe_step": "1 of 1",
    "n_expert_groups": "no layer has experts",
    "n_top_groups": "the same",
    "d_head": "there is a latent",
    "index_step": "a list says which layers have an indexer",
    "index_pattern": "the same",
    "d_expert": "a class has experts off unless a file switches them on",
    "d_rope": "a vector that is rotated in part is cached whole",
    "n_kv_heads": "an older falcon has one",
    "multi_query": "no older falcon, and they are counted",
    "new_decoder": "it is no falcon",
    "parallel": "the same",
    "n_parallel_norms": "the same",
    "n_layer_vocab": "the tables have no width",
    "mlp_bias": "the family's MLPs have none",
    "tied": "it stands in the language model, too",
    "expand": "heads and their size say how wide a state is",
    "step_rank": "the state is a later Mamba's, which has none",
    "state_element_bytes": "no layer keeps a state",
    "matrices": "the family is known",
    "d_inner": "the family's layers have no such MLP",
    "use_qk_norm": "the family has none, or none that learns",
    "use_bias": "the family says of each bias what it is",
    "multiple": "no width is adjusted",
    "multiple_of": "the same",
    "n_full_placed": "a list says the same",
    "state_norm": "the family's states have none",
    "full_rank_gate": "no layer keeps a state",
    "full_rank_decay": "the same",
    "n_positions": "positions are not learned",
}


@pytest.mark.fuzz
def test_a_known_field_that_does_not_count_can_never_have_been_a_size():
    own_names = {name: own for own, form in FORMS.items() for name in form.names}

    def attack(chance: Random) -> None:
        config, other = (deepcopy(chance.choice(CONFIGS)) for _ in range(2))
        part, other = (language_part(each).part for each in (config, other))
        for key in chance.sample(list(other), min(3, len(other))):
            part.setdefault(key, other[key])
        prefix = language_part(config).path
        try:
            reading = read_config(config)
        except ConfigError:
            return
        if any(part.get(each) is False for each in ("enable_moe_block", "use_moe", "use_mla")):
            return  # switched off
        used = {own_names.get(each.removeprefix(prefix)) for each in reading.used}
        for path in reading.ignored:
            name = path.removeprefix(prefix)
            own = own_names.get(name)
            if own and part.get(name) and own not in used:
                assert own in MAY_IDLE, path

    fuzz(attack, 2000)


def test_a_refusal_of_a_config_can_be_told_from_others():
    with pytest.raises(ConfigError):
        read_config("{")
