"""The architecture that usually goes with a parameter count."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np

from calc.primitives import divisors, floor, maximum, minimum
from calc.quantity import Value
from calc.units import BILLION

#: Published Llama-style architectures: parameters, layers, query heads, head size.
#: Sources: config.json of Llama-3.2-1B, Llama-3.2-3B, Llama-2-7B, Llama-3-8B,
#: Llama-2-13B, CodeLlama-34B, Llama-3-70B and Llama-3.1-405B.
SIZES: tuple[tuple[float, int, int, int], ...] = (
    (1 * BILLION, 16, 32, 64),
    (3 * BILLION, 28, 24, 128),
    (7 * BILLION, 32, 32, 128),
    (8 * BILLION, 32, 32, 128),
    (13 * BILLION, 40, 40, 128),
    (34 * BILLION, 48, 64, 128),
    (70 * BILLION, 80, 64, 128),
    (405 * BILLION, 126, 128, 128),
)

#: Interpolated heads stay multiples of 8, so that the usual group sizes divide them.
HEADS_STEP = 8
HEAD_SIZE_STEP = 16

#: Query heads that an architecture between these sizes can have.
USUAL_HEADS = range(
    min(heads for _, _, heads, _ in SIZES), max(heads for _, _, heads, _ in SIZES) + 1, HEADS_STEP
)


def usual_architecture(n_params: Value) -> tuple[Value, Value, Value]:
    """Layers, query heads and head size of a typical dense model of this size.

    Parameters
    ----------
    n_params : quantity
        Positive.

    Returns
    -------
    tuple of three, same shape
        n_layers, n_heads, d_head. [count]

    Notes
    -----
    Linear in log N between the published sizes, rounded (heads to multiples of 8, head size to
    multiples of 16), exact at these, and held at the smallest and largest below 1 B and
    above 405 B. A habit of the field, not a law: a real model's config decides.

    References
    ----------
    The published configurations listed at `SIZES`.
    """
    log_n = np.log2(n_params)
    n_layers = _interpolation(log_n, column=1, multiple_of=1)
    n_heads = _interpolation(log_n, column=2, multiple_of=HEADS_STEP)
    d_head = _interpolation(log_n, column=3, multiple_of=HEAD_SIZE_STEP)
    return n_layers, n_heads, d_head


def gqa_stops(n_heads: int) -> list[int]:
    """Group sizes that divide the query heads evenly.

    Parameters
    ----------
    n_heads : int

    Returns
    -------
    list of int
        Divisors, ascending: 1 is MHA, the last is MQA. [count]

    Notes
    -----
    g divides h exactly when each KV head serves the same number of query heads.

    References
    ----------
    Ainslie et al., GQA, 2023 (arXiv:2305.13245).
    """
    return divisors(n_heads)


@cache
def _ramps(column: int) -> list[tuple[float, float, float]]:
    """Rise, start and width in log2 N of each pair of sizes that differ in a column."""
    logs = [math.log2(n_params) for n_params, *_ in SIZES]
    return [
        (upper[column] - lower[column], start, end - start)
        for (lower, upper), (start, end) in zip(pairwise(SIZES), pairwise(logs), strict=True)
        if upper[column] != lower[column]
    ]


def _interpolation(log_n: Value, column: int, multiple_of: int) -> Value:
    # A sum of clipped ramps: traceable, and exact wherever every ramp is 0 or 1.
    value: Value = float(SIZES[0][column])
    for rise, start, width in _ramps(column):
        value = value + rise * minimum(maximum((log_n - start) / width, 0.0), 1.0)
    return floor(value / multiple_of + 0.5) * multiple_of
