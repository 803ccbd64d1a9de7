"""Which GPUs serve what is asked for: by hand, for the lesson's 7B model on its card.

A step reads 14e9 bytes of weights and 8,192 · 131,072 bytes of each sequence's cache at 3.3e12
bytes/s: one user gets at least 100 tokens/s while 14e9 + B · 1.0737e9 <= 33e9, that is up to a
batch of 17. With 2 cards up to 48, with 4 all 64; 61 sequences fit on one.
"""

from __future__ import annotations

import math

import pytest

from calc.studies.fit import fit

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
