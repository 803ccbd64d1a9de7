"""What an exercise is: a set-up, a question, what may be answered, what is explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from calc.studies.levers import LEVERS


class UndecidedError(ValueError):
    """A question that has no answer, or more than one: says why."""


#: Inputs by key, on top of the lesson's default, and of a replay its settings.
SetUp: TypeAlias = Mapping[str, float | str]

#: Levers of the arithmetic by name, as a change can ask for one.
LEVERS_BY_NAME = {lever.name: lever for lever in LEVERS}


@dataclass(frozen=True)
class Statement:
    """What may be so of the report: a `word`, or every number `below` a limit, None = any.

    Where several have limits, the lowest that is above the number counts.
    """

    id: str
    label: str
    word: str = ""
    below: float | None = None


@dataclass(frozen=True)
class Change:
    """What may be done to a set-up: inputs become what they are in `then`, or a lever is pulled."""

    id: str
    label: str
    then: SetUp
    lever: str = ""

    def inputs(self, setup: SetUp) -> SetUp:
        """The inputs that it changes, as they are afterwards."""
        return LEVERS_BY_NAME[self.lever].change(setup) if self.lever else self.then


@dataclass(frozen=True)
class Number:
    """How much: of a set-up, or how one compares with the other; in `unit`, so large in SI.

    Right is what is within the tolerance, a share of the answer; with options, the nearest one.
    Instead of inputs in `then`, the best option of another question may be meant: `best_of`.
    """

    metric: str
    unit: str
    size: float
    tolerance: float
    options: tuple[float, ...] = ()
    then: SetUp | None = None
    best_of: str = ""
    compare: Literal["value", "ratio", "difference"] = "value"


def option_id(number: float) -> str:
    """The id of an option that is a number."""
    return f"{number:.15g}"


#: What can be asked of two set-ups: the second one's value, or what became of the first one's.
COMPARISONS = ("value", "ratio", "difference")


@dataclass(frozen=True)
class Direction:
    """Whether a quantity rises, stays or falls from one set-up to the other."""

    metric: str
    then: SetUp


@dataclass(frozen=True)
class Choice:
    """Which statement is so."""

    metric: str
    options: tuple[Statement, ...]


@dataclass(frozen=True)
class Knob:
    """Which single change makes a quantity largest or smallest; one that does not fit loses."""

    metric: str
    best: Literal["max", "min"]
    options: tuple[Change, ...]


@dataclass(frozen=True)
class Order:
    """The order of several changes, the best first."""

    metric: str
    best: Literal["max", "min"]
    options: tuple[Change, ...]


Prediction: TypeAlias = Number | Direction | Choice | Knob | Order

#: What a prediction is called in the file.
KINDS: dict[str, type] = {
    "number": Number,
    "direction": Direction,
    "choice": Choice,
    "knob": Knob,
    "order": Order,
}

#: The answers of a direction, and how they are said.
DIRECTIONS = {"up": "It rises", "same": "It stays", "down": "It falls"}


@dataclass(frozen=True)
class Task:
    """A step for the student's own hand: done once these inputs are reached."""

    say: str
    reach: SetUp


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """One question.

    `also` names set-ups that only the texts cite. `explain` has a text by outcome, and one for
    all: `always`. `term` is the word of the glossary on which the answer turns. With the words of
    `teaser`, where it has some, the first screen offers it. A `further` one is no part of the path:
    it comes after the clearing test.
    """

    id: str
    title: str
    chapter: str
    text: str
    question: str
    setup: SetUp
    also: Mapping[str, SetUp]
    veiled: tuple[str, ...]
    hints: tuple[str, ...]
    prediction: Prediction
    explain: Mapping[str, str]
    term: str
    tasks: tuple[Task, ...]
    teaser: str = ""
    further: bool = False


@dataclass(frozen=True)
class Deployment:
    """Something that is served somewhere, for the clearing test."""

    id: str
    label: str
    text: str
    setup: SetUp


@dataclass(frozen=True)
class Clearing:
    """The test at the end: some of the deployments, drawn at random, and what is asked of each."""

    title: str
    text: str
    drawn: int
    questions: tuple[Exercise, ...]
    deployments: tuple[Deployment, ...]


@dataclass(frozen=True, eq=False)
class Course:
    """All exercises of a file, in order, and its clearing test where it has one."""

    exercises: tuple[Exercise, ...]
    clearing: Clearing | None
