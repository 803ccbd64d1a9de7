"""What holds of every replay, whatever the trace and the rules."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from operator import mul

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calc.serving.engine import (
    DECODING,
    DISAGGREGATED,
    IN_TRANSIT,
    PADDING,
    PREEMPTED,
    PREFILLING,
    STATIC,
)
from calc.serving.log import NO_LIMIT, passed_s
from calc.serving.stream import Stream
from tests.helpers.replays import costs_of, rules, served, trace

#: The lesson's model on a card whose memory holds about 2,000 tokens beside the weights, and a
#: window of 1,024 tokens in most layers, on one that holds about as many sequences.
TIGHT = costs_of()._replace(pool_bytes=131_072.0 * 2048)
WINDOWS = costs_of(model="gemma-3-27b", assumptions="engine")
SMALL = WINDOWS._replace(pool_bytes=8e8)

#: Attention over the longest caches takes longer than reading them, so that a step's time bends.
EXPERTS = costs_of(model="deepseek-v3", gpus=16.0, weights="fp8", assumptions="engine")

length = st.one_of(st.integers(1, 40), st.integers(1, 900))


@st.composite
def traces(draw):
    gaps = st.floats(0, 2, allow_subnormal=False)
    rows, arrival_s = [], 0.0
    for _ in range(draw(st.integers(1, 10))):
        arrival_s += draw(st.one_of(st.just(0.0), gaps))
        rows.append((arrival_s, draw(length), draw(length)))
    return rows


any_rules = st.builds(
    rules,
    policy=st.sampled_from([0.0, 1.0, 2.0, 3.0]),
    n_slots=st.integers(1, 6),
    chunk_len=st.sampled_from([1.0, 7.0, 64.0, 512.0]),
    block_len=st.sampled_from([1.0, 16.0, 100.0, 1800.0]),
    max_len=st.just(1800.0),
    watermark=st.sampled_from([0.0, 0.01, 0.2]),
    swap_bytes_per_s=st.sampled_from([0.0, 64e9]),
)


@settings(max_examples=100)
@given(any_rules, traces(), st.sampled_from([TIGHT, SMALL, costs_of(prefix_hit=0.3)]))
def test_invariants(how, rows, costs):
    found = served(how, costs, trace(rows))
    requests, totals = found.requests, found.totals
    passes = type(found.passes)(*(field[: found.n_runs] for field in found.passes))
    n_steps = list(map(mul, passes.n_decoding, passes.n_passes))

    # Every request is there once, in order, and its times follow each other.
    assert list(requests.request) == list(range(len(rows)))
    assert list(zip(requests.arrival_s, requests.prompt_len, requests.output_len, strict=True)) == [
        tuple(map(float, row)) for row in rows
    ]
    for place in range(len(rows)):
        times = [
            field[place]
            for field in (
                requests.arrival_s,
                requests.start_s,
                requests.first_token_s,
                requests.finish_s,
            )
        ]
        assert times == sorted(times)
        assert (times[3] > times[2]) == (rows[place][2] > 1)
    # First come, first served.
    assert list(requests.start_s) == sorted(requests.start_s)

    # Tokens out: one from each prefill's end, one from each row of each step.
    n_first = len(rows) + totals.n_preemptions
    assert totals.output_tokens == sum(output for *_, output in rows)
    assert sum(n_steps) >= totals.output_tokens - n_first
    assert sum(n_steps) <= totals.output_tokens - len(rows)
    if totals.n_preemptions == 0:
        assert sum(n_steps) == totals.output_tokens - len(rows)
        computed = [max(1, ceil(prompt * (1 - costs.prefix_hit))) for _, prompt, _ in rows]
        assert totals.prefilled_tokens == sum(computed)
    assert totals.prefilled_tokens == sum(passes.prefilled_tokens)

    # A GPU does one thing at a time.
    for apart in (0.0, 1.0):
        own = [
            (s, e)
            for s, e, a in zip(passes.start_s, passes.end_s, passes.is_apart, strict=True)
            if a == apart
        ]
        assert all(before[1] <= after[0] for before, after in pairwise(own))

    # Slots and memory are never more than there are, and nothing stays behind.
    assert max(map(sum, zip(passes.n_present, passes.n_padding, strict=True))) <= how.n_slots
    assert 0 <= totals.kv_most_fraction <= 1
    if how.policy != DISAGGREGATED or totals.output_tokens > len(rows):
        assert 0 < totals.kv_holding_fraction <= 1 + 1e-12
    assert 0 < totals.slot_utilisation <= 1 + 1e-12
    block_len = min(how.block_len, costs.kinds[0].kept_len)
    if costs is not SMALL:
        for held, capacity in zip(passes.tokens_held, passes.blocks_held, strict=True):
            assert 0 < held <= capacity * block_len
    for reserved, holding, to_come in zip(
        passes.reserved_bytes, passes.holding_bytes, passes.to_come_bytes, strict=True
    ):
        assert to_come >= 0
        assert 0 < holding + to_come <= reserved * (1 + 1e-12)
        assert reserved <= costs.pool_bytes


#: What may follow in a slot on what it did; None is its end.
FOLLOWING = {
    PREFILLING: {DECODING, IN_TRANSIT, PREEMPTED},
    DECODING: {PREEMPTED, PADDING, None},
    IN_TRANSIT: {DECODING},
    PREEMPTED: {PREFILLING, DECODING},
    PADDING: {None},
}


@settings(max_examples=100)
@given(any_rules, traces(), st.sampled_from([TIGHT, SMALL, costs_of(prefix_hit=0.3)]))
def test_phases_tell_what_each_slot_did(how, rows, costs):
    found = served(how, costs, trace(rows))
    requests, n = found.requests, found.n_phases
    phases = list(zip(*(field[:n] for field in found.phases), strict=True))
    busy_s = 0.0
    for slot, request, status, start_s, end_s in phases:
        assert requests.slot[int(request)] == slot
        assert start_s <= end_s
        busy_s += end_s - start_s if PREFILLING <= status <= IN_TRANSIT else 0.0
    # The totals' share, to the last bit.
    totals = found.totals
    assert totals.slot_utilisation == busy_s / (how.n_slots * totals.makespan_s)

    for request in range(len(rows)):
        own = [each[2:] for each in phases if each[1] == request]
        statuses = [status for status, *_ in own]
        assert statuses[0] == PREFILLING
        for status, following in zip(statuses, [*statuses[1:], None], strict=True):
            assert following in FOLLOWING[status]
        assert statuses.count(PREEMPTED) == requests.n_preemptions[request]
        assert (PADDING in statuses) == (how.policy == STATIC)
        assert all(before[2] == after[1] for before, after in pairwise(own))
        firsts = [
            end_s
            for (status, _, end_s), (following, *_) in pairwise(own)
            if status == PREFILLING and following != PREEMPTED
        ]
        assert own[0][1] == requests.start_s[request]
        assert firsts[0] == requests.first_token_s[request]
        assert own[statuses[::-1].index(DECODING) * -1 - 1][2] == requests.finish_s[request]

    # A slot does one thing at a time.
    for slot in range(how.n_slots):
        own = [each[3:] for each in phases if each[0] == slot]
        assert all(before[1] <= after[0] for before, after in pairwise(own))


@settings(max_examples=100)
@given(any_rules, traces(), st.sampled_from([TIGHT, SMALL, EXPERTS, costs_of(prefix_hit=0.3)]))
def test_runs_are_what_their_passes_are_one_by_one(how, rows, costs):
    """The same passes with the same tokens and blocks; times but for rounding."""
    whole, single = (served(how, costs, trace(rows), longest) for longest in (NO_LIMIT, 1.0))
    row = 0
    for run in range(whole.n_runs):
        first, row = row, row + int(whole.passes.n_passes[run])
        for place in range(first, row):
            done = place - first + 1
            assert single.passes.n_decoding[place] == whole.passes.n_decoding[run]
            assert single.passes.end_s[place] == near(
                whole.passes.start_s[run] + passed_s(*times_of(whole, run), float(done))
            )
        assert single.passes.blocks_held[row - 1] == whole.passes.blocks_held[run]
        assert single.passes.tokens_held[row - 1] == whole.passes.tokens_held[run]
        for name in ("reserved", "holding"):
            at_end = getattr(whole.passes, f"{name}_bytes")[run]
            more = getattr(whole.passes, f"{name}_more_bytes")[run]
            in_single = getattr(single.passes, f"{name}_bytes")
            assert in_single[row - 1] == near(at_end)
            if more:
                assert in_single[first] - in_single[row - 1] + more == near(
                    getattr(single.passes, f"{name}_more_bytes")[first]
                )
        assert single.passes.to_come_bytes[row - 1] == near(whole.passes.to_come_bytes[run])
    assert row == single.n_runs == whole.totals.n_steps
    for here, there in zip(whole.requests, single.requests, strict=True):
        assert list(here) == [near(each) for each in there]
    for name, here in whole.totals._asdict().items():
        there = getattr(single.totals, name)
        # A time beside the end of its bin may stand in either.
        is_quantile = "_p" in name and name.startswith(("ttft", "itl"))
        assert here == (
            pytest.approx(there, rel=0.002, nan_ok=True) if is_quantile else near(there)
        )


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True)


def times_of(found, run):
    passes = found.passes
    return passes.first_s[run], passes.last_s[run], passes.n_passes[run]


@settings(max_examples=30)
@given(any_rules, traces())
def test_littles_law(how, rows):
    """The mean number in slots is the arrival rate times the mean time there."""
    found = served(how._replace(policy=how.policy % DISAGGREGATED), TIGHT, trace(rows))
    passes, requests = found.passes, found.requests
    n = found.n_runs
    present_s = sum(
        passes.n_present[row] * (passes.end_s[row] - passes.start_s[row]) for row in range(n)
    )
    in_slots_s = sum(
        requests.finish_s[place] - requests.start_s[place] for place in range(len(rows))
    )
    assert present_s == pytest.approx(in_slots_s, rel=1e-9)


@settings(max_examples=20)
@given(any_rules, traces(), st.integers(1, 4))
@example(
    # One gives way in a static batch, at the end of a block.
    rules(policy=0.0, n_slots=4, chunk_len=1.0, block_len=100.0, max_len=1800.0),
    [(0.0, 1, 1)] * 6 + [(0.0, 1, 401), (0.0, 402, 900), (0.0, 1, 1)],
    1,
)
def test_a_stream_of_blocks_is_the_whole(how, rows, size):
    whole = served(how, TIGHT, trace(rows))
    blocks = [trace(rows[start : start + size]) for start in range(0, len(rows), size)]
    stream, ends = Stream(how, TIGHT, blocks), {}
    for finished, n in stream.finished():
        ends |= dict(zip(finished.request[:n], finished.finish_s[:n], strict=True))
    assert [ends[place] for place in range(len(rows))] == list(whole.requests.finish_s)
    assert repr(stream.totals()) == repr(whole.totals)


@settings(max_examples=30)
@given(any_rules, traces())
def test_plenty_of_memory_preempts_nobody(how, rows):
    assert served(how, costs_of(), trace(rows)).totals.n_preemptions == 0


@settings(max_examples=30)
@given(any_rules, traces())
def test_contiguous_memory_preempts_nobody(how, rows):
    found = served(how._replace(block_len=how.max_len), TIGHT, trace(rows))
    assert found.totals.n_preemptions == 0


@settings(max_examples=30)
@given(st.integers(1, 6), st.integers(1, 10), length, length)
def test_requests_of_one_length_are_served_alike(n_slots, n, prompt, output):
    """Nobody waits for a longer one, so static batches lose nothing."""
    both = [
        served(
            rules(policy=policy, n_slots=n_slots), costs_of(), trace([(0.0, prompt, output)] * n)
        )
        for policy in (0.0, 1.0)
    ]
    assert list(both[0].requests.finish_s) == list(both[1].requests.finish_s)
    assert list(both[0].requests.first_token_s) == list(both[1].requests.first_token_s)
    assert both[0].totals.itl_p99_s == both[1].totals.itl_p99_s or output == 1
