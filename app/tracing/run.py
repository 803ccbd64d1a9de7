"""Run `calc` on symbols."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from app.tracing.symbols import Symbol
from calc import Scenario, evaluate


@dataclass(frozen=True)
class Traced:
    """One function, run on symbols."""

    inputs: tuple[str, ...]
    choices: tuple[str, ...]
    outputs: dict[str, Any]


def trace_report(
    scenario: Callable[..., Scenario], inputs: tuple[str, ...], choices: Mapping[str, type]
) -> Traced:
    """Run `calc.evaluate` on a scenario of symbols.

    Parameters
    ----------
    scenario : callable
        Builds a Scenario from keywords, such as `calc.scenario`.
    inputs : tuple of str
        Keywords that are numbers in the page.
    choices : mapping of str to dataclass type
        Keywords that name a record of numbers, and the record's type.

    Returns
    -------
    Traced
        Outputs are all leaves of the scenario, all fields of the report, and the inputs.

    Raises
    ------
    TraceError
        A formula did something that cannot be printed.
    """
    records = {
        choice: record(**{f.name: Symbol.input(f"{choice}.{f.name}") for f in fields(record)})
        for choice, record in choices.items()
    }
    symbols = {name: Symbol.input(name) for name in inputs}
    traced = scenario(**symbols, **records)
    report = evaluate(traced)
    results = {f.name: getattr(report, f.name) for f in fields(report)}
    # Where an input and a resolved quantity share a name, the resolved one is meant.
    resolved = traced.leaves() | results
    return Traced(inputs, tuple(choices), resolved | symbols | resolved)


def trace_function(function: Callable[..., Any]) -> Traced:
    """Run one plain function of numbers on symbols.

    Parameters
    ----------
    function : callable
        Its parameters become the inputs.

    Returns
    -------
    Traced
        With one output, named as the function.

    Raises
    ------
    TraceError
        The function did something that cannot be printed.
    """
    inputs = tuple(inspect.signature(function).parameters)
    result = function(*(Symbol.input(name) for name in inputs))
    return Traced(inputs, (), {function.__name__: result})
