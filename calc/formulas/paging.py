"""What a paged engine sets aside for a sequence: blocks, padded layer groups, whole pages."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from calc.formulas.kv import KindCache
from calc.primitives import divisor, largest, maximum, minimum, total, where
from calc.quantity import Value
from calc.scenario import ALL_TOKENS, LayerKind

#: Tokens per block: vLLM's default on GPUs.
BLOCK_LEN = 16.0

#: A kind with fewer layers sets the group size unless the largest kind is this close.
NEARLY_EQUAL = 1.25

#: Stands in for a page, or a row of a state, that would hold nothing. [B]
SMALLEST_PAGE = 1.0

#: Tokens per block of a compressed cache, and of a window beside one.
COMPRESSED_BLOCK_LEN = 256.0
WINDOW_BLOCK_LEN = 64.0

#: Pages of a compressed cache are rounded up to this, as FlashMLA reads them. [B]
PAGE_STEP_BYTES = 576.0

#: Rows of a compressor's state that share a block are about this much per layer. [B]
STATE_BLOCK_BYTES = 32768.0

_NONE = 1e9


def tokens_in_flight(
    batched_tokens: Value, batches_in_flight: Value, pipeline_parallel: Value
) -> Value:
    """Tokens of a sequence that may be on their way while room is set aside for it.

    Parameters
    ----------
    batched_tokens, batches_in_flight, pipeline_parallel : quantity

    Returns
    -------
    same shape
        [tokens]

    Notes
    -----
    chunk · (ahead + pp − 1): two batches with asynchronous scheduling, and one more for each
    further stage. Up to vLLM 0.25 it was chunk alone.

    References
    ----------
    vLLM 0.31, `vllm/config/vllm.py`.
    """
    return batched_tokens * (batches_in_flight + pipeline_parallel - 1)


def group_layers(kinds: Collection[LayerKind]) -> Value:
    """Layers that share one block table in vLLM's block pool.

    Parameters
    ----------
    kinds : collection of LayerKind
        Those without layers do not count.

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    The layer count of the smallest kind, or of the largest if that is less than 1.25
    times as many. Layers of each kind are cut into groups of this size and the last
    group is padded, so Gemma 3 27B (52 sliding, 10 full) is stored as 70 layers.

    References
    ----------
    vLLM, `vllm/v1/core/kv_cache_utils.py`; reproduces its log lines (see docs/arithmetic.md).
    """
    smallest: Value = _NONE
    for each in kinds:
        smallest = minimum(smallest, where(each.n_layers > 0, each.n_layers, _NONE))
    most = largest([each.n_layers for each in kinds])
    return where(most < NEARLY_EQUAL * smallest, most, smallest)


def page_bytes(caches: Collection[KindCache], stage_fraction: Value) -> Value:
    """Size of one page: the block of one layer, the same for every kind of layer.

    Parameters
    ----------
    caches : collection of KindCache
        On one GPU, before context parallelism splits their tokens.
    stage_fraction : quantity

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    16 tokens of the widest attention layer, enlarged in steps of 16 tokens until it
    holds one recurrent state. Narrower layers then put more tokens into a block. GPUs that split
    the tokens have pages as large, for dcp times as long a piece of the sequence.

    References
    ----------
    vLLM, hybrid KV cache manager; its log prints the enlarged block (784 tokens for
    Qwen3.5-27B).
    """
    layers = [(each, divisor(each.kind.n_layers) * stage_fraction) for each in caches]
    widest = largest([each.bytes_per_token / n_layers for each, n_layers in layers])
    state_bytes = largest([each.state_bytes / n_layers for each, n_layers in layers])
    step = maximum(BLOCK_LEN * widest, SMALLEST_PAGE)
    return step * maximum(1.0, np.ceil(state_bytes / step))


def blocks_per_sequence(
    cache: KindCache,
    group_layers: Value,
    page_bytes: Value,
    context_len: Value,
    tokens_in_flight: Value,
    n_drafted: Value,
    stage_fraction: Value,
) -> Value:
    """Blocks that the layers of one kind take for one sequence.

    Parameters
    ----------
    cache : KindCache
        On one GPU.
    group_layers, page_bytes, context_len : quantity
    tokens_in_flight : scalar or array
        For which room is set aside. [tokens]
    n_drafted, stage_fraction : quantity

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    ⌈L / group⌉ · (⌈tokens · bytes / page⌉ + states). A window must have room for the window
    of the first token in flight and for all of these, min(T, kept − 1 + F), and for one more
    block, as it starts anywhere in one. A recurrent state is one block, or k + 2 with k
    drafted tokens: each needs a state to roll back to. With prefix caching vLLM keeps 2;
    that is left out.

    References
    ----------
    vLLM's hybrid KV cache manager, as reconstructed from its logs (see docs/arithmetic.md).
    """
    kind = cache.kind
    tokens = minimum(context_len, kind.kept_len - 1 + tokens_in_flight)
    layer_bytes_per_token = cache.bytes_per_token / (divisor(kind.n_layers) * stage_fraction)
    extra_block = where(kind.kept_len < ALL_TOKENS, 1.0, 0.0)
    states = where(kind.state_bytes > 0, where(n_drafted > 0, n_drafted + 2, 1.0), 0.0)
    in_group = extra_block + np.ceil(tokens * layer_bytes_per_token / page_bytes) + states
    return np.ceil(kind.n_layers / group_layers) * in_group


def window_groups(window: LayerKind, compressed: Collection[LayerKind]) -> Value:
    """Groups that windows beside compressed layers are cut into.

    Parameters
    ----------
    window : LayerKind
    compressed : collection of LayerKind

    Returns
    -------
    same shape
        At least 1. [count]

    Notes
    -----
    As many as makes them about as large as the larger kind of compressed layers.

    References
    ----------
    vLLM 0.31, `vllm/v1/core/kv_cache_utils.py`.
    """
    largest_kind = maximum(largest([kind.n_layers for kind in compressed]), 1.0)
    return maximum(np.floor(window.n_layers / largest_kind + 0.5), 1.0)


def compressed_block_bytes(
    window: KindCache, window_groups: Value, caches: Collection[KindCache], stage_fraction: Value
) -> Value:
    """Size of a block of compressed caches: the pages of the widest group of layers.

    Parameters
    ----------
    window : KindCache
        On one GPU.
    window_groups : scalar or array
        Groups that windows are cut into. [count]
    caches : collection of KindCache
        On one GPU, before context parallelism splits their tokens, of the kinds of which several
        tokens may share an entry.
    stage_fraction : quantity

    Returns
    -------
    same shape
        0 where no layer compresses. [B]

    Notes
    -----
    L · ⌈256 · KV_layer / 576⌉ · 576, summed over the kinds of which several tokens share an entry;
    or ⌈L_win / groups⌉ · ⌈64 · KV_layer / 576⌉ · 576, where a group of windows is wider: few of the
    layers then have entries of few tokens. Groups of compressors' states take blocks as wide.

    References
    ----------
    vLLM 0.31, `vllm/v1/core/kv_cache_utils.py`; reproduces its log lines (see docs/arithmetic.md).
    """
    entries = total(
        [
            where(
                each.kind.tokens_per_entry > 1,
                each.kind.n_layers
                * stage_fraction
                * _compressed_page_bytes(each, COMPRESSED_BLOCK_LEN, stage_fraction),
                0.0,
            )
            for each in caches
        ]
    )
    page_bytes = _compressed_page_bytes(window, WINDOW_BLOCK_LEN, stage_fraction)
    windows = np.ceil(window.kind.n_layers / window_groups) * stage_fraction * page_bytes
    return where(entries > 0, maximum(entries, windows), 0.0)


def _compressed_page_bytes(cache: KindCache, block_len: float, stage_fraction: Value) -> Value:
    """Page of one layer that keeps compressed entries, or a window beside them."""
    n_layers = divisor(cache.kind.n_layers) * stage_fraction
    page_bytes = block_len * cache.bytes_per_token / n_layers
    return np.ceil(page_bytes / PAGE_STEP_BYTES) * PAGE_STEP_BYTES


def compressed_blocks(
    window: LayerKind,
    window_groups: Value,
    compressed: Collection[LayerKind],
    block_bytes: Value,
    context_len: Value,
    tokens_in_flight: Value,
    context_parallel: Value,
    stage_fraction: Value,
) -> Value:
    """Blocks that a sequence takes whose cache is compressed.

    Parameters
    ----------
    window : LayerKind
    window_groups : scalar or array
        Groups that windows are cut into. [count]
    compressed : collection of LayerKind
        What is beside the windows: with rows of which entries are made.
    block_bytes, context_len : quantity
    tokens_in_flight : scalar or array
        For which room is set aside. [tokens]
    context_parallel, stage_fraction : quantity

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    ⌈T / 256·dcp⌉ for all entries; for each group of windows ⌈min(T, kept − 1 + F) / 64⌉ + 1; for
    the compressors of each kind ⌈(rows − 1 + min(T, F)) / r⌉ + 1, r being the rows of 32 KiB of a
    layer. While it decodes F is 1. Windows and rows are not split by context parallelism, and rows
    have a number format of their own: where a block has no room for as many, it holds what it has
    room for, of which no engine is known.

    References
    ----------
    vLLM 0.31, `vllm/v1/core/kv_cache_utils.py` and `vllm/v1/kv_cache_interface.py`; reproduces its
    log lines (see docs/arithmetic.md). Context parallelism: tokenspeed pull request 1498, vLLM
    pull request 56738 (entries are split, windows and states are copied).
    """
    blocks = np.ceil(context_len / (COMPRESSED_BLOCK_LEN * context_parallel))
    blocks = blocks + window_groups * _blocks_begun_anywhere(
        minimum(context_len, window.kept_len - 1 + tokens_in_flight),
        WINDOW_BLOCK_LEN,
    )
    for kind in compressed:
        row_bytes = maximum(kind.state_bytes, SMALLEST_PAGE) / divisor(kind.state_len)
        layer_bytes = maximum(block_bytes, SMALLEST_PAGE) / (
            divisor(kind.n_layers) * stage_fraction
        )
        rows = _blocks_begun_anywhere(
            kind.state_len - 1 + minimum(context_len, tokens_in_flight),
            minimum(STATE_BLOCK_BYTES, layer_bytes) / row_bytes,
        )
        blocks = blocks + where(kind.n_layers > 0, rows, 0.0)
    return blocks


def _blocks_begun_anywhere(n_tokens: Value, block_len: Value) -> Value:
    """Blocks for tokens of which the first stands anywhere in one."""
    return np.ceil(n_tokens / block_len) + 1
