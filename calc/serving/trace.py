"""Request traces that are at hand, as lists or arrays: checked once, at the entrance."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calc.conversion import as_number
from calc.serving.requests import Requests
from calc.serving.trace_file import COLUMNS, TraceError


def requests_of(arrival_s: ArrayLike, prompt: ArrayLike, output: ArrayLike) -> Requests:
    """The requests of a trace.

    Parameters
    ----------
    arrival_s : array_like, shape (n,)
        In order. [s]
    prompt, output : array_like, shape (n,)
        Whole numbers, at least 1. [tokens]

    Returns
    -------
    Requests
        As `replay` takes them: it checks nothing itself.

    Raises
    ------
    TraceError
        Names the request, counted from 1, and the field; or lengths differ, or there is none.

    Notes
    -----
    The same ranges as in a file.

    References
    ----------
    `trace_file.COLUMNS`.
    """
    columns = dict(zip(COLUMNS, (arrival_s, prompt, output), strict=True))
    try:
        given = [_array(name, values) for name, values in columns.items()]
    except (TypeError, ValueError):
        raise TraceError(f"{', '.join(COLUMNS)} have to be lists of numbers") from None
    shapes = {each.shape for each in given}
    if len(shapes) > 1 or len(given[0].shape) != 1:
        raise TraceError(f"{', '.join(COLUMNS)} have to be lists of the same length")
    if not given[0].size:
        raise TraceError("there is no request")
    for column, values in zip(COLUMNS, given, strict=True):
        low, high, allowed = COLUMNS[column]
        is_taken = (values >= low) & (values <= high)
        if column != "arrival_s":
            is_taken &= values == np.floor(values)
        _check(column, values, is_taken, allowed)
    is_later = np.diff(given[0], prepend=0.0) >= 0
    _check("arrival_s", given[0], is_later, "no time before the request above")
    return Requests(*(array("d", each) for each in given))


def _array(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """A column as numbers; one without any is for others to refuse."""
    return np.asarray(as_number(name, values) if np.size(values) else [], dtype=np.float64)


def _check(
    column: str, values: NDArray[np.float64], is_taken: NDArray[np.bool_], allowed: str
) -> None:
    """Refuse the first value that is not taken."""
    if not is_taken.all():
        at = int(np.argmin(is_taken))
        raise TraceError(f"request {at + 1:,}, {column}={values[at]:g}: allowed is {allowed}")
