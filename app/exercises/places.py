"""What texts of exercises cite: `{before.kv_bytes}`, `{after/before.tokens_per_s}`, `{said}`."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator
from dataclasses import fields
from functools import cache

from app.exercises.record import Choice, Exercise, Knob, Number, Order
from app.exercises.table import Table
from calc import Report
from calc.inputs.table import Inputs
from calc.text import shortened, suggestion


def check_texts(table: Table, exercise: Exercise, setups: Collection[str]) -> None:
    """What texts cite is there, and nothing that is asked or veiled is told before."""
    prediction = exercise.prediction
    secret = {*exercise.veiled}
    if isinstance(prediction, Choice) or (isinstance(prediction, Number) and not prediction.then):
        secret.add(prediction.metric)
    before = {"text": exercise.text, "question": exercise.question}
    before |= {f"hints {n}": hint for n, hint in enumerate(exercise.hints, 1)}
    if isinstance(prediction, Choice | Knob | Order):
        before |= {f"option {each.id}": each.label for each in prediction.options}
    for field, text in before.items():
        for names, quantity in _places(table, field, text, {"before"}, set()):
            if quantity in secret or names != ["before"]:
                table.mistake(field, f"it tells {quantity} before the prediction is locked in")
    after = {f"explain.{outcome}": text for outcome, text in exercise.explain.items()}
    after |= {f"task {n}": task.say for n, task in enumerate(exercise.tasks, 1)}
    for field, text in after.items():
        list(_places(table, field, text, setups, {"said", "is"}))


def _places(
    table: Table, field: str, text: str, setups: Collection[str], alone: Collection[str]
) -> Iterator[tuple[list[str], str]]:
    """The places in a text that cite a quantity of a set-up, or of two."""
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        table.mistake(field, "write {{ and }} for braces that are no place")
        return
    for _, place, format_, conversion in parts:
        if format_ or conversion:
            table.mistake(
                field,
                f"{{{shortened(place)}}} has a : or ! behind it: the unit decides how it is shown",
            )
            continue
        if place is None or place in alone:
            continue
        setup, _, quantity = place.partition(".")
        names = setup.split("/")
        if len(names) > 2 or not {*names} <= {*setups}:
            table.mistake(
                field, f"{{{shortened(place)}}}: the set-ups here are {', '.join(sorted(setups))}"
            )
        elif quantity not in _quantity_names():
            hint = suggestion(quantity, _quantity_names()) or "docs/names.md lists them"
            mistake = f"{{{shortened(place)}}}: there is no such quantity; {hint.strip()}"
            table.mistake(field, mistake)
        else:
            yield names, quantity


@cache
def _quantity_names() -> frozenset[str]:
    """What texts can cite: every quantity of a scenario and of its report."""
    return frozenset(Inputs().scenario().leaves()) | {each.name for each in fields(Report)}
