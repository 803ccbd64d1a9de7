"""The scheduler: which requests come into slots, and what goes into the next pass."""

from __future__ import annotations

from calc.serving.blocks import (
    cache_bytes,
    fits_alone,
    give_back,
    grow,
    holding_bytes,
    missing_bytes,
    prefix_blocks_of,
    reserved_bytes,
    take,
    youngest,
)
from calc.serving.costs import (
    Costs,
    chunk_attention_flops,
    chunk_written_bytes,
    computed_len,
    pass_s,
)
from calc.serving.engine import (
    CHUNKED,
    CLOCK_S,
    DECODING,
    DISAGGREGATED,
    FIRST_ARRIVAL_S,
    FREE,
    IN_TRANSIT,
    IS_BLOCKED,
    IS_STEADY,
    LAST_FINISH_S,
    LINK_CLOCK_S,
    N_BEFORE,
    N_DECODING,
    N_FINISHED,
    N_FREE,
    N_HOLDING,
    N_IN_TRANSIT,
    N_PADDING,
    N_PREEMPTED,
    N_PREEMPTIONS,
    N_PREFILLING,
    N_TAKEN,
    OUTPUT_TOKENS,
    PADDING,
    PREEMPTED,
    PREFILL_CLOCK_S,
    PREFILLING,
    PROMPT_TOKENS,
    REQUEST_S,
    STATIC,
    SWAP_S,
    TOKENS_HELD,
    TTFT_S,
    WAIT_S,
    Engine,
    Rules,
)
from calc.serving.histogram import add
from calc.serving.log import Log, Run, enter, write_run
from calc.serving.requests import Requests
from calc.serving.steps import (
    coast,
    count_longer,
    read_longer,
    step_attention_flops,
    step_read_bytes,
)

#: Why the replay comes back: all is served; it needs the next requests; its arrays for what has
#: finished, or for passes, are full; the request that is next can never fit.
DONE, NEEDS_REQUESTS, NEEDS_ROOM, NEVER_FITS = 0, 1, 2, 3

#: Changes of a slot in a turn, at most: its cache is there, it has given out its only token, the
#: next is prefilled, has given out its only one, and its batch ends. Who gives way changes less.
_MOST_CHANGES = 5

#: In place of a time: nothing is to come.
_NEVER = 1e300


def advance(
    rules: Rules,
    costs: Costs,
    engine: Engine,
    requests: Requests,
    n_requests: int,
    is_last: bool,
    log: Log,
) -> int:
    """Serve until all is served, or something is needed.

    Parameters
    ----------
    rules : Rules
    costs : Costs
    engine : Engine
        Changed.
    requests : Requests
        The block of requests at hand, of all in the order of their arrival.
    n_requests : int
        Of this block. [count]
    is_last : bool
        Whether no block follows.
    log : Log
        Changed: what finished and what was passed through is added. Without room for a single
        pass, passes are not written down, and so with phases.

    Returns
    -------
    int
        `DONE`, `NEEDS_REQUESTS`, `NEEDS_ROOM` or `NEVER_FITS`.

    Notes
    -----
    One turn is one pass: admit, plan, compute its time, give out tokens. A request that arrives
    during a pass is seen at its end. Steps after it in which nobody comes or goes are run at once.

    References
    ----------
    Yu et al., Orca, OSDI 2022; Kwon et al., PagedAttention, 2023 (arXiv:2309.06180); Agrawal et
    al., Sarathi-Serve, 2024 (arXiv:2403.02310); Zhong et al., DistServe, 2024 (arXiv:2401.09670).
    """
    now = engine.now
    while True:
        if not _has_rows(rules, log):
            return NEEDS_ROOM
        if now[N_IN_TRANSIT] > 0:
            _receive(rules, engine, log)
        # Asked for more requests it would let them in beside those that come back.
        is_rest = rules.policy == STATIC and now[N_PREEMPTED] > 0
        if now[N_FREE] + now[N_PREEMPTED] > 0 and not _admit(
            rules, costs, engine, log, requests, n_requests
        ):
            return NEVER_FITS
        if now[N_TAKEN] == n_requests and not is_last and now[N_FREE] > 0 and not is_rest:
            return NEEDS_REQUESTS
        next_s = _next_s(rules, engine, requests, n_requests)
        if now[N_PREFILLING] + now[N_DECODING] > 0:
            _serve(rules, costs, engine, log, next_s)
        elif next_s == _NEVER:
            return DONE
        else:
            now[CLOCK_S] = next_s
        if now[N_PADDING] > 0 and now[N_PREFILLING] + now[N_DECODING] == 0:
            _end_batch(engine, log)


def _serve(rules: Rules, costs: Costs, engine: Engine, log: Log, until_s: float) -> None:
    """Run the next pass, or steps that are alike up to the next event."""
    now = engine.now
    before_s = now[CLOCK_S]
    if now[IS_STEADY] > 0 and now[N_PREFILLING] == 0:
        coast(costs, engine, log, until_s)
        _end_answers(rules, engine, log)
    if now[CLOCK_S] == before_s:
        now[IS_STEADY] = 1.0 if _run_turn(rules, costs, engine, log) else 0.0


def _run_turn(rules: Rules, costs: Costs, engine: Engine, log: Log) -> bool:
    """Run the next pass, or on GPUs apart all that is to be prefilled; True if it decodes."""
    now = engine.now
    if now[N_PREFILLING] == 0 or rules.policy == CHUNKED:
        _run_pass(rules, costs, engine, log, True, rules.chunk_len, False)
        return True
    if rules.policy != DISAGGREGATED:
        _run_pass(rules, costs, engine, log, False, costs.batched_tokens, False)
    while now[N_PREFILLING] > 0 and rules.policy == DISAGGREGATED:
        _run_pass(rules, costs, engine, log, False, costs.batched_tokens, True)
    return False


def _has_rows(rules: Rules, log: Log) -> bool:
    """Whether what a turn may add can be written down: a pass, an end, changes of each slot."""
    n, n_slots, most_phases = log.n, rules.n_slots, len(log.phases.slot)
    most_passes, most_finished = len(log.passes.start_s), len(log.finished.request)
    return (
        n[0] + n_slots <= most_finished
        and (most_passes == 0 or n[1] + n_slots + 1 <= most_passes)
        and (most_phases == 0 or n[2] + _MOST_CHANGES * n_slots <= most_phases)
    )


def _receive(rules: Rules, engine: Engine, log: Log) -> None:
    """Let those decode whose cache has arrived; of a single token there is nothing to decode."""
    now, slots = engine.now, engine.slots
    for slot in range(len(slots.status)):
        if slots.status[slot] == IN_TRANSIT and slots.ready_s[slot] <= now[CLOCK_S]:
            now[N_IN_TRANSIT] -= 1
            _decode_from(engine, log, slot, slots.ready_s[slot])
            if slots.n_output[slot] >= slots.output_len[slot]:
                _finish(rules, engine, log, slot)


def _decode_from(engine: Engine, log: Log, slot: int, at_s: float) -> None:
    """Add a sequence to those that decode: from the next step on its cache is read."""
    slots, kinds = engine.slots, engine.kinds
    enter(engine, log, slot, DECODING, at_s)
    engine.now[N_DECODING] += 1
    engine.now[IS_STEADY] = 0
    for kind in range(len(kinds.tokens_read)):
        length, most = slots.cached_len[slot], kinds.read_len[kind]
        kinds.tokens_read[kind] += min(length, most)


def _read_no_more(engine: Engine, slot: int) -> None:
    """Take a sequence from those whose cache each step reads."""
    slots, kinds = engine.slots, engine.kinds
    for kind in range(len(kinds.tokens_read)):
        length, most = slots.cached_len[slot], kinds.read_len[kind]
        kinds.tokens_read[kind] -= min(length, most)


def _admit(
    rules: Rules, costs: Costs, engine: Engine, log: Log, requests: Requests, n_requests: int
) -> bool:
    """Fill slots, first come first served; False if the next request can never fit."""
    now = engine.now
    if rules.policy == STATIC and now[N_HOLDING] > now[N_PREFILLING]:
        return True
    now[IS_BLOCKED] = 1
    # What gave way belongs to the batch at hand: the next one begins when it has ended, too.
    is_rest = rules.policy == STATIC and now[N_PREEMPTED] > 0
    while now[N_PREEMPTED] > 0:
        if not _resume(rules, costs, engine, log):
            return True
    if is_rest:
        now[IS_BLOCKED] = 0
        return True
    while now[N_FREE] > 0 and now[N_TAKEN] < n_requests:
        place = int(now[N_TAKEN])
        arrival_s, prompt = requests.arrival_s[place], requests.prompt_len[place]
        if arrival_s > now[CLOCK_S]:
            break
        if not fits_alone(rules, engine, costs, prompt, requests.output_len[place]):
            return False
        prefix = prefix_blocks_of(rules, costs, prompt)
        if not _has_room(rules, costs, engine, prompt, prefix):
            return True
        slot = _first_free(engine)
        take(engine, slot, prompt, prefix)
        now[N_FREE] -= 1
        now[N_TAKEN] += 1
        now[WAIT_S] += now[CLOCK_S] - arrival_s
        if now[FIRST_ARRIVAL_S] < 0:
            now[FIRST_ARRIVAL_S] = arrival_s
        _seat(engine, slot, arrival_s, prompt, requests.output_len[place])
        _begin_prefill(costs, engine, log, slot)
    now[IS_BLOCKED] = 0
    return True


def _resume(rules: Rules, costs: Costs, engine: Engine, log: Log) -> bool:
    """Let the oldest that is preempted come back, if there is room for it."""
    now, slots, slot = engine.now, engine.slots, _oldest(engine, PREEMPTED)
    is_swapped = slots.target_len[slot] == slots.cached_len[slot]
    prefix = prefix_blocks_of(rules, costs, slots.prompt_len[slot])
    # With room for its next token: else it would give way again before it gave one out.
    length = slots.target_len[slot] + (1.0 if is_swapped else 0.0)
    if not _has_room(rules, costs, engine, length, prefix):
        return False
    take(engine, slot, length, prefix)
    now[N_PREEMPTED] -= 1
    if is_swapped:
        now[SWAP_S] += _swap_s(rules, costs, slots.cached_len[slot])
        now[TOKENS_HELD] += slots.cached_len[slot]
        _decode_from(engine, log, slot, now[CLOCK_S])
    else:
        _begin_prefill(costs, engine, log, slot)
    return True


def _seat(engine: Engine, slot: int, arrival_s: float, prompt: float, output: float) -> None:
    """Put a new request into a slot."""
    now, slots = engine.now, engine.slots
    slots.request[slot] = now[N_BEFORE] + now[N_TAKEN] - 1
    slots.arrival_s[slot] = arrival_s
    slots.prompt_len[slot] = prompt
    slots.output_len[slot] = output
    slots.target_len[slot] = prompt
    slots.start_s[slot] = now[CLOCK_S]
    slots.n_output[slot] = 0
    slots.longest_gap_s[slot] = 0
    slots.n_preemptions[slot] = 0


def _begin_prefill(costs: Costs, engine: Engine, log: Log, slot: int) -> None:
    """Let a sequence wait for its prefill; of its prompt the shared prefix is there already."""
    now, slots = engine.now, engine.slots
    prompt = slots.prompt_len[slot]
    enter(engine, log, slot, PREFILLING, now[CLOCK_S])
    slots.cached_len[slot] = prompt - computed_len(costs, prompt)
    now[N_PREFILLING] += 1
    now[TOKENS_HELD] += slots.cached_len[slot]


def _has_room(rules: Rules, costs: Costs, engine: Engine, length: float, prefix: float) -> bool:
    """Whether a sequence may come in: beside others some of the pool must stay free."""
    kept_free = rules.watermark * costs.pool_bytes if engine.now[N_HOLDING] > 0 else 0.0
    taken = reserved_bytes(engine, costs) + missing_bytes(engine, costs, length, prefix)
    return taken + kept_free <= costs.pool_bytes


def _first_free(engine: Engine) -> int:
    slot = 0
    while engine.slots.status[slot] != FREE:
        slot += 1
    return slot


def _oldest(engine: Engine, status: float) -> int:
    """The slot of this status that came in first; of a pass, none that is in it already."""
    slots, found = engine.slots, -1
    for slot in range(len(slots.status)):
        if (
            slots.status[slot] == status
            and slots.chunk_len[slot] == 0
            and (found < 0 or slots.request[slot] < slots.request[found])
        ):
            found = slot
    return found


def _preempt(rules: Rules, costs: Costs, engine: Engine, log: Log, slot: int) -> None:
    """Take a sequence's blocks away; it stays in its slot and comes back before all new ones."""
    now, slots = engine.now, engine.slots
    was_decoding = slots.status[slot] == DECODING
    give_back(engine, slot)
    now[TOKENS_HELD] -= slots.cached_len[slot]
    if was_decoding:
        now[N_DECODING] -= 1
        _read_no_more(engine, slot)
    else:
        now[N_PREFILLING] -= 1
    enter(engine, log, slot, PREEMPTED, now[CLOCK_S])
    slots.n_preemptions[slot] += 1
    now[N_PREEMPTED] += 1
    now[N_PREEMPTIONS] += 1
    if was_decoding and rules.swap_bytes_per_s > 0:
        now[SWAP_S] += _swap_s(rules, costs, slots.cached_len[slot])
        slots.target_len[slot] = slots.cached_len[slot]
    else:
        slots.cached_len[slot] = 0
        slots.target_len[slot] = slots.prompt_len[slot] + slots.n_output[slot]


def _swap_s(rules: Rules, costs: Costs, length: float) -> float:
    return cache_bytes(costs, length) / rules.swap_bytes_per_s


def _run_pass(
    rules: Rules,
    costs: Costs,
    engine: Engine,
    log: Log,
    decodes: bool,
    budget: float,
    is_apart: bool,
) -> None:
    """Run one pass: what decodes, if it does, and prompts within a budget of tokens."""
    now, slots = engine.now, engine.slots
    n_decoding, n_padding, kv_bytes, attention_flops = 0.0, 0.0, 0.0, 0.0
    if decodes:
        _make_room(rules, costs, engine, log)
        count_longer(engine)
        n_decoding, n_padding = now[N_DECODING], now[N_PADDING]
        kv_bytes = step_read_bytes(costs, engine, 1.0)
        attention_flops = step_attention_flops(costs, engine, 1.0)
        read_longer(engine, 1.0)

    # Which prompts, and how much of each
    prefilled, prefill_flops = 0.0, 0.0
    n_left = now[N_PREFILLING]
    slot = _oldest(engine, PREFILLING) if n_left > 0 else -1
    while slot >= 0 and prefilled < budget:
        chunk = slots.target_len[slot] - slots.cached_len[slot]
        if rules.policy == CHUNKED:
            chunk = min(chunk, budget - prefilled)
        elif prefilled > 0 and prefilled + chunk > budget:
            break
        slots.chunk_len[slot] = chunk
        slots.cached_len[slot] += chunk
        prefilled += chunk
        flops = chunk_attention_flops(costs, slots.cached_len[slot], chunk)
        prefill_flops += flops
        kv_bytes += chunk_written_bytes(costs, chunk)
        n_left -= 1
        slot = _oldest(engine, PREFILLING) if n_left > 0 else -1

    if n_decoding + prefilled == 0:
        # All that decoded gave way; there is room for the oldest now.
        return
    took_s = pass_s(
        costs, n_decoding + n_padding, prefilled, kv_bytes, attention_flops, prefill_flops
    )
    start_s = now[CLOCK_S]
    if is_apart and now[PREFILL_CLOCK_S] > start_s:
        start_s = now[PREFILL_CLOCK_S]
    if not is_apart:
        took_s += now[SWAP_S]
        now[SWAP_S] = 0
    end_s = start_s + took_s
    now[PREFILL_CLOCK_S if is_apart else CLOCK_S] = end_s
    now[TOKENS_HELD] += n_decoding + prefilled
    now[PROMPT_TOKENS] += prefilled
    if decodes:
        _give_out(engine, end_s)
    if prefilled > 0:
        _end_chunks(costs, engine, log, end_s, is_apart)
    reserved, holding = reserved_bytes(engine, costs), holding_bytes(engine, costs)
    write_run(
        costs,
        engine,
        log,
        Run(
            start_s=start_s,
            end_s=end_s,
            first_s=took_s,
            last_s=took_s,
            n_passes=1.0,
            is_apart=1.0 if is_apart else 0.0,
            n_decoding=n_decoding,
            n_padding=n_padding,
            prefilled_tokens=prefilled,
            reserved_bytes=reserved,
            reserved_more_bytes=0.0,
            holding_bytes=holding,
            holding_more_bytes=0.0,
            reserved_byte_s=reserved * took_s,
            holding_byte_s=holding * took_s,
        ),
    )
    _end_answers(rules, engine, log)


def _end_answers(rules: Rules, engine: Engine, log: Log) -> None:
    """End those that have given out all their tokens."""
    slots = engine.slots
    for slot in range(len(slots.status)):
        if slots.status[slot] == DECODING and slots.n_output[slot] >= slots.output_len[slot]:
            _finish(rules, engine, log, slot)


def _make_room(rules: Rules, costs: Costs, engine: Engine, log: Log) -> None:
    """Take blocks for one more token of each sequence that decodes; the youngest give way."""
    slots = engine.slots
    for slot in range(len(slots.status)):
        if slots.status[slot] == DECODING and slots.cached_len[slot] >= slots.room_len[slot]:
            while slots.status[slot] == DECODING and not grow(
                engine, costs, slot, slots.cached_len[slot] + 1
            ):
                _preempt(rules, costs, engine, log, youngest(engine))


def _give_out(engine: Engine, end_s: float) -> None:
    """Give a token to each sequence that decodes."""
    slots, last_gap_s, n_gaps = engine.slots, 0.0, 0.0
    for slot in range(len(slots.status)):
        if slots.status[slot] == DECODING:
            gap_s = end_s - slots.last_token_s[slot]
            # Most wait alike, so the histogram is asked once for all of them.
            if gap_s != last_gap_s and n_gaps > 0:
                add(engine.itl, last_gap_s, n_gaps)
                n_gaps = 0.0
            last_gap_s, n_gaps = gap_s, n_gaps + 1
            slots.longest_gap_s[slot] = max(slots.longest_gap_s[slot], gap_s)
            slots.last_token_s[slot] = end_s
            slots.cached_len[slot] += 1
            slots.n_output[slot] += 1
    if n_gaps > 0:
        add(engine.itl, last_gap_s, n_gaps)


def _end_chunks(costs: Costs, engine: Engine, log: Log, end_s: float, is_apart: bool) -> None:
    """Let those give out a token whose prompt is in the cache now."""
    now, slots = engine.now, engine.slots
    for slot in range(len(slots.status)):
        if slots.chunk_len[slot] > 0:
            slots.chunk_len[slot] = 0
            if slots.cached_len[slot] < slots.target_len[slot]:
                continue
            if slots.n_output[slot] == 0:
                slots.first_token_s[slot] = end_s
                now[TTFT_S] += end_s - slots.arrival_s[slot]
                add(engine.ttft, end_s - slots.arrival_s[slot], 1)
            else:
                gap_s = end_s - slots.last_token_s[slot]
                add(engine.itl, gap_s, 1)
                slots.longest_gap_s[slot] = max(slots.longest_gap_s[slot], gap_s)
            slots.n_output[slot] += 1
            slots.last_token_s[slot] = end_s
            now[N_PREFILLING] -= 1
            if is_apart:
                _send(costs, engine, log, slot, end_s)
            else:
                _decode_from(engine, log, slot, end_s)


def _send(costs: Costs, engine: Engine, log: Log, slot: int, end_s: float) -> None:
    """Send a prompt's cache over the link, behind what is on it; after a single token, nothing."""
    now, slots = engine.now, engine.slots
    enter(engine, log, slot, IN_TRANSIT, end_s)
    now[N_IN_TRANSIT] += 1
    slots.ready_s[slot] = end_s
    if slots.n_output[slot] < slots.output_len[slot]:
        start_s = max(now[LINK_CLOCK_S], end_s)
        took_s = cache_bytes(costs, slots.cached_len[slot]) / costs.link_bytes_per_s
        now[LINK_CLOCK_S] = start_s + took_s
        slots.ready_s[slot] = now[LINK_CLOCK_S]


def _finish(rules: Rules, engine: Engine, log: Log, slot: int) -> None:
    """End a request: write it down, free its slot and blocks, or let it wait for its batch."""
    now, slots, finished = engine.now, engine.slots, log.finished
    row, finish_s = int(log.n[0]), slots.last_token_s[slot]
    finished.request[row] = slots.request[slot]
    finished.arrival_s[row] = slots.arrival_s[slot]
    finished.prompt_len[row] = slots.prompt_len[slot]
    finished.output_len[row] = slots.output_len[slot]
    finished.slot[row] = slot
    finished.start_s[row] = slots.start_s[slot]
    finished.first_token_s[row] = slots.first_token_s[slot]
    finished.finish_s[row] = finish_s
    finished.longest_gap_s[row] = slots.longest_gap_s[slot]
    finished.n_preemptions[row] = slots.n_preemptions[slot]
    log.n[0] = row + 1
    now[N_FINISHED] += 1
    now[OUTPUT_TOKENS] += slots.output_len[slot]
    now[REQUEST_S] += finish_s - slots.arrival_s[slot]
    now[LAST_FINISH_S] = max(now[LAST_FINISH_S], finish_s)
    now[TOKENS_HELD] -= slots.cached_len[slot]
    now[N_DECODING] -= 1
    if rules.policy == STATIC:
        enter(engine, log, slot, PADDING, finish_s)
        now[N_PADDING] += 1
    else:
        enter(engine, log, slot, FREE, finish_s)
        now[N_FREE] += 1
        _read_no_more(engine, slot)
        give_back(engine, slot)


def _end_batch(engine: Engine, log: Log) -> None:
    """Free the slots and blocks of a static batch whose last sequence has ended."""
    now, slots = engine.now, engine.slots
    for slot in range(len(slots.status)):
        if slots.status[slot] == PADDING:
            _read_no_more(engine, slot)
            enter(engine, log, slot, FREE, now[CLOCK_S])
            give_back(engine, slot)
    now[N_FREE] += now[N_PADDING]
    now[N_PADDING] = 0


def _next_s(rules: Rules, engine: Engine, requests: Requests, n_requests: int) -> float:
    """When something is to be done beside passes: a cache is there, or a request may come in."""
    now, slots = engine.now, engine.slots
    next_s = _NEVER
    if now[N_IN_TRANSIT] > 0:
        for slot in range(len(slots.status)):
            if slots.status[slot] == IN_TRANSIT and slots.ready_s[slot] < next_s:
                next_s = slots.ready_s[slot]
    if rules.policy == STATIC and now[N_HOLDING] > 0:
        return next_s
    if now[N_FREE] + now[N_PREEMPTED] > 0 and now[IS_BLOCKED] == 0:
        if now[N_PREEMPTED] > 0:
            return now[CLOCK_S]
        if now[N_TAKEN] < n_requests:
            arrival_s = requests.arrival_s[int(now[N_TAKEN])]
            next_s = min(arrival_s, next_s)
    return next_s
