"""The exercises as the browser's data: texts, set-ups, and the answers that were computed."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from app.exercises.answers import Answer, answer, questions, setups
from app.exercises.pace import path_minutes, test_minutes
from app.exercises.record import (
    DIRECTIONS,
    KINDS,
    Clearing,
    Course,
    Direction,
    Exercise,
    Number,
    Prediction,
    option_id,
)
from app.exercises.replays import is_replayed, lab_of, reach_of, scenario_of, settings_of


def exercises_module(course: Course) -> str:
    """The exercises as the browser's module `built/exercises.mjs`.

    Parameters
    ----------
    course : Course

    Returns
    -------
    str
        Source text, with one default export: `id`, by which progress is kept, of the ids of all
        exercises; `exercises` in order; `clearing`, the test at the
        end, or null; the `minutes` that `path` and `test` take. An exercise of the test is one of
        its `questions` together with what the deployment's of `cases` at the same place.
    """
    data = {
        "id": _course_id(course),
        "exercises": [_question(each) | _case(each) for each in course.exercises],
        "clearing": _clearing(course.clearing) if course.clearing else None,
        "minutes": {
            "path": path_minutes(course),
            "test": test_minutes(course.clearing) if course.clearing else 0,
        },
    }
    return f"export default {json.dumps(data, ensure_ascii=False)};\n"


#: So many exercises are offered on the first screen.
_MOST_TRIES = 3


def tries_module(course: Course) -> str:
    """What the first screen offers of a course, as the browser's module `built/tries.mjs`.

    Parameters
    ----------
    course : Course

    Returns
    -------
    str
        Source text, with a default export: a list of a `label` and the `exercise` behind it; and
        `inTheLab`, the first exercise that is asked there, or "".
    """
    tries = [{"exercise": it.id, "label": it.teaser} for it in course.exercises if it.teaser]
    replayed = [it.id for it in course.exercises if is_replayed(it.setup)]
    return (
        f"export default {json.dumps(tries[:_MOST_TRIES], ensure_ascii=False)};\n"
        f"export const inTheLab = {json.dumps((replayed or [''])[0])};\n"
    )


def _course_id(course: Course) -> str:
    """The same as long as the same exercises are asked, in whatever words and order."""
    asked = [each.id for each in course.exercises]
    if clearing := course.clearing:
        asked += [each.id for each in clearing.questions]
        asked += [each.id for each in clearing.deployments]
    return sha256(json.dumps(sorted(asked)).encode()).hexdigest()[:16]


def _clearing(clearing: Clearing) -> dict[str, Any]:
    return {
        "title": clearing.title,
        "text": clearing.text,
        "drawn": clearing.drawn,
        "questions": [_question(each) for each in clearing.questions],
        "deployments": [
            {
                "id": each.id,
                "label": each.label,
                "text": each.text,
                "cases": [_case(exercise) for exercise in questions(clearing, each)],
            }
            for each in clearing.deployments
        ],
    }


def _question(exercise: Exercise) -> dict[str, Any]:
    """What is the same for all set-ups."""
    return {
        "id": exercise.id,
        "title": exercise.title,
        "chapter": exercise.chapter,
        "text": exercise.text,
        "question": exercise.question,
        "veiled": exercise.veiled,
        "hints": exercise.hints,
        "prediction": _prediction(exercise.prediction),
        "explain": exercise.explain,
        "term": exercise.term,
        "tasks": [{"say": task.say, "reach": reach_of(task.reach)} for task in exercise.tasks],
        "further": exercise.further,
    }


def _prediction(prediction: Prediction) -> dict[str, Any]:
    kind = next(name for name, record in KINDS.items() if isinstance(prediction, record))
    what = {"kind": kind, "metric": prediction.metric}
    if isinstance(prediction, Direction):
        return what | {"options": [{"id": id_, "label": it} for id_, it in DIRECTIONS.items()]}
    if isinstance(prediction, Number):
        numbers = [{"id": option_id(each), "value": each} for each in prediction.options]
        asked = what | {"unit": prediction.unit, "options": numbers}
        return asked if numbers else asked | {"tolerance": prediction.tolerance}
    return what | {"options": [{"id": it.id, "label": it.label} for it in prediction.options]}


def _case(exercise: Exercise) -> dict[str, Any]:
    """What depends on the set-ups: these themselves, and what is right.

    Of what is replayed also the `replays`, and the `lab` that shows two of them: the question's,
    and its answer's, or else the first that texts cite beside it.
    """
    named = setups(exercise)
    case: dict[str, Any] = {
        "setups": {name: scenario_of(setup) for name, setup in named.items()},
        "answer": _answer(answer(exercise)),
    }
    if is_replayed(exercise.setup):
        case["replays"] = {name: settings_of(setup) for name, setup in named.items()}
        others = [named[name] for name in ("after", "best", *exercise.also) if name in named]
        case["lab"] = lab_of(exercise.setup, [*others, exercise.setup][0])
    return case


def _answer(right: Answer) -> dict[str, Any]:
    return {key: value for key, value in asdict(right).items() if value is not None}
