"""Mixture of experts: three different counts for memory, traffic and arithmetic."""

from __future__ import annotations

import numpy as np

from calc.primitives import divisor, maximum, where
from calc.quantity import Value


def idle_fraction(n_experts: Value, n_experts_per_token: Value, n_tokens: Value) -> Value:
    """Share of a layer's routed experts that none of the tokens is sent to.

    Parameters
    ----------
    n_experts : quantity
        0 = the model has none.
    n_experts_per_token : quantity
    n_tokens : scalar or array
        Tokens in the pass. [tokens]

    Returns
    -------
    same shape
        Between 0 and 1 − k/E (one token); 1 without experts. [ratio]

    Notes
    -----
    (1 − k/E)^tokens: the expectation if every token draws k of E experts uniformly and
    on its own. Real routing is skewed, so real batches leave more experts idle.

    References
    ----------
    Closed form; Dai et al., DeepSeekMoE, 2024 (arXiv:2401.06066) for the routing.
    """
    return np.power(1 - n_experts_per_token / divisor(n_experts), n_tokens)


def experts_touched(n_experts: Value, idle_fraction: Value) -> Value:
    """Distinct routed experts per layer that one pass reads.

    Parameters
    ----------
    n_experts, idle_fraction : quantity

    Returns
    -------
    same shape
        An expectation, so not a whole number; between k and E. [count]

    Notes
    -----
    E · (1 − idle). Three numbers describe an MoE model: all E experts are resident, these
    are read, k per token are multiplied. DeepSeek-V3 (8 of 256) touches 8 experts at
    batch 1, 102 at 16, 222 at 64.

    References
    ----------
    Closed form.
    """
    return n_experts * (1 - idle_fraction)


def n_expert_params(
    n_params: Value, n_active: Value, n_experts: Value, n_experts_per_token: Value
) -> Value:
    """Parameters in all routed experts, from the two counts that model cards print.

    Parameters
    ----------
    n_params, n_active, n_experts, n_experts_per_token : quantity

    Returns
    -------
    same shape
        0 for a dense model. [count]

    Notes
    -----
    N − N_active = (E − k)·e, so the E experts hold (N − N_active)·E/(E − k). Only as
    exact as the two counts, which cards round.

    References
    ----------
    Closed form.
    """
    idle = maximum(n_experts - n_experts_per_token, 1.0)
    return where(n_active < n_params, (n_params - n_active) * n_experts / idle, 0.0)
