"""Decode steps: what the next ones read, and runs of them in which nobody comes or goes."""

from __future__ import annotations

from calc.formulas import decode
from calc.serving.blocks import (
    blocks_of,
    holding_bytes,
    longest_block,
    reserved_bytes,
)
from calc.serving.costs import Costs, pass_s
from calc.serving.engine import (
    CLOCK_S,
    DECODING,
    MAX_LEN,
    N_DECODING,
    N_PADDING,
    TOKENS_HELD,
    Engine,
)
from calc.serving.histogram import add_rising
from calc.serving.log import (
    NO_LIMIT,
    Log,
    Run,
    has_row,
    passed_s,
    passes_within,
    rise_s,
    risen_s,
    write_run,
)

#: Steps whose times are on a line but for rounding: of a time, what the middle one may be off.
_STRAIGHT = 1e-12


def count_longer(engine: Engine) -> None:
    """Count the sequences of which the next step reads one token more.

    Parameters
    ----------
    engine : Engine
        Its `kinds.n_longer` is changed.

    Notes
    -----
    All that decode, but where a window is full.

    References
    ----------
    `kv.n_entries_read`.
    """
    slots, kinds = engine.slots, engine.kinds
    for kind in range(len(kinds.n_longer)):
        n_longer = engine.now[N_DECODING]
        if kinds.read_len[kind] < engine.now[MAX_LEN]:
            n_longer = 0.0
            for slot in range(len(slots.status)):
                if slots.status[slot] == DECODING and (
                    slots.cached_len[slot] < kinds.read_len[kind]
                ):
                    n_longer += 1
        kinds.n_longer[kind] = n_longer


def read_longer(engine: Engine, n_passes: float) -> None:
    """Read as many tokens more as some steps have added.

    Parameters
    ----------
    engine : Engine
        Changed.
    n_passes : float
        [count]

    Notes
    -----
    As `count_longer` found before the first of them.

    References
    ----------
    `count_longer`.
    """
    for kind in range(len(engine.kinds.n_longer)):
        engine.kinds.tokens_read[kind] += n_passes * engine.kinds.n_longer[kind]


def _entries_read(costs: Costs, engine: Engine, kind: int, ahead: float) -> float:
    """Entries of one kind that a step reads."""
    n_tokens = engine.kinds.tokens_read[kind] + ahead * engine.kinds.n_longer[kind]
    return n_tokens / costs.kinds[kind].tokens_per_entry


def step_read_bytes(costs: Costs, engine: Engine, ahead: float) -> float:
    """Cache that a step reads.

    Parameters
    ----------
    costs : Costs
    engine : Engine
    ahead : float
        The next step is 1. [count]

    Returns
    -------
    float
        On each GPU. [B]

    Notes
    -----
    As `kv.read_bytes_per_sequence` has it, of all that decode.

    References
    ----------
    `kv.read_bytes_per_sequence`.
    """
    size, n_read = 0.0, engine.now[N_DECODING] + engine.now[N_PADDING]
    for kind in range(len(costs.kinds)):
        each = costs.kinds[kind]
        n_entries = _entries_read(costs, engine, kind, ahead)
        size = size + (
            n_entries * each.bytes_per_token * each.tokens_per_entry
            + n_read * each.state_bytes / each.tokens_per_entry
        )
    return size


def step_attention_flops(costs: Costs, engine: Engine, ahead: float) -> float:
    """Arithmetic of a step's attention.

    Parameters
    ----------
    costs : Costs
    engine : Engine
    ahead : float
        The next step is 1. [count]

    Returns
    -------
    float
        On each GPU. [FLOP]

    Notes
    -----
    As `decode.attention_flops_per_token` has it, of all that decode.

    References
    ----------
    `decode.attention_flops_per_token`.
    """
    flops = 0.0
    if costs.attention_counted == 0:
        return flops
    for kind in range(len(costs.kinds)):
        each = costs.kinds[kind]
        n_entries = _entries_read(costs, engine, kind, ahead)
        flops = flops + decode.MULTIPLY_ADD * each.n_layers * each.decode_attention_width * (
            n_entries
        )
    return costs.attention_counted * (flops / costs.n_gpus)


def coast(costs: Costs, engine: Engine, log: Log, until_s: float) -> None:
    """Run steps until somebody comes or has to give way, or up to the first that ends a request.

    Parameters
    ----------
    costs : Costs
    engine : Engine
        Changed: it is steady, somebody decodes, nobody prefills.
    log : Log
        Changed.
    until_s : float
        The first step that ends then or later is the last one. [s]

    Notes
    -----
    A step reads as many tokens more as sequences decode. So its time rises by equal parts as long
    as the same of memory and arithmetic binds, and a run of steps is an arithmetic series. That
    is so between two steps if it is so at the one in the middle, because a step's time, made of
    maxima of what rises evenly, is convex.

    References
    ----------
    Closed form.
    """
    now = engine.now
    left = _quiet_passes(engine)
    count_longer(engine)
    while left > 0 and now[CLOCK_S] < until_s and has_row(log):
        n = _passes_with_blocks(costs, engine, min(left, log.longest_run))
        if n == 0:
            break
        first_s, last_s = _step_s(costs, engine, 1.0), _step_s(costs, engine, n)
        while n > 2 and not _is_straight(costs, engine, n, first_s, last_s):
            n = _half(n)
            last_s = _step_s(costs, engine, n)
        if now[CLOCK_S] + passed_s(first_s, last_s, n, n) >= until_s:
            longer_s = rise_s(first_s, last_s, n)
            n = _passes_until(now[CLOCK_S], until_s, first_s, last_s, n)
            last_s = first_s + (n - 1) * longer_s
        _run(costs, engine, log, n, first_s, last_s)
        left -= n


def _quiet_passes(engine: Engine) -> float:
    """Steps up to the first that ends a request or fills a window."""
    slots, kinds = engine.slots, engine.kinds
    most = NO_LIMIT
    for slot in range(len(slots.status)):
        if slots.status[slot] == DECODING:
            left = slots.output_len[slot] - slots.n_output[slot]
            most = min(left, most)
            for kind in range(len(kinds.read_len)):
                left = kinds.read_len[kind] - slots.cached_len[slot]
                most = left if 0 < left < most else most
                left = kinds.kept_len[kind] - slots.cached_len[slot]
                most = left if 0 < left < most else most
    return most


def _passes_with_blocks(costs: Costs, engine: Engine, most: float) -> float:
    """Of the next steps those for which there are blocks."""
    free_bytes = costs.pool_bytes - reserved_bytes(engine, costs)
    # Mostly there is room for more than any of them can take, and nobody has to be asked.
    most_blocks = engine.now[N_DECODING] * (most / longest_block(engine) + 1)
    size = 0.0
    for kind in range(len(engine.kinds.block_bytes)):
        size += most_blocks * engine.kinds.block_bytes[kind]
    if size <= free_bytes or _grown_bytes(engine, most) <= free_bytes:
        return most
    low, high = 0.0, most - 1
    while low < high:
        middle = _half(low + high)
        if _grown_bytes(engine, middle) <= free_bytes:
            low = middle
        else:
            high = middle - 1
    return low


def _grown_bytes(engine: Engine, n: float) -> float:
    """What the blocks weigh that some steps take."""
    slots, kinds, size = engine.slots, engine.kinds, 0.0
    for slot in range(len(slots.status)):
        room_len, end_len = slots.room_len[slot], slots.cached_len[slot] + n
        if slots.status[slot] == DECODING and end_len > room_len:
            for kind in range(len(kinds.block_bytes)):
                more = blocks_of(engine, kind, end_len) - blocks_of(engine, kind, room_len)
                size += more * kinds.block_bytes[kind]
    return size


def _step_s(costs: Costs, engine: Engine, ahead: float) -> float:
    """Time of a step in which nobody prefills."""
    return pass_s(
        costs,
        engine.now[N_DECODING] + engine.now[N_PADDING],
        0.0,
        step_read_bytes(costs, engine, ahead),
        step_attention_flops(costs, engine, ahead),
        0.0,
    )


def _is_straight(costs: Costs, engine: Engine, n: float, first_s: float, last_s: float) -> bool:
    """Whether the times of some steps rise by equal parts."""
    middle = _half(n)
    even_s = first_s + (middle - 1) * rise_s(first_s, last_s, n)
    return even_s - _step_s(costs, engine, middle) <= _STRAIGHT * first_s


def _half(n: float) -> float:
    """Half of a whole number, rounded up."""
    return (n + n % 2) / 2


def _passes_until(
    clock_s: float, until_s: float, first_s: float, last_s: float, n_passes: float
) -> float:
    """Steps up to the first that ends at some time or later."""
    n = passes_within(first_s, last_s, n_passes, until_s - clock_s)
    return n if clock_s + passed_s(first_s, last_s, n_passes, n) >= until_s else n + 1


def _run(costs: Costs, engine: Engine, log: Log, n: float, first_s: float, last_s: float) -> None:
    """Run some steps whose times rise by equal parts."""
    now, slots = engine.now, engine.slots
    took_s, n_decoding = passed_s(first_s, last_s, n, n), now[N_DECODING]
    reserved, holding = reserved_bytes(engine, costs), holding_bytes(engine, costs)
    longer_s, block_len = rise_s(first_s, last_s, n), longest_block(engine)
    grown_byte_s, start_s = 0.0, now[CLOCK_S]
    end_s = start_s + took_s
    now[CLOCK_S] = end_s
    now[TOKENS_HELD] += n * n_decoding
    read_longer(engine, n)
    for slot in range(len(slots.status)):
        if slots.status[slot] == DECODING:
            end_len = slots.cached_len[slot] + n
            if end_len > slots.room_len[slot]:
                grown_byte_s += _take_blocks(
                    engine, slot, end_len, block_len, first_s, longer_s, took_s
                )
            slots.cached_len[slot] = end_len
            slots.n_output[slot] += n
            slots.last_token_s[slot] = end_s
            slots.longest_gap_s[slot] = max(slots.longest_gap_s[slot], last_s)
    add_rising(engine.itl, first_s, longer_s, n, n_decoding)
    # Both what is held and the time of a step rise evenly: Σ (h + i·g)·(t + i·r), i from 0.
    more = holding_bytes(engine, costs) - holding
    grown = more / n
    sum_i, sum_i_i = n * (n - 1) / 2, (n - 1) * n * (2 * n - 1) / 6
    held = holding + grown
    holding_byte_s = n * held * first_s + sum_i * (held * longer_s + grown * first_s)
    reserved_then = reserved_bytes(engine, costs)
    write_run(
        costs,
        engine,
        log,
        Run(
            start_s=start_s,
            end_s=end_s,
            first_s=first_s,
            last_s=last_s,
            n_passes=n,
            is_apart=0.0,
            n_decoding=n_decoding,
            n_padding=now[N_PADDING],
            prefilled_tokens=0.0,
            reserved_bytes=reserved_then,
            reserved_more_bytes=reserved_then - reserved,
            holding_bytes=holding + more,
            holding_more_bytes=more,
            reserved_byte_s=reserved * took_s + grown_byte_s,
            holding_byte_s=holding_byte_s + sum_i_i * grown * longer_s,
        ),
    )


def _take_blocks(
    engine: Engine,
    slot: int,
    end_len: float,
    block_len: float,
    first_s: float,
    longer_s: float,
    took_s: float,
) -> float:
    """Take the blocks that a slot needs for a run; what they weigh over the rest of it."""
    slots, kinds, byte_s = engine.slots, engine.kinds, 0.0
    room_len = slots.room_len[slot]
    while end_len > room_len:
        left_s = took_s - risen_s(first_s, longer_s, room_len - slots.cached_len[slot])
        for kind in range(len(kinds.kept_len)):
            if kinds.kept_len[kind] > room_len:
                kinds.blocks_held[kind] += 1
                byte_s += kinds.block_bytes[kind] * left_s
        room_len += block_len
    slots.room_len[slot] = room_len
    slots.reserved_len[slot] = end_len
    return byte_s
