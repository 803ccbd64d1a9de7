"""A file of exercises, read with all of its mistakes at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from functools import cache

from app.assets import read_text
from app.contract import VEILED
from app.errors import InputError
from app.exercises.answers import answer, questions, setup_after
from app.exercises.places import check_texts, check_values
from app.exercises.prediction import check_change, read_prediction
from app.exercises.record import (
    DIRECTIONS,
    Choice,
    Clearing,
    Course,
    Deployment,
    Direction,
    Exercise,
    Knob,
    Number,
    Order,
    Prediction,
    SetUp,
    Task,
    UndecidedError,
    option_id,
)
from app.exercises.replays import POLICY, is_replayed
from app.exercises.table import Table
from app.glossary import glossary
from calc.text import shortened

#: A file of exercises is no larger. [B]
LARGEST_FILE = 500_000

#: So many mistakes are told at once; a file that is another thing altogether has thousands.
_MOST_TOLD = 100

#: A key of so many parts, over which Python's reader of TOML takes minutes. It is looked for where
#: one can begin, and no part twice: a text of nothing but letters is read once.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(
    rf"(?:^|[\[{{,])[ \t]*+{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{30}}", re.MULTILINE
)


class ExerciseError(InputError):
    """A file of exercises with mistakes: a sentence a line, one for each."""

    def __init__(self, mistakes: Collection[str]) -> None:
        self.mistakes = tuple(mistakes)
        first, more = self.mistakes[:_MOST_TOLD], len(self.mistakes) - _MOST_TOLD
        super().__init__("\n".join([*first, *([f"and {more:,} more"] if more > 0 else [])]))


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
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ExerciseError(["the file is no text in UTF-8"]) from None
    if _DEEP_KEY.search(text):
        raise ExerciseError(["the file has a key of more than 30 parts"])
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ExerciseError([f"the file is no TOML: {shortened(str(problem), 200)}"]) from None
    except RecursionError:
        raise ExerciseError(["the file has brackets within brackets, too deep to read"]) from None
    except ValueError:  # Python's own
        raise ExerciseError(["the file has a number of thousands of digits"]) from None
    mistakes: list[str] = []
    top = Table("", data, mistakes)
    exercises = [_exercise(each) for each in top.tables("exercise", needed=True)]
    top.check_ids("exercise", [each.id for each in exercises])
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
    visible, of_replay = table.names("shown", VEILED), is_replayed(setup)
    if of_replay and "shown" in table.fields():
        table.mistake("shown", "beside a replay nothing of the widget is there, leave it out")
    hints, term = table.texts("hints"), table.name("term", _terms(), needed=False)
    prediction = read_prediction(table, setup, ranked)
    own = _own_setups(prediction)
    also = _also(table, setup, names={*own, "said", "is", "best"})
    tasks = _tasks(table, setup)
    teaser = "" if in_test else table.text("teaser", most=24)
    further = not in_test and table.flag("further")
    exercise = Exercise(
        id=id_,
        title=title,
        chapter=chapter,
        text=text,
        question=question,
        setup=setup,
        also=also,
        # Beside a replay nothing of the widget is there.
        veiled=() if of_replay else tuple(name for name in VEILED if name not in visible),
        hints=hints,
        prediction=prediction or Direction("", {}),
        explain=_explain(table, prediction),
        term=term,
        tasks=tasks,
        teaser=teaser,
        further=further,
    )
    check_texts(table, exercise, {*own, *also})
    table.finish()
    if table.is_right and not in_test:
        _check_answer(table, exercise)
    return exercise


def _tasks(exercise: Table, setup: SetUp) -> tuple[Task, ...]:
    tasks, state = [], setup
    for each in exercise.tables("task"):
        task = Task(each.text("say", needed=True), each.inputs("reach", on=state, needed=True))
        state = setup_after(state, task.reach)
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
            return ("too_low", "too_high", *map(option_id, prediction.options))
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
    most = max(1, len(deployments))
    drawn = table.number("drawn", 1, most, needed=True, whole=True) or 1
    table.check_ids("question", [each.id for each in questions])
    table.check_ids("deployment", [each.id for each in deployments])
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
    if is_replayed(deployment.setup):
        table.mistake("setup", f"{POLICY}: the test asks of single scenarios, leave it out")
    table.finish()
    return deployment


def _also(exercise: Table, setup: SetUp, names: Collection[str]) -> dict[str, SetUp]:
    table = exercise.table("also")
    setups: dict[str, SetUp] = {}
    if table is None:
        return setups
    for name in table.fields():
        if name in names:
            table.mistake(name, "this set-up has that name already")
        setups[name] = table.inputs(name, on=setup, needed=True)
    return setups


def _check_answer(table: Table, exercise: Exercise) -> None:
    try:
        answer(exercise)
        check_values(table, exercise)
    except UndecidedError as problem:
        table.mistake("prediction", str(problem))


def _check_deployment(table: Table, clearing: Clearing, deployment: Deployment) -> None:
    for question in clearing.questions:
        if isinstance(question.prediction, Knob | Order):
            for change in question.prediction.options:
                check_change(table, change, deployment.setup)
    if table.is_right:
        try:
            for exercise in questions(clearing, deployment):
                _check_answer(table.inside(exercise.id, {}), exercise)
        except UndecidedError as problem:
            table.mistake("", str(problem))


@cache
def _terms() -> tuple[str, ...]:
    return tuple(term.name for term in glossary())
