"""What a replay writes down: requests as they end, runs of passes, what slots do in between."""

from __future__ import annotations

from typing import NamedTuple

from calc.serving.arrays import Floats
from calc.serving.blocks import doubled_tokens
from calc.serving.costs import Costs
from calc.serving.engine import (
    BUSY_SLOT_S,
    FREE,
    HOLDING_BYTE_S,
    IN_TRANSIT,
    MOST_RESERVED_BYTES,
    N_DECODING,
    N_IN_TRANSIT,
    N_PREEMPTED,
    N_PREFILLING,
    N_STEPS,
    PREFILLING,
    RESERVED_BYTE_S,
    TOKENS_HELD,
    Engine,
)

#: Of passes that stand in one row: as many as are alike.
NO_LIMIT = 1e300


class Finished(NamedTuple):
    """Requests in the order in which they end, an array each; `request` is their place in all."""

    request: Floats
    arrival_s: Floats
    prompt_len: Floats
    output_len: Floats
    slot: Floats
    start_s: Floats
    first_token_s: Floats
    finish_s: Floats
    longest_gap_s: Floats
    n_preemptions: Floats


class Passes(NamedTuple):
    """Runs of passes in the order in which they are planned, an array each.

    In a run nobody comes or goes, and each pass takes so much longer than the one before it.
    `first_s` and `last_s` are the times that its first and last pass take, `n_passes` how many
    there are. `is_apart` is 1 for those on the GPUs that only prefill; `n_padding` are finished
    rows of a static batch. What memory has is that of the end of the run: blocks and tokens of the
    first kind of layers that caches; of all kinds, on each GPU, what is reserved, what of it holds
    tokens, and what is for tokens to come. `reserved_more_bytes` and `holding_more_bytes` are what
    the run has added.
    """

    start_s: Floats
    end_s: Floats
    first_s: Floats
    last_s: Floats
    n_passes: Floats
    is_apart: Floats
    n_decoding: Floats
    n_padding: Floats
    n_present: Floats
    prefilled_tokens: Floats
    blocks_held: Floats
    tokens_held: Floats
    reserved_bytes: Floats
    reserved_more_bytes: Floats
    holding_bytes: Floats
    holding_more_bytes: Floats
    to_come_bytes: Floats


class Phases(NamedTuple):
    """What slots did from one change to the next, in the order in which it ended, an array each.

    `status` is one of those of `engine`; of a free slot there is no row. What gave way is
    `PREEMPTED` until it has blocks again, and then in its prefill, or decodes at once.
    """

    slot: Floats
    request: Floats
    status: Floats
    start_s: Floats
    end_s: Floats


class Log(NamedTuple):
    """What is written down: `n` counts the finished requests, the runs and the phases.

    `longest_run` is how many passes a row stands for at most; of 1 each pass has its own.
    """

    n: Floats
    finished: Finished
    passes: Passes
    phases: Phases
    longest_run: float


class Run(NamedTuple):
    """A run of passes, as `Passes` has it, and what its memory came to."""

    start_s: float
    end_s: float
    first_s: float
    last_s: float
    n_passes: float
    is_apart: float
    n_decoding: float
    n_padding: float
    prefilled_tokens: float
    reserved_bytes: float
    reserved_more_bytes: float
    holding_bytes: float
    holding_more_bytes: float
    reserved_byte_s: float
    holding_byte_s: float


def rise_s(first_s: float, last_s: float, n_passes: float) -> float:
    """What each pass of a run takes longer than the one before it.

    Parameters
    ----------
    first_s, last_s : float
        Of the first and of the last pass. [s]
    n_passes : float
        Of the whole run. [count]

    Returns
    -------
    float
        0 of a single pass. [s]

    Notes
    -----
    (t_N − t₁)/(N − 1).

    References
    ----------
    Closed form.
    """
    return (last_s - first_s) / (n_passes - 1) if n_passes > 1 else 0.0


def passed_s(first_s: float, last_s: float, n_passes: float, n: float) -> float:
    """Time that the first passes of a run take.

    Parameters
    ----------
    first_s, last_s : float
        Of the first and of the last pass. [s]
    n_passes : float
        Of the whole run. [count]
    n : float
        Of these the first so many. [count]

    Returns
    -------
    float
        [s]

    Notes
    -----
    As `risen_s`, with r as `rise_s` has it.

    References
    ----------
    `risen_s`.
    """
    return risen_s(first_s, rise_s(first_s, last_s, n_passes), n)


def risen_s(first_s: float, longer_s: float, n: float) -> float:
    """Time that passes take of which each takes longer than the one before it.

    Parameters
    ----------
    first_s : float
        Of the first. [s]
    longer_s : float
        By how much. [s]
    n : float
        [count]

    Returns
    -------
    float
        [s]

    Notes
    -----
    n·t₁ + n·(n − 1)/2·r.

    References
    ----------
    Closed form.
    """
    return n * first_s + n * (n - 1) / 2 * longer_s


def passes_within(first_s: float, last_s: float, n_passes: float, within_s: float) -> float:
    """Passes of a run that have ended after some time.

    Parameters
    ----------
    first_s, last_s : float
        Of the first and of the last pass. [s]
    n_passes : float
        Of the whole run. [count]
    within_s : float
        Since the run began. [s]

    Returns
    -------
    float
        At most `n_passes`. [count]

    Notes
    -----
    By halving, so that no root has to be rounded.

    References
    ----------
    `passed_s`.
    """
    low, high = 0.0, n_passes
    while low < high:
        middle = low + high + 1
        middle = (middle - middle % 2) / 2
        if passed_s(first_s, last_s, n_passes, middle) <= within_s:
            low = middle
        else:
            high = middle - 1
    return low


def has_row(log: Log) -> bool:
    """Whether another run can be written down, or none is.

    Parameters
    ----------
    log : Log

    Returns
    -------
    bool
    """
    return len(log.passes.start_s) == 0 or log.n[1] < len(log.passes.start_s)


def enter(engine: Engine, log: Log, slot: int, status: float, at_s: float) -> None:
    """Let a slot do something else, and write down what it did, where there is room.

    Parameters
    ----------
    engine : Engine
        Changed: the slot, and the sum of the time in which slots serve somebody.
    log : Log
        Changed.
    slot : int
    status : float
        What it does from then on.
    at_s : float
        When that is. [s]

    Notes
    -----
    A slot serves somebody in prefill, in decode, and while a cache is on its way to it.

    References
    ----------
    Closed form.
    """
    slots, phases = engine.slots, log.phases
    was, start_s = slots.status[slot], slots.since_s[slot]
    slots.status[slot] = status
    slots.since_s[slot] = at_s
    if PREFILLING <= was <= IN_TRANSIT:
        engine.now[BUSY_SLOT_S] += at_s - start_s
    if was == FREE or len(phases.slot) == 0:
        return
    row = int(log.n[2])
    phases.slot[row] = slot
    phases.request[row] = slots.request[slot]
    phases.status[row] = was
    phases.start_s[row] = start_s
    phases.end_s[row] = at_s
    log.n[2] = row + 1


def main_kind(engine: Engine) -> int:
    """The first kind of layers that caches.

    Parameters
    ----------
    engine : Engine

    Returns
    -------
    int
        Its place.
    """
    kinds, main = engine.kinds, 0
    while main + 1 < len(kinds.block_bytes) and kinds.block_bytes[main] == 0:
        main += 1
    return main


def write_run(costs: Costs, engine: Engine, log: Log, run: Run) -> None:
    """Add a run to the sums, and write it down where there is room.

    Parameters
    ----------
    costs : Costs
    engine : Engine
        As it is at the end of the run; its sums are changed.
    log : Log
        Changed.
    run : Run

    Notes
    -----
    What GPUs apart prefill is not in their memory for long, and counts for none.

    References
    ----------
    Closed form.
    """
    now, kinds, passes = engine.now, engine.kinds, log.passes
    now[N_STEPS] += run.n_passes
    if run.is_apart == 0:
        now[RESERVED_BYTE_S] += run.reserved_byte_s
        now[HOLDING_BYTE_S] += run.holding_byte_s
        now[MOST_RESERVED_BYTES] = max(now[MOST_RESERVED_BYTES], run.reserved_bytes)
    if len(passes.start_s) == 0:
        return
    row, main = int(log.n[1]), main_kind(engine)
    passes.start_s[row] = run.start_s
    passes.end_s[row] = run.end_s
    passes.first_s[row] = run.first_s
    passes.last_s[row] = run.last_s
    passes.n_passes[row] = run.n_passes
    passes.is_apart[row] = run.is_apart
    passes.n_decoding[row] = run.n_decoding
    passes.n_padding[row] = run.n_padding
    passes.n_present[row] = (
        now[N_PREFILLING] + now[N_DECODING] + now[N_IN_TRANSIT] + now[N_PREEMPTED]
    )
    passes.prefilled_tokens[row] = run.prefilled_tokens
    passes.blocks_held[row] = kinds.blocks_held[main]
    passes.tokens_held[row] = now[TOKENS_HELD]
    if kinds.is_shared[main] > 0:
        passes.tokens_held[row] = now[TOKENS_HELD] - doubled_tokens(engine, main)
    passes.reserved_bytes[row] = run.reserved_bytes
    passes.reserved_more_bytes[row] = run.reserved_more_bytes
    passes.holding_bytes[row] = run.holding_bytes
    passes.holding_more_bytes[row] = run.holding_more_bytes
    passes.to_come_bytes[row] = _to_come_bytes(costs, engine)
    log.n[1] = row + 1


def _to_come_bytes(costs: Costs, engine: Engine) -> float:
    """What is reserved for tokens that will be written there; the last one never is."""
    slots, size = engine.slots, 0.0
    for kind in range(len(costs.kinds)):
        kept_len, n_tokens = engine.kinds.kept_len[kind], 0.0
        for slot in range(len(slots.status)):
            if PREFILLING <= slots.status[slot] <= IN_TRANSIT:
                to_len, room_len = (
                    slots.prompt_len[slot] + slots.output_len[slot] - 1,
                    slots.room_len[slot],
                )
                to_len = room_len if room_len < to_len else to_len
                to_len = kept_len if kept_len < to_len else to_len
                left = to_len - slots.cached_len[slot]
                n_tokens += left if left > 0 else 0.0
        size += n_tokens * costs.kinds[kind].bytes_per_token
    return size
