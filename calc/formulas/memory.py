"""What fills HBM: weights, cache, draft model, reserve."""

from __future__ import annotations

import numpy as np

from calc.primitives import maximum, where
from calc.quantity import Value


def quantised_bytes(
    n_params: Value,
    bytes_per_weight: Value,
    scale_bytes_per_weight: Value,
    real_checkpoint: Value,
) -> Value:
    """Weights that are stored in the weight format.

    Parameters
    ----------
    n_params : quantity
        Of these weights.
    bytes_per_weight, scale_bytes_per_weight, real_checkpoint : quantity

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    N · (b_w + b_scale). AWQ's groups of 128 make 4.16 bits of 4, MXFP4 4.25, NVFP4 4.5.

    References
    ----------
    Lin et al., AWQ, 2023 (arXiv:2306.00978); OCP Microscaling Formats (MX) 1.0.
    """
    return n_params * (bytes_per_weight + real_checkpoint * scale_bytes_per_weight)


def unquantised_bytes(
    n_params: Value,
    bytes_per_weight: Value,
    wide_bytes_per_weight: Value,
    real_checkpoint: Value,
) -> Value:
    """Weights that quantised checkpoints leave at 16 bit.

    Parameters
    ----------
    n_params : quantity
        Of these weights.
    bytes_per_weight, wide_bytes_per_weight, real_checkpoint : quantity

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    N · max(b_w, b_wide). The embedding and the output head stay at 16 bit in most released
    checkpoints, and so does everything but the experts in gpt-oss; in GGUF they are quantised, too:
    half of them counts as the type itself, as the embedding is, and half as q6_k, as the head is.

    References
    ----------
    Quantisation sections of the config.json of Qwen3-32B-FP8 and gpt-oss-20b; llama.cpp's
    `tools/quantize/README.md` at 311c2c9f, whose sizes of Llama 3.1 8B that gives within 6 %.
    """
    return where(
        real_checkpoint > 0,
        n_params * maximum(bytes_per_weight, wide_bytes_per_weight),
        n_params * bytes_per_weight,
    )


def weight_bytes(
    n_params: Value,
    bytes_per_weight: Value,
    scale_bytes_per_weight: Value = 0.0,
    n_16bit: Value = 0.0,
    wide_bytes_per_weight: Value = 2.0,
    real_checkpoint: Value = 0.0,
) -> Value:
    """All weights that must be resident.

    Parameters
    ----------
    n_params : quantity
        Embeddings included.
    bytes_per_weight, scale_bytes_per_weight, n_16bit : quantity
    wide_bytes_per_weight, real_checkpoint : quantity

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    N · b_w under the lesson's assumptions; of a real checkpoint
    (N − N_16)·(b_w + b_scale) + N_16·max(b_w, b_wide).

    References
    ----------
    The serving lesson, section 5.
    """
    format_bytes = (n_params - n_16bit) * (bytes_per_weight + scale_bytes_per_weight)
    wide_bytes = n_16bit * maximum(bytes_per_weight, wide_bytes_per_weight)
    return where(real_checkpoint > 0, format_bytes + wide_bytes, n_params * bytes_per_weight)


def max_batch(
    hbm_limit_bytes: Value,
    weight_bytes: Value,
    kv_bytes_per_sequence: Value,
    draft_share: Value,
    reserve_bytes: Value,
    data_parallel: Value,
) -> Value:
    """Most sequences of this length that fit beside the weights.

    Parameters
    ----------
    hbm_limit_bytes : quantity
    weight_bytes, kv_bytes_per_sequence : quantity
        On one GPU. The cache must be positive.
    draft_share, reserve_bytes, data_parallel : quantity

    Returns
    -------
    same shape
        A whole number, never below 0. [count]

    Notes
    -----
    ⌊(HBM − reserve − W·(1 + s)) / (KV per sequence·(1 + s))⌋ · dp. Holds when all sequences
    have this length; a paged engine with mixed lengths fits more on average.

    References
    ----------
    The serving lesson, section 2: batch is capped by (HBM − weights) / KV per sequence.
    """
    room = _room_bytes(hbm_limit_bytes, weight_bytes, draft_share, reserve_bytes)
    most = maximum(0.0, np.floor(room / (kv_bytes_per_sequence * (1 + draft_share))))
    return most * data_parallel


def kv_room_bytes(
    hbm_limit_bytes: Value,
    weight_bytes: Value,
    batch: Value,
    draft_share: Value,
    reserve_bytes: Value,
) -> Value:
    """Room beside the weights for each sequence's cache.

    Parameters
    ----------
    hbm_limit_bytes : quantity
    weight_bytes : quantity
        On one GPU.
    batch : quantity
        Of it, of what a GPU holds a part.
    draft_share, reserve_bytes : quantity

    Returns
    -------
    same shape
        Never below 0. [B]

    Notes
    -----
    (HBM − reserve − W·(1 + s)) / (B·(1 + s)).

    References
    ----------
    The serving lesson, section 2.
    """
    room = _room_bytes(hbm_limit_bytes, weight_bytes, draft_share, reserve_bytes)
    return maximum(0.0, room / (batch * (1 + draft_share)))


def _room_bytes(
    hbm_limit_bytes: Value, weight_bytes: Value, draft_share: Value, reserve_bytes: Value
) -> Value:
    """What reserve and weights, those of the draft included, leave for caches."""
    return hbm_limit_bytes - reserve_bytes - weight_bytes * (1 + draft_share)
