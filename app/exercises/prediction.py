"""A prediction of a file of exercises: what may be answered, and in which unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from app.exercises.answers import setup_after
from app.exercises.record import (
    COMPARISONS,
    KINDS,
    LEVERS_BY_NAME,
    Change,
    Choice,
    Direction,
    Knob,
    Number,
    Order,
    Prediction,
    SetUp,
    Statement,
)
from app.exercises.replays import all_inputs, complaint, is_replayed
from app.exercises.table import Table
from app.totals import TOTALS
from calc import Report
from calc.serving.replay import Totals
from calc.text import shortened
from calc.units import BINARY_UNITS, DISPLAY_UNITS

#: What the words of a report are: of a bound, of a yes or no.
_WORDS_OF_A_REPORT = ("memory", "compute", "comms", "overhead", "yes", "no")

#: The units of how many times.
_RATIOS = {"×": 1.0, "%": 0.01}

#: Types of the report's fields: numbers, and what is said in a word.
_NUMBERS, _WORDS = ("Value",), ("Word", "Flag")


def read_prediction(
    exercise: Table, setup: SetUp, ranked: Collection[str] | None
) -> Prediction | None:
    """What is asked for; in the clearing test it may be of one of the `ranked` questions' best."""
    table = exercise.table("prediction", needed=True)
    if table is None:
        return None
    kind = table.name("kind", KINDS)
    if not kind:
        return None
    metric = table.name("metric", _asked_of(setup, *(_WORDS if kind == "choice" else ())))
    prediction: Prediction
    if kind == "number":
        prediction = _number(table, metric, setup, ranked)
    elif kind == "direction":
        prediction = Direction(metric, table.inputs("then", on=setup, needed=True))
    elif kind == "choice":
        prediction = Choice(metric, _statements(table, metric in _metrics(*_WORDS)))
    else:
        best: Any = table.name("best", ("max", "min"))
        options = _changes(table, setup)
        prediction = (Knob if kind == "knob" else Order)(metric, best, options)
        if ranked is None:
            for change in options:
                check_change(table, change, setup)
    table.finish()
    return prediction


def _number(table: Table, metric: str, setup: SetUp, ranked: Collection[str] | None) -> Number:
    then = table.inputs("then", on=setup)
    best_of = table.name("best_of", ranked, needed=False) if ranked is not None else ""
    compare: Any = "value"
    if {"then", "best_of"} & {*table.fields()}:
        compare = table.name("compare", COMPARISONS, needed=False) or "ratio"
    unit, size = _unit(table, metric, compare, _asked_of(setup))
    options = table.numbers("options")
    is_typed = "options" not in table.fields()
    tolerance = table.number("tolerance", 0, 0.5, needed=is_typed) or 0.0
    return Number(metric, unit, size, tolerance, options, then, best_of, compare)


def _unit(table: Table, metric: str, compare: str, metrics: Mapping[str, str]) -> tuple[str, float]:
    """The unit in which a quantity is asked for, and its size in SI."""
    if compare == "ratio":
        unit = table.name("unit", _RATIOS, needed=False) or "×"
        return unit, _RATIOS[unit]
    if not metric:
        return table.text("unit"), 1.0
    si = metrics[metric]
    units = {
        name: size for each in (DISPLAY_UNITS, BINARY_UNITS) for name, size, _ in each.get(si, ())
    }
    if metric.endswith(("_fraction", "_share", "_utilisation")):
        units = {"%": 0.01}
    if units:
        unit = table.name("unit", units)
        return unit, units.get(unit, 1.0)
    if si:
        return table.name("unit", (si,), needed=False) or si, 1.0
    return table.text("unit", most=30), 1.0


def _statements(table: Table, of_words: bool) -> tuple[Statement, ...]:
    statements = []
    for each in table.tables("option", needed=True):
        statement = Statement(
            id=each.id(),
            label=each.text("label", needed=True, most=60),
            word=each.name("is", _WORDS_OF_A_REPORT) if of_words else "",
            below=None if of_words else each.number("below", -1e30, 1e30),
        )
        each.finish()
        statements.append(statement)
    if not of_words and sum(each.below is None for each in statements) > 1:
        table.mistake("option", "only one can be without `below`: the one above all others")
    for field, found in (
        ("is", [each.word for each in statements if each.word]),
        ("below", [each.below for each in statements if each.below is not None]),
    ):
        if len(found) > len(set(found)):
            table.mistake("option", f"two have the same `{field}`: one of them is never right")
    _check_options(table, statements)
    return tuple(statements)


def _changes(table: Table, setup: SetUp) -> tuple[Change, ...]:
    changes = []
    for each in table.tables("option", needed=True):
        lever = each.name("lever", LEVERS_BY_NAME, needed=False)
        is_own = "lever" not in each.fields()
        change = Change(
            id=each.id(lever, needed=is_own),
            label=each.text("label", needed=is_own, most=60)
            or (LEVERS_BY_NAME[lever].label if lever else ""),
            then=each.inputs("then", on=setup, needed=is_own),
            lever=lever,
        )
        each.finish()
        changes.append(change)
    _check_options(table, changes)
    return tuple(changes)


#: Names of set-ups and of texts that explain: an option of such a name would stand in for them.
_TAKEN = frozenset(
    ["before", "after", "best", "said", "is", "right", "wrong", "always", "too_low", "too_high"]
)


def _check_options(table: Table, options: Sequence[Statement | Change]) -> None:
    if len(options) == 1:
        table.mistake("option", "one is no choice: give two or more")
    table.check_ids("option", [each.id for each in options])
    for each in options:
        if each.id in _TAKEN:
            table.mistake("option", f"id={each.id}: texts use this name for something else")
    for label, count in Counter(each.label for each in options if each.label).items():
        if count > 1:
            table.mistake("option", f"the label {shortened(label)} is given {count} times")


def check_change(table: Table, change: Change, setup: SetUp) -> None:
    """Note that a change is not allowed here, or changes nothing; unless it is wrong already."""
    if not (change.then or change.lever):
        return
    inputs = change.inputs(setup)
    after = setup_after(setup, inputs)
    if wrong := complaint(after, after):
        table.mistake(f"option {change.id}", wrong)
    elif all_inputs(setup) == all_inputs(after):
        table.mistake(f"option {change.id}", "it changes nothing in this set-up")


def _asked_of(setup: SetUp, *more: str) -> dict[str, str]:
    """The SI unit of each quantity that is asked for: the replay's, or numbers of the report."""
    if is_replayed(setup):
        return {name: TOTALS[name][1] for name in Totals._fields}
    return _metrics(*_NUMBERS, *more)


@cache
def _metrics(*types: str) -> dict[str, str]:
    """The SI unit of each quantity of the report, by what their values are."""
    of_report = {each.name: each for each in fields(Report) if each.type in types}
    return {name: each.metadata["quantity"].unit for name, each in of_report.items()}
