"""What fills HBM: weights, KV cache, draft model, reserve."""

from __future__ import annotations

import numpy as np

from calc.choose import maximum, minimum, where
from calc.quantity import Value

#: No context is longer than this: the bound that `Scenario.validate` sets. [tokens]
LONGEST_CONTEXT = 1e9

#: What quantisation leaves alone is stored at 16 bit. [B]
KEPT_BYTES = 2.0

#: Stands in for a cache that does not grow. [B/token]
SMALLEST_CACHE = 1e-9


def kv_bytes_per_token(
    n_full_layers: Value,
    n_kv_heads: Value,
    d_head: Value,
    bytes_per_kv: Value,
    cache_width: Value = 0.0,
) -> Value:
    """Bytes that one more token adds to one sequence's full-attention cache.

    Parameters
    ----------
    n_full_layers : scalar or array
        Layers that keep the whole context. [count]
    n_kv_heads : scalar or array
        Key/value heads per layer; query heads / g under GQA. [count]
    d_head : scalar or array
        Width of one head. [count]
    bytes_per_kv : scalar or array
        Storage of one cached element. [B]
    cache_width : scalar or array
        Elements per token and layer where they are not 2·n_kv·d_head: an MLA latent, or
        values narrower than keys. 0 = the usual. [count]

    Returns
    -------
    same shape
        [B/token]

    Notes
    -----
    2 · L · n_kv · d_head · b_kv: one key and one value. Holds for MHA, GQA and MQA. MLA
    keeps one latent and one rotary key instead, so its width is kv_lora_rank +
    qk_rope_head_dim, once. Sliding-window layers are counted by `window_bytes_per_token`.

    References
    ----------
    Ainslie et al., GQA, 2023 (arXiv:2305.13245); DeepSeek-V2, 2024 (arXiv:2405.04434),
    section 2.1; the serving lesson, section 2.
    """
    return where(
        cache_width > 0,
        n_full_layers * cache_width * bytes_per_kv,
        2 * n_full_layers * n_kv_heads * d_head * bytes_per_kv,
    )


def window_bytes_per_token(
    n_window_layers: Value, window_cache_width: Value, bytes_per_kv: Value
) -> Value:
    """Bytes that a token occupies in the sliding-window layers while it is in the window.

    Parameters
    ----------
    n_window_layers : scalar or array
        [count]
    window_cache_width : scalar or array
        Cached elements per token and layer. [count]
    bytes_per_kv : scalar or array
        [B]

    Returns
    -------
    same shape
        [B/token]

    Notes
    -----
    L_win · w_win · b_kv. Also right for chunked attention (Llama 4), which never keeps
    more than one chunk.

    References
    ----------
    Beltagy et al., Longformer, 2020 (arXiv:2004.05150), section 3.
    """
    return n_window_layers * window_cache_width * bytes_per_kv


def kv_bytes_per_sequence(
    full_bytes_per_token: Value,
    context_len: Value,
    window_bytes_per_token: Value = 0.0,
    window_len: Value = 0.0,
    state_bytes: Value = 0.0,
) -> Value:
    """KV cache and recurrent state that one sequence holds.

    Parameters
    ----------
    full_bytes_per_token : scalar or array
        Of the layers that keep everything. [B/token]
    context_len : scalar or array
        Tokens in the cache. [tokens]
    window_bytes_per_token : scalar or array
        Of the sliding-window layers. [B/token]
    window_len : scalar or array
        [tokens]
    state_bytes : scalar or array
        Of all linear or recurrent layers, whatever the length. [B]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    T · KV_full + min(T, window) · KV_win + state. Arithmetic, not what a paged engine
    reserves: see `blocks.reserved_bytes`.

    References
    ----------
    The serving lesson, section 2.
    """
    full = context_len * full_bytes_per_token
    windowed = minimum(context_len, window_len) * window_bytes_per_token
    return full + windowed + state_bytes


def quantised_bytes(
    n_params: Value,
    bytes_per_weight: Value,
    scale_bytes_per_weight: Value,
    real_checkpoint: Value,
) -> Value:
    """Weights that are stored in the weight format.

    Parameters
    ----------
    n_params : scalar or array
        [count]
    bytes_per_weight, scale_bytes_per_weight : scalar or array
        [B]
    real_checkpoint : scalar or array
        1 = with scales, 0 = the stated width alone. [0 or 1]

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
    return where(
        real_checkpoint > 0,
        n_params * (bytes_per_weight + scale_bytes_per_weight),
        n_params * bytes_per_weight,
    )


def kept_bytes(n_params: Value, bytes_per_weight: Value, real_checkpoint: Value) -> Value:
    """Weights that quantised checkpoints leave at 16 bit.

    Parameters
    ----------
    n_params : scalar or array
        [count]
    bytes_per_weight : scalar or array
        Of the weight format. [B]
    real_checkpoint : scalar or array
        1 = they stay at 16 bit, 0 = everything has the stated width. [0 or 1]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    N · max(b_w, 2 B). The embedding and the output head stay at 16 bit in most released
    checkpoints, and so does everything but the experts in gpt-oss.

    References
    ----------
    Quantisation sections of the config.json of Qwen3-32B-FP8 and gpt-oss-20b.
    """
    return where(
        real_checkpoint > 0,
        n_params * maximum(bytes_per_weight, KEPT_BYTES),
        n_params * bytes_per_weight,
    )


def weight_bytes(
    n_params: Value,
    bytes_per_weight: Value,
    scale_bytes_per_weight: Value = 0.0,
    n_16bit: Value = 0.0,
    real_checkpoint: Value = 0.0,
) -> Value:
    """All weights that must be resident.

    Parameters
    ----------
    n_params : scalar or array
        Parameters, embeddings included. [count]
    bytes_per_weight, scale_bytes_per_weight : scalar or array
        Of a quantised weight, and of what is stored beside it. [B]
    n_16bit : scalar or array
        Parameters that quantised checkpoints keep at 16 bit. [count]
    real_checkpoint : scalar or array
        1 = with scales and 16-bit parts, 0 = every weight at the stated width. [0 or 1]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    N · b_w under the lesson's assumptions; of a real checkpoint
    (N − N_16)·(b_w + b_scale) + N_16·max(b_w, 2 B).

    References
    ----------
    The serving lesson, section 5.
    """
    quantised = (n_params - n_16bit) * (bytes_per_weight + scale_bytes_per_weight)
    kept = n_16bit * maximum(bytes_per_weight, KEPT_BYTES)
    return where(real_checkpoint > 0, quantised + kept, n_params * bytes_per_weight)


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
        Capacity that may be used. [B]
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
    return maximum(0.0, np.floor(room / (kv_bytes_per_sequence * resident)))


def kv_room_bytes(
    hbm_bytes: Value,
    weight_bytes: Value,
    batch: Value,
    draft_share: Value,
    reserve_bytes: Value,
) -> Value:
    """Room beside the weights for each sequence's cache.

    Parameters
    ----------
    hbm_bytes : scalar or array
        Capacity that may be used. [B]
    weight_bytes : scalar or array
        [B]
    batch : scalar or array
        Sequences in flight. [count]
    draft_share : scalar or array
        [ratio]
    reserve_bytes : scalar or array
        [B]

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
    resident = 1 + draft_share
    room = hbm_bytes - reserve_bytes - weight_bytes * resident
    return maximum(0.0, room / (batch * resident))


def max_context_len(
    room_bytes: Value,
    full_bytes_per_token: Value,
    window_bytes_per_token: Value,
    window_len: Value,
    state_bytes: Value,
) -> Value:
    """Longest context whose cache fits into a room: the inverse of `kv_bytes_per_sequence`.

    Parameters
    ----------
    room_bytes : scalar or array
        Left for one sequence. [B]
    full_bytes_per_token, window_bytes_per_token : scalar or array
        [B/token]
    window_len : scalar or array
        [tokens]
    state_bytes : scalar or array
        [B]

    Returns
    -------
    same shape
        A whole number from 0 to 1e9. [tokens]

    Notes
    -----
    Up to the window each token costs KV_full + KV_win, beyond it only KV_full. A model
    whose every layer slides or recurs has no longest context: the bound is returned.

    References
    ----------
    Closed form.
    """
    room = maximum(room_bytes - state_bytes, 0.0)
    within = room / maximum(full_bytes_per_token + window_bytes_per_token, SMALLEST_CACHE)
    rest = maximum(room - window_len * window_bytes_per_token, 0.0)
    beyond = rest / maximum(full_bytes_per_token, SMALLEST_CACHE)
    longest = where(within <= window_len, within, beyond)
    return np.floor(minimum(longest, LONGEST_CONTEXT))
