"""Which GPUs, and how many of them, serve so many users at such a speed?"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from calc.conversion import as_number, check_keywords
from calc.evaluate import evaluate
from calc.formulas.cost import n_replicas
from calc.inputs.parallelism import ParallelismInputs
from calc.inputs.table import scenario
from calc.presets.hardware import OWN_GPU, gpu_rows
from calc.report import Report
from calc.text import shortened

#: So many GPUs share a model, of those that are tried.
GPU_COUNTS = (1, 2, 4, 8, 16, 32)

#: No more users are asked for. [count]
MOST_USERS = 100_000

#: Nobody reads faster. [tokens/s]
FASTEST_TOKENS_PER_S = 1e6

#: A scenario holds no larger batch. [count]
LARGEST_BATCH = 1024

#: Inputs that follow from what is found.
FOUND = (
    *("gpu", "gpus", "batch", "usd_per_gpu_hour"),
    *(each.name for each in fields(ParallelismInputs)),
)


@dataclass(frozen=True)
class Fit:
    """A card, so many of which do it: how they share the model, how often that, at which batch.

    `binds` is what keeps the batch from being larger: all users are in it already, memory is full,
    the speed of each would be less than was asked for, or no scenario holds more (`LARGEST_BATCH`).
    The price is of all of them; NaN where none is known. [USD/h] Prices in the report go by the
    card's own, too, and by the lesson's where none is known.
    """

    gpu: str
    n_gpus: int
    n_replicas: int
    batch: int
    binds: Literal["users", "memory", "speed", "limit"]
    usd_per_hour: float
    report: Report


def fit(users: float, tokens_per_s: float, **inputs: Any) -> list[Fit]:
    """For each card the cheapest deployment that gives every user the speed that is asked for.

    Parameters
    ----------
    users : int
        At once, at most `MOST_USERS`. [count]
    tokens_per_s : float
        What each of them is to get, at least.
    **inputs : scalar
        Keywords of `calc.scenario`, without those that are found: `FOUND`.

    Returns
    -------
    list of Fit
        The cheapest first, then those whose price is not known, by the number of GPUs. Cards that
        do not do it are left out.

    Raises
    ------
    TypeError, ValueError
        The inputs are not valid.

    Notes
    -----
    1, 2, 4 … 32 of a card share the model by tensor parallelism; of those ways the one with the
    fewest GPUs in all, of equals the one with fewer that share. Its batch is the largest one that
    fits and keeps the speed, which falls as the batch grows; the deployment is there
    ⌈users / batch⌉ times. No queueing: all users decode at once; prefill is not counted.

    References
    ----------
    Closed form, on top of the report.
    """
    asked = _wish("users", users, MOST_USERS)
    if not asked.is_integer():
        raise ValueError(f"users must be a whole number, not {shortened(users)}")
    speed = _wish("tokens_per_s", tokens_per_s, FASTEST_TOKENS_PER_S)
    check_keywords(inputs, FOUND)
    scenario(**inputs)
    found = [_cheapest(id_, asked, speed, inputs) for id_ in gpu_rows() if id_ != OWN_GPU]
    return sorted((each for each in found if each), key=_order)


def _wish(name: str, value: float, most: float) -> float:
    number = as_number(name, value)
    if not isinstance(number, float) or not 0 < number <= most:
        allowed = f"above 0 and at most {most:,.0f}"
        raise ValueError(f"{name} must be {allowed}, not {shortened(value)}")
    return number


def _order(each: Fit) -> tuple[bool, float, int]:
    is_unknown = bool(np.isnan(each.usd_per_hour))
    return is_unknown, 0.0 if is_unknown else each.usd_per_hour, _size(each)


def _cheapest(gpu: str, users: float, speed: float, inputs: dict[str, Any]) -> Fit | None:
    ways = [_way(gpu, count, users, speed, inputs) for count in GPU_COUNTS]
    return min((each for each in ways if each), key=_size, default=None)


def _size(each: Fit) -> int:
    return each.n_gpus * each.n_replicas


def _way(gpu: str, count: int, users: float, speed: float, inputs: dict[str, Any]) -> Fit | None:
    """So many of a card that share the model, or nothing where they cannot or are too slow."""
    price = gpu_rows()[gpu].get("usd_per_hour", (float("nan"), ""))[0]
    rent = {} if np.isnan(price) else {"usd_per_gpu_hour": price}
    try:
        shared = scenario(**inputs, **rent, gpu=gpu, gpus=float(count), batch=1.0)
    except ValueError:
        return None
    room = float(np.asarray(evaluate(shared).max_batch))
    wanted = min(users, room, LARGEST_BATCH)
    if wanted < 1:
        return None
    batches = np.arange(1.0, wanted + 1.0)
    rates = np.asarray(evaluate(shared.at_batch(batches)).tokens_per_s_per_user)
    fast = np.flatnonzero(rates >= speed)
    if not fast.size:
        return None
    batch = float(batches[fast[-1]])
    times = float(n_replicas(users, batch))
    return Fit(
        gpu=gpu,
        n_gpus=count,
        n_replicas=int(times),
        batch=int(batch),
        binds=_binds(batch, users, room),
        usd_per_hour=price * count * times,
        report=evaluate(shared.at_batch(batch)),
    )


def _binds(batch: float, users: float, room: float) -> Literal["users", "memory", "speed", "limit"]:
    if batch == users:
        return "users"
    if batch == room:
        return "memory"
    return "limit" if batch == LARGEST_BATCH else "speed"
