"""One of two values: `where`, `given`, `maximum`, `minimum`, `word`, quickly for single numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc.quantity import Value, Word


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
    No formula. A plain number is decided on the spot, which keeps a branch that can
    never be taken out of the page's module.
    """
    if isinstance(value, int | float):
        return otherwise if math.isnan(value) else value
    return np.where(np.isnan(value), otherwise, value)


def where(condition: Any, if_true: Value, if_false: Value) -> Value:
    """One of two values, by a condition: `np.where`, quickly for a single one.

    Parameters
    ----------
    condition : bool, array or symbol
    if_true, if_false : scalar, array or symbol
        Both are computed, whatever the condition. [any, the same]

    Returns
    -------
    same shape
        [as the two values]

    Notes
    -----
    No formula. A single yes or no picks its side at once, which is most of the speed of
    a single scenario; arrays and symbols go to NumPy.
    """
    if isinstance(condition, bool | np.bool_):
        return if_true if condition else if_false
    return np.where(condition, if_true, if_false)


def maximum(first: Value, second: Value) -> Value:
    """The larger of two values: `np.maximum`, quickly for single ones.

    Parameters
    ----------
    first, second : scalar, array or symbol
        [any, the same]

    Returns
    -------
    same shape
        NaN where either is. [as the two values]

    Notes
    -----
    max(a, b).
    """
    if isinstance(first, int | float) and isinstance(second, int | float):
        return first if first >= second or math.isnan(first) else second
    return np.maximum(first, second)


def minimum(first: Value, second: Value) -> Value:
    """The smaller of two values: `np.minimum`, quickly for single ones.

    Parameters
    ----------
    first, second : scalar, array or symbol
        [any, the same]

    Returns
    -------
    same shape
        NaN where either is. [as the two values]

    Notes
    -----
    min(a, b).
    """
    if isinstance(first, int | float) and isinstance(second, int | float):
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

    Notes
    -----
    No formula; `where` for words.
    """
    if isinstance(condition, bool | np.bool_):
        return if_true if condition else if_false
    return np.where(condition, if_true, if_false)
