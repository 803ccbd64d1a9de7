"""What the replay knows at a moment: its clocks and sums, its slots, its KV cache."""

from __future__ import annotations

from typing import NamedTuple

from calc.serving.arrays import Floats, arrays, zeros
from calc.serving.costs import Costs
from calc.serving.histogram import Histogram, empty_histogram

#: How requests are put into passes.
STATIC, CONTINUOUS, CHUNKED, DISAGGREGATED = 0.0, 1.0, 2.0, 3.0

#: What a slot is doing: nothing; waiting for its prefill, or for the rest of it; decoding; waiting
#: for its cache from the GPU that prefills; for blocks again; for the others of a static batch.
FREE, PREFILLING, DECODING, IN_TRANSIT, PREEMPTED, PADDING = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0

# The numbers of `Engine.now`.
#: Ends of the last pass, of the last one on a GPU of prefill, and of the last transfer. [s]
CLOCK_S, PREFILL_CLOCK_S, LINK_CLOCK_S = 0, 1, 2
#: Requests taken from the block at hand, and from all before it.
N_TAKEN, N_BEFORE = 3, 4
#: Slots by what they do, those that hold blocks, and those whose request is not at its end.
N_FREE, N_PREFILLING, N_IN_TRANSIT, N_DECODING = 5, 6, 7, 8
N_PREEMPTED, N_PADDING, N_HOLDING = 9, 10, 11
#: Longest cached prefix that sequences share. [blocks]
SHARED_BLOCKS = 12
#: Tokens that sequences hold, shared ones for each. [tokens]
TOKENS_HELD = 13
#: Time that the next pass takes longer for what was swapped. [s]
SWAP_S = 14
#: Sums over the whole replay.
N_FINISHED, N_PREEMPTIONS, N_STEPS = 15, 16, 17
OUTPUT_TOKENS, PROMPT_TOKENS = 18, 19
FIRST_ARRIVAL_S, LAST_FINISH_S = 20, 21
BUSY_SLOT_S, WAIT_S, TTFT_S, REQUEST_S = 22, 23, 24, 25
HOLDING_BYTE_S, RESERVED_BYTE_S, MOST_RESERVED_BYTES = 26, 27, 28
#: Whether the next to come in waits for blocks, so that no arrival changes anything.
IS_BLOCKED = 29
#: The longest sequence, so that windows are told from what keeps everything. [tokens]
MAX_LEN = 30
#: Whether all that decode had their last token at the clock.
IS_STEADY = 31
N_NUMBERS = 32


class Rules(NamedTuple):
    """How the engine serves: policy, slots and memory. Contiguous: a block is the longest sequence.

    `watermark` is the share of the pool that stays free when a request is admitted beside others;
    `swap_bytes_per_s` 0 = what is preempted is computed again.
    """

    policy: float
    n_slots: int
    chunk_len: float
    block_len: float
    max_len: float
    watermark: float
    swap_bytes_per_s: float


class Kinds(NamedTuple):
    """The cache of each kind of layers: what a block of it is, and what is held and read.

    `n_longer` are the sequences of which the next step reads one token more.
    """

    kept_len: Floats
    read_len: Floats
    block_len: Floats
    block_bytes: Floats
    is_shared: Floats
    blocks_held: Floats
    tokens_read: Floats
    n_longer: Floats


class Slots(NamedTuple):
    """The requests in the slots, an array over the slots for each thing known of them."""

    status: Floats
    #: Its place among all, by arrival: the youngest is preempted first.
    request: Floats
    arrival_s: Floats
    prompt_len: Floats
    output_len: Floats
    start_s: Floats
    first_token_s: Floats
    last_token_s: Floats
    longest_gap_s: Floats
    n_preemptions: Floats
    #: Since when it does what it does; from when on it can decode. [s]
    since_s: Floats
    ready_s: Floats
    #: Tokens given out; in the cache; to be there before the next; that its blocks have room for.
    n_output: Floats
    cached_len: Floats
    target_len: Floats
    room_len: Floats
    #: Tokens that its blocks were taken for, and how many of these it shares. [tokens], [blocks]
    reserved_len: Floats
    prefix_blocks: Floats
    #: Tokens of its prompt in the pass at hand.
    chunk_len: Floats


class Engine(NamedTuple):
    """All that a replay knows at a moment."""

    now: Floats
    kinds: Kinds
    slots: Slots
    ttft: Histogram
    itl: Histogram


def new_engine(rules: Rules, costs: Costs) -> Engine:
    """An engine that has served nothing yet.

    Parameters
    ----------
    rules : Rules
    costs : Costs

    Returns
    -------
    Engine

    Notes
    -----
    Of a window no block is longer than the window; its bytes are block · KV. A kind that keeps
    all tokens can share those of a prefix. A step reads min(kept, top · r) tokens' entries at most.

    References
    ----------
    `kv.n_entries_read`.
    """
    n, n_kinds = rules.n_slots, len(costs.kinds)
    engine = Engine(
        now=zeros(N_NUMBERS),
        kinds=arrays(Kinds, n_kinds),
        slots=arrays(Slots, n),
        ttft=empty_histogram(),
        itl=empty_histogram(),
    )
    engine.now[N_FREE] = n
    engine.now[FIRST_ARRIVAL_S] = -1
    engine.now[MAX_LEN] = rules.max_len
    for kind in range(n_kinds):
        each = costs.kinds[kind]
        top_len = each.most_entries_read * each.tokens_per_entry
        block_len = min(rules.block_len, each.kept_len)
        engine.kinds.kept_len[kind] = each.kept_len
        engine.kinds.read_len[kind] = min(each.kept_len, top_len)
        # Linear layers keep nothing of a token.
        engine.kinds.block_len[kind] = block_len if block_len > 0 else rules.block_len
        engine.kinds.block_bytes[kind] = engine.kinds.block_len[kind] * each.bytes_per_token
        engine.kinds.is_shared[kind] = 1.0 if each.kept_len >= rules.max_len else 0.0
    return engine
