"""Routing by hand: 80 % easy requests, a cheap model at a tenth, a judge that is right in 9 of 10.

0.8 · 0.9 + 0.2 · 0.1 = 0.74 go to the cheap model: 0.74 · 1 + 0.26 · 10 = 3.34 USD. Both errors
have odds of 1/9. 3 % worse of all is 0.15 of the hard ones, odds 3/17; the other error then has
odds 1/81 · 17/3 = 17/243: it is 17/260, and 0.8 · 243/260 + 0.2 · 0.15 go to the cheap model.
"""

from __future__ import annotations

import pytest

from calc import routing

PRICES = {"cheap_usd": 1.0, "strong_usd": 10.0}


def routed(easy=0.8, p=0.1, q=0.1, worse=0.03, saved=0.3, **prices):
    return routing(easy, p, q, most_worse=worse, least_saved=saved, **PRICES | prices)


def test_what_it_costs_and_spoils():
    found = routed()
    assert found.cheap_fraction == pytest.approx(0.74)
    assert found.request_usd == pytest.approx(3.34)
    assert found.saved_fraction == pytest.approx(0.666)
    assert found.worse_fraction == pytest.approx(0.02)


def test_the_band_ends_where_too_many_are_worse_and_begins_where_enough_is_saved():
    band = routed().band
    assert band.least_cheap_fraction == pytest.approx(1 / 3)
    assert band.most_cheap_fraction == pytest.approx(0.8 * 243 / 260 + 0.03)


def test_a_better_judge_widens_it():
    widths = [
        band.most_cheap_fraction - band.least_cheap_fraction
        for error in (0.2, 0.1, 0.01)
        if (band := routed(p=error, q=error).band)
    ]
    assert widths == sorted(widths)
    assert len(widths) == 3


def test_one_that_hardly_errs_saves_what_the_lesson_says():
    # 0.8 · 1 + 0.2 · 10 = 2.8: 3.6 times as cheap, within the lesson's 3 to 5 at 80 % easy.
    assert 10 / routed(p=0.001, q=0.001).request_usd == pytest.approx(10 / 2.8, rel=0.01)


def test_hard_requests_alone_are_worth_nothing():
    # 3 % worse is then 3 % at the cheap model: it saves 2.7 %, not 30.
    found = routed(easy=0.0)
    assert (found.band, found.fails) == (None, "judge")
    assert routed(easy=0.0, saved=0.02).band.most_cheap_fraction == pytest.approx(0.03)


def test_a_judge_that_guesses_leaves_no_band():
    # A coin sends as many hard ones as easy ones: at a third 0.2 / 3 = 6.7 % are worse.
    assert routed(p=0.5, q=0.5).fails == "judge"
    assert routed(p=0.5, q=0.5, worse=0.07).fails == ""


def test_a_model_that_is_not_cheap_enough_leaves_none():
    assert routed(cheap_usd=8.0).fails == "price"
    assert routed(cheap_usd=12.0, saved=0.0).fails == "price"


def test_easy_requests_alone_may_all_go():
    band = routed(easy=1.0).band
    assert band.most_cheap_fraction == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("easy", {"easy": 1.2}),
        ("easy_error", {"p": 0.0}),
        ("hard_error", {"q": 1.0}),
        ("most_worse", {"worse": -0.1}),
        ("least_saved", {"saved": float("nan")}),
        ("cheap_usd", {"cheap_usd": 0.0}),
    ],
)
def test_what_is_no_share_and_no_price_is_refused(name, inputs):
    with pytest.raises(ValueError, match=f"{name} must be from"):
        routed(**inputs)
