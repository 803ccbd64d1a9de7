"""The generator of random numbers, and what is drawn from it."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import correlation, fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.serving.arrays import arrays, zeros
from calc.serving.chance import chance, exponential, logarithm, normal, uniform
from calc.serving.requests import BIMODAL, LOGNORMAL, Mix, Requests, draw, source

N = 20_000


def test_the_published_generator():
    """L'Ecuyer's two generators from 1, each after one step: 40014 − 40692 + 2147483562."""
    state = zeros(2)
    state[0] = state[1] = 1.0
    assert uniform(state) * 2147483563 == pytest.approx(2147482884, abs=1e-3)


def test_uniform():
    state = chance(1)
    values = [uniform(state) for _ in range(N)]
    assert all(0 < value < 1 for value in values)
    assert fmean(values) == pytest.approx(1 / 2, abs=0.01)
    assert pstdev(values) == pytest.approx(1 / math.sqrt(12), abs=0.01)
    assert abs(correlation(values[:-1], values[1:])) < 0.03


def test_neighbouring_seeds_begin_apart():
    firsts = [uniform(chance(seed)) for seed in range(1000)]
    assert fmean(firsts) == pytest.approx(1 / 2, abs=0.04)
    assert min(map(abs, (b - a for a, b in pairwise(firsts)))) > 1e-6


@given(st.floats(1e-12, 1e12))
def test_logarithm(value):
    assert logarithm(value) == pytest.approx(math.log(value), rel=1e-15, abs=1e-15)


@given(st.floats(-50, 50))
def test_exponential(value):
    assert exponential(value) == pytest.approx(math.exp(value), rel=1e-14)


def test_normal():
    state = chance(2)
    values = [normal(state) for _ in range(N)]
    assert fmean(values) == pytest.approx(0, abs=0.02)
    assert pstdev(values) == pytest.approx(1, abs=0.02)
    assert fmean(abs(value) < 1.96 for value in values) == pytest.approx(0.95, abs=0.01)


def drawn(**changes):
    mix = Mix(0.0, 1.0, LOGNORMAL, 300.0, 400.0, 1e6)._replace(**changes)
    requests = arrays(Requests, N)
    draw(mix, source(3), requests, N)
    return requests


@pytest.mark.parametrize("lengths", [LOGNORMAL, BIMODAL])
def test_lengths_have_the_mean_that_is_asked_for(lengths):
    requests = drawn(lengths=lengths)
    assert fmean(requests.prompt_len) == pytest.approx(300, rel=0.04)
    assert fmean(requests.output_len) == pytest.approx(400, rel=0.04)
    assert all(value >= 1 and value % 1 == 0 for value in requests.output_len)


def test_one_answer_in_eight_is_four_means_long():
    requests = drawn(lengths=BIMODAL)
    assert fmean(value == 1600 for value in requests.output_len) == pytest.approx(1 / 8, abs=0.01)


def test_no_sequence_is_longer_than_the_longest():
    requests = drawn(max_len=512.0)
    longest = max(map(sum, zip(requests.prompt_len, requests.output_len, strict=True)))
    assert longest == 512
    assert min(requests.output_len) >= 1


def test_arrivals():
    requests = drawn(rate_per_s=10.0)
    gaps = [b - a for a, b in pairwise(requests.arrival_s)]
    assert fmean(gaps) == pytest.approx(0.1, rel=0.03)
    # Poisson: gaps spread as widely as they are long.
    assert pstdev(gaps) == pytest.approx(0.1, rel=0.03)


def test_bursts_keep_the_rate():
    requests = drawn(rate_per_s=10.0, burst=5.0)
    assert N / requests.arrival_s[N - 1] == pytest.approx(10, rel=0.05)
    assert [len(set(requests.arrival_s[place : place + 5])) for place in (0, 5, 10)] == [1, 1, 1]
    assert requests.arrival_s[4] < requests.arrival_s[5]


def test_the_same_lengths_at_any_rate():
    assert drawn(rate_per_s=0.0).output_len == drawn(rate_per_s=7.0).output_len
