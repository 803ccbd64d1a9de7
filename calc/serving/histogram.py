"""Histograms of times: quantiles of as many as one likes, in constant memory."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from calc.serving.arrays import Floats, zeros

#: From 2^-20 s, a microsecond, each power of two is cut into so many bins of equal width.
_PER_OCTAVE = 512
_N_OCTAVES = 44
_SMALLEST_S = 9.5367431640625e-07
_N_BINS = _N_OCTAVES * _PER_OCTAVE


class Histogram(NamedTuple):
    """How many values fell into each bin, and the least of them; in each power of two; in all."""

    n: Floats
    least: Floats
    n_in_octave: Floats
    n_all: Floats


def empty_histogram() -> Histogram:
    """A histogram of nothing.

    Returns
    -------
    Histogram
    """
    return Histogram(zeros(_N_BINS), zeros(_N_BINS), zeros(_N_OCTAVES), zeros(1))


def add(histogram: Histogram, value_s: float, n: float) -> None:
    """Count a time some times.

    Parameters
    ----------
    histogram : Histogram
        Changed.
    value_s : float
        [s]
    n : float
        [count]

    Notes
    -----
    What is shorter than a microsecond counts in the first bin, what is longer than half a year in
    the last octave.

    References
    ----------
    Closed form.
    """
    _count(histogram, _place(value_s), value_s, n)


def add_rising(
    histogram: Histogram, first_s: float, rise_s: float, n_values: float, n: float
) -> None:
    """Count times that rise by equal parts, each some times.

    Parameters
    ----------
    histogram : Histogram
        Changed.
    first_s, rise_s : float
        The first time, and what each next one is longer. [s]
    n_values : float
        [count]
    n : float
        Of each. [count]

    Notes
    -----
    A bin at a time: as many as lie below its upper end. One that is on it but for rounding may
    count in either bin.

    References
    ----------
    Closed form.
    """
    done = 0.0
    while done < n_values:
        value_s = first_s + done * rise_s
        place = _place(value_s)
        left, end_s = n_values - done, _end_s(place)
        if rise_s > 0 and end_s > value_s and place < _N_BINS - 1:
            below = min((end_s - value_s) / rise_s, left)
            left = min(below - below % 1 + 1, left)
        _count(histogram, place, value_s, left * n)
        done += left


def _place(value_s: float) -> int:
    """The bin of a time.

    Its octave by comparing with 2^32, 2^16, …, 2, whose roots are exact; the bin in it by the
    distance from its power of two.
    """
    octave, width, power, rest = 0, 32, 4294967296.0, max(value_s / _SMALLEST_S, 1.0)
    while width >= 1:
        if rest >= power and octave + width < _N_OCTAVES:
            rest /= power
            octave += width
        width = width // 2
        power = sqrt(power)
    return octave * _PER_OCTAVE + int(min((rest - 1) * _PER_OCTAVE, _PER_OCTAVE - 1))


def _end_s(place: int) -> float:
    """The upper end of a bin."""
    octave, start_s = place // _PER_OCTAVE, _SMALLEST_S
    for _ in range(octave):
        start_s *= 2
    return start_s * (1 + (place - octave * _PER_OCTAVE + 1) / _PER_OCTAVE)


def _count(histogram: Histogram, place: int, value_s: float, n: float) -> None:
    """Count a time in its bin."""
    if histogram.n[place] == 0 or value_s < histogram.least[place]:
        histogram.least[place] = value_s
    histogram.n[place] += n
    histogram.n_in_octave[place // _PER_OCTAVE] += n
    histogram.n_all[0] += n


def quantile(histogram: Histogram, share: float) -> float:
    """The time that a share of all times do not exceed.

    Parameters
    ----------
    histogram : Histogram
    share : float
        Between 0 and 1. [ratio]

    Returns
    -------
    float
        One of those counted, at most 0.2 % below the exact quantile; NaN of nothing. [s]

    Notes
    -----
    The nearest rank: of n the ⌈share · n⌉-th. Of its bin the least value stands for all.

    References
    ----------
    Closed form.
    """
    rank, below, octave = share * histogram.n_all[0], 0.0, 0
    if histogram.n_all[0] == 0:
        return float("nan")
    while below + histogram.n_in_octave[octave] < rank:
        below += histogram.n_in_octave[octave]
        octave += 1
    place = octave * _PER_OCTAVE
    below += histogram.n[place]
    while below < rank:
        place += 1
        below += histogram.n[place]
    return histogram.least[place]
