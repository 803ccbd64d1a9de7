"""What a paged engine sets aside for a sequence: blocks, padded layer groups, whole pages."""

from __future__ import annotations

import numpy as np

from calc.choose import maximum, minimum, where
from calc.quantity import Value

#: Tokens per block: vLLM's default on GPUs.
BLOCK_LEN = 16.0

#: A kind with fewer layers sets the group size unless the largest kind is this close.
NEARLY_EQUAL = 1.25

#: Stands in for a page that would hold nothing. [B]
SMALLEST_PAGE = 1.0

_NONE = 1e9


def group_layers(n_full_layers: Value, n_window_layers: Value, n_state_layers: Value) -> Value:
    """Layers that share one block table in vLLM's block pool.

    Parameters
    ----------
    n_full_layers, n_window_layers, n_state_layers : scalar or array
        Layers of each kind; kinds with none do not count. [count]

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
    vLLM, `vllm/v1/core/kv_cache_utils.py`; reproduces its log lines (see docs/model.md).
    """
    smallest: Value = _NONE
    largest: Value = 0.0
    for count in (n_full_layers, n_window_layers, n_state_layers):
        smallest = minimum(smallest, where(count > 0, count, _NONE))
        largest = maximum(largest, count)
    return where(largest < NEARLY_EQUAL * smallest, largest, smallest)


def page_bytes(
    full_bytes_per_token: Value, window_bytes_per_token: Value, state_bytes: Value
) -> Value:
    """Size of one page: the block of one layer, the same for every kind of layer.

    Parameters
    ----------
    full_bytes_per_token, window_bytes_per_token : scalar or array
        Of one layer of each kind, on one GPU; 0 = none. [B/token]
    state_bytes : scalar or array
        Of one recurrent layer, on one GPU; 0 = none. [B]

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
    widest = BLOCK_LEN * maximum(full_bytes_per_token, window_bytes_per_token)
    step = maximum(widest, SMALLEST_PAGE)
    return step * maximum(1.0, np.ceil(state_bytes / step))


def blocks_per_sequence(
    n_tokens: Value, bytes_per_token: Value, page_bytes: Value, n_groups: Value
) -> Value:
    """Blocks that the attention layers of one kind take for one sequence.

    Parameters
    ----------
    n_tokens : scalar or array
        Tokens that this kind keeps. [tokens]
    bytes_per_token : scalar or array
        Of one layer of this kind, on one GPU. [B/token]
    page_bytes : scalar or array
        [B]
    n_groups : scalar or array
        Groups of this kind; 0 = none. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    groups · ⌈tokens · bytes / page⌉. For a window kind, the tokens are
    `window_tokens`, and one more block per group covers the misaligned start.

    References
    ----------
    vLLM's hybrid KV cache manager, as reconstructed from its logs (see docs/model.md).
    """
    return n_groups * np.ceil(n_tokens * bytes_per_token / page_bytes)


def window_tokens(context_len: Value, window_len: Value, batched_tokens: Value) -> Value:
    """Tokens that a window layer must have room for.

    Parameters
    ----------
    context_len, window_len : scalar or array
        [tokens]
    batched_tokens : scalar or array
        Most tokens that one step brings in. [tokens]

    Returns
    -------
    same shape
        [tokens]

    Notes
    -----
    min(T, win − 1 + chunk): the window of the first token of a chunk, and the chunk.

    References
    ----------
    vLLM's hybrid KV cache manager, as reconstructed from its logs (see docs/model.md).
    """
    return minimum(context_len, window_len - 1 + batched_tokens)


def state_blocks(n_drafted: Value) -> Value:
    """Blocks per recurrent layer group and sequence.

    Parameters
    ----------
    n_drafted : scalar or array
        Drafted tokens per pass. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    1, or k + 2 with k drafted tokens: each needs a state to roll back to. With prefix
    caching vLLM keeps 2; that is left out.

    References
    ----------
    vLLM's hybrid KV cache manager, as reconstructed from its logs (see docs/model.md).
    """
    return where(n_drafted > 0, n_drafted + 2, 1.0)
