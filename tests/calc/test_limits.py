"""Limits that can be solved by hand, and what must hold over the whole allowed range."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import Inputs, Report, evaluate
from calc.architecture.sizes import SIZES, USUAL_HEADS, gqa_stops, usual_architecture
from tests.helpers.strategies import group_for, kv_for, value_of

#: Without preset models, shares of a cached prompt, several GPUs and engines' assumptions.
DRAWN = (
    *("params_b", "context", "batch", "weights", "spec_k", "alpha", "draft_cost"),
    *("gpu", "output"),
)


@st.composite
def inputs(draw):
    drawn = {key: draw(value_of(key)) for key in DRAWN}
    own = {"gqa": draw(group_for(drawn["params_b"])), "kv": draw(kv_for(Inputs().model_record()))}
    return drawn | own


def report(given_inputs, **changes):
    # Limits lie beyond what people set: still where formulas are meant for.
    return evaluate(Inputs(**(given_inputs | changes)).scenario().validate())


@given(inputs())
def test_everything_is_finite_and_not_negative(drawn):
    for name, value in report(drawn).as_dict().items():
        if isinstance(value, float):
            assert math.isfinite(value), name
            assert value >= 0, name


@given(inputs())
def test_time_is_at_least_each_bound(drawn):
    result = report(drawn)
    assert result.step_s == max(result.memory_s, result.compute_s)
    assert result.verify_s >= result.memory_s
    assert result.cycle_s >= result.verify_s
    assert (result.bound == "compute") == (
        result.decode_flops_per_byte * (1 + 1e-12) > result.ridge_flops_per_byte
    ) or math.isclose(result.decode_flops_per_byte, result.ridge_flops_per_byte)


@given(inputs())
def test_fits_and_max_batch_say_the_same(drawn):
    result = report(drawn)
    assert result.fits == (drawn["batch"] <= result.max_batch)


@given(inputs(), st.integers(2, 100))
def test_more_batch_means_more_in_all_and_less_for_each(drawn, factor):
    plain = drawn | {"spec_k": 0.0}
    fewer, more = report(plain), report(plain, batch=min(1024.0, drawn["batch"] * factor))
    assert more.tokens_per_s >= fewer.tokens_per_s * (1 - 1e-12)
    assert more.tokens_per_s_per_user <= fewer.tokens_per_s_per_user
    assert more.hbm_used_bytes >= fewer.hbm_used_bytes


@given(inputs())
def test_more_context_only_costs(drawn):
    short, long = report(drawn), report(drawn, context=drawn["context"] * 2)
    assert long.tokens_per_s <= short.tokens_per_s
    assert long.max_batch <= short.max_batch
    assert long.kv_bytes == 2 * short.kv_bytes


@given(inputs())
def test_speculation_yields_between_1_and_all_its_tokens(drawn):
    result = report(drawn)
    most = drawn["spec_k"] + 1
    assert result.spec_tokens_per_pass * (1 + 1e-12) >= 1
    assert result.spec_tokens_per_pass <= most * (1 + 1e-12)
    assert result.spec_speedup <= most * (1 + 1e-12)


@given(inputs())
def test_no_speculation_is_plain_decode_exactly(drawn):
    result = report(drawn, spec_k=0.0)
    assert result.tokens_per_s == result.plain_tokens_per_s
    assert result.tokens_per_s_per_user == result.plain_tokens_per_s_per_user
    assert result.spec_speedup == 1
    assert result.draft_bytes == 0


@given(st.lists(inputs(), min_size=2, max_size=5))
def test_an_array_gives_what_each_scalar_gives(drawn):
    alike = [each | {k: drawn[0][k] for k in ("weights", "kv", "gpu")} for each in drawn]
    columns = {
        key: np.array([each[key] for each in alike])
        for key in alike[0]
        if key not in ("weights", "kv", "gpu")
    }
    together = report(alike[0], **columns)
    for position, each in enumerate(alike):
        alone = report(each)
        for field in fields(Report):
            value = np.broadcast_to(getattr(together, field.name), len(alike))[position]
            if field.name.startswith(
                (
                    *("spec", "tokens", "tpot", "served", "usd", "request", "input", "output"),
                    "prefill_fraction",
                )
            ):
                # NumPy's power of an array may differ from that of one number in the last bit.
                assert value == pytest.approx(getattr(alone, field.name), rel=1e-12)
            else:
                assert value == getattr(alone, field.name), field.name


def test_infinite_context_is_all_cache():
    # With T → ∞ the weights vanish: rate → BW / KV per sequence, whatever the batch.
    result = report({"context": 1e9, "batch": 1024})
    assert result.tokens_per_s == pytest.approx(3.3e12 / (1e9 * 131072), rel=1e-3)


def test_compute_bound_batch_stops_gaining():
    # No cache (T 1, int4): past the ridge the rate is peak / 2N and batch no longer helps.
    result = report({"context": 1, "batch": 1024, "weights": "int4"})
    assert result.bound == "compute"
    assert result.tokens_per_s == pytest.approx(990e12 / 14e9)


@pytest.mark.parametrize(("n_params", "layers", "heads", "size"), SIZES)
def test_usual_architecture_is_exact_at_published_sizes(n_params, layers, heads, size):
    assert usual_architecture(n_params) == (layers, heads, size)


def test_usual_architecture_between_and_beyond_published_sizes():
    n_params = np.geomspace(0.5e9, 1000e9, 2001)
    layers, heads, size = usual_architecture(n_params)
    assert set(heads % 8) == {0}
    assert set(size % 16) == {0}
    assert {int(h) for h in heads} <= set(USUAL_HEADS)
    assert np.all(np.diff(layers) >= 0)
    assert usual_architecture(0.5e9) == usual_architecture(1e9)
    assert usual_architecture(1000e9) == usual_architecture(405e9)


def test_group_sizes_divide():
    assert gqa_stops(40) == [1, 2, 4, 5, 8, 10, 20, 40]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"batch": 0}, "batch=0: allowed is a whole number from 1 to 1,024"),
        ({"batch": float("nan")}, "batch=nan: allowed is"),
        ({"batch": 1e8}, r"batch must be between 1 and 1e\+07, not 1e\+08"),
        ({"batch": 0.5}, "batch must be"),
        ({"context": -1}, "context=-1: allowed is"),
        ({"alpha": 1.5}, "acceptance must be between 0 and 1"),
        ({"params_b": np.array([7.0, np.inf])}, "params_b=inf: allowed is"),
        ({"params_b": np.array([7.0, 1e9])}, "n_params must be"),
        ({"gqa": 5}, "query heads .heads. must be a whole multiple"),
        ({"gqa": 64}, "n_kv_heads must be between 1"),
    ],
)
def test_validation_names_field_and_range(changes, message):
    with pytest.raises(ValueError, match=message), np.errstate(all="ignore"):
        Inputs(**changes).scenario().validate()
