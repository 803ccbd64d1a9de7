"""The KV cache in blocks: what is taken for a sequence, what is free, who has to give way."""

from __future__ import annotations

from calc.serving.costs import Costs, computed_len
from calc.serving.engine import (
    DECODING,
    IN_TRANSIT,
    IS_BLOCKED,
    N_DECODING,
    N_HOLDING,
    N_IN_TRANSIT,
    N_PREFILLING,
    PREFILLING,
    SHARED_BLOCKS,
    TOKENS_HELD,
    Engine,
    Rules,
)


def blocks_of(engine: Engine, kind: int, length: float) -> float:
    """Blocks that layers of a kind take for a sequence.

    Parameters
    ----------
    engine : Engine
    kind : int
        Place among the kinds.
    length : float
        [tokens]

    Returns
    -------
    float
        [count]

    Notes
    -----
    ⌈min(T, kept) / block⌉.

    References
    ----------
    Kwon et al., PagedAttention, 2023 (arXiv:2309.06180), section 4.
    """
    kinds = engine.kinds
    kept = min(length, kinds.kept_len[kind])
    padded = kept + kinds.block_len[kind] - 1
    return (padded - padded % kinds.block_len[kind]) / kinds.block_len[kind]


def cache_bytes(costs: Costs, length: float) -> float:
    """Cache and state of a sequence, without what blocks round up.

    Parameters
    ----------
    costs : Costs
    length : float
        [tokens]

    Returns
    -------
    float
        On each GPU. [B]

    Notes
    -----
    As `kv.bytes_per_sequence`.

    References
    ----------
    `kv.bytes_per_sequence`.
    """
    size = 0.0
    for kind in range(len(costs.kinds)):
        each = costs.kinds[kind]
        kept = min(length, each.kept_len)
        size += kept * each.bytes_per_token + each.state_bytes
    return size


def reserved_bytes(engine: Engine, costs: Costs) -> float:
    """What all blocks and states that are taken weigh.

    Parameters
    ----------
    engine : Engine
    costs : Costs

    Returns
    -------
    float
        On each GPU. [B]

    Notes
    -----
    Counted anew from whole numbers, so that nothing is lost on the way.

    References
    ----------
    Closed form.
    """
    size = 0.0
    for kind in range(len(costs.kinds)):
        size += engine.kinds.blocks_held[kind] * engine.kinds.block_bytes[kind]
        size += engine.now[N_HOLDING] * costs.kinds[kind].state_bytes
    return size


def holding_bytes(engine: Engine, costs: Costs) -> float:
    """Of what is reserved, what holds tokens and states that are still needed.

    Parameters
    ----------
    engine : Engine
    costs : Costs

    Returns
    -------
    float
        On each GPU. [B]

    Notes
    -----
    A prefix that is shared counts once. What has ended, and stays in a static batch, does not.

    References
    ----------
    Kwon et al., PagedAttention, 2023 (arXiv:2309.06180), figure 2.
    """
    size = 0.0
    now, slots, kinds = engine.now, engine.slots, engine.kinds
    n_needed = now[N_PREFILLING] + now[N_DECODING] + now[N_IN_TRANSIT]
    for kind in range(len(costs.kinds)):
        tokens = 0.0
        if kinds.is_shared[kind] > 0:
            tokens = now[TOKENS_HELD] - doubled_tokens(engine, kind)
        else:
            for slot in range(len(slots.status)):
                if PREFILLING <= slots.status[slot] <= IN_TRANSIT:
                    length, kept = slots.cached_len[slot], kinds.kept_len[kind]
                    tokens += min(length, kept)
        size += tokens * costs.kinds[kind].bytes_per_token
        size += n_needed * costs.kinds[kind].state_bytes
    return size


def doubled_tokens(engine: Engine, kind: int) -> float:
    """Tokens of shared prefixes that are counted more than once.

    Parameters
    ----------
    engine : Engine
    kind : int
        Place among the kinds.

    Returns
    -------
    float
        [tokens]

    Notes
    -----
    All prefixes in use without the longest of them.

    References
    ----------
    Closed form.
    """
    slots = engine.slots
    if engine.now[SHARED_BLOCKS] == 0:
        return 0.0
    longest, n_blocks = 0.0, 0.0
    for slot in range(len(slots.status)):
        if PREFILLING <= slots.status[slot] <= IN_TRANSIT:
            prefix = slots.prefix_blocks[slot]
            n_blocks += prefix
            longest = max(prefix, longest)
    return (n_blocks - longest) * engine.kinds.block_len[kind]


def missing_bytes(engine: Engine, costs: Costs, length: float, prefix_blocks: float) -> float:
    """What a sequence would take of the pool if it came in.

    Parameters
    ----------
    engine : Engine
    costs : Costs
    length : float
        That its blocks are to have room for. [tokens]
    prefix_blocks : float
        Of these blocks those that can be shared. [count]

    Returns
    -------
    float
        On each GPU. [B]

    Notes
    -----
    Of a shared prefix what is longer than that which is there.

    References
    ----------
    Zheng et al., SGLang, 2023 (arXiv:2312.07104), section 3.
    """
    shared = engine.now[SHARED_BLOCKS]
    there = min(shared, prefix_blocks)
    size = 0.0
    for kind in range(len(costs.kinds)):
        n_blocks = blocks_of(engine, kind, length)
        if engine.kinds.is_shared[kind] > 0:
            n_blocks -= there
        size = size + n_blocks * engine.kinds.block_bytes[kind] + costs.kinds[kind].state_bytes
    return size


def prefix_blocks_of(rules: Rules, costs: Costs, prompt_len: float) -> float:
    """Whole blocks of a prompt that all prompts have in common.

    Parameters
    ----------
    rules : Rules
    costs : Costs
    prompt_len : quantity

    Returns
    -------
    float
        None where a block is the longest sequence. [count]

    Notes
    -----
    ⌊P · hit / block⌋: prompts begin alike, so the shorter prefix is the start of the longer.

    References
    ----------
    Zheng et al., SGLang, 2023 (arXiv:2312.07104), section 3.
    """
    cached = prompt_len - computed_len(costs, prompt_len)
    return (cached - cached % rules.block_len) / rules.block_len


def fits_alone(rules: Rules, engine: Engine, costs: Costs, prompt: float, output: float) -> bool:
    """Whether a request could be served at all, if it were the only one.

    Parameters
    ----------
    rules : Rules
    engine : Engine
    costs : Costs
    prompt, output : float
        [tokens]

    Returns
    -------
    bool

    Notes
    -----
    Prompt and output have a token at least, together they are no longer than the longest sequence,
    and their blocks, the last token needing none, fit into the pool.

    References
    ----------
    Closed form.
    """
    if prompt < 1 or output < 1 or prompt + output > rules.max_len:
        return False
    size = 0.0
    for kind in range(len(costs.kinds)):
        n_blocks = blocks_of(engine, kind, prompt + output - 1)
        size = size + n_blocks * engine.kinds.block_bytes[kind] + costs.kinds[kind].state_bytes
    return size <= costs.pool_bytes


def take(engine: Engine, slot: int, length: float, prefix_blocks: float) -> None:
    """Take blocks for a sequence that comes in.

    Parameters
    ----------
    engine : Engine
        Changed.
    slot : int
    length : float
        That they have room for. [tokens]
    prefix_blocks : float
        Of these blocks those that are shared. [count]

    Notes
    -----
    The pool has room, as `missing_bytes` said.

    References
    ----------
    `missing_bytes`.
    """
    now, slots, kinds = engine.now, engine.slots, engine.kinds
    longer = prefix_blocks - now[SHARED_BLOCKS]
    longer = max(longer, 0.0)
    for kind in range(len(kinds.blocks_held)):
        n_blocks = blocks_of(engine, kind, length)
        if kinds.is_shared[kind] > 0:
            n_blocks = n_blocks - prefix_blocks + longer
        kinds.blocks_held[kind] += n_blocks
    now[SHARED_BLOCKS] += longer
    now[N_HOLDING] += 1
    slots.reserved_len[slot] = length
    slots.prefix_blocks[slot] = prefix_blocks
    slots.room_len[slot] = _room_len(engine, length)


def grow(engine: Engine, costs: Costs, slot: int, length: float) -> bool:
    """Take the blocks that a sequence needs to become longer, if they are free.

    Parameters
    ----------
    engine : Engine
        Changed where they are.
    costs : Costs
    slot : int
    length : float
        [tokens]

    Returns
    -------
    bool
        Whether they were free.

    Notes
    -----
    One block of each kind that has no room left.

    References
    ----------
    Kwon et al., PagedAttention, 2023 (arXiv:2309.06180), section 4.3.
    """
    kinds, slots = engine.kinds, engine.slots
    size = 0.0
    for kind in range(len(kinds.blocks_held)):
        more = blocks_of(engine, kind, length) - blocks_of(engine, kind, slots.reserved_len[slot])
        size += more * kinds.block_bytes[kind]
    if reserved_bytes(engine, costs) + size > costs.pool_bytes:
        return False
    for kind in range(len(kinds.blocks_held)):
        more = blocks_of(engine, kind, length) - blocks_of(engine, kind, slots.reserved_len[slot])
        kinds.blocks_held[kind] += more
    slots.reserved_len[slot] = length
    slots.room_len[slot] = _room_len(engine, length)
    return True


def give_back(engine: Engine, slot: int) -> None:
    """Free the blocks of a sequence; a prefix stays as long as somebody shares it.

    Parameters
    ----------
    engine : Engine
        Changed.
    slot : int

    Notes
    -----
    Of what nobody uses any more a real engine keeps copies, and overwrites them as it needs.

    References
    ----------
    Zheng et al., SGLang, 2023 (arXiv:2312.07104), section 3.
    """
    now, slots, kinds = engine.now, engine.slots, engine.kinds
    length, own_prefix = slots.reserved_len[slot], slots.prefix_blocks[slot]
    slots.reserved_len[slot] = 0.0
    slots.prefix_blocks[slot] = 0.0
    longest = 0.0
    for other in range(len(slots.prefix_blocks)):
        longest = max(longest, slots.prefix_blocks[other])
    for kind in range(len(kinds.blocks_held)):
        n_blocks = blocks_of(engine, kind, length)
        if kinds.is_shared[kind] > 0:
            n_blocks = n_blocks - own_prefix + now[SHARED_BLOCKS] - longest
        kinds.blocks_held[kind] -= n_blocks
    now[SHARED_BLOCKS] = longest
    now[N_HOLDING] -= 1
    now[IS_BLOCKED] = 0


def youngest(engine: Engine) -> int:
    """The slot that gives way first: of those that prefill or decode the one that came in last.

    Parameters
    ----------
    engine : Engine

    Returns
    -------
    int
        -1 if there is none.

    Notes
    -----
    So the oldest always gets on, and nobody waits for ever.

    References
    ----------
    Kwon et al., PagedAttention, 2023 (arXiv:2309.06180), section 4.5.
    """
    slots, found = engine.slots, -1
    for slot in range(len(slots.status)):
        if PREFILLING <= slots.status[slot] <= DECODING and (
            found < 0 or slots.request[slot] > slots.request[found]
        ):
            found = slot
    return found


def longest_block(engine: Engine) -> float:
    """Tokens in a block of the layers whose blocks are the longest.

    Parameters
    ----------
    engine : Engine

    Returns
    -------
    float
        [tokens]

    Notes
    -----
    Those with shorter ones keep no more than a single one.

    References
    ----------
    `new_engine`.
    """
    block_len = engine.kinds.block_len[0]
    for kind in range(len(engine.kinds.block_len)):
        block_len = max(block_len, engine.kinds.block_len[kind])
    return block_len


def _room_len(engine: Engine, length: float) -> float:
    """Tokens that the blocks of a sequence have room for before any kind needs another."""
    block_len = longest_block(engine)
    padded = length + block_len - 1
    return padded - padded % block_len
