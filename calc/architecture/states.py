"""Parameters of layers that keep a constant state: delta rules, Mamba, convolutions, linear."""

from __future__ import annotations

from calc.primitives import where
from calc.quantity import Value


def delta_params(
    d_model: Value,
    n_state_key_heads: Value,
    n_state_heads: Value,
    d_state_key: Value,
    d_state_value: Value,
    conv_len: Value,
) -> Value:
    """Parameters of one gated-delta-rule layer (Qwen3-Next, Qwen3.5).

    Parameters
    ----------
    d_model : quantity
    n_state_key_heads, n_state_heads : scalar or array
        Heads of keys, and of values. [count]
    d_state_key, d_state_value : scalar or array
        Their sizes. [count]
    conv_len : scalar or array
        Tokens that a convolution spans. [tokens]

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
    keys, values = n_state_key_heads * d_state_key, n_state_heads * d_state_value
    inner = 2 * keys + 2 * values + 2 * n_state_heads
    convolution = (2 * keys + values) * conv_len
    return d_model * inner + convolution + 2 * n_state_heads + d_state_value + values * d_model


def mamba_params(
    d_model: Value,
    n_groups: Value,
    n_state_heads: Value,
    d_state: Value,
    d_inner: Value,
    conv_len: Value,
    state_norm: Value = 1.0,
) -> Value:
    """Parameters of one Mamba-2 layer.

    Parameters
    ----------
    d_model : quantity
    n_groups : scalar or array
        Groups, which share their B and C. [count]
    n_state_heads : scalar or array
        [count]
    d_state : scalar or array
        Size of B and of C. [count]
    d_inner : scalar or array
        Width of all heads. [count]
    conv_len : scalar or array
        Tokens that a convolution spans. [tokens]
    state_norm : scalar or array
        1 = the layer has a norm inside. [0 or 1]

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
    conv_width = d_inner + 2 * n_groups * d_state
    inner = d_inner + conv_width + n_state_heads
    return (
        d_model * inner
        + conv_width * (conv_len + 1)
        + 3 * n_state_heads
        + state_norm * d_inner
        + d_inner * d_model
    )


def selective_params(
    d_model: Value,
    d_inner: Value,
    d_state: Value,
    conv_len: Value,
    step_rank: Value,
    step_norms: Value = 0.0,
) -> Value:
    """Parameters of one Mamba-1 layer.

    Parameters
    ----------
    d_model : quantity
    d_inner : scalar or array
        Width inside. [count]
    d_state : scalar or array
        Size of B and of C. [count]
    conv_len : scalar or array
        Tokens that a convolution spans. [tokens]
    step_rank : scalar or array
        Rank of the step's projection. [count]
    step_norms : scalar or array
        1 = step, B and C have norms (Jamba). [0 or 1]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    An input projection for x and gate; a convolution with bias; a projection to step, B and C;
    the step back to the inside, with bias; decay and skip; the output.

    References
    ----------
    Gu, Dao, Mamba, 2023 (arXiv:2312.00752); Jamba, 2024 (arXiv:2403.19887).
    """
    inner = step_rank + 2 * d_state
    return (
        3 * d_model * d_inner
        + d_inner * (conv_len + 1)
        + (d_inner + step_norms) * inner
        + (step_rank + 1) * d_inner
        + d_inner * (d_state + 1)
    )


def conv_params(d_model: Value, conv_len: Value, conv_bias: Value = 0.0) -> Value:
    """Parameters of one gated short convolution (LFM2).

    Parameters
    ----------
    d_model : quantity
    conv_len : scalar or array
        Tokens that the convolution spans. [tokens]
    conv_bias : scalar or array
        1 = projections and convolution have biases. [0 or 1]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    An input projection to three times the width, the convolution, the output.

    References
    ----------
    `modeling_lfm2.py` of Hugging Face transformers.
    """
    return d_model * (4 * d_model + conv_len + 5 * conv_bias)


def lightning_params(d_model: Value, n_state_heads: Value, d_state_value: Value) -> Value:
    """Parameters of one lightning-attention layer (MiniMax, Ling and Ring).

    Parameters
    ----------
    d_model : quantity
    n_state_heads, d_state_value : scalar or array
        Heads and their size. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Queries, keys, values, a gate of the output with its norm, and the output. Decays are fixed.

    References
    ----------
    MiniMax-01, 2025 (arXiv:2501.08313).
    """
    width = n_state_heads * d_state_value
    return 5 * d_model * width + width


def kda_params(
    d_model: Value,
    n_state_heads: Value,
    d_state_value: Value,
    conv_len: Value,
    full_rank_gate: Value = 0.0,
    full_rank_decay: Value = 0.0,
) -> Value:
    """Parameters of one Kimi-delta-attention layer.

    Parameters
    ----------
    d_model : quantity
    n_state_heads, d_state_value : scalar or array
        Heads and their size. [count]
    conv_len : scalar or array
        Tokens that a convolution spans. [tokens]
    full_rank_gate, full_rank_decay : scalar or array
        1 = the output gate, the decay is one matrix. [0 or 1]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Queries, keys and values with a convolution each; a decay and an output gate, both of
    rank d_state_value unless they are full; a step, a decay per head and a bias; a norm;
    the output.

    References
    ----------
    Kimi Linear, 2025 (arXiv:2510.26692).
    """
    width = n_state_heads * d_state_value
    low_rank = d_model * d_state_value + d_state_value * width
    gates = where(full_rank_decay > 0, d_model * width, low_rank)
    gates = gates + where(full_rank_gate > 0, d_model * width, low_rank)
    projections = 3 * width * (d_model + conv_len) + gates + d_model * n_state_heads
    return projections + n_state_heads + width + d_state_value + width * d_model
