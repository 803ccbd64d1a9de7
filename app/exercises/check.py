"""Every question with its answer, and whether a small change of its set-up turns that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from app.exercises.answers import Answer, answer, in_words, questions
from app.exercises.record import Course, Direction, Exercise, Number, SetUp, UndecidedError
from app.exercises.replays import complaint, is_replayed
from app.lab import FIELDS, OF_ONE
from calc.inputs.table import NUMBERS

#: A change that nobody would call another set-up, as a share of the number.
SMALL = 0.05

#: Numbers that are tried though the set-up leaves them at their default; of a replay others.
_ALWAYS = {key: NUMBERS[key].default for key in ("context", "batch")}
_ALWAYS_REPLAYED = {"seed": float(FIELDS["seed"].default)}


@dataclass(frozen=True)
class Turn:
    """A small change with which something else is right: an input, its value, the answer then."""

    key: str
    value: float
    answer: str


@dataclass(frozen=True)
class Finding:
    """A question, its answer in words, and what turns that."""

    id: str
    title: str
    question: str
    answer: str
    turns: tuple[Turn, ...]


def findings(course: Course) -> list[Finding]:
    """Every question of a course, those of the clearing test for each deployment."""
    exercises = list(course.exercises)
    if clearing := course.clearing:
        for deployment in clearing.deployments:
            exercises += [
                replace(each, id=f"{deployment.id}: {each.id}")
                for each in questions(clearing, deployment)
            ]
    return [
        Finding(each.id, each.title, each.question, in_words(each, answer(each)), turns(each))
        for each in exercises
    ]


def turns(exercise: Exercise) -> tuple[Turn, ...]:
    """The small changes that turn an answer: each number of the set-ups, 5 % up and down."""
    usual = answer(exercise)
    changes = []
    for key, value, other in _small_changes(exercise):
        try:
            now = answer(other)
        except UndecidedError as problem:
            changes.append(Turn(key, value, str(problem)))
            continue
        if not _is_same(usual, now):
            changes.append(Turn(key, value, in_words(other, now)))
    return tuple(changes)


def _small_changes(exercise: Exercise) -> Iterator[tuple[str, float, Exercise]]:
    """Input, its value, and the exercise with it: of the first set-up, then of the change."""
    always = _ALWAYS_REPLAYED if is_replayed(exercise.setup) else _ALWAYS
    before = {**always, **exercise.setup}
    for key, value in _near(before, before):
        yield key, value, replace(exercise, setup={**exercise.setup, key: value})
    prediction = exercise.prediction
    if isinstance(prediction, Number | Direction) and prediction.then:
        for key, value in _near(prediction.then, before):
            then = {**prediction.then, key: value}
            yield key, value, replace(exercise, prediction=replace(prediction, then=then))


def _near(numbers: SetUp, setup: SetUp) -> Iterator[tuple[str, float]]:
    """Each number, a little smaller and a little larger, where a set-up can have that."""
    for key, value in numbers.items():
        if isinstance(value, str):
            continue
        what: Any = OF_ONE.get(key) or NUMBERS[key]
        changed = [value * (1 - SMALL), value * (1 + SMALL)]
        if key == "seed":  # another draw is no smaller or larger
            changed = [value - 1, value + 1]
        for near in (float(round(each)) if what.whole else each for each in changed):
            after = {**setup, **numbers, key: near}
            if near != value and what.takes(near) and not complaint(after, {key}):
                yield key, near


def _is_same(one: Answer, other: Answer) -> bool:
    if one.low is None or one.high is None or other.value is None:
        return one.right == other.right
    return one.low <= other.value <= one.high
