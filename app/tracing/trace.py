"""Run `calc` on symbols."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_type_hints

from app.tracing.symbols import Symbol
from calc import Inputs, evaluate
from calc.inputs.table import CHOICES, NUMBERS
from calc.quantity import record_from
from calc.serving.costs import costs


@dataclass(frozen=True)
class Trace:
    """What a function did with symbols: its outputs are made of its inputs.

    `name` is the function's, where it is printed by that.
    """

    inputs: tuple[str, ...]
    choices: tuple[str, ...]
    outputs: dict[str, Any]
    name: str = ""


def trace_report() -> Trace:
    """Run `calc.evaluate` on a scenario of symbols.

    Returns
    -------
    Trace
        Outputs are all leaves of the scenario, all fields of the report, and the inputs.

    Raises
    ------
    TraceError
        A formula did something that cannot be printed.
    """
    symbols = _numbers()
    scenario = Inputs(**symbols, **_records()).scenario()
    report = evaluate(scenario)
    results = {f.name: getattr(report, f.name) for f in fields(report)}
    # Where an input and a quantity share a name, the quantity is meant.
    values = scenario.leaves() | results
    return Trace(tuple(NUMBERS), tuple(CHOICES), values | symbols | values)


def trace_rules() -> Trace:
    """Run `Inputs.broken` on inputs of symbols.

    Returns
    -------
    Trace
        With one output, `broken`, and two inputs more: `n_own` and `n_own_card`.

    Raises
    ------
    TraceError
        A rule did something that cannot be printed.
    """
    counts: dict[str, Any] = {name: Symbol.input(name) for name in ("n_own", "n_own_card")}
    name = Inputs(**_numbers(), **_records()).broken(**counts)
    return Trace((*NUMBERS, *counts), tuple(CHOICES), {"broken": name}, "broken")


def trace_costs() -> Trace:
    """Run `calc.serving.costs` on a scenario of symbols.

    Returns
    -------
    Trace
        Outputs are the costs; those of a kind of layers by its name and their own.

    Raises
    ------
    TraceError
        A formula did something that cannot be printed.
    """
    scenario = Inputs(**_numbers(), **_records()).scenario()
    found = costs(scenario)._asdict()
    kinds = dict(zip(scenario.model.kinds, found.pop("kinds"), strict=True))
    for name, kind in kinds.items():
        found |= {f"{name}.{field}": value for field, value in kind._asdict().items()}
    return Trace(tuple(NUMBERS), tuple(CHOICES), found)


def trace_function(function: Callable[..., Any]) -> Trace:
    """Run one plain function of numbers, and of records of numbers, on symbols.

    Parameters
    ----------
    function : callable
        Its parameters become the inputs.

    Returns
    -------
    Trace
        With one output, named as the function; or, where that is a record, one for each number
        in it, named by its path, or as `quantities` names those of kinds.

    Raises
    ------
    TraceError
        The function did something that cannot be printed.
    """
    inputs, hints = tuple(inspect.signature(function).parameters), get_type_hints(function)
    result = function(*(_symbols(name, hints.get(name)) for name in inputs))
    outputs = dict(_leaves(result)) if is_dataclass(result) else {function.__name__: result}
    return Trace(inputs, (), outputs, function.__name__)


def _numbers() -> dict[str, Any]:
    return {key: Symbol.input(key) for key in NUMBERS}


def _records() -> dict[str, Any]:
    """The record that each choice stands for, of symbols."""
    return {key: _symbols(key, choice.record) for key, choice in CHOICES.items()}


def _symbols(name: str, record: Any) -> Any:
    """A record of symbols, or where it is none, a symbol."""
    if not isinstance(record, type) or not is_dataclass(record):
        return Symbol.input(name)
    return record_from(record, lambda each: Symbol.input(f"{name}.{each}"))


def _leaves(record: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for each in fields(record):
        value = getattr(record, each.name)
        if is_dataclass(value):
            joint = "_" if "kind" in each.metadata else "."
            yield from _leaves(value, f"{path}{each.name}{joint}")
        else:
            yield f"{path}{each.name}", value
