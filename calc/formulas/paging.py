"""What a paged engine sets aside for a sequence: blocks, padded layer groups, whole pages."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from calc.formulas.kv import KindCache
from calc.primitives import divisor, largest, maximum, minimum, where
from calc.quantity import Value
from calc.scenario import ALL_TOKENS, Model

#: Tokens per block: vLLM's default on GPUs.
BLOCK_LEN = 16.0

#: A kind with fewer layers sets the group size unless the largest kind is this close.
NEARLY_EQUAL = 1.25

#: Stands in for a page that would hold nothing. [B]
SMALLEST_PAGE = 1.0

_NONE = 1e9


def group_layers(model: Model) -> Value:
    """Layers that share one block table in vLLM's block pool.

    Parameters
    ----------
    model : Model
        Kinds without layers do not count.

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
    kinds = model.kinds.values()
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
        On one GPU.
    stage_fraction : quantity

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    16 tokens of the widest attention layer, enlarged in steps of 16 tokens until it
    holds one recurrent state. Narrower layers then put more tokens into a block.

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
    batched_tokens: Value,
    n_drafted: Value,
    stage_fraction: Value,
) -> Value:
    """Blocks that the layers of one kind take for one sequence.

    Parameters
    ----------
    cache : KindCache
        On one GPU.
    group_layers, page_bytes, context_len, batched_tokens, n_drafted : quantity
    stage_fraction : quantity

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    ⌈L / group⌉ · (⌈tokens · bytes / page⌉ + states). A window must have room for the window
    of a chunk's first token and for the chunk, min(T, kept − 1 + chunk), and for one more
    block, as it starts anywhere in one. A recurrent state is one block, or k + 2 with k
    drafted tokens: each needs a state to roll back to. With prefix caching vLLM keeps 2;
    that is left out.

    References
    ----------
    vLLM's hybrid KV cache manager, as reconstructed from its logs (see docs/arithmetic.md).
    """
    kind = cache.kind
    tokens = minimum(context_len, kind.kept_len - 1 + batched_tokens)
    layer_bytes_per_token = cache.bytes_per_token / (divisor(kind.n_layers) * stage_fraction)
    extra_block = where(kind.kept_len < ALL_TOKENS, 1.0, 0.0)
    states = where(kind.state_bytes > 0, where(n_drafted > 0, n_drafted + 2, 1.0), 0.0)
    in_group = extra_block + np.ceil(tokens * layer_bytes_per_token / page_bytes) + states
    return np.ceil(kind.n_layers / group_layers) * in_group
