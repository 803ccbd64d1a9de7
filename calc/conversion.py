"""Numbers from outside: whatever Python calls one becomes a float, once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cache
from numbers import Real
from typing import Any, get_type_hints

import numpy as np

from calc.quantity import Value, quantities
from calc.text import quoted, shortened

_FLOAT = np.dtype(float)


class Restored:
    """A record that is checked anew where it comes back from a pickle or a deep copy.

    Its arrays come back as anybody's, to be written into.
    """

    def __setstate__(self, values: dict[str, Any]) -> None:
        vars(self).update(values)
        self.__post_init__()  # type: ignore[attr-defined]


class FloatRecord(Restored):
    """A record whose numbers become float while it is made, wherever they come from.

    So no formula meets an integer that overflows or a half that rounds.
    """

    def __post_init__(self) -> None:
        names, parts = _fields(type(self))  # type: ignore[arg-type]
        convert(self, names)
        for name, record in parts:
            check_record(name, getattr(self, name), record)


@cache
def _fields(record: type) -> tuple[tuple[str, ...], tuple[tuple[str, type], ...]]:
    """Which fields of a record are numbers; which are records, and of which type."""
    hints, names = get_type_hints(record), [each.name for each in fields(record)]
    parts = tuple((name, hints[name]) for name in names if is_dataclass(hints[name]))
    return tuple(name for name, _ in quantities(record) if name in names), parts


def convert(record: object, names: Iterable[str]) -> None:
    """Turn the numbers of a record into float, in place.

    Parameters
    ----------
    record : object
        While it is made.
    names : iterable of str
        Its fields that are numbers.

    Raises
    ------
    TypeError, ValueError
        As `as_number`; or arrays that do not go together.
    """
    values, arrays = vars(record), {}
    for name in names:
        value = values[name]
        if type(value) is not float:
            values[name] = value = as_number(name, value)
            if type(value) is np.ndarray:
                arrays[name] = value
    if len(arrays) > 1:
        check_shapes(arrays)


def check_record(name: str, value: object, record: type, otherwise: str = "") -> None:
    """Check that a value is a record of some type.

    Parameters
    ----------
    name : str
        What it is called where it is not.
    value : any
    record : type
        What it has to be.
    otherwise : str
        What it may also be, in words.

    Raises
    ------
    TypeError
        It is something else.
    """
    if not isinstance(value, record):
        what = f"{otherwise}a record of type {record.__name__}"
        raise TypeError(f"{name} must be {what}, not {quoted(value)}")


def as_number(name: str, value: Any) -> Value:
    """A value as the formulas take it.

    Parameters
    ----------
    name : str
        What it is called where it cannot be taken.
    value : any
        A number of Python's or NumPy's, an array or a list of such.

    Returns
    -------
    float or array of float
        A symbol, or a number with a unit, brings its own arithmetic and stays as it is. What an
        array masks is NaN.

    Raises
    ------
    TypeError
        It is no number.
    ValueError
        It is one that no float holds, or a list that is no array or empty.
    """
    kind = type(value)
    if kind is float:
        return value  # type: ignore[no-any-return]
    if kind is np.ndarray and value.dtype == _FLOAT and value.ndim and value.size:
        return _own(value)
    if isinstance(value, Real | Decimal):
        return _single(name, value)
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(float), np.nan)
    calculates, is_array = hasattr(kind, "__array_ufunc__"), hasattr(kind, "to_numpy")
    if calculates and not is_array and not isinstance(value, np.ndarray | np.generic):
        return value  # type: ignore[no-any-return]
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be an array, not {shortened(value)}") from None
    if not array.size:
        raise ValueError(f"{name} must be a number, or an array of at least one")
    if array.dtype.kind == "O":
        numbers = [_single(name, each) for each in array.flat]
        array = np.array(numbers, dtype=float).reshape(array.shape)
    elif array.dtype.kind not in "biuf":
        raise _no_number(name, value)
    return array.astype(float) if array.ndim else float(array)


def _own(array: Any) -> Value:
    """An array that nobody changes behind a record's back."""
    if array.flags.writeable or not array.flags.owndata:
        array = array.copy()
        array.flags.writeable = False
    return array  # type: ignore[no-any-return]


def _single(name: str, value: Any) -> float:
    # NumPy counts a span of time among the integers.
    if not isinstance(value, Real | Decimal | np.bool_) or isinstance(value, np.timedelta64):
        raise _no_number(name, value)
    try:
        return float(value)
    except (OverflowError, ValueError):
        raise ValueError(f"{name} must be a number in a float's range") from None


def _no_number(name: str, value: Any) -> TypeError:
    return TypeError(f"{name} must be a number, or an array of numbers, not {quoted(value)}")


def check_shapes(values: dict[str, Any]) -> None:
    """Check that arrays have shapes that go together.

    Parameters
    ----------
    values : dict of str to any
        By name; what is no array goes with all.

    Raises
    ------
    ValueError
        Names the first array that does not go with those before it.
    """
    shape: tuple[int, ...] = ()
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            try:
                shape = np.broadcast_shapes(shape, value.shape)
            except ValueError:
                raise ValueError(
                    f"{name} has the shape {value.shape}, which does not go with {shape} before it"
                ) from None


def check_keywords(inputs: Mapping[str, Any], own: Collection[str] = ()) -> None:
    """Check that a study is asked of one scenario, and not with what it sets itself.

    Parameters
    ----------
    inputs : mapping of str to any
        Keywords of `calc.scenario`.
    own : collection of str
        Those that the study sets.

    Raises
    ------
    TypeError
        Names the first that is more than one value, or the study's own.
    """
    for key, value in inputs.items():
        if key in own:
            raise TypeError(f"{key} is what this study sets itself: leave it out")
        if np.ndim(value) > 0:
            raise TypeError(f"{key} must be a single value, not {shortened(value)}")
