"""The right answers, computed by the arithmetic from the set-ups; none is typed in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

from app.exercises.record import (
    DIRECTIONS,
    Choice,
    Clearing,
    Deployment,
    Direction,
    Exercise,
    Knob,
    Number,
    Order,
    SetUp,
    Statement,
    UndecidedError,
    option_id,
)
from app.exercises.replays import is_replayed, scenario_of, totals
from calc import Report, evaluate, scenario
from calc.serving.replay import Totals

#: Nearer to 1 than this a ratio says that nothing has changed.
SAME = 0.01

#: Options whose values differ by no larger share are equally good.
_TIE = 1e-3


@dataclass(frozen=True)
class Answer:
    """What is right: the ids of options, best first; of a free number a range and its middle.

    `value` is in the prediction's unit; `values` are each option's metric, in SI, and `fits` says
    whether that option fits in memory.
    """

    right: tuple[str, ...] = ()
    value: float | None = None
    low: float | None = None
    high: float | None = None
    values: Mapping[str, float] | None = None
    fits: Mapping[str, bool] | None = None


def report(setup: SetUp) -> Report:
    """The report of a set-up's scenario.

    Raises
    ------
    ValueError
        It is none: says why.
    """
    return _report(tuple(sorted(scenario_of(setup).items())))


@cache
def _report(inputs: tuple[tuple[str, Any], ...]) -> Report:
    return evaluate(scenario(**dict(inputs)))


def value(setup: SetUp, quantity: str) -> Any:
    """A quantity of a set-up: a number, a word, or whether it is so.

    Of its replay, where it has one with such a quantity; or else of its scenario or report.
    """
    if is_replayed(setup) and quantity in Totals._fields:
        return getattr(totals(setup), quantity)
    leaves = _leaves(tuple(sorted(scenario_of(setup).items())))
    return leaves[quantity] if quantity in leaves else getattr(report(setup), quantity)


@cache
def _leaves(inputs: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return scenario(**dict(inputs)).leaves()


def setup_after(setup: SetUp, then: SetUp | None) -> SetUp:
    """A set-up with some inputs changed."""
    return {**setup, **(then or {})}


def setups(exercise: Exercise) -> dict[str, SetUp]:
    """Every set-up that texts can cite, by name; `best` is that of a knob's or order's answer."""
    before, prediction = exercise.setup, exercise.prediction
    by_name = {"before": before}
    if isinstance(prediction, Number | Direction) and prediction.then is not None:
        by_name["after"] = setup_after(before, prediction.then)
    if isinstance(prediction, Knob | Order):
        options = {each.id: setup_after(before, each.inputs(before)) for each in prediction.options}
        by_name |= options | {"best": options[answer(exercise).right[0]]}
    return by_name | {name: setup_after(before, then) for name, then in exercise.also.items()}


def questions(clearing: Clearing, deployment: Deployment) -> tuple[Exercise, ...]:
    """The questions of the clearing test, of one deployment."""
    exercises: dict[str, Exercise] = {}
    for question in clearing.questions:
        exercise = replace(question, setup=deployment.setup)
        prediction = exercise.prediction
        if isinstance(prediction, Number) and prediction.best_of:
            other = exercises[prediction.best_of]
            best = setups(other)["best"]
            exercise = replace(exercise, prediction=replace(prediction, then=best))
        exercises[question.id] = exercise
    return tuple(exercises.values())


def answer(exercise: Exercise) -> Answer:
    """What is right.

    Raises
    ------
    UndecidedError
        The question has no answer, or options that are equally good.
    """
    prediction, before = exercise.prediction, exercise.setup
    match prediction:
        case Number():
            return _number(prediction, before)
        case Direction():
            return _direction(prediction, before)
        case Choice():
            return _choice(prediction, before)
        case _:
            return _ranking(prediction, before)


def _number(prediction: Number, before: SetUp) -> Answer:
    first = _value(prediction.metric, before)
    second = _value(prediction.metric, setup_after(before, prediction.then))
    if prediction.compare == "ratio" and first == 0:
        raise UndecidedError(f"{prediction.metric} is 0 at first: there is no ratio")
    values = {
        "value": second,
        "ratio": second / (first or 1.0),
        "difference": second - first,
    }
    value = values[prediction.compare] / prediction.size
    if prediction.options:
        return Answer((_nearest(prediction.options, value),), value)
    margin = prediction.tolerance * abs(value)
    return Answer((), value, value - margin, value + margin)


def _nearest(options: tuple[float, ...], value: float) -> str:
    """The option that differs from a value by the smallest factor."""
    if value <= 0:
        raise UndecidedError(f"the answer is {value:.3g}: options that are numbers are above 0")
    distances = {option_id(each): abs(math.log(each / value)) for each in options}
    first, second = sorted(distances, key=lambda each: distances[each])[:2]
    if distances[second] - distances[first] < 2 * _TIE:
        low, high = sorted((first, second), key=float)
        raise UndecidedError(f"{value:.4g} lies midway between the options {low} and {high}")
    return first


def _direction(prediction: Direction, before: SetUp) -> Answer:
    first = _value(prediction.metric, before)
    second = _value(prediction.metric, setup_after(before, prediction.then))
    up, same, down = DIRECTIONS
    if abs(second - first) < SAME * abs(first) or second == first:
        return Answer((same,), values={"before": first, "after": second})
    return Answer((up if second > first else down,), values={"before": first, "after": second})


def _choice(prediction: Choice, before: SetUp) -> Answer:
    if prediction.options[0].word:
        value = report(before).as_dict()[prediction.metric]
        word = value if isinstance(value, str) else "yes" if value else "no"
        right = [each.id for each in prediction.options if each.word == word]
        if not right:
            raise UndecidedError(f"{prediction.metric} is {word}: no option says so")
        return Answer((right[0],))
    number = _value(prediction.metric, before)
    below = [each for each in prediction.options if number < _limit(each)]
    if not below:
        raise UndecidedError(f"{prediction.metric} is {number:.4g}: no option is above it")
    return Answer((min(below, key=_limit).id,), number)


def _limit(statement: Statement) -> float:
    return math.inf if statement.below is None else statement.below


def _ranking(prediction: Knob | Order, before: SetUp) -> Answer:
    after = {each.id: setup_after(before, each.inputs(before)) for each in prediction.options}
    values = {id_: _value(prediction.metric, setup) for id_, setup in after.items()}
    # What cannot be held is not replayed.
    fits = {id_: is_replayed(it) or bool(report(it).fits) for id_, it in after.items()}
    sign = -1.0 if prediction.best == "max" else 1.0
    # Speed that does not fit is none; where nothing does, all are compared as if it did.
    order = sorted(values, key=lambda id_: (not fits[id_], sign * values[id_]))
    rivals = order if isinstance(prediction, Order) else order[:2]
    for one, other in pairwise(rivals):
        apart = abs(values[one] - values[other])
        if fits[one] == fits[other] and apart <= _TIE * abs(values[one]):
            raise UndecidedError(f"the options {one} and {other} are equally good")
    right = tuple(order) if isinstance(prediction, Order) else (order[0],)
    return Answer(right, values=values, fits=fits)


def _value(metric: str, setup: SetUp) -> float:
    found = report(setup)
    if metric in found.unlimited():
        raise UndecidedError(f"{metric}: the GPUs are free, so a dollar buys as many as one likes")
    number = float(value(setup, metric))
    if not math.isfinite(number):
        raise UndecidedError(f"{metric} is no finite number here")
    return number


def in_words(exercise: Exercise, right: Answer) -> str:
    """An answer as one would say it: 3.296 × (3.3), Reading memory."""
    prediction = exercise.prediction
    if isinstance(prediction, Number):
        text = f"{right.value:,.4g} {prediction.unit}".rstrip()
        return f"{text} ({right.right[0]})" if right.right else text
    labels = DIRECTIONS
    if not isinstance(prediction, Direction):
        labels = {each.id: each.label for each in prediction.options}
    return ", ".join(labels[id_] for id_ in right.right)
