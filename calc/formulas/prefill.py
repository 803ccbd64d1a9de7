"""Prefill: the whole prompt in one parallel pass."""

from __future__ import annotations

from calc.choose import maximum, minimum
from calc.formulas import decode
from calc.quantity import Value


def computed_len(prompt_len: Value, prefix_hit: Value) -> Value:
    """Prompt tokens that are not in the cache already.

    Parameters
    ----------
    prompt_len : scalar or array
        [tokens]
    prefix_hit : scalar or array
        Share of the prompt that an earlier request has left in the cache. [ratio]

    Returns
    -------
    same shape
        [tokens]

    Notes
    -----
    max(1, P · (1 − hit)): the last token is always computed. Changes the time to the
    first token and nothing in decode. Engines match whole blocks from the start.

    References
    ----------
    Zheng et al., SGLang, 2023 (arXiv:2312.07104), section 3.
    """
    return maximum(1.0, prompt_len * (1 - prefix_hit))


def attention_flops(
    n_full_layers: Value,
    prefill_attention_width: Value,
    prompt_len: Value,
    computed_len: Value,
    n_window_layers: Value = 0.0,
    window_attention_width: Value = 0.0,
    window_len: Value = 0.0,
) -> Value:
    """Arithmetic of attention over a prompt, its cached part included as keys.

    Parameters
    ----------
    n_full_layers, n_window_layers : scalar or array
        [count]
    prefill_attention_width, window_attention_width : scalar or array
        Multiply-adds per pair of tokens and layer; 2·h·d_head for most. [count]
    prompt_len, computed_len, window_len : scalar or array
        [tokens]

    Returns
    -------
    same shape
        [FLOP]

    Notes
    -----
    2 · L · a · (P² − (P − P')²)/2: causal, so half of all pairs. Window layers: every
    computed token meets min(P, window) others, high by up to half a window each.

    References
    ----------
    Dao, FlashAttention-2, 2023 (arXiv:2307.08691), section 4.1.
    """
    cached_len = prompt_len - computed_len
    pairs = (prompt_len * prompt_len - cached_len * cached_len) / 2
    windowed = minimum(computed_len * minimum(prompt_len, window_len), pairs)
    full = decode.MULTIPLY_ADD * n_full_layers * prefill_attention_width * pairs
    return full + decode.MULTIPLY_ADD * n_window_layers * window_attention_width * windowed


def written_bytes(
    computed_len: Value,
    full_bytes_per_token: Value,
    window_bytes_per_token: Value,
    state_bytes: Value,
) -> Value:
    """Cache that prefill writes.

    Parameters
    ----------
    computed_len : scalar or array
        [tokens]
    full_bytes_per_token, window_bytes_per_token : scalar or array
        [B/token]
    state_bytes : scalar or array
        [B]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    P' · (KV_full + KV_win) + state: window layers too write every token once.

    References
    ----------
    Closed form.
    """
    return computed_len * (full_bytes_per_token + window_bytes_per_token) + state_bytes


def prefill_flops_per_byte(prefill_flops: Value, prefill_bytes: Value) -> Value:
    """Arithmetic intensity of prefill.

    Parameters
    ----------
    prefill_flops : scalar or array
        [FLOP]
    prefill_bytes : scalar or array
        Weights once for the whole prompt, and, if counted, the keys and values that it
        writes. [B]

    Returns
    -------
    same shape
        [FLOP/B]

    Notes
    -----
    2·N·P / W, which in bf16 is P itself. The written cache is left out under the
    lesson's assumptions: at the default it would lower the intensity by 7 %.

    References
    ----------
    The serving lesson, section 1.
    """
    return prefill_flops / prefill_bytes
