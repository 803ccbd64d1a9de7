"""What a number is: its label, unit and symbol, attached to the field that holds it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

#: Anything a formula takes: one number or an array of them. (The tracer passes
#: symbols, which behave like numbers.)
Value: TypeAlias = float | npt.NDArray[np.float64]

#: A yes or no per scenario.
Flag: TypeAlias = bool | np.bool_ | npt.NDArray[np.bool_]

#: A word per scenario: "memory" or "compute".
Word: TypeAlias = str | npt.NDArray[np.str_]

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class Quantity:
    """What a field holds: label in words, SI unit ("" = count or ratio), symbol in formulas.

    Attributes
    ----------
    bounds
        Lowest and highest value that the formulas are meant for, both included.
    neutral
        Value at which a printed formula leaves it out: 1 of a factor, 0 of a summand.
    same_as
        Quantity that a printed formula names instead wherever both have the same value.
    detail
        A step between two quantities, not one that a reader would look up.
    """

    label: str
    unit: str
    symbol: str
    bounds: tuple[float, float] = (-math.inf, math.inf)
    neutral: float | None = None
    same_as: str = ""
    detail: bool = False


@dataclass(frozen=True)
class Kind:
    """How the quantities of a record inside another are told from those of its siblings."""

    record: type
    label: str
    subscript: str

    def of(self, what: Quantity) -> Quantity:
        """A quantity of the inner record as one of this kind."""
        joint = "," if "_" in what.symbol else "_"
        if not self.subscript:
            return what
        symbol = f"{what.symbol}{joint}{self.subscript}"
        return replace(what, label=f"{what.label}, {self.label}", symbol=symbol)


def quantity(
    label: str,
    *,
    unit: str = "",
    symbol: str,
    default: Any = MISSING,
    bounds: tuple[float, float] = (-math.inf, math.inf),
    neutral: float | None = None,
    same_as: str = "",
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
    bounds, neutral, same_as, detail : optional
        As in `Quantity`.

    Returns
    -------
    dataclasses.Field
    """
    what = Quantity(label, unit, symbol, bounds, neutral, same_as, detail)
    return field(default=default, metadata={"quantity": what})


def kind(record: type, label: str, *, subscript: str = "", default: Any = MISSING) -> Any:
    """Declare a dataclass field that holds a record, one of several of its type.

    Parameters
    ----------
    record : dataclass type
        Its quantities go by the field's name before their own: `window_n_layers`.
    label : str
        What a reader calls the kind; follows the labels.
    subscript : str
        Follows the symbols; empty for the usual kind.
    default : optional
        The field's default value.

    Returns
    -------
    dataclasses.Field
    """
    return field(default=default, metadata={"kind": Kind(record, label, subscript)})


def quantities(record: Any) -> Iterator[tuple[str, Quantity]]:
    """The quantity fields of a dataclass, in order, those of its kinds included.

    Parameters
    ----------
    record : dataclass type or instance
        Fields that were not made by `quantity` or `kind` are passed over.

    Returns
    -------
    iterator of (str, Quantity)
        Name and what it is.
    """
    for each in fields(record):
        if "quantity" in each.metadata:
            yield each.name, each.metadata["quantity"]
        elif one := each.metadata.get("kind"):
            for name, what in quantities(one.record):
                yield f"{each.name}_{name}", one.of(what)


def numbers(record: Any) -> Iterator[tuple[str, Quantity, Value]]:
    """Every number of a record and of the records in it, in order.

    Parameters
    ----------
    record : dataclass instance

    Returns
    -------
    iterator of (str, Quantity, scalar, array or symbol)
        Name, what it is, and its value.
    """
    for each in fields(record):
        value = getattr(record, each.name)
        if "quantity" in each.metadata:
            yield each.name, each.metadata["quantity"], value
        elif one := each.metadata.get("kind"):
            for name, what, inner in numbers(value):
                yield f"{each.name}_{name}", one.of(what), inner
        elif is_dataclass(value):
            yield from numbers(value)


def record_from(record: type[_Record], value: Callable[[str], Any], prefix: str = "") -> _Record:
    """A record of numbers from their names.

    Parameters
    ----------
    record : dataclass type
        All of its fields are quantities, or kinds of such.
    value : callable
        Gives the number of each name, as `quantities` names them.
    prefix : str
        What stands before the names.

    Returns
    -------
    record
    """
    values: dict[str, Any] = {}
    for each in fields(record):  # type: ignore[arg-type]
        if one := each.metadata.get("kind"):
            values[each.name] = record_from(one.record, value, f"{prefix}{each.name}_")
        else:
            values[each.name] = value(prefix + each.name)
    return record(**values)


def record_of_arrays(records: Sequence[_Record]) -> _Record:
    """One record of arrays out of several of the same type.

    Parameters
    ----------
    records : sequence of dataclass instances
        All of their fields are quantities, or kinds of such; at least one record.

    Returns
    -------
    record
        Arrays in the order of the records.
    """
    rows = [{name: value for name, _, value in numbers(each)} for each in records]
    columns = {name: np.array([row[name] for row in rows], dtype=float) for name in rows[0]}
    return record_from(type(records[0]), columns.__getitem__)
