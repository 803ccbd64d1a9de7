"""A file of exercises, read with all of its mistakes at once."""

from __future__ import annotations

import string
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from app.assets import read_text
from app.contract import VEILED
from app.errors import InputError
from app.exercises.answers import UndecidedError, answer, asked, changed
from app.exercises.record import (
    COMPARISONS,
    DIRECTIONS,
    KINDS,
    LEVERS_BY_NAME,
    Choice,
    Clearing,
    Course,
    Deployment,
    Direction,
    Exercise,
    Knob,
    Number,
    Option,
    Order,
    Prediction,
    SetUp,
    Task,
)
from app.exercises.table import Table
from app.glossary import glossary
from calc import Report
from calc.inputs.table import Inputs
from calc.quantity import Quantity
from calc.text import shortened, suggestion
from calc.units import BINARY_UNITS, DISPLAY_UNITS

#: A file of exercises is no larger. [B]
LARGEST_FILE = 1_000_000

#: What the words of a report are.
_BOUNDS, _YES_OR_NO = ("memory", "compute", "comms"), ("yes", "no")

#: The units of how many times.
_RATIOS = {"×": 1.0, "%": 0.01}

#: Types of the report's fields: numbers, and what is said in a word.
_NUMBERS, _WORDS = ("Value",), ("Word", "Flag")


class ExerciseError(InputError):
    """A file of exercises with mistakes: a sentence a line, one for each."""

    def __init__(self, mistakes: Collection[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))


@cache
def shipped_course() -> Course:
    """The exercises that come with the page."""
    return read_course(read_text("exercises.toml").encode())


def read_course(content: bytes) -> Course:
    """The exercises of a file.

    Parameters
    ----------
    content : bytes
        TOML, as `docs/exercises.md` describes it.

    Raises
    ------
    ExerciseError
        Names every mistake by its exercise and field, and what is allowed there.
    """
    if len(content) > LARGEST_FILE:
        raise ExerciseError([f"the file is larger than {LARGEST_FILE:,} bytes"])
    try:
        data = tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise ExerciseError(["the file is no text in UTF-8"]) from None
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise ExerciseError([f"the file is no TOML: {shortened(str(problem), 200)}"]) from None
    mistakes: list[str] = []
    top = Table("", data, mistakes)
    exercises = [_exercise(each) for each in top.tables("exercise", needed=True)]
    _check_ids(top, "exercise", [each.id for each in exercises])
    one = top.table("clearing")
    clearing = _clearing(one) if one else None
    top.finish()
    if mistakes:
        raise ExerciseError(mistakes)
    return Course(tuple(exercises), clearing)


def _exercise(table: Table, ranked: Collection[str] | None = None) -> Exercise:
    """An exercise; in the clearing test without a set-up, after `ranked` knobs and orders."""
    id_, title = table.id(), table.text("title", needed=True, most=60)
    chapter = table.text("chapter", most=60)
    text, question = table.text("text"), table.text("question", needed=True, most=300)
    in_test = ranked is not None
    setup: SetUp = {} if in_test else table.inputs("setup")
    if not _is_setup(table, "setup", setup):
        setup = {}
    shown = table.names("shown", VEILED)
    hints, term = table.texts("hints"), table.name("term", _terms(), needed=False)
    prediction = _prediction(table, setup, ranked)
    own = _own_setups(prediction)
    also = _also(table, setup, taken={*own, "said", "is", "best"})
    tasks = _tasks(table, setup)
    exercise = Exercise(
        id=id_,
        title=title,
        chapter=chapter,
        text=text,
        question=question,
        setup=setup,
        also=also,
        veiled=tuple(name for name in VEILED if name not in shown),
        hints=hints,
        prediction=prediction or Direction("", {}),
        explain=_explain(table, prediction),
        term=term,
        tasks=tasks,
    )
    _check_texts(table, exercise, {*own, *also})
    table.finish()
    if table.is_right and not in_test:
        _check_answer(table, exercise)
    return exercise


def _prediction(exercise: Table, setup: SetUp, ranked: Collection[str] | None) -> Prediction | None:
    table = exercise.table("prediction", needed=True)
    if table is None:
        return None
    kind = table.name("kind", KINDS)
    if not kind:
        return None
    metrics = _metrics(*_NUMBERS, *(_WORDS if kind == "choice" else ()))
    metric = table.name("metric", metrics)
    prediction: Prediction
    if kind == "number":
        prediction = _number(table, metric, setup, ranked)
    elif kind == "direction":
        prediction = Direction(metric, table.inputs("then", needed=True) or {})
        _is_setup(table, "then", changed(setup, prediction.then))
    elif kind == "choice":
        prediction = Choice(metric, _options(table, _answers_of(metric)))
    else:
        best: Any = table.name("best", ("max", "min"))
        options = _options(table, ("then", "lever"))
        prediction = (Knob if kind == "knob" else Order)(metric, best, options)
        for option in options if ranked is None else ():
            _check_change(table, option, setup)
    table.finish()
    return prediction


def _number(table: Table, metric: str, setup: SetUp, ranked: Collection[str] | None) -> Number:
    then = table.inputs("then")
    best_of = table.name("best_of", ranked, needed=False) if ranked is not None else ""
    compare: Any = "value"
    if {"then", "best_of"} & {*table.fields()}:
        compare = table.name("compare", COMPARISONS, needed=False) or "ratio"
        _is_setup(table, "then", changed(setup, then))
    unit, size = _unit(table, metric, compare)
    options = table.numbers("options")
    typed = "options" not in table.fields()
    tolerance = table.number("tolerance", 0, 0.5, needed=typed) or 0.0
    return Number(metric, unit, size, tolerance, options, then, best_of, compare)


def _unit(table: Table, metric: str, compare: str) -> tuple[str, float]:
    """The unit in which a quantity is asked for, and its size in SI."""
    if compare == "ratio":
        unit = table.name("unit", _RATIOS, needed=False) or "×"
        return unit, _RATIOS[unit]
    if not metric:
        return table.text("unit"), 1.0
    what = _metrics(*_NUMBERS)[metric]
    units = {
        name: size
        for shown in (DISPLAY_UNITS, BINARY_UNITS)
        for name, size, _ in shown.get(what.unit, ())
    }
    if metric.endswith(("_fraction", "_share")):
        units = {"%": 0.01}
    if units:
        unit = table.name("unit", units)
        return unit, units.get(unit, 1.0)
    if what.unit:
        return table.name("unit", (what.unit,), needed=False) or what.unit, 1.0
    return table.text("unit", most=30), 1.0


def _answers_of(metric: str) -> tuple[str, ...]:
    """The field by which an option of a choice says when it is right."""
    return ("is",) if metric in _metrics(*_WORDS) else ("below",)


def _options(table: Table, answers: tuple[str, ...]) -> tuple[Option, ...]:
    options = []
    for each in table.tables("option", needed=True):
        lever = each.name("lever", LEVERS_BY_NAME, needed=False) if "lever" in answers else ""
        usual = LEVERS_BY_NAME[lever].label if lever else ""
        is_own = "lever" not in each.fields()
        options.append(
            Option(
                id=each.id(lever, needed=is_own),
                label=each.text("label", needed=is_own, most=60) or usual,
                word=each.name("is", (*_BOUNDS, *_YES_OR_NO)) if "is" in answers else "",
                below=each.number("below", -1e30, 1e30) if "below" in answers else None,
                then=each.inputs("then", needed=is_own) if "then" in answers else {},
                lever=lever,
            )
        )
        each.finish()
    if len(options) == 1:
        table.mistake("option", "one is no choice: give two or more")
    if "below" in answers and sum(each.below is None for each in options) > 1:
        table.mistake("option", "only one can be without `below`: the one above all others")
    _check_ids(table, "option", [each.id for each in options])
    return tuple(options)


def _tasks(exercise: Table, setup: SetUp) -> tuple[Task, ...]:
    tasks, state = [], setup
    for each in exercise.tables("task"):
        task = Task(each.text("say", needed=True), each.inputs("reach", needed=True))
        state = changed(state, task.reach)
        _is_setup(each, "reach", state)
        each.finish()
        tasks.append(task)
    return tuple(tasks)


def _explain(exercise: Table, prediction: Prediction | None) -> dict[str, str]:
    table = exercise.table("explain", needed=True)
    if table is None:
        return {}
    texts = {"always": table.text("always", needed=True)}
    for outcome in ("right", "wrong", *_outcomes(prediction)):
        if text := table.text(outcome):
            texts[outcome] = text
    table.finish()
    return texts


def _outcomes(prediction: Prediction | None) -> tuple[str, ...]:
    """What may have been said, beside right and wrong."""
    match prediction:
        case Number():
            return ("too_low", "too_high")
        case Direction():
            return tuple(DIRECTIONS)
        case Choice() | Knob():
            return tuple(each.id for each in prediction.options)
        case _:
            return ()


def _own_setups(prediction: Prediction | None) -> set[str]:
    """The set-ups of a question and its answers, by the names that texts cite them by."""
    match prediction:
        case Number() if prediction.then or prediction.compare != "value":
            return {"before", "after"}
        case Direction():
            return {"before", "after"}
        case Knob() | Order():
            return {"before", "best", *(each.id for each in prediction.options)}
        case _:
            return {"before"}


def _clearing(table: Table) -> Clearing:
    title = table.text("title", needed=True, most=60)
    text = table.text("text", needed=True)
    questions: list[Exercise] = []
    for each in table.tables("question", needed=True):
        ranked = [it.id for it in questions if isinstance(it.prediction, Knob | Order)]
        questions.append(_exercise(each, ranked))
    deployments = [_deployment(each) for each in table.tables("deployment", needed=True)]
    drawn = table.number("drawn", 1, max(1, len(deployments)), needed=True) or 1
    _check_ids(table, "question", [each.id for each in questions])
    _check_ids(table, "deployment", [each.id for each in deployments])
    table.finish()
    clearing = Clearing(title, text, int(drawn), tuple(questions), tuple(deployments))
    if table.is_right:
        for deployment in deployments:
            _check_deployment(table.inside(f"deployment {deployment.id}", {}), clearing, deployment)
    return clearing


def _deployment(table: Table) -> Deployment:
    deployment = Deployment(
        id=table.id(),
        label=table.text("label", needed=True, most=60),
        text=table.text("text", needed=True),
        setup=table.inputs("setup", needed=True),
    )
    _is_setup(table, "setup", deployment.setup)
    table.finish()
    return deployment


def _also(exercise: Table, setup: SetUp, taken: Collection[str]) -> dict[str, SetUp]:
    table = exercise.table("also")
    found: dict[str, SetUp] = {}
    if table is None:
        return found
    for name in table.fields():
        if name in taken:
            table.mistake(name, "this set-up has that name already")
        found[name] = table.inputs(name, needed=True)
        _is_setup(table, name, changed(setup, found[name]))
    return found


def _check_ids(table: Table, noun: str, ids: list[str]) -> None:
    for id_, count in Counter(filter(None, ids)).items():
        if count > 1:
            table.mistake(f"{noun} {id_}", f"its id is given {count} times: each has its own")


def _is_setup(table: Table, field: str, setup: SetUp) -> bool:
    """Whether inputs go together; what is wrong with them is noted."""
    said = Inputs(**setup).complaint(setup)  # type: ignore[arg-type]
    if said:
        table.mistake(field, said)
    return not said


def _check_change(table: Table, option: Option, setup: SetUp) -> None:
    """A change has to be allowed, and to change something."""
    then = option.change(setup)
    after = changed(setup, then)
    field = f"option {option.id}"
    if _is_setup(table, field, after) and then and Inputs(**after) == Inputs(**setup):  # type: ignore[arg-type]
        table.mistake(field, "it changes nothing in this set-up")


def _check_answer(table: Table, exercise: Exercise) -> None:
    try:
        answer(exercise)
    except UndecidedError as problem:
        table.mistake("prediction", str(problem))


def _check_deployment(table: Table, clearing: Clearing, deployment: Deployment) -> None:
    for question in clearing.questions:
        for option in getattr(question.prediction, "options", ()):
            if isinstance(option, Option):
                _check_change(table, option, deployment.setup)
    if table.is_right:
        try:
            for exercise in asked(clearing, deployment):
                _check_answer(table.inside(exercise.id, {}), exercise)
        except UndecidedError as problem:
            table.mistake("", str(problem))


def _check_texts(table: Table, exercise: Exercise, setups: Collection[str]) -> None:
    """What texts cite is there, and nothing that is asked or veiled is told before."""
    prediction = exercise.prediction
    secret = {*exercise.veiled}
    if isinstance(prediction, Choice) or not getattr(prediction, "then", True):
        secret.add(prediction.metric)
    before = {"text": exercise.text, "question": exercise.question}
    before |= {f"hints {n}": hint for n, hint in enumerate(exercise.hints, 1)}
    for option in getattr(exercise.prediction, "options", ()):
        if isinstance(option, Option):
            before[f"option {option.id}"] = option.label
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
        parts = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError:
        table.mistake(field, "write {{ and }} for braces that are no place")
        return
    for place in parts:
        if place in alone:
            continue
        setup, _, quantity = place.partition(".")
        names = setup.split("/")
        if len(names) > 2 or not {*names} <= {*setups}:
            table.mistake(
                field, f"{{{shortened(place)}}}: the set-ups here are {', '.join(sorted(setups))}"
            )
        elif quantity not in _cited():
            hint = suggestion(quantity, _cited()) or "docs/names.md lists them"
            said = f"{{{shortened(place)}}}: there is no such quantity; {hint.strip()}"
            table.mistake(field, said)
        else:
            yield names, quantity


@cache
def _terms() -> tuple[str, ...]:
    return tuple(term.name for term in glossary())


@cache
def _cited() -> frozenset[str]:
    """What texts can cite: every quantity of a scenario and of its report."""
    return frozenset(Inputs().scenario().leaves()) | {each.name for each in fields(Report)}


@cache
def _metrics(*types: str) -> dict[str, Quantity]:
    """Quantities of the report by what their values are."""
    return {each.name: each.metadata["quantity"] for each in fields(Report) if each.type in types}
