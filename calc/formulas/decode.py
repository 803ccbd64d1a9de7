"""One decode step: every sequence in flight gets one more token."""

from __future__ import annotations

from calc.choose import minimum
from calc.quantity import Value

#: One multiply and one add. [FLOP]
MULTIPLY_ADD = 2.0


def decode_bytes(weight_bytes_read: Value, kv_bytes: Value) -> Value:
    """Bytes read from HBM in one decode step.

    Parameters
    ----------
    weight_bytes_read : scalar or array
        [B]
    kv_bytes : scalar or array
        Cache of the whole batch. [B]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    W + KV: weights once per step whatever the batch, the cache once per sequence.
    Activations and the one new key and value are left out: both are smaller by
    orders of magnitude. The serving lesson's widget text multiplies the weights by the
    batch as well; with that, batching could not raise throughput.

    References
    ----------
    The inference-economics lesson, module 2.
    """
    return weight_bytes_read + kv_bytes


def linear_flops(n_multiplied: Value, n_tokens: Value) -> Value:
    """Arithmetic of all matrices for so many tokens.

    Parameters
    ----------
    n_multiplied : scalar or array
        Parameters that each token passes: the active ones. [count]
    n_tokens : scalar or array
        Sequences in flight for a decode step. [tokens]

    Returns
    -------
    same shape
        [FLOP]

    Notes
    -----
    2 · N · B: one multiply and one add per parameter and token. The lesson counts the
    input embedding as well, though a look-up multiplies nothing.

    References
    ----------
    Kaplan et al., Scaling Laws, 2020 (arXiv:2001.08361), section 2.1.
    """
    return MULTIPLY_ADD * n_multiplied * n_tokens


def attention_flops_per_token(
    n_full_layers: Value,
    decode_attention_width: Value,
    context_len: Value,
    n_window_layers: Value = 0.0,
    window_attention_width: Value = 0.0,
    window_len: Value = 0.0,
) -> Value:
    """Arithmetic of attention for one new token.

    Parameters
    ----------
    n_full_layers, n_window_layers : scalar or array
        [count]
    decode_attention_width, window_attention_width : scalar or array
        Multiply-adds per cached token and layer: 2·h·d_head under MHA, GQA and MQA;
        h·(2·kv_lora_rank + rope) for absorbed MLA. [count]
    context_len, window_len : scalar or array
        [tokens]

    Returns
    -------
    same shape
        [FLOP]

    Notes
    -----
    2 · L · a · T: scores and weighted values. Query heads count here, not KV heads: GQA
    saves bytes, not arithmetic. For the 7 B default it equals 2·N at about 27,000
    tokens. Linear layers are left out: their part does not grow with T.

    References
    ----------
    DeepSeek-V2, 2024 (arXiv:2405.04434), section 2.1.2 for the absorbed form.
    """
    full = MULTIPLY_ADD * n_full_layers * decode_attention_width * context_len
    windowed = minimum(context_len, window_len)
    return full + MULTIPLY_ADD * n_window_layers * window_attention_width * windowed


def speedup(tokens_per_s: Value, baseline_tokens_per_s: Value) -> Value:
    """How many times as fast as a baseline.

    Parameters
    ----------
    tokens_per_s, baseline_tokens_per_s : scalar or array
        Positive. [tokens/s]

    Returns
    -------
    same shape
        Below 1 for a loss. [ratio]

    Notes
    -----
    rate / baseline. Compares two ceilings; real ratios are usually closer to 1.

    References
    ----------
    Closed form.
    """
    return tokens_per_s / baseline_tokens_per_s
