"""Parameters of a layer that keeps a constant state: gated delta rule, Mamba-2, Kimi delta."""

from __future__ import annotations

from calc.quantity import Value


def delta_params(
    d_model: Value,
    n_key_heads: Value,
    n_value_heads: Value,
    d_key: Value,
    d_value: Value,
    conv_len: Value,
) -> Value:
    """Parameters of one gated-delta-rule layer (Qwen3-Next, Qwen3.5).

    Parameters
    ----------
    d_model, n_key_heads, n_value_heads, d_key, d_value, conv_len : scalar or array
        [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Queries, keys, values and a gate; two scalars per value head; a short convolution; a
    decay and a step per head; a norm; the output.

    References
    ----------
    Yang et al., Gated Delta Networks, 2024 (arXiv:2412.06464).
    """
    keys, values = n_key_heads * d_key, n_value_heads * d_value
    inner = 2 * keys + 2 * values + 2 * n_value_heads
    convolution = (2 * keys + values) * conv_len
    return d_model * inner + convolution + 2 * n_value_heads + d_value + values * d_model


def mamba_params(
    d_model: Value, n_groups: Value, n_heads: Value, d_state: Value, d_inner: Value, conv_len: Value
) -> Value:
    """Parameters of one Mamba-2 layer.

    Parameters
    ----------
    d_model, n_groups, n_heads, d_state, d_inner, conv_len : scalar or array
        Groups share their B and C; d_inner is the width of all heads. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    One input projection for gate, x, B, C and step; a convolution with bias; decay,
    skip and step bias per head; a norm; the output.

    References
    ----------
    Dao, Gu, Mamba-2, 2024 (arXiv:2405.21060).
    """
    mixed = d_inner + 2 * n_groups * d_state
    inner = d_inner + mixed + n_heads
    return d_model * inner + mixed * (conv_len + 1) + 3 * n_heads + d_inner + d_inner * d_model


def kda_params(d_model: Value, n_heads: Value, d_head: Value, conv_len: Value) -> Value:
    """Parameters of one Kimi-delta-attention layer.

    Parameters
    ----------
    d_model, n_heads, d_head, conv_len : scalar or array
        [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Queries, keys and values with a convolution each; low-rank decay and output gates of
    rank d_head; a step, a decay per head and a bias; a norm; the output.

    References
    ----------
    Kimi Linear, 2025 (arXiv:2510.26692).
    """
    width = n_heads * d_head
    gates = 2 * (d_model * d_head + d_head * width)
    mixed = 3 * width * (d_model + conv_len) + gates + d_model * n_heads
    return mixed + n_heads + width + d_head + width * d_model
