"""What is told before a prediction: by parts of the page that are shown, and by texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import fields
from itertools import permutations

from app.contract import VEILED
from app.exercises.answers import value
from app.exercises.record import Choice, Exercise, Number
from app.exercises.replays import all_inputs, is_replayed
from calc import Report
from calc.serving.replay import Totals

#: The quantities that each part says in its texts or lets read off its chart.
TOLD_BY: dict[str, tuple[str, ...]] = {
    "kv_bytes_per_token": ("kv_bytes_per_token",),
    "tokens_per_s": ("tokens_per_s", "step_s", "spec_tokens_per_pass", "spec_speedup"),
    "tokens_per_s_per_user": ("tokens_per_s_per_user", "tpot_s"),
    "kv_bytes": ("kv_bytes", "kv_read_fraction"),
    "ttft_s": ("ttft_s", "prefill_flops_per_byte", "prefill_bound", "prefill_times_from_ridge"),
    "decode_flops_per_byte": ("decode_flops_per_byte", "bound", "decode_times_from_ridge"),
    "meter": (
        *("hbm_used_bytes", "hbm_used_fraction", "hbm_free_bytes", "hbm_over_bytes"),
        *("weight_bytes_per_gpu", "kv_bytes_per_gpu", "kv_bytes_per_sequence_per_gpu"),
        *("draft_bytes", "reserved_bytes", "max_batch", "fits"),
    ),
    "throughput": (
        *("tokens_per_s", "tokens_per_s_per_user", "max_batch", "fits"),
        *("bound", "verify_bound", "spec_speedup"),
    ),
    "memory": (
        *("weight_bytes_per_gpu", "kv_bytes_per_gpu", "hbm_used_bytes"),
        *("even_context_len", "max_context_len", "fits"),
    ),
    "roofline": (
        *("decode_flops_per_byte", "prefill_flops_per_byte", "ridge_flops_per_byte"),
        *("bound", "prefill_bound"),
    ),
    "steptime": (
        *("step_s", "weight_read_s", "kv_read_s", "memory_s", "compute_s"),
        *("communication_s", "overhead_s", "bound", "kv_read_fraction"),
    ),
}

#: Sums of floats differ in their last digits.
_SAME = 1e-9


def asked_of_before(exercise: Exercise) -> str:
    """The quantity of the set-up itself that is asked for; "" if more is asked."""
    prediction = exercise.prediction
    is_of_before = isinstance(prediction, Choice) or (
        isinstance(prediction, Number) and not (prediction.then or prediction.best_of)
    )
    return prediction.metric if is_of_before else ""


def telling(exercise: Exercise, cited: Collection[str]) -> tuple[str, ...]:
    """What tells a number that is asked for; none where nothing does.

    Parameters
    ----------
    exercise : Exercise
    cited : collection of str
        Quantities that texts cite before the prediction.

    Returns
    -------
    tuple of str
        One quantity that is the answer or its reciprocal, or two of which it is the product or the
        ratio; the batch may be one of these. Else only what is computed counts: to multiply numbers
        of a set-up is the reader's task.
    """
    metric, before = asked_of_before(exercise), exercise.setup
    if not metric:
        return ()
    computed = Totals._fields if is_replayed(before) else (each.name for each in fields(Report))
    of_parts = {name for part in shown(exercise) for name in TOLD_BY[part]}
    names = {*cited, *of_parts}.intersection(computed) - {metric}
    numbers = {name: _number(exercise, name) for name in (metric, *sorted(names))}
    is_told = _same_as(numbers.pop(metric, math.nan))
    if not is_replayed(before):
        numbers["batch"] = float(all_inputs(before)["batch"])
    for name, number in numbers.items():
        if name != "batch" and (is_told(number) or is_told(1 / number)):
            return (name,)
    for (one, first), (other, second) in permutations(numbers.items(), 2):
        if first != second and (is_told(first * second) or is_told(first / second)):
            return (one, other)
    return ()


def shown(exercise: Exercise) -> tuple[str, ...]:
    """The parts that are not veiled; beside a replay nothing of the widget is there."""
    if is_replayed(exercise.setup):
        return ()
    return tuple(part for part in VEILED if part not in exercise.veiled)


def _number(exercise: Exercise, name: str) -> float:
    """A quantity of the set-up; NaN where it is no number that could tell another one."""
    found = value(exercise.setup, name)
    is_number = not isinstance(found, str | bool) and 0 < float(found) < math.inf
    return float(found) if is_number else math.nan


def _same_as(target: float) -> Callable[[float], bool]:
    """Whether a number is that one; 1 is too common to be told by anything."""
    return lambda number: target != 1 and math.isclose(number, target, rel_tol=_SAME)
