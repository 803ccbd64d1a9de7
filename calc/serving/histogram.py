"""Histograms of times: quantiles of as many as one likes, in constant memory."""

from __future__ import annotations

from typing import NamedTuple

from calc.serving.arrays import Floats, zeros

#: From 2^-20 s, a microsecond, each power of two is cut into so many bins of equal width.
_PER_OCTAVE = 512
_N_OCTAVES = 44
_SMALLEST_S = 9.5367431640625e-07
_LAST = _N_OCTAVES * _PER_OCTAVE


class Histogram(NamedTuple):
    """How many values fell into each bin, and the least of them; in `n_all` how many there are."""

    n: Floats
    least: Floats
    n_all: Floats


def empty_histogram() -> Histogram:
    """A histogram of nothing.

    Returns
    -------
    Histogram
    """
    return Histogram(zeros(_LAST + 1), zeros(_LAST + 1), zeros(1))


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
    The octave by comparing with powers of two, the bin in it by its distance from that power. What
    is shorter than a microsecond shares the first bin, what is longer than half a year the last.

    References
    ----------
    Closed form.
    """
    octave, rest, width = 0, value_s / _SMALLEST_S, 32
    place = 0
    if rest >= 1:
        while width > 0:
            power = 2.0**width
            if rest >= power:
                rest /= power
                octave += width
            width = width // 2
        place = 1 + octave * _PER_OCTAVE + int((rest - 1) * _PER_OCTAVE)
        place = min(place, _LAST)
    if histogram.n[place] == 0 or value_s < histogram.least[place]:
        histogram.least[place] = value_s
    histogram.n[place] += n
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
    below = 0.0
    for place in range(len(histogram.n)):
        below += histogram.n[place]
        if below > 0 and below >= share * histogram.n_all[0]:
            return histogram.least[place]
    return float("nan")
