"""Formats by module: what quantisers write of exceptions, in bytes that were counted by hand.

Llama 3.1 8B has in each of 32 layers 4096² queries, as many outputs, 1024 · 4096 keys, as many
values, and three matrices of 4096 · 14336; two tables of 128,256 · 4096; and 65 norms of 4096.
"""

from __future__ import annotations

import json
import re

import pytest

from calc import evaluate, read_config, scenario
from calc.hf_config.modules import MOST_RUNS, PROJECTIONS
from calc.hf_config.patterns import LONGEST_PATTERN, Pattern, PatternError, glob
from calc.hf_config.rules import FORMATS, LISTS
from calc.presets.formats import WEIGHT_FORMATS
from tests.helpers.cases import configs

LLAMA = configs()["meta-llama/Llama-3.1-8B"]
Q, K, MLP = 4096**2, 1024 * 4096, 4096 * 14336
ATTENTION = 32 * (2 * Q + 2 * K)
DENSE = 32 * 3 * MLP
TABLE = 128256 * 4096
NORMS = 65 * 4096
LAYERS = [f"model.layers.{n}" for n in range(32)]
INT4 = 0.5 + 2.5 / 128
FP8 = 1 + 4 / 128**2


def reading_of(stated, name="quantization_config", base=LLAMA):
    return read_config(base | {name: stated})


def stored_bytes(stated, name="quantization_config", base=LLAMA):
    reading = reading_of(stated, name, base)
    own = scenario(weights=reading.weights, model=reading.model, assumptions="engine")
    return evaluate(own).weight_bytes


def ct(*groups, **rest):
    return {
        "quant_method": "compressed-tensors",
        "config_groups": {f"group_{n}": group for n, group in enumerate(groups)},
        "ignore": ["lm_head"],
    } | rest


def group(bits, kind="int", targets=("Linear",), **rest):
    return {"targets": [*targets], "weights": {"num_bits": bits, "type": kind} | rest}


GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 128}
AUTO = {"quant_method": "auto-round", "bits": 4, "group_size": 128, "data_type": "int"}
FP8_METHOD = {"quant_method": "fp8", "activation_scheme": "dynamic"}
MLX = {"group_size": 64, "bits": 4}
QUARK = {
    "quant_method": "quark",
    "global_quant_config": {"weight": {"dtype": "fp4", "group_size": 32}},
    "exclude": ["lm_head"],
}
#: All of the layers in int4 with a scale per 128 weights; the tables at 16 bit.
ALL_INT4 = INT4 * (ATTENTION + DENSE) + 4 * TABLE
ALL_FP8 = FP8 * (ATTENTION + DENSE) + 4 * TABLE

BYTES = {
    # bitsandbytes: a scale of 8 bit per 64 weights, and one of 32 bit per 256 of these. Layer 0's
    # attention and the MLPs of three layers stay.
    "bitsandbytes": (
        {
            "quant_method": "bitsandbytes",
            "load_in_4bit": True,
            "bnb_4bit_use_double_quant": True,
            "llm_int8_skip_modules": [
                *("lm_head", "multi_modal_projector", "model.layers.0.self_attn"),
                *(f"model.layers.{n}.mlp" for n in (0, 1, 3)),
            ],
        },
        (ATTENTION * 31 / 32 + DENSE * 29 / 32) * INT4
        + 2 * (ATTENTION / 32 + DENSE * 3 / 32)
        + 4 * TABLE,
    ),
    "gptq, attention left out": (
        GPTQ | {"dynamic": {"lm_head": {}, "-:.*attn.*": {}, "-:.*shared_expert.*": {}}},
        2 * ATTENTION + INT4 * DENSE + 4 * TABLE,
    ),
    "gptq, down projections at 8 bit": (
        GPTQ | {"dynamic": {"+:.*down.*": {"bits": 8}}},
        INT4 * (ATTENTION + DENSE * 2 / 3) + (1 + 3 / 128) * DENSE / 3 + 4 * TABLE,
    ),
    "gptq, the head too": (GPTQ | {"lm_head": True}, ALL_INT4 - (2 - INT4) * TABLE),
    "gptq, the head but for a rule": (
        GPTQ | {"lm_head": True, "dynamic": {"-:lm_head": {}}},
        ALL_INT4,
    ),
    "gptq, the head at 8 bit": (
        GPTQ | {"lm_head": True, "dynamic": {"lm_head": {"bits": 8}}},
        ALL_INT4 - (2 - (1 + 3 / 128)) * TABLE,  # a scale of 2 bytes and a zero of 1 per 128
    ),
    "auto-round": (
        AUTO
        | {
            "extra_config": {
                f"{layer}.self_attn.{each}_proj": {"bits": 16, "data_type": "fp"}
                for layer in LAYERS
                for each in "qkvo"
            }
        },
        2 * ATTENTION + INT4 * DENSE + 4 * TABLE,
    ),
    "auto-round by a pattern": (
        AUTO | {"extra_config": {r"mlp\.down_proj$": {"bits": 8}}},
        INT4 * (ATTENTION + DENSE * 2 / 3) + (1 + 3 / 128) * DENSE / 3 + 4 * TABLE,
    ),
    "awq": (
        {"quant_method": "awq", "bits": 4, "modules_to_not_convert": ["self_attn"]},
        2 * ATTENTION + INT4 * DENSE + 4 * TABLE,
    ),
    # MLX: a scale and an offset of 16 bit per 64 weights, tables too: 4.52 GB as published.
    "mlx": (MLX, 4.5 / 8 * (ATTENTION + DENSE + 2 * TABLE)),
    "mlx, down projections at 8 bit": (
        MLX | {f"{layer}.mlp.down_proj": {"group_size": 64, "bits": 8} for layer in LAYERS},
        4.5 / 8 * (ATTENTION + DENSE * 2 / 3 + 2 * TABLE) + 8.5 / 8 * DENSE / 3,
    ),
    "mlx, queries left out": (
        MLX | {f"{layer}.self_attn.q_proj": False for layer in LAYERS},
        4.5 / 8 * (ATTENTION - 32 * Q + DENSE + 2 * TABLE) + 2 * 32 * Q,
    ),
    "mlx, the head at 6 bit": (
        MLX | {"lm_head": {"group_size": 64, "bits": 6}},
        4.5 / 8 * (ATTENTION + DENSE + TABLE) + 6.5 / 8 * TABLE,
    ),
    # Layers that MLX does not give a mode are affine, whatever the rest is.
    "mlx, queries beside mxfp4": (
        {"group_size": 32, "bits": 4, "mode": "mxfp4"}
        | {f"{layer}.self_attn.q_proj": {"group_size": 64, "bits": 8} for layer in LAYERS},
        (0.5 + 1 / 32) * (ATTENTION - 32 * Q + DENSE + 2 * TABLE) + 8.5 / 8 * 32 * Q,
    ),
    "mlx, mxfp8": (
        {"group_size": 32, "bits": 8, "mode": "mxfp8"},
        (1 + 1 / 32) * (ATTENTION + DENSE + 2 * TABLE),
    ),
    "compressed-tensors, one target": (
        ct(group(4, targets=["re:.*down_proj$"], group_size=128), ignore=["lm_head"]),
        2 * (ATTENTION + DENSE * 2 / 3) + INT4 * DENSE / 3 + 4 * TABLE,
    ),
    "compressed-tensors, two targets": (
        ct(
            group(4, targets=["re:.*mlp.*"], group_size=128),
            group(8, "float", targets=["re:.*self_attn.*"]),
        ),
        FP8 * ATTENTION + INT4 * DENSE + 4 * TABLE,
    ),
    "compressed-tensors, a scale per 32": (
        ct(group(4, group_size=32)),
        (0.5 + 2 / 32) * (ATTENTION + DENSE) + 4 * TABLE,
    ),
    "fp8, whole layers": (
        FP8_METHOD | {"modules_to_not_convert": [*LAYERS[:2], "model.layers.2*"]},
        # 0, 1, 2 and 20 to 29.
        ALL_FP8 + (2 - FP8) * (ATTENTION + DENSE) * 13 / 32,
    ),
    "fp8, four layers in a pattern": (
        FP8_METHOD | {"ignored_layers": [r"re:.*layers\.(0|1|2|3)\.mlp.*"]},
        ALL_FP8 + (2 - FP8) * DENSE * 4 / 32,
    ),
    "fp8, eight layers in a class": (
        FP8_METHOD | {"ignored_layers": ["model.layers.[0-7].mlp*"]},
        ALL_FP8 + (2 - FP8) * DENSE * 8 / 32,
    ),
    "fp8, one projection": (
        FP8_METHOD | {"modules_to_not_convert": ["down_proj"]},
        ALL_FP8 + (2 - FP8) * DENSE / 3,
    ),
    "fp8, a text for a list": (
        FP8_METHOD | {"modules_to_not_convert": "self_attn"},
        ALL_FP8 + (2 - FP8) * ATTENTION,
    ),
    "modelopt, by layer": (
        {
            "quant_method": "modelopt",
            "quant_algo": "MIXED_PRECISION",
            "quantized_layers": {
                **{
                    f"{each}.mlp.{p}_proj": {"quant_algo": "FP8"}
                    for each in LAYERS
                    for p in ("up", "down")
                }
            },
        },
        2 * (ATTENTION + DENSE / 3) + FP8 * DENSE * 2 / 3 + 4 * TABLE,
    ),
    "quark": (
        QUARK | {"layer_quant_config": {"*self_attn*": {"weight": {"dtype": "fp8_e4m3"}}}},
        FP8 * ATTENTION + (0.5 + 1 / 32) * DENSE + 4 * TABLE,
    ),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_by_hand(name):
    stated, expected = BYTES[name]
    reading = reading_of(stated)
    assert reading.guesses == ()
    # Norms count as the rest does; bytes that differ by less than a hundredth are one format.
    assert stored_bytes(stated) == pytest.approx(expected + NORMS, rel=1e-4)


def test_mlx_stores_as_many_numbers_as_published():
    # The Hub counts 1.25 billion in mlx-community/Meta-Llama-3.1-8B-Instruct-4bit: 32 bit with
    # eight weights each, and a scale and an offset of 16 bit per 64.
    n_weights = ATTENTION + DENSE + 2 * TABLE
    assert round((n_weights / 8 + n_weights / 32) / 1e9, 2) == 1.25
    assert stored_bytes(MLX) == pytest.approx(4 * n_weights / 8 + 2 * n_weights / 32, rel=1e-3)


def test_published_sizes_of_checkpoints():
    # In GB, as recalled: mlx-community's 4 bit, unsloth's bnb-4bit, hugging-quants' AWQ.
    published = {
        4.52: MLX,
        5.70: {
            "quant_method": "bitsandbytes",
            "load_in_4bit": True,
            "bnb_4bit_use_double_quant": True,
        },
        5.73: {"quant_method": "awq", "bits": 4, "group_size": 128},
    }
    for gigabytes, stated in published.items():
        assert stored_bytes(stated) == pytest.approx(gigabytes * 1e9, rel=0.005)


def test_bytes_of_formats_are_those_of_the_presets():
    for name, stored in FORMATS.items():
        preset = WEIGHT_FORMATS[name]
        assert stored == preset.bytes_per_weight + preset.scale_bytes_per_weight


# --- where modules are in some layers only ------------------------------------------------------

MOE = configs()["deepseek-ai/DeepSeek-V3"]


def n_16bit(base, *modules):
    stated = FP8_METHOD | {"modules_to_not_convert": [*modules]}
    return read_config(base | {"quantization_config": stated}).model.n_16bit


def test_layers_have_experts_or_an_mlp():
    # DeepSeek-V3: MLPs in layers 0 to 2, 256 experts in the 58 others.
    none = n_16bit(MOE)
    dense, expert = 3 * 7168 * 18432, 3 * 7168 * 2048
    assert n_16bit(MOE, "model.layers.1.mlp") - none == pytest.approx(dense)
    assert n_16bit(MOE, "model.layers.2.mlp.down_proj") - none == pytest.approx(dense / 3)
    assert n_16bit(MOE, "model.layers.9.mlp.experts") - none == pytest.approx(256 * expert)
    assert n_16bit(MOE, "model.layers.9.mlp.experts.17") - none == pytest.approx(expert)
    assert n_16bit(MOE, r"re:.*experts\.(3|4)\..*") - none == pytest.approx(58 * 2 * expert)
    assert n_16bit(MOE, "model.layers.9.mlp") - none == pytest.approx(257 * expert)
    # The draft layer, and layers of others.
    others = (
        "model.layers.61",
        "model.layers.61*",
        "model.layers.61.mlp*",
        "mtp.layers.0",
        "model.visual.blocks.3.attn",
        "vision_tower",
    )
    assert n_16bit(MOE, *others) == none


def test_routers_stay_at_16_bit():
    none = read_config(MOE).model.n_16bit
    assert n_16bit(MOE) - none == pytest.approx(58 * 256 * (7168 + 1))


def test_every_name_of_a_projection_is_in_one_place():
    assert len({(part, size) for part, size, _ in PROJECTIONS}) == len(PROJECTIONS)


# --- what is not known is said ------------------------------------------------------------------


@pytest.mark.parametrize("field", LISTS)
def test_a_name_that_means_nothing_is_told(field):
    reading = reading_of(FP8_METHOD | {field: ["model.layers.3.self_attn.w_big", "lm_head"]})
    assert reading.certainty == "partly a guess"
    assert reading.guesses == (
        f"quantization_config.{field} names modules that are not known "
        "(model.layers.3.self_attn.w_big): not counted",
    )


@pytest.mark.parametrize(
    ("scheme", "kv"),
    [
        ({"kv_cache_scheme": {"num_bits": 8, "type": "float"}}, "fp8"),
        ({"kv_cache_scheme": {"num_bits": 8, "type": "int"}}, "int8"),
        ({"kv_cache_quant_algo": "FP8"}, "fp8"),
        ({"kv_cache_quant_algo": "INT8"}, "int8"),
        ({"kv_cache_quant_algo": None}, ""),
    ],
)
def test_a_cache_that_is_stated(scheme, kv):
    reading = reading_of(ct(group(8, "float")) | scheme)
    assert (reading.kv, reading.guesses) == (kv, ())


def test_the_cache_of_quark():
    output = {"output_tensors": {"dtype": "fp8_e4m3"}}
    reading = reading_of(QUARK | {"kv_cache_quant_config": {"*k_proj": output, "*v_proj": output}})
    assert (reading.kv, reading.guesses) == ("fp8", ())


def test_a_head_of_which_nothing_is_said():
    reading = reading_of(ct(group(8, "float")) | {"ignore": []})
    assert reading.guesses == (
        "quantization_config does not say whether the head is converted: counted at 16 bit",
    )


def test_experts_of_another_type():
    stated = MOE | {"quantization_config": FP8_METHOD, "expert_dtype": "fp4"}
    reading = read_config(stated)
    assert reading.weights == "mxfp4"
    assert any("weights are fp8" in each for each in reading.derived)


def test_class_defaults_hold_inside_of_a_wrapper():
    # Gemma 2 9B: heads of 256 where 3584 / 16 is 224; with 1,216 more rows as PaliGemma 2 has.
    inner = configs()["google/gemma-2-9b"] | {"vocab_size": 257216}
    inner = {name: value for name, value in inner.items() if name != "head_dim"}
    model = read_config({"model_type": "paligemma", "text_config": inner}).model
    assert model.n_params == 9_241_705_984 + 1216 * 3584
    assert model.full.decode_attention_width == 2 * 16 * 256


# --- patterns -----------------------------------------------------------------------------------

NAMES = ["model.layers.0.mlp.down_proj", "model.layers.13.self_attn.q_proj", "lm_head", "aab", "12"]


@pytest.mark.parametrize(
    "text",
    [
        *(r".*down_proj$", r"model\.layers\.(0|1|2|3)\.mlp.*", r"^model\.layers\.\d{1,2}\.", ""),
        *("a{2}b", "a{1,3}$", r"(a|b)*\d+", "[^m].*", "[a-c]+$", "a?a?b", "(a+)+$", "a{0,2}b"),
        *(r".*layers\.([0-9]|1[0-3])\.self_attn.*", "(?:x|lm)_head", r"\d+$|l", ".*[._]proj"),
    ],
)
def test_patterns_match_as_in_python(text):
    for name in NAMES:
        assert Pattern(text).matches(name) == bool(re.match(text, name)), name


@pytest.mark.parametrize("text", ["(", ")", "[a", "a**", "(?=a)", "(?!a)b", r"\1", "a{50}", "\\"])
def test_patterns_that_are_not_understood(text):
    with pytest.raises(PatternError):
        Pattern(text)


def test_a_pattern_cannot_hang():
    # Going back and forth it would take longer than the universe has.
    assert not Pattern("(a*)*(a|aa)+(.*.*.*)*x$").matches("a" * 2000)
    for text in ("a" * (LONGEST_PATTERN + 1), "((a{40}){40}){40}"):
        with pytest.raises(PatternError):
            Pattern(text)


def test_globs():
    assert glob("*.self_attn").matches("model.layers.0.self_attn.q_proj")
    assert glob("a.[!0-3].b?").matches("a.7.bc")
    assert not glob("a.[!0-3].b?").matches("a.2.bc")
    assert not glob("model.layers.1.*").matches("model.layers.11.mlp")


def test_as_many_patterns_as_nobody_has_are_told():
    many = {"ignore": [f"*layers.{n}.mlp*" for n in range(MOST_RUNS // 32 + 10)]}
    reading = reading_of(FP8_METHOD | many)
    assert any("patterns that are not understood" in each for each in reading.guesses)
    assert len(json.dumps(reading.guesses)) < 300
