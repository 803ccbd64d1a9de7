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
    """What a field holds: label in words, SI unit ("" = count or ratio), symbol in formulas.

    `bounds` are the lowest and the highest value that the formulas are meant for, both included.
    """

    label: str
    unit: str
    symbol: str
    bounds: tuple[float, float] = (-math.inf, math.inf)
    detail: bool = False


def quantity(
    label: str,
    *,
    unit: str = "",
    symbol: str,
    default: Any = MISSING,
    bounds: tuple[float, float] = (-math.inf, math.inf),
    detail: bool = False,
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
    bounds : tuple of two floats
        Lowest and highest value that the formulas are meant for, both included.
    detail : bool
        A step between two quantities, not one that a reader would look up.

    Returns
    -------
    dataclasses.Field

    Notes
    -----
    No formula; holds for every dataclass in `calc`.
    """
    return field(
        default=default, metadata={"quantity": Quantity(label, unit, symbol, bounds, detail)}
    )


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
