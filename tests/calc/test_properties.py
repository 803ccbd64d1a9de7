"""What must hold for every model, card and format, over the whole range that inputs allow."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calc import (
    ASSUMPTIONS,
    KV_FORMATS,
    MODELS,
    WEIGHT_FORMATS,
    Inputs,
    KvFormat,
    Parallelism,
    Report,
    evaluate,
    scenario,
)
from calc.inputs.table import ASSUMPTION_KEYS, CARD_KEYS, INPUTS, MODEL_KEYS
from calc.presets.hardware import OWN_GPU
from calc.presets.models import OWN_MODELS
from calc.primitives import divisors
from calc.rules import broken_in_parallelism
from tests.helpers.strategies import SHARING, kv_for, sharing_of, value_of

#: Sums and ratios of floats may differ in their last digits.
CLOSE = 1 + 1e-9


#: All but what says more of an own model, single assumptions and what-ifs.
DRAWN = INPUTS.keys() - {*MODEL_KEYS, *ASSUMPTION_KEYS} - {"bandwidth_factor", "peak_factor"} | {
    "params_b",
    "overlap",
}


@st.composite
def inputs(draw):
    drawn = {key: draw(value_of(key)) for key in sorted(DRAWN.difference(SHARING))}
    drawn |= {"gqa": draw(st.sampled_from([1.0, 2.0, 4.0, 8.0]))}
    model = Inputs(**taken(drawn)).model_record()
    return drawn | {"kv": draw(kv_for(model))} | draw(sharing_of(model))


def taken(drawn):
    """Without what a model or a card has its own of: beside it, that is not to be given."""
    own = [] if drawn["model"] in OWN_MODELS else MODEL_KEYS
    own_card = [] if drawn["gpu"] == OWN_GPU else CARD_KEYS
    return {key: value for key, value in drawn.items() if key not in (*own, *own_card)}


def report(drawn, **changes):
    # Twice a batch or context may be more than people set: still what formulas are meant for.
    return evaluate(Inputs(**taken(drawn | changes)).scenario().validate())


@given(inputs())
def test_everything_is_finite_and_not_negative(drawn):
    for name, value in report(drawn).as_dict().items():
        if isinstance(value, float):
            assert math.isfinite(value), name
            assert value >= 0, name


@given(inputs())
def test_a_step_is_at_least_as_long_as_each_of_its_parts(drawn):
    result = report(drawn)
    beside = result.communication_s + result.overhead_s
    for part in (result.memory_s, result.compute_s):
        assert result.step_s * CLOSE >= part + beside
    parts_s = result.memory_s + result.compute_s + beside
    assert result.step_s <= CLOSE * parts_s * result.stage_imbalance
    assert result.verify_s * CLOSE >= result.step_s


@given(inputs(), st.integers(1, 1024))
def test_a_larger_batch_never_makes_a_step_shorter(drawn, more):
    small, large = report(drawn), report(drawn, batch=drawn["batch"] + more)
    assert large.step_s * CLOSE >= small.step_s
    assert large.weight_bytes_read * CLOSE >= small.weight_bytes_read
    assert large.hbm_used_bytes >= small.hbm_used_bytes
    assert large.max_context_len <= small.max_context_len


@given(inputs(), st.integers(1, 2**20))
def test_a_longer_context_never_helps(drawn, more):
    short, long = report(drawn), report(drawn, context=drawn["context"] + more)
    assert long.kv_bytes >= short.kv_bytes
    assert long.kv_reserved_bytes_per_sequence >= short.kv_reserved_bytes_per_sequence
    assert long.step_s * CLOSE >= short.step_s
    assert long.max_batch <= short.max_batch


@given(inputs(), st.floats(1, 10))
def test_more_bandwidth_never_hurts(drawn, factor):
    slow, fast = report(drawn), report(drawn, bandwidth_factor=factor)
    assert fast.step_s <= slow.step_s * CLOSE
    assert fast.ttft_s <= slow.ttft_s * CLOSE
    assert fast.served_tokens_per_s * CLOSE >= slow.served_tokens_per_s


ALONE = {key: INPUTS[key].default for key in SHARING}


@given(inputs())
def test_memory_per_gpu_never_grows_with_more_gpus(drawn):
    few, many = report(drawn, **ALONE), report(drawn)
    assert many.weight_bytes_per_gpu <= few.weight_bytes_per_gpu * CLOSE
    assert many.kv_bytes_per_gpu <= few.kv_bytes_per_gpu * CLOSE
    assert many.kv_bytes == few.kv_bytes


@given(inputs())
def test_what_gpus_hold_is_at_least_what_there_is(drawn):
    shared = report(drawn)
    assert drawn["gpus"] * shared.weight_bytes_per_gpu * CLOSE >= shared.weight_bytes
    assert drawn["gpus"] * shared.kv_bytes_per_gpu * CLOSE >= shared.kv_bytes


@given(inputs())
def test_pages_hold_no_less_than_is_in_them(drawn):
    result = report(drawn)
    assert result.kv_held_bytes_per_sequence * CLOSE >= result.kv_bytes_per_sequence_per_gpu
    assert result.kv_reserved_bytes_per_sequence >= result.kv_held_bytes_per_sequence
    assert result.paged_max_batch <= result.max_batch


def ways_to_share(model):
    """tp, dp, pp and dcp: every power of two as tp, with each dcp that it allows."""
    for tp, dp, pp in itertools.product(divisors(64), (1, 8), (1, 3)):
        for dcp in divisors(max(tp // int(model.main.n_kv_heads), 1)):
            way = Parallelism(tp * dp * pp, tp, dp, pp, context_parallel=dcp)
            if way.n_gpus <= 64 and not broken_in_parallelism(way, model):
                yield tp, dp, pp, dcp


@pytest.mark.parametrize("name", sorted(MODELS))
def test_pages_of_a_preset_in_each_format_however_it_is_shared(name):
    # Of 8 GPUs that split 5,000 tokens of DeepSeek-V4, each held less than half of its cache.
    model = Inputs(model=name).model_record()
    widths = {each.bytes_per_kv for each in KV_FORMATS.values() if not each.latent_width}
    cases = itertools.product(sorted(widths), ways_to_share(model), (2, 100, 5_000, 200_000))
    rows = [(width, *way, context) for width, way, context in cases]
    width, tp, dp, pp, dcp, context = np.array(rows, dtype=float).T
    result = evaluate(
        scenario(
            **{"model": model, "kv": KvFormat(width), "context": context},
            **{"gpus": tp * dp * pp, "dp": dp, "pp": pp, "dcp": dcp},
        )
    )
    shares = result.kv_held_bytes_per_sequence / result.kv_bytes_per_sequence_per_gpu
    assert shares.min() >= 1 / CLOSE
    assert (result.paged_max_batch <= result.max_batch).all()


@given(inputs())
def test_experts_read_lie_between_those_of_one_token_and_all(drawn):
    built = scenario(**taken(drawn))
    touched = evaluate(built).experts_touched
    experts, per_token = built.model.n_experts, built.model.n_experts_per_token
    assert per_token * (1 - 1e-9) <= touched <= experts * CLOSE


@given(inputs())
def test_speculation_never_gains_more_than_its_tokens(drawn):
    result = report(drawn)
    assert 1 <= result.spec_tokens_per_pass <= drawn["spec_k"] + 1
    assert result.spec_speedup <= (drawn["spec_k"] + 1) * CLOSE


@given(inputs())
def test_what_fits_and_what_is_said_to_fit_agree(drawn):
    result = report(drawn)
    most = float(result.max_batch)
    assume(0 < most < 1e6)
    assert report(drawn, batch=most).hbm_over_bytes <= 1e-6 * result.hbm_bytes
    assert not report(drawn, batch=most + 1).fits
    longest = float(result.max_context_len)
    if 1 <= longest < 1e8:
        assert report(drawn, context=longest).hbm_over_bytes <= 1e-6 * result.hbm_bytes
        assert report(drawn, context=longest + 2).hbm_over_bytes >= 0


@given(inputs())
def test_prefix_hits_change_the_first_token_only(drawn):
    cold, warm = report(drawn, prefix_hit=0.0), report(drawn, prefix_hit=0.9)
    assert warm.ttft_s <= cold.ttft_s
    assert warm.step_s == cold.step_s
    assert warm.kv_bytes == cold.kv_bytes


@given(inputs())
def test_price_and_its_reciprocal(drawn):
    result = report(drawn)
    assume(drawn["usd_per_gpu_hour"] > 1e-6)
    assert result.usd_per_million_output_tokens * result.output_tokens_per_usd == pytest.approx(1e6)
    assert result.usd_per_million_input_tokens * result.input_tokens_per_usd == pytest.approx(1e6)


#: Scales and 16-bit tables apart, and the table that is not read: bf16 and wider are compared.
WIDE = [name for name, form in WEIGHT_FORMATS.items() if form.bytes_per_weight >= 2]


@given(inputs(), st.sampled_from(WIDE))
def test_lesson_is_a_ceiling_for_engine(drawn, weights):
    changes = {"weights": weights, "overlap": "assumed"}
    ceiling, estimate = (report(drawn, assumptions=a, **changes) for a in ASSUMPTIONS)
    assert estimate.tokens_per_s <= ceiling.tokens_per_s * CLOSE
    assert estimate.max_batch <= ceiling.max_batch * 1.08 + 1


@given(st.lists(inputs(), min_size=2, max_size=5))
def test_arrays_give_what_single_numbers_give(rows):
    fixed = {key: rows[0][key] for key in ("model", "weights", "kv", "gpu", "acceptance")}
    fixed |= {key: rows[0][key] for key in ("assumptions", "overlap", "gqa", "params_b", *SHARING)}
    numbers = [key for key in rows[0] if key not in fixed]
    columns = {key: np.array([row[key] for row in rows]) for key in numbers}
    vector = evaluate(scenario(**taken(fixed | columns)))
    for index, row in enumerate(rows):
        single = report(row | fixed)
        for field in fields(Report):
            value = np.broadcast_to(getattr(vector, field.name), len(rows))[index]
            if isinstance(value, np.str_ | np.bool_):
                assert value == getattr(single, field.name), field.name
            else:
                # NumPy's power differs between one number and many in its last digit.
                np.testing.assert_allclose(
                    value, float(getattr(single, field.name)), rtol=1e-12, err_msg=field.name
                )


def test_the_two_overlap_rules_are_equal_while_memory_binds():
    at_default = {"context": 8192.0, "attention": 1.0}
    whole = evaluate(scenario(batch=8.0, overlap="step", **at_default))
    each = evaluate(scenario(batch=8.0, overlap="operator", **at_default))
    assert each.step_s == pytest.approx(whole.step_s, rel=1e-12)
    # At 1,024 sequences the matrices are compute-bound and the cache is not: 17 % apart.
    whole = evaluate(scenario(batch=1024.0, overlap="step", **at_default))
    each = evaluate(scenario(batch=1024.0, overlap="operator", **at_default))
    assert f"{each.step_s / whole.step_s:.3f}" == "1.030"
