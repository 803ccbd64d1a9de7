"""A whole replay, and its totals."""

from __future__ import annotations

from typing import NamedTuple

from calc.serving.arrays import Floats, arrays, longer, zeros
from calc.serving.costs import Costs
from calc.serving.engine import (
    BUSY_SLOT_S,
    DISAGGREGATED,
    FIRST_ARRIVAL_S,
    HOLDING_BYTE_S,
    LAST_FINISH_S,
    MOST_RESERVED_BYTES,
    N_FINISHED,
    N_PREEMPTIONS,
    N_STEPS,
    N_TAKEN,
    OUTPUT_TOKENS,
    PROMPT_TOKENS,
    REQUEST_S,
    RESERVED_BYTE_S,
    TTFT_S,
    WAIT_S,
    Engine,
    Rules,
    new_engine,
)
from calc.serving.histogram import quantile
from calc.serving.log import NO_LIMIT, Finished, Log, Passes, Phases
from calc.serving.requests import Requests
from calc.serving.scheduler import DONE, NEEDS_ROOM, advance

#: Rows for passes, and for phases, that there are at first: of each request, of each slot, more.
_PER_REQUEST, _PER_SLOT, _MORE = 8, 8, 1024


class Totals(NamedTuple):
    """What comes out in all; a quantile, a mean or a rate of nothing is NaN."""

    n_finished: float
    n_preemptions: float
    n_steps: float
    n_gpus: float
    makespan_s: float
    prefilled_tokens: float
    output_tokens: float
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    slot_utilisation: float
    kv_holding_fraction: float
    kv_most_fraction: float
    wait_mean_s: float
    request_mean_s: float
    ttft_mean_s: float
    ttft_p50_s: float
    ttft_p99_s: float
    itl_p50_s: float
    itl_p99_s: float


class Replay(NamedTuple):
    """A whole replay: requests in their order, runs of passes, phases, totals; why it ended.

    `n_taken` are the requests that came into slots.
    """

    outcome: int
    n_taken: int
    requests: Finished
    passes: Passes
    n_runs: int
    phases: Phases
    n_phases: int
    totals: Totals


def replay(rules: Rules, costs: Costs, requests: Requests, longest_run: float = NO_LIMIT) -> Replay:
    """Serve some requests, and write everything down.

    Parameters
    ----------
    rules : Rules
    costs : Costs
    requests : Requests
        In the order of their arrival.
    longest_run : float, optional
        Passes that stand in one row at most; with 1 each has its own. [count]

    Returns
    -------
    Replay
        `outcome` is `DONE`, or `NEVER_FITS`: then as many as finished stand in the totals, and the
        next one is the first that can never fit. Arrays of passes are longer than `n_runs`, those
        of phases longer than `n_phases`.

    Notes
    -----
    `advance`, with more room whenever that is full.

    References
    ----------
    `advance`.
    """
    n = len(requests.arrival_s)
    engine = new_engine(rules, costs)
    n_rows = _PER_REQUEST * n + _PER_SLOT * rules.n_slots + _MORE
    passes, phases = arrays(Passes, n_rows), arrays(Phases, n_rows)
    log = Log(zeros(3), arrays(Finished, n + rules.n_slots), passes, phases, longest_run)
    outcome = advance(rules, costs, engine, requests, n, True, log)
    while outcome == NEEDS_ROOM:
        n_rows = 2 * n_rows
        passes, phases = longer(Passes, log.passes, n_rows), longer(Phases, log.phases, n_rows)
        log = Log(log.n, log.finished, passes, phases, longest_run)
        outcome = advance(rules, costs, engine, requests, n, True, log)
    finished = in_order(log.finished, n) if outcome == DONE else log.finished
    return Replay(
        outcome=outcome,
        n_taken=int(engine.now[N_TAKEN]),
        requests=finished,
        passes=log.passes,
        n_runs=int(log.n[1]),
        phases=log.phases,
        n_phases=int(log.n[2]),
        totals=totals(rules, costs, engine),
    )


def totals(rules: Rules, costs: Costs, engine: Engine) -> Totals:
    """What came out so far.

    Parameters
    ----------
    rules : Rules
    costs : Costs
    engine : Engine

    Returns
    -------
    Totals
        SI values.

    Notes
    -----
    From the first arrival to the last token. A slot is busy from the start of a request to its
    end, but for the time in which it is preempted. Cache: tokens held over tokens reserved,
    averaged over the time of passes; the most that was reserved, of the pool.

    References
    ----------
    Closed form.
    """
    now = engine.now
    makespan_s = now[LAST_FINISH_S] - now[FIRST_ARRIVAL_S]
    n_gpus = costs.n_gpus * 2 if rules.policy == DISAGGREGATED else costs.n_gpus
    tokens_per_s = _ratio(now[OUTPUT_TOKENS], makespan_s)
    n = now[N_FINISHED]
    return Totals(
        n_finished=n,
        n_preemptions=now[N_PREEMPTIONS],
        n_steps=now[N_STEPS],
        n_gpus=n_gpus,
        makespan_s=makespan_s,
        prefilled_tokens=now[PROMPT_TOKENS],
        output_tokens=now[OUTPUT_TOKENS],
        tokens_per_s=tokens_per_s,
        tokens_per_s_per_gpu=tokens_per_s / n_gpus,
        slot_utilisation=_ratio(now[BUSY_SLOT_S], rules.n_slots * makespan_s),
        kv_holding_fraction=_ratio(now[HOLDING_BYTE_S], now[RESERVED_BYTE_S]),
        kv_most_fraction=_ratio(now[MOST_RESERVED_BYTES], costs.pool_bytes),
        wait_mean_s=_ratio(now[WAIT_S], n),
        request_mean_s=_ratio(now[REQUEST_S], n),
        ttft_mean_s=_ratio(now[TTFT_S], n),
        ttft_p50_s=quantile(engine.ttft, 0.5),
        ttft_p99_s=quantile(engine.ttft, 0.99),
        itl_p50_s=quantile(engine.itl, 0.5),
        itl_p99_s=quantile(engine.itl, 0.99),
    )


def n_good(finished: Finished, n: int, ttft_limit_s: float, tpot_limit_s: float) -> float:
    """Requests that keep two limits: to the first token, and per token after it.

    Parameters
    ----------
    finished : Finished
    n : int
        Of these the first so many. [count]
    ttft_limit_s, tpot_limit_s : float
        [s]

    Returns
    -------
    float
        Per second of the makespan they are the goodput. [count]

    Notes
    -----
    As `is_good` has it.

    References
    ----------
    Zhong et al., DistServe, 2024 (arXiv:2401.09670), section 2.
    """
    found = 0.0
    for row in range(n):
        if is_good(finished, row, ttft_limit_s, tpot_limit_s):
            found += 1
    return found


def is_good(finished: Finished, row: int, ttft_limit_s: float, tpot_limit_s: float) -> bool:
    """Whether a request keeps two limits: to the first token, and per token after it.

    Parameters
    ----------
    finished : Finished
    row : int
        Its place in these.
    ttft_limit_s, tpot_limit_s : float
        [s]

    Returns
    -------
    bool

    Notes
    -----
    TPOT is a request's own mean, (finish − first token) / (output − 1).

    References
    ----------
    Zhong et al., DistServe, 2024 (arXiv:2401.09670), section 2.
    """
    decoded_s = finished.finish_s[row] - finished.first_token_s[row]
    waited_s = finished.first_token_s[row] - finished.arrival_s[row]
    allowed_s = tpot_limit_s * (finished.output_len[row] - 1)
    return waited_s <= ttft_limit_s and decoded_s <= allowed_s


def in_order(finished: Finished, n: int) -> Finished:
    """Finished requests in the order of their arrival.

    Parameters
    ----------
    finished : Finished
        In the order of their end.
    n : int
        All that there were. [count]

    Returns
    -------
    Finished
    """
    place = finished.request
    return Finished(
        request=_put(place, place, n),
        arrival_s=_put(finished.arrival_s, place, n),
        prompt_len=_put(finished.prompt_len, place, n),
        output_len=_put(finished.output_len, place, n),
        slot=_put(finished.slot, place, n),
        start_s=_put(finished.start_s, place, n),
        first_token_s=_put(finished.first_token_s, place, n),
        finish_s=_put(finished.finish_s, place, n),
        longest_gap_s=_put(finished.longest_gap_s, place, n),
        n_preemptions=_put(finished.n_preemptions, place, n),
    )


def _put(values: Floats, place: Floats, n: int) -> Floats:
    """Each value at its place."""
    result = zeros(n)
    for row in range(n):
        result[int(place[row])] = values[row]
    return result


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else float("nan")
