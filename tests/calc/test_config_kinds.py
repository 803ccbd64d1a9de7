"""Kinds of layers and families in public config.json files: parameters, and what they cache."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from calc import ConfigError, evaluate, read_config, scenario
from tests.helpers.cases import configs, records

CASES = {each["id"]: each for each in records("configs")}


def config(name):
    return deepcopy(CASES[name]["config"])


@pytest.mark.parametrize("name", CASES)
def test_counts_and_caches(name):
    case = CASES[name]
    reading = read_config(json.dumps(case["config"]))
    assert reading.guesses == ()
    if published := case.get("published"):
        assert reading.model.n_params == published["total_params"]
    report = evaluate(scenario(model=reading.model).validate())
    for quantity, value in case.get("cache", {}).items():
        found = reading.model.window.kept_len if quantity == "window" else getattr(report, quantity)
        assert found == value, quantity


# --- values per layer -------------------------------------------------------------------------


def test_kv_heads_that_differ_by_layer():
    # DeciLM-7B: 4 KV heads in some layers, 2 or 1 in others. A head is 2·128 numbers of 2 bytes.
    llama = configs()["meta-llama/Llama-3.1-8B"]
    stated = [4] * 8 + [2] * 12 + [1] * 12
    reading = read_config(
        llama | {"num_key_value_heads_per_layer": stated, "num_key_value_heads": 4}
    )
    model = reading.model
    assert evaluate(scenario(model=model).validate()).full_bytes_per_token == sum(stated) * 512
    assert model.full.n_kv_heads == 1
    alike = read_config(llama | {"num_key_value_heads": 4}).model
    # Each head less spares a key and a value projection.
    assert alike.n_params - model.n_params == (32 * 4 - sum(stated)) * 2 * 4096 * 128
    assert any("KV heads differ by layer" in each for each in reading.derived)


def test_query_heads_that_differ_by_kind_of_layer():
    # Laguna: 48 heads in full layers, 64 in windows.
    kinds = ["full_attention", "sliding_attention", "sliding_attention", "sliding_attention"] * 8
    base = configs()["meta-llama/Llama-3.1-8B"] | {"layer_types": kinds, "sliding_window": 512}
    by_layer = [48 if kind == "full_attention" else 64 for kind in kinds]
    model = read_config(
        base
        | {"num_attention_heads_per_layer": by_layer, "head_dim": 128}
        | {"num_attention_heads": 48}
    ).model
    alike = read_config(base | {"num_attention_heads": 48, "head_dim": 128}).model
    assert model.n_params - alike.n_params == 24 * 16 * 128 * 2 * 4096
    assert model.full.decode_attention_width == 48 * 2 * 128
    assert model.window.decode_attention_width == 64 * 2 * 128


def test_widths_that_differ_by_layer():
    llama = configs()["meta-llama/Llama-3.1-8B"]
    widths = [14336] * 16 + [7168] * 16
    alike, other = (
        read_config(llama | {"intermediate_size": each}).model for each in (14336, widths)
    )
    assert alike.n_params - other.n_params == 16 * 7168 * 3 * 4096


def test_a_list_of_equal_entries_is_that_value():
    llama = configs()["meta-llama/Llama-3.1-8B"]
    lists = {name: [llama[name]] * 32 for name in ("num_key_value_heads", "hidden_size")}
    assert read_config(llama | lists).model == read_config(llama).model


# --- two mechanisms, and others than attention --------------------------------------------------


def test_attention_beside_a_state_in_every_layer():
    model = read_config(config("tiiuae/Falcon-H1-1.5B-Base")).model
    assert (model.full.n_layers, model.state.n_layers) == (24, 24)
    # A log has 72.00 MiB of states, and 0.98 of convolutions at twice our two bytes.
    assert 24 * 48 * 64 * 256 * 4 == 72 * 2**20
    conv_bytes = model.state.state_bytes * 24 - 72 * 2**20
    assert round(2 * conv_bytes / 2**20, 2) == 0.98


def test_states_at_16_bit():
    nemotron = config("nvidia/NVIDIA-Nemotron-Nano-9B-v2")
    wide, narrow = (
        read_config(nemotron | {"mamba_ssm_cache_dtype": each}).model.state.state_bytes
        for each in ("float32", "bfloat16")
    )
    assert wide - narrow == 128 * 80 * 128 * 2


def test_mamba_1_by_hand():
    # Jamba: 4096 wide, 8192 inside, state 16, step of rank 256; 28 of 32 layers.
    layer = 4096 * 16384 + 8192 * 4 + 8192 + 8192 * (256 + 32) + 256 * 8192 + 8192
    layer += 8192 * 16 + 8192 + 8192 * 4096 + 256 + 16 + 16
    reading = read_config(config("ai21labs/Jamba-v0.1"))
    assert (reading.model.full.n_layers, reading.model.state.n_layers) == (4, 28)
    attention = 2 * 4096**2 + 2 * 4096 * 1024
    mlp = 3 * 4096 * 14336
    rest = 2 * 65536 * 4096 + 4096 + 32 * 2 * 4096
    experts = 16 * (16 * mlp + 16 * 4096)
    assert reading.model.n_params == rest + 28 * layer + 4 * attention + 16 * mlp + experts


def test_layers_that_look_at_an_image_do_not_grow():
    reading = read_config(config("meta-llama/Llama-3.2-11B-Vision"))
    assert reading.model.full.n_layers == 32
    assert any("does not grow with the text" in each for each in reading.derived)


def test_two_attention_blocks_in_a_layer():
    reading = read_config(config("meituan-longcat/LongCat-Flash-Chat"))
    assert (reading.model.n_layers, reading.model.full.n_layers) == (28, 56)
    # A third of the experts has no weights: 8 of 12 are read.
    assert reading.model.n_experts_per_token == 8


# --- families -------------------------------------------------------------------------------


def test_what_a_class_has_is_said():
    derived = read_config(config("google/gemma-3-4b-it")).derived
    assert "num_attention_heads is missing: 8, as the gemma3_text family has it" in derived


def test_wrappers_nest():
    reading = read_config(config("Qwen/Qwen2.5-Omni-7B"))
    assert "thinker_config.text_config.hidden_size" in reading.used


@pytest.mark.parametrize("family", ["t5", "whisper"])
def test_an_encoder_decoder_is_refused_by_its_name(family):
    stated = {"model_type": family, "is_encoder_decoder": True, "d_model": 1024}
    with pytest.raises(ConfigError, match=f"model_type {family} is an encoder-decoder"):
        read_config(stated)
