"""Replays for tests: rules and requests in few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from calc import Inputs
from calc.serving.arrays import arrays
from calc.serving.costs import Costs, costs
from calc.serving.engine import CONTINUOUS, Rules
from calc.serving.log import NO_LIMIT
from calc.serving.replay import Replay, replay
from calc.serving.requests import Requests
from calc.serving.scheduler import DONE

#: A policy that does all that can be done, on plenty of memory.
USUAL = Rules(
    policy=CONTINUOUS,
    n_slots=8,
    chunk_len=512.0,
    block_len=16.0,
    max_len=8192.0,
    watermark=0.01,
    swap_bytes_per_s=0.0,
)


def rules(**changes: Any) -> Rules:
    return USUAL._replace(**changes)


def costs_of(**inputs: Any) -> Costs:
    return costs(Inputs(**inputs).scenario())


def trace(rows: Iterable[tuple[float, float, float]]) -> Requests:
    """Requests from rows of arrival, prompt, output."""
    listed = list(rows)
    requests = arrays(Requests, len(listed))
    for place, row in enumerate(listed):
        for field, value in zip(requests, row, strict=True):
            field[place] = float(value)
    return requests


def served(rules: Rules, costs: Costs, requests: Requests, longest_run: float = NO_LIMIT) -> Replay:
    """A replay in which all is served."""
    result = replay(rules, costs, requests, longest_run)
    assert result.outcome == DONE
    assert result.totals.n_finished == len(requests.arrival_s)
    return result
