"""Single changes, each tried alone: what they do depends on where one stands."""

from __future__ import annotations

import pytest

from calc import LEVERS, levers


def gains(field="tokens_per_s", **inputs):
    start, pulls = levers(**inputs)
    return {p.lever.name: getattr(p.report, field) / getattr(start, field) for p in pulls}


def test_a_chip_with_more_arithmetic_does_nothing_for_a_memory_bound_step():
    gain = gains()
    assert gain["peak"] == 1
    assert gain["bandwidth"] == pytest.approx(2)
    assert gain["price"] == gain["prefix"] == 1


def test_what_helps_follows_from_the_bytes():
    # At the default 14.0 GB of weights and 8.6 GB of cache are read: 22.6 GB.
    gain = gains()
    assert gain["weights_8bit"] == pytest.approx(22.59 / 15.59, rel=1e-3)
    assert gain["weights_4bit"] == pytest.approx(22.59 / 12.09, rel=1e-3)
    assert gain["kv_8bit"] == gain["gqa"] == pytest.approx(22.59 / 18.29, rel=1e-3)
    assert gain["gpu"] == pytest.approx(2)


def test_the_order_turns_with_the_batch():
    small, large = gains(batch=1.0), gains(batch=1024.0, context=512.0)
    assert small["speculation"] > 2 > small["batch"]
    assert large["speculation"] < 1
    assert large["weights_4bit"] < small["weights_4bit"]


def test_each_lever_again_at_its_own_largest_batch():
    start, pulls = levers()
    by_name = {p.lever.name: p for p in pulls}
    halved = by_name["kv_8bit"]
    assert halved.report.max_batch > 1.9 * start.max_batch
    assert halved.report_at_max_batch.tokens_per_s > halved.report.tokens_per_s
    assert halved.report_at_max_batch.fits


def test_price_pulls_the_price_alone():
    assert gains("usd_per_million_output_tokens")["price"] == pytest.approx(0.8)


def test_what_cannot_be_pulled_is_left_out():
    names = {p.lever.name for p in levers(model="llama-3-70b", kv="fp8", gpus=4.0)[1]}
    assert "gqa" not in names
    assert "kv_8bit" not in names
    assert {lever.name for lever in LEVERS} - names == {"gqa", "kv_8bit"}
    # Of 32 heads neither a g of 32 can be doubled nor 32 cards; nor a batch of 1,024.
    assert "gqa" not in {p.lever.name for p in levers(gqa=32.0)[1]}
    most = {p.lever.name for p in levers(batch=1024.0, gpus=32.0)[1]}
    assert most.isdisjoint({"batch", "gpu"})


def test_nothing_fits_at_all():
    _, pulls = levers(params_b=405.0)
    assert all(p.report_at_max_batch is None for p in pulls if p.lever.name == "batch")


def test_an_impossible_start_is_refused():
    with pytest.raises(ValueError, match=r"^gqa=5: allowed is a divisor of the 32 query heads"):
        levers(gqa=5.0)
