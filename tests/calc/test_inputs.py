"""The table of inputs: what each says of itself, and that it sets what it says it sets."""

from __future__ import annotations

import math
import re
from dataclasses import fields, replace
from inspect import signature

import numpy as np
import pytest

from calc import Assumptions, Inputs, evaluate, scenario
from calc.architecture.sizes import SIZES
from calc.inputs.table import ASSUMPTION_KEYS, CARD_KEYS, CHOICES, INPUTS, MODEL_KEYS, NUMBERS
from calc.presets.models import OPEN_MODEL

#: A model in which each number has an effect.
MIXTURE = {"experts": 8.0, "top_k": 2.0, "active_b": 5.0}


def test_the_defaults_are_the_lesson_s():
    assert Inputs().scenario() == scenario()
    assert evaluate(scenario()).max_batch == 61
    assert {key: what.default for key, what in CHOICES.items()} == {
        key: value for key, value in vars(Inputs()).items() if key in CHOICES
    }


@pytest.mark.parametrize("key", INPUTS)
def test_every_input_says_what_it_is(key):
    what = INPUTS[key]
    assert what.label
    assert what.doc.endswith((".", "?"))
    assert "\n" not in what.doc


@pytest.mark.parametrize("key", NUMBERS)
def test_a_number_takes_its_default_and_its_stops(key):
    number = NUMBERS[key]
    low, high = number.range
    assert number.takes(number.default)
    assert number.takes(low)
    assert number.takes(high)
    assert not number.takes(low - 1e-9)
    assert not number.takes(high + 1e-9)
    assert not number.takes(math.inf)
    assert number.takes(math.nan) == math.isnan(number.default)
    assert number.takes((low + high) / 2 + 0.3) != number.whole
    assert sorted(number.stops) == list(number.stops)
    assert all(number.takes(stop) for stop in number.stops)
    assert not number.stops or number.default in number.stops


@pytest.mark.parametrize("key", NUMBERS)
@pytest.mark.parametrize("value", [5e-324, 2e-313, 1e-100, 9e-10])
def test_nothing_lies_between_zero_and_what_can_be_divided_by(key, value):
    assert not NUMBERS[key].takes(value)
    said = rf"^{key}=.+: (allowed is |smaller than 1e-9 is none but 0$)"
    with pytest.raises(ValueError, match=said):
        Inputs(**{key: value}).validate()


def test_stops():
    assert {n / 1e9 for n, *_ in SIZES} <= set(NUMBERS["params_b"].stops)
    assert NUMBERS["context"].stops[:6] == (512, 768, 1024, 1536, 2048, 3072)
    assert NUMBERS["batch"].stops[:6] == (1, 2, 3, 4, 6, 8)
    assert NUMBERS["batch"].stops[-1] == 1024


#: What moves with an input beside what it sets, as long as it is open itself.
FOLLOWERS = {
    "context": {"prompt_len"},
    "hbm_gb": {"hbm_reported_bytes"},
    "bf16_tflops": {"peak_8bit_flops_per_s", "peak_int8_flops_per_s"},
    "fp8_tflops": {"peak_int8_flops_per_s"},
    **{key: {"tensor_parallel"} for key in ("gpus", "dp", "pp")},
}


@pytest.mark.parametrize("key", [key for key in NUMBERS if key not in MODEL_KEYS])
@pytest.mark.parametrize("end", [0, 1])
def test_a_number_sets_the_fields_that_it_names_and_no_other(key, end):
    number = NUMBERS[key]
    value = number.range[end]
    gpu = "custom" if key in CARD_KEYS else "h100-80gb-lesson"
    # No formula minds that as many GPUs do not share these heads.
    before, after = (Inputs(gpu=gpu, **inputs).scenario().leaves() for inputs in ({}, {key: value}))
    moved = {name for name in after if after[name] != before[name]}
    assert moved <= set(number.sets) | FOLLOWERS.get(key, set())
    for name in number.sets:
        factor = before[name] if key.endswith("_factor") else number.factor
        assert after[name] == value * factor


@pytest.mark.parametrize("key", MODEL_KEYS)
def test_a_number_of_the_model_sets_the_fields_that_it_names(key):
    number = NUMBERS[key]
    # No formula minds that three does not go together with the others.
    before, after = (Inputs(**MIXTURE | changes).scenario().leaves() for changes in ({}, {key: 3}))
    for name in number.sets:
        assert after[name] != before[name]
    if math.isnan(number.default):
        assert after[number.sets[0]] == 3 * number.factor


def test_an_own_card_is_the_lesson_s_but_for_what_is_given():
    lesson, own = (scenario(gpu=gpu).gpu for gpu in ("h100-80gb-lesson", "custom"))
    assert own == lesson
    # Twice the 16-bit peak at 8 bit, both in fp8 and in int8, as on the lesson's card; none at 4.
    half = scenario(gpu="custom", bf16_tflops=495.0).gpu
    assert (half.peak_8bit_flops_per_s, half.peak_int8_flops_per_s) == (990e12, 990e12)
    none = scenario(gpu="custom", fp8_tflops=0.0, weights="fp8")
    assert evaluate(none).chip_math_bits == 16
    assert evaluate(scenario(gpu="custom", fp4_tflops=4000.0, weights="mxfp4")).chip_math_bits == 4


@pytest.mark.parametrize(
    ("given_inputs", "sentence"),
    [
        ({"gpu": "h200-sxm", "hbm_gb": 1.0}, "hbm_gb: H200 SXM 141GB has its own"),
        ({"model": "llama-3-8b", "gqa": 4.0}, "gqa: Llama 3 / 3.1 8B has its own"),
        (
            {"model": "llama-3-8b", "gqa": 200.0},
            "gqa=200: allowed is a whole number from 1 to 128",
        ),
    ],
)
def test_what_would_count_for_nothing_is_refused(given_inputs, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        scenario(**given_inputs)
    assert Inputs(**given_inputs).complaint(given_inputs.keys()) == sentence


def test_there_is_an_input_for_every_assumption():
    named = {name for key in ASSUMPTION_KEYS if key in NUMBERS for name in NUMBERS[key].sets}
    assert named | {"operator_overlap"} == {each.name for each in fields(Assumptions)}


@pytest.mark.parametrize("name", ["lesson", "engine"])
def test_the_overlap_alone(name):
    before = scenario(assumptions=name).assumptions
    for overlap, operator in (("step", 0.0), ("operator", 1.0)):
        after = scenario(assumptions=name, overlap=overlap).assumptions
        assert after == replace(before, operator_overlap=operator)


def test_an_input_for_one_phase_counts_before_the_one_for_both():
    both = scenario(mfu=0.5, mfu_decode=0.25).assumptions
    assert (both.prefill_efficiency, both.decode_efficiency) == (0.5, 0.25)


def test_an_array_may_be_open_in_places():
    changed = scenario(mbu=np.array([np.nan, 0.5]), assumptions="engine").assumptions
    np.testing.assert_array_equal(changed.bandwidth_efficiency, [0.85, 0.5])


def test_the_keywords_are_the_table_s():
    assert list(signature(scenario).parameters) == list(INPUTS)
    with pytest.raises(TypeError, match="bach"):
        scenario(bach=3.0)


def test_a_record_may_be_given_for_a_name():
    named = scenario(model="custom", overlap="step")
    assert named == scenario(model=OPEN_MODEL, overlap=CHOICES["overlap"].table["step"])


def test_as_in_json():
    assert Inputs(batch=2.0).as_dict()["batch"] == 2
    assert Inputs().as_dict()["prompt"] is None
    assert Inputs().as_dict().keys() == INPUTS.keys()


@pytest.mark.parametrize("d_model", [4096, 7168, 131_072])
@pytest.mark.parametrize(("params_b", "active_b", "top_k"), [(100, 1, 2), (30, 1, 4), (1000, 8, 1)])
def test_a_vocabulary_is_part_of_what_lies_outside_the_experts(params_b, active_b, top_k, d_model):
    # A quarter of all 100 billion would be more than the active billion that a token goes through.
    own = scenario(
        params_b=params_b,
        active_b=active_b,
        experts=256,
        top_k=top_k,
        d_model=d_model,
        vocab=262_144,
        assumptions="engine",
        batch=1,
        context=128,
    )
    outside = own.model.n_params - own.model.n_expert_params
    assert own.model.n_input_table <= outside / 4 < own.model.n_active
    report = evaluate(own)
    numbers = [v for v in vars(report).values() if isinstance(v, float)]
    assert min(numbers) >= 0
    assert 0 <= report.kv_read_fraction <= 1
