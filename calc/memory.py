"""What fills HBM: weights, KV cache, draft model, reserve."""

from __future__ import annotations

import numpy as np

from calc.quantity import Value


def kv_bytes_per_token(
    n_layers: Value, n_kv_heads: Value, d_head: Value, bytes_per_kv: Value
) -> Value:
    """Bytes that one more token adds to one sequence's KV cache.

    Parameters
    ----------
    n_layers : scalar or array
        Layers that keep a full-attention cache. [count]
    n_kv_heads : scalar or array
        Key/value heads per layer; query heads / g under GQA. [count]
    d_head : scalar or array
        Width of one head. [count]
    bytes_per_kv : scalar or array
        Storage of one cached element. [B]

    Returns
    -------
    same shape
        [B/token]

    Notes
    -----
    2 · L · n_kv · d_head · b_kv: one key and one value. Holds for MHA, GQA and MQA;
    not for sliding-window layers, MLA, or a cache shared between layers.

    References
    ----------
    Ainslie et al., GQA, 2023 (arXiv:2305.13245); the serving lesson, section 2.
    """
    return 2 * n_layers * n_kv_heads * d_head * bytes_per_kv


def kv_bytes_per_sequence(kv_bytes_per_token: Value, context_len: Value) -> Value:
    """KV cache that one sequence holds.

    Parameters
    ----------
    kv_bytes_per_token : scalar or array
        [B/token]
    context_len : scalar or array
        Tokens in the cache. [tokens]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    T · KV per token. Arithmetic, not what a paged engine reserves: that rounds up to blocks.

    References
    ----------
    The serving lesson, section 2.
    """
    return context_len * kv_bytes_per_token


def weight_bytes(n_params: Value, bytes_per_weight: Value) -> Value:
    """All weights that must be resident.

    Parameters
    ----------
    n_params : scalar or array
        Parameters, embeddings included. [count]
    bytes_per_weight : scalar or array
        [B]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    N · b_w. Ideal: real 4-bit checkpoints also store scales and keep embeddings at
    16 bit, so they are larger than this.

    References
    ----------
    The serving lesson, section 5.
    """
    return n_params * bytes_per_weight


def max_batch(
    hbm_bytes: Value,
    weight_bytes: Value,
    kv_bytes_per_sequence: Value,
    draft_share: Value,
    reserve_bytes: Value,
) -> Value:
    """Most sequences of this length that fit beside the weights.

    Parameters
    ----------
    hbm_bytes : scalar or array
        Capacity. [B]
    weight_bytes : scalar or array
        [B]
    kv_bytes_per_sequence : scalar or array
        Must be positive. [B]
    draft_share : scalar or array
        Draft model's weights and cache as a share of the target's; 0 = none. [ratio]
    reserve_bytes : scalar or array
        Kept free for activations and workspace. [B]

    Returns
    -------
    same shape
        A whole number, never below 0. [count]

    Notes
    -----
    ⌊(HBM − reserve − W·(1 + s)) / (KV per sequence·(1 + s))⌋. Holds when all sequences
    have this length; a paged engine with mixed lengths fits more on average.

    References
    ----------
    The serving lesson, section 2: batch is capped by (HBM − weights) / KV per sequence.
    """
    resident = 1 + draft_share
    room = hbm_bytes - reserve_bytes - weight_bytes * resident
    return np.maximum(0.0, np.floor(room / (kv_bytes_per_sequence * resident)))
