"""What formulas are made of beside + − · /: NumPy's functions, quickly for single numbers too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from calc.quantity import Value, Word

# As tuples made once: half the cost of asking what a single value is.
_NUMBERS = (int, float)
_BOOLEANS = (bool, np.bool_)


def given(value: Value, otherwise: Value) -> Value:
    """A value, or what stands in for it where it is NaN ("not given").

    Parameters
    ----------
    value : scalar, array or symbol
        NaN where it was left open.
    otherwise : scalar, array or symbol
        Used there.

    Returns
    -------
    same shape
        Without NaN, if `otherwise` has none.

    Notes
    -----
    A plain number is decided on the spot, which keeps a branch that can
    never be taken out of the page's module.
    """
    if isinstance(value, _NUMBERS):
        return otherwise if math.isnan(value) else value
    return np.where(np.isnan(value), otherwise, value)


def is_given(value: Value) -> Value:
    """1 where a value is given, 0 where it is NaN.

    Parameters
    ----------
    value : scalar, array or symbol
        NaN where it was left open.

    Returns
    -------
    same shape
        [0 or 1]
    """
    if isinstance(value, _NUMBERS):
        return 0.0 if math.isnan(value) else 1.0
    return np.where(np.isnan(value), 0.0, 1.0)


def floor(value: Value) -> Value:
    """The whole number at or below a value: `np.floor`, quickly for a single one.

    Parameters
    ----------
    value : scalar, array or symbol

    Returns
    -------
    same shape
        NaN where the value is.
    """
    if isinstance(value, _NUMBERS):
        return float(math.floor(value)) if math.isfinite(value) else value
    return np.floor(value)


def where(condition: Any, if_true: Value, if_false: Value) -> Value:
    """One of two values, by a condition: `np.where`, quickly for a single one.

    Parameters
    ----------
    condition : bool, array or symbol
    if_true, if_false : scalar, array or symbol
        Both are computed, whatever the condition.

    Returns
    -------
    same shape

    Notes
    -----
    A single yes or no picks its side at once, which is most of the speed of
    a single scenario; arrays and symbols go to NumPy.
    """
    if isinstance(condition, _BOOLEANS):
        return if_true if condition else if_false
    return np.where(condition, if_true, if_false)


def maximum(first: Value, second: Value) -> Value:
    """The larger of two values: `np.maximum`, quickly for single ones.

    Parameters
    ----------
    first, second : scalar, array or symbol

    Returns
    -------
    same shape
        NaN where either is.
    """
    if isinstance(first, _NUMBERS) and isinstance(second, _NUMBERS):
        return first if first >= second or math.isnan(first) else second
    return np.maximum(first, second)


def minimum(first: Value, second: Value) -> Value:
    """The smaller of two values: `np.minimum`, quickly for single ones.

    Parameters
    ----------
    first, second : scalar, array or symbol

    Returns
    -------
    same shape
        NaN where either is.
    """
    if isinstance(first, _NUMBERS) and isinstance(second, _NUMBERS):
        return first if first <= second or math.isnan(first) else second
    return np.minimum(first, second)


def word(condition: Any, if_true: Word, if_false: Word) -> Word:
    """One of two words, by a condition.

    Parameters
    ----------
    condition : bool, array or symbol
    if_true, if_false : str, array or symbol

    Returns
    -------
    same shape, of str

    """
    if isinstance(condition, _BOOLEANS):
        return if_true if condition else if_false
    return np.where(condition, if_true, if_false)


def total(values: Sequence[Value]) -> Value:
    """The sum of some values, added up in their order.

    Parameters
    ----------
    values : sequence of scalar, array or symbol
        At least one.

    Returns
    -------
    same shape

    Notes
    -----
    `sum` would begin with a 0 that then stands in the printed formula.
    """
    return reduce(add, values)


def largest(values: Sequence[Value]) -> Value:
    """The largest of some values.

    Parameters
    ----------
    values : sequence of scalar, array or symbol
        At least one.

    Returns
    -------
    same shape
    """
    return reduce(maximum, values)


def divisor(value: Value) -> Value:
    """A count to divide by: itself, or 1 where it is 0 and nothing is divided.

    Parameters
    ----------
    value : scalar, array or symbol
        [count]

    Returns
    -------
    same shape
        Never 0. [count]
    """
    return where(value > 0, value, 1.0)


def divisors(value: int) -> list[int]:
    """Numbers that divide a count evenly.

    Parameters
    ----------
    value : int
        At least 1.

    Returns
    -------
    list of int
        Ascending, from 1 to itself. [count]
    """
    return [n for n in range(1, value + 1) if value % n == 0]
