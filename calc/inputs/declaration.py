"""How an input is declared: what it is called, means and takes, and what it sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from calc.primitives import floor, given, maximum, minimum, where
from calc.quantity import Flag, Value

_Record = TypeVar("_Record")

#: What an input is that was not given.
OPEN = float("nan")

#: What is divided by less would overflow.
SMALLEST = 1e-9


@dataclass(frozen=True, kw_only=True)
class Number:
    """An input that is a number: what it is called, means and takes, and what it sets.

    `default` is NaN where the model or the set of assumptions decides. `sets` names fields of
    the scenario's records, in their unit after multiplying by `factor`; `symbol` is stated
    where it is not the field's. It says something `only` where other inputs have these values, and
    `unless` others have those.
    """

    group: str
    label: str
    doc: str
    default: float
    range: tuple[float, float]
    whole: bool = False
    stops: tuple[float, ...] = ()
    unit: str = ""
    symbol: str = ""
    sets: tuple[str, ...]
    factor: float = 1.0
    only: Mapping[str, float | str] = field(default_factory=dict)
    unless: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """What this input takes, in words."""
        low, high = self.range
        return f"{'a whole number' if self.whole else 'a number'} from {low:,} to {high:,}"

    @property
    def usual(self) -> str:
        """The default in words; "" where there is none."""
        return "" if math.isnan(self.default) else f"{self.default:g}"

    def takes(self, value: Value) -> Flag:
        """Whether a value is in the range; open (NaN) is, where the default is.

        Between 0 and `SMALLEST` is nothing that anybody means.
        """
        low, high = self.range
        value = self._or_lowest(value)
        within = where(value < SMALLEST, low, minimum(maximum(value, low), high))
        return value == (floor(within) if self.whole else within)

    def suits(self, value: Value) -> Flag:
        """Whether formulas can take a value, in its range or not: it is finite and not negative.

        Nor 0, unless the range begins there: they divide by it.
        """
        value = self._or_lowest(value)
        return (value >= 0 if self.range[0] == 0 else value > 0) & (value < math.inf)

    def _or_lowest(self, value: Value) -> Value:
        """A value, or one that this input takes where it may be open and is."""
        return given(value, self.range[0]) if math.isnan(self.default) else value


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An input that is one of the names of a table of records, read when it is needed.

    `names` says in words which there are, if they are too many for a sentence; `why` what is wrong
    with a text that might have stood for a record, and does not. `only` and `unless` are as those
    of a number.
    """

    group: str
    label: str
    doc: str
    default: str
    table: Mapping[str, Any]
    names: str = ""
    why: Callable[[str], str] | None = None
    only: Mapping[str, float | str] = field(default_factory=dict)
    unless: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def record(self) -> type:
        """What a name stands for."""
        return type(self.table[self.default])

    @property
    def allowed(self) -> str:
        """What this input takes, in words."""
        return self.names or f"one of {', '.join(self.table)}"

    @property
    def usual(self) -> str:
        """The default."""
        return self.default


def number(group: str, default: float, range: tuple[float, float], **words: Any) -> Any:
    """Declare a dataclass field that is an input and a number.

    Parameters
    ----------
    group : str
        What it is about.
    default : float
    range : tuple of two float
        Lowest and highest value that it takes, both included.
    **words
        The other fields of `Number`.

    Returns
    -------
    dataclasses.Field
    """
    one = Number(group=group, default=default, range=range, **words)
    return field(default=default, metadata={"input": one})


def choice(group: str, default: str, table: Mapping[str, Any], **words: Any) -> Any:
    """Declare a dataclass field that is an input and a name of a table.

    Parameters
    ----------
    group : str
        What it is about.
    default : str
        One of the names.
    table : mapping of str to record
    **words
        The other fields of `Choice`.

    Returns
    -------
    dataclasses.Field
    """
    one = Choice(group=group, default=default, table=table, **words)
    return field(default=default, metadata={"input": one})


def inputs_of(record: type) -> dict[str, Number | Choice]:
    """The inputs that a dataclass declares.

    Parameters
    ----------
    record : dataclass type

    Returns
    -------
    dict of str to Number or Choice
        By key, in order.
    """
    return {each.name: each.metadata["input"] for each in fields(record)}


def numbers_of(record: type) -> dict[str, Number]:
    """The inputs that a dataclass declares and that are numbers.

    Parameters
    ----------
    record : dataclass type

    Returns
    -------
    dict of str to Number
        By key, in order.
    """
    inputs = inputs_of(record)
    return {key: each for key, each in inputs.items() if isinstance(each, Number)}


def record_of(table: Mapping[str, _Record], choice: str | _Record) -> _Record:
    """The record that a choice means.

    Parameters
    ----------
    table : mapping of str to record
    choice : str or record
        A name in the table, or a record of one's own.

    Returns
    -------
    record
    """
    return table[choice] if isinstance(choice, str) else choice


def is_open(value: Any) -> bool:
    """Whether an input was not given.

    Parameters
    ----------
    value : any

    Returns
    -------
    bool
    """
    return isinstance(value, float) and math.isnan(value)


def as_json(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of inputs as JSON has them: null is what NaN is in Python, not given.

    Parameters
    ----------
    values : mapping of str to number or name

    Returns
    -------
    dict of str to number, name or None
    """
    return {key: None if is_open(value) else value for key, value in values.items()}


def doubling_stops(lowest: int, highest: int) -> tuple[int, ...]:
    """Powers of two, with 1.5 times each between where that is whole.

    Parameters
    ----------
    lowest, highest : int
        Powers of two.

    Returns
    -------
    tuple of int
        Ascending. [count]

    Notes
    -----
    2^e and 3·2^(e − 1): each step is a half or a third more.

    References
    ----------
    Closed form.
    """
    powers = [2**e for e in range(int(math.log2(lowest)), int(math.log2(highest)) + 1)]
    halves = [3 * p // 2 for p in powers if p > 1 and 3 * p // 2 < highest]
    return tuple(sorted({*powers, *halves}))
