"""Which GPUs serve what is asked for: by hand, for the lesson's 7B model on its card.

A step reads 14e9 bytes of weights and 8,192 · 131,072 bytes of each sequence's cache at 3.3e12
bytes/s: one user gets at least 100 tokens/s while 14e9 + B · 1.0737e9 <= 33e9, that is up to a
batch of 17. With 2 cards up to 48, with 4 all 64; 61 sequences fit on one.
"""

from __future__ import annotations

import math

import pytest

from calc import evaluate, scenario
from calc.studies.crossing import crossing_batch
from calc.studies.fit import FOUND, fit
from calc.studies.levers import levers

LESSON = "h100-80gb-lesson"


def found(users, speed, **inputs):
    return {each.gpu: each for each in fit(users, speed, **inputs)}


def test_the_speed_that_is_asked_for_limits_the_batch():
    # 4 cards with 17 each, or one deployment on 4 cards: of equals, that with fewer that share.
    each = found(64, 100)[LESSON]
    assert (each.n_gpus, each.n_replicas, each.batch, each.binds) == (1, 4, 17, "speed")
    assert each.usd_per_hour == 4 * 3.0


def test_the_memory_limits_the_batch():
    each = found(122, 1)[LESSON]
    assert (each.n_gpus, each.n_replicas, each.batch, each.binds) == (1, 2, 61, "memory")


def test_who_asks_for_little_gets_one():
    each = found(8, 146)[LESSON]
    assert (each.n_gpus, each.n_replicas, each.batch, each.binds) == (1, 1, 8, "users")
    assert each.report.tokens_per_s_per_user == pytest.approx(146.1, rel=1e-3)


def test_the_cheapest_stands_first_and_what_has_no_price_last():
    prices = [each.usd_per_hour for each in fit(64, 30, model="llama-3-70b")]
    known = [usd for usd in prices if not math.isnan(usd)]
    assert len(prices) > len(known) > 5
    assert known == sorted(known)
    assert all(math.isnan(usd) for usd in prices[len(known) :])


def test_all_get_what_was_asked_for():
    for each in fit(200, 40, model="mixtral-8x7b", assumptions="engine"):
        assert each.batch * each.n_replicas >= 200
        assert each.report.tokens_per_s_per_user >= 40
        assert each.report.fits


def test_what_no_card_can_do_finds_none():
    assert fit(1, 1e6) == []


@pytest.mark.parametrize(("users", "speed"), [(0, 30), (1e6, 30), (8, 0), (8, float("nan"))])
def test_a_wish_out_of_bounds_is_refused(users, speed):
    with pytest.raises(ValueError, match="must be above 0 and at most"):
        fit(users, speed)


@pytest.mark.parametrize("users", [0.5, 1.5, 63.999])
def test_users_are_whole(users):
    with pytest.raises(ValueError, match=r"^users must be a whole number, not "):
        fit(users, 30)


def test_no_scenario_holds_a_larger_batch():
    # 1 B parameters leave 78e9 bytes; 128 tokens of 16 layers with 8 KV heads of 64 keep 4,194,304.
    each = found(5000, 1, params_b=1, context=128)[LESSON]
    assert (each.batch, each.binds, float(each.report.max_batch)) == (1024, "limit", 18_596)


def test_a_report_goes_by_the_price_of_its_card():
    for each in fit(64, 30, model="qwen3-14b", prompt=1000):
        price = each.usd_per_hour / (each.n_gpus * each.n_replicas)
        assert each.report.usd_per_hour_in_all == pytest.approx(
            each.n_gpus * (3.0 if math.isnan(price) else price)
        )
    # 0.52 USD an hour: a token costs 0.52 / 3 of what it would at the lesson's price. At 1.792 TB/s
    # 30 steps a second read 14e9 bytes of weights and the cache of 42 sequences.
    cheap, inputs = fit(64, 30)[0], dict(gpu="rtx-pro-6000", batch=42)
    assert (cheap.gpu, cheap.n_gpus, cheap.batch) == ("rtx-pro-6000", 1, 42)
    at_three = evaluate(scenario(**inputs)).usd_per_million_output_tokens
    assert cheap.report.usd_per_million_output_tokens == pytest.approx(at_three * 0.52 / 3)


@pytest.mark.parametrize("key", FOUND)
def test_what_is_found_is_not_asked_with(key):
    with pytest.raises(TypeError, match=f"^{key} is what this study sets itself: leave it out$"):
        fit(8, 30, **{key: 1})


@pytest.mark.parametrize("study", [lambda **inputs: fit(8, 30, **inputs), levers, crossing_batch])
def test_a_study_is_asked_of_one_scenario(study):
    with pytest.raises(TypeError, match=r"^context must be a single value, not \[1, 2\]$"):
        study(context=[1, 2])


def test_a_crossing_goes_along_the_batch():
    with pytest.raises(TypeError, match=r"^batch is what this study sets itself: leave it out$"):
        crossing_batch(batch=8)
