"""Flat arrays of numbers, as quick one by one in plain Python as in the page."""

from __future__ import annotations

from array import array
from collections.abc import Callable, MutableSequence
from itertools import repeat
from typing import Any, TypeVar

#: What the replay computes with: numbers, one after the other.
Floats = MutableSequence[float]

_Record = TypeVar("_Record")


def zeros(n: int) -> Floats:
    """A flat array of zeros.

    Parameters
    ----------
    n : int
        [count]

    Returns
    -------
    array of float
        Python's own: NumPy takes three times as long to read or write a single number. Numba
        has NumPy's instead, the page a `Float64Array`.
    """
    return array("d", repeat(0.0, n))


def arrays(record: Callable[..., _Record], n: int) -> _Record:
    """A record of flat arrays of zeros.

    Parameters
    ----------
    record : NamedTuple type
        All of its fields are arrays.
    n : int
        Numbers in each. [count]

    Returns
    -------
    record
    """
    fields: Any = record
    return record(*(zeros(n) for _ in fields._fields))


def longer(record: Callable[..., _Record], short: _Record, n: int) -> _Record:
    """A record of longer arrays that begin as those of another one do.

    Parameters
    ----------
    record : NamedTuple type
    short : record
    n : int
        Numbers in each array. [count]

    Returns
    -------
    record
        With zeros at the end.
    """
    fields: Any = short
    arrays_ = [zeros(n) for _ in fields]
    for new, old in zip(arrays_, fields, strict=True):
        new[: len(old)] = old
    return record(*arrays_)
