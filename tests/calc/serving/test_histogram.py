"""Quantiles of a histogram against those of sorted values."""

from __future__ import annotations

from math import ceil, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.serving.histogram import add, add_rising, empty_histogram, quantile

seconds = st.floats(1e-6, 1e6)


@given(st.lists(seconds, min_size=1, max_size=60), st.sampled_from([0.01, 0.5, 0.99, 1.0]))
def test_a_quantile_is_the_nearest_rank_or_a_hair_below(values, share):
    histogram = empty_histogram()
    for value in values:
        add(histogram, value, 1.0)
    exact = sorted(values)[max(1, ceil(share * len(values))) - 1]
    assert quantile(histogram, share) in values
    assert exact / 1.002 <= quantile(histogram, share) <= exact


@given(seconds, st.integers(1, 1000))
def test_values_that_are_alike_are_kept_exactly(value, n):
    histogram = empty_histogram()
    add(histogram, value, float(n))
    assert quantile(histogram, 0.5) == quantile(histogram, 0.99) == value


@given(st.floats(1e-5, 10), st.floats(0, 1e-2), st.integers(1, 300), st.sampled_from([0.5, 0.99]))
def test_times_that_rise_count_as_one_by_one(first_s, rise_s, n_values, share):
    rising, single = empty_histogram(), empty_histogram()
    add_rising(rising, first_s, rise_s, float(n_values), 3.0)
    for place in range(n_values):
        add(single, first_s + place * rise_s, 3.0)
    assert rising.n_all[0] == single.n_all[0] == 3.0 * n_values
    # One at the end of its bin may count in either.
    assert quantile(rising, share) == pytest.approx(quantile(single, share), rel=1 / 512)


@pytest.mark.parametrize("value", [0.0, 1e-9, 2.0**-20, 1.0, 2.0**23.999, 1e12])
def test_the_ends(value):
    histogram = empty_histogram()
    add(histogram, value, 1.0)
    assert quantile(histogram, 0.5) == value


def test_nothing_has_no_quantile():
    assert isnan(quantile(empty_histogram(), 0.5))
