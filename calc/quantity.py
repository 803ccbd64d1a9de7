"""What a number is: its label, unit and symbol, attached to the field that holds it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

#: Anything a formula takes: one number or an array of them. (The tracer passes
#: symbols, which behave like numbers.)
Value: TypeAlias = float | npt.NDArray[np.float64]

#: A yes or no per scenario.
Flag: TypeAlias = bool | np.bool_ | npt.NDArray[np.bool_]

#: A word per scenario: "memory" or "compute".
Word: TypeAlias = str | npt.NDArray[np.str_]


@dataclass(frozen=True)
class Quantity:
    """How a field is shown: label in words, SI unit ("" = count or ratio), symbol in formulas."""

    label: str
    unit: str
    symbol: str
    detail: bool = False


def quantity(
    label: str, *, unit: str = "", symbol: str, default: Any = MISSING, detail: bool = False
) -> Any:
    """Declare a dataclass field that carries its own label, unit and symbol.

    Parameters
    ----------
    label : str
        What a reader calls it.
    unit : str
        SI unit; empty for a count or a ratio.
    symbol : str
        Its letter in formulas.
    default : optional
        The field's default value.
    detail : bool
        A step between two quantities, not one that a reader would look up.

    Returns
    -------
    dataclasses.Field

    Notes
    -----
    No formula; holds for every dataclass in `calc`.
    """
    return field(default=default, metadata={"quantity": Quantity(label, unit, symbol, detail)})


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


def quantities(record: Any) -> Iterator[tuple[str, Quantity]]:
    """The quantity fields of a dataclass, in order.

    Parameters
    ----------
    record : dataclass type or instance
        Fields that were not made by `quantity` are passed over.

    Returns
    -------
    iterator of (str, Quantity)
        Field name and what it is.

    Notes
    -----
    No formula; holds for every dataclass in `calc`.
    """
    for each in fields(record):
        if "quantity" in each.metadata:
            yield each.name, each.metadata["quantity"]
