"""What texts of exercises cite: `{before.kv_bytes}`, `{after/before.tokens_per_s}`, `{said}`."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator
from dataclasses import fields
from functools import cache

from app.exercises.answers import setups, value
from app.exercises.record import Choice, Exercise, Knob, Order
from app.exercises.replays import is_replayed
from app.exercises.table import Table
from app.exercises.told import TOLD_BY, asked_of_before, shown, telling
from calc import Report
from calc.inputs.table import Inputs
from calc.serving.replay import Totals
from calc.text import shortened, suggestion

#: No quantity that anybody reads is larger: so many tokens per dollar are what is free.
_MOST = 1e24


def check_texts(table: Table, exercise: Exercise, setups: Collection[str]) -> None:
    """What texts cite is there, and nothing that is asked or veiled is told before."""
    asked = asked_of_before(exercise)
    secret = {*exercise.veiled, asked}
    for part in shown(exercise):
        if asked in TOLD_BY[part]:
            table.mistake("shown", f"{part} tells {asked}, which is asked for")
    citable = _citable(exercise)
    for field, text in _texts_before(exercise).items():
        for names, quantity in _places(table, field, text, citable, {"before"}, set()):
            if quantity in secret or names != ["before"]:
                table.mistake(field, f"it tells {quantity} before the prediction is locked in")
    for field, text in _texts_after(exercise).items():
        list(_places(table, field, text, citable, setups, {"said", "is"}))


def check_values(table: Table, exercise: Exercise) -> None:
    """What texts cite has a value: words are in no ratio, and nothing is without bounds."""
    by_name, unheard = setups(exercise), Table("", {}, [])
    citable, alone = _citable(exercise), {"said", "is"}
    before, told = _texts_before(exercise), set()
    for field, text in (before | _texts_after(exercise)).items():
        for names, quantity in _places(unheard, field, text, citable, by_name, alone):
            if field in before:
                told.add(quantity)
            values = [value(by_name[name], quantity) for name in names]
            place = f"{{{'/'.join(names)}.{quantity}}}"
            if len(values) == 2:
                if any(isinstance(each, str | bool) for each in values):
                    table.mistake(field, f"{place}: a word is in no ratio")
                elif not (0 <= values[0] < _MOST and 0 < values[1] < _MOST):
                    table.mistake(field, f"{place}: here it is {values[0]:g} over {values[1]:g}")
            elif not isinstance(values[0], str) and not float(values[0]) < _MOST:
                table.mistake(field, f"{place}: here it is without bounds")
    if telltale := telling(exercise, told):
        table.mistake(
            "prediction",
            f"metric={asked_of_before(exercise)}: it follows from {' and '.join(telltale)}, "
            "which the reader is told before",
        )


def _texts_before(exercise: Exercise) -> dict[str, str]:
    """Texts that are read before a prediction is locked in, by their field."""
    prediction = exercise.prediction
    texts = {"text": exercise.text, "question": exercise.question}
    texts |= {f"hints {n}": hint for n, hint in enumerate(exercise.hints, 1)}
    if isinstance(prediction, Choice | Knob | Order):
        texts |= {f"option {each.id}": each.label for each in prediction.options}
    return texts


def _texts_after(exercise: Exercise) -> dict[str, str]:
    """Texts that are read once it is."""
    texts = {f"explain.{outcome}": text for outcome, text in exercise.explain.items()}
    return texts | {f"task {n}": task.say for n, task in enumerate(exercise.tasks, 1)}


def _places(
    table: Table,
    field: str,
    text: str,
    citable: Collection[str],
    setups: Collection[str],
    alone: Collection[str],
) -> Iterator[tuple[list[str], str]]:
    """The places in a text that cite a citable quantity of a set-up, or of two."""
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
        elif quantity not in citable:
            hint = suggestion(quantity, citable) or "docs/names.md lists them"
            mistake = f"{{{shortened(place)}}}: there is no such quantity; {hint.strip()}"
            table.mistake(field, mistake)
        else:
            yield names, quantity


def _citable(exercise: Exercise) -> frozenset[str]:
    """What texts can cite: quantities of a scenario, of its report and of a replay."""
    of_replay = Totals._fields if is_replayed(exercise.setup) else ()
    return _of_a_scenario() | {*of_replay}


@cache
def _of_a_scenario() -> frozenset[str]:
    return frozenset(Inputs().scenario().leaves()) | {each.name for each in fields(Report)}
