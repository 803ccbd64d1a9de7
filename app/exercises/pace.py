"""How long a course takes: by the words to read, and by what is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from app.exercises.record import Clearing, Course, Direction, Exercise, Number

#: Prose is read at 240 words a minute; a sentence with numbers to weigh takes longer.
_WORDS_PER_MINUTE = 190

#: To look at the page, make up one's mind and compare; and to move a slider to where a step wants
#: it. Readers of the whole path took 29 minutes, and 20 for the test. [s]
_PREDICTION_S, _STEP_S = 55, 20

#: A place in a text becomes a number and its unit.
_PLACE = re.compile(r"\{[^{}]*\}")


def path_minutes(course: Course) -> int:
    """What the path takes, without hints and without further questions.

    Parameters
    ----------
    course : Course

    Returns
    -------
    int
        Minutes, from ten on in steps of five.
    """
    path = [each for each in course.exercises if not each.further]
    return _rounded(sum(map(_minutes, path)))


def test_minutes(clearing: Clearing) -> int:
    """What the test takes, without hints: each deployment is read, and asked all questions of.

    Parameters
    ----------
    clearing : Clearing

    Returns
    -------
    int
        Minutes, from ten on in steps of five.
    """
    told = _mean(each.text for each in clearing.deployments)
    each = told + sum(map(_minutes, clearing.questions))
    return _rounded(_reading(clearing.text) + clearing.drawn * each)


def _rounded(minutes: float) -> int:
    return max(1, round(minutes)) if minutes < 10 else 5 * round(minutes / 5)


def _minutes(exercise: Exercise) -> float:
    asked = [exercise.text, exercise.question, *_labels(exercise)]
    return sum(map(_reading, asked)) + _answering(exercise)


def _answering(exercise: Exercise) -> float:
    explain, tasks = exercise.explain, exercise.tasks
    outcome = _mean(text for name, text in explain.items() if name != "always")
    steps = sum(_STEP_S / 60 + _reading(task.say) for task in tasks)
    return _PREDICTION_S / 60 + outcome + _reading(explain["always"]) + steps


def _mean(texts: Iterable[str]) -> float:
    """To read one of them."""
    times = [_reading(text) for text in texts]
    return sum(times) / max(1, len(times))


def _labels(exercise: Exercise) -> Iterable[str]:
    prediction = exercise.prediction
    if isinstance(prediction, Number | Direction):
        return ()
    return (each.label for each in prediction.options)


def _reading(text: str) -> float:
    return len(_PLACE.sub("12 GB", text).split()) / _WORDS_PER_MINUTE
