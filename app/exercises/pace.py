"""How long a course takes: by the words to read, and by what is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from app.exercises.record import Course, Direction, Exercise, Number

#: Prose is read at 240 words a minute; a sentence with numbers to weigh takes longer.
_WORDS_PER_MINUTE = 200

#: To look at the page and make up one's mind; and to move a slider to where a step wants it.
_PREDICTION_MINUTES, _STEP_MINUTES = 0.5, 0.25

#: A place in a text becomes a number and its unit.
_PLACE = re.compile(r"\{[^{}]*\}")


def minutes(course: Course) -> int:
    """What the path and the test take, without hints and without further questions.

    Parameters
    ----------
    course : Course

    Returns
    -------
    int
        Minutes, from ten on in steps of five.
    """
    path = [each for each in course.exercises if not each.further]
    total = sum(_asking(each) + _answering(each) for each in path)
    if clearing := course.clearing:
        # What is asked is the same each time.
        total += _reading(clearing.text) + sum(map(_asking, clearing.questions))
        told = _mean(each.text for each in clearing.deployments)
        total += clearing.drawn * (told + sum(map(_answering, clearing.questions)))
    return max(1, round(total)) if total < 10 else 5 * round(total / 5)


def _asking(exercise: Exercise) -> float:
    return sum(map(_reading, [exercise.text, exercise.question, *_labels(exercise)]))


def _answering(exercise: Exercise) -> float:
    explain, tasks = exercise.explain, exercise.tasks
    outcome = _mean(text for name, text in explain.items() if name != "always")
    steps = sum(_STEP_MINUTES + _reading(task.say) for task in tasks)
    return _PREDICTION_MINUTES + outcome + _reading(explain["always"]) + steps


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
