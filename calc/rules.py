"""What of a model contradicts itself: said once, for Python, the command line and the page."""

from __future__ import annotations

import numpy as np

from calc.choose import word
from calc.quantity import Value, Word


def contradiction(
    n_params: Value,
    n_active: Value,
    n_heads: Value,
    n_kv_heads: Value,
    n_experts: Value,
    n_experts_per_token: Value,
    n_expert_params: Value,
) -> Word:
    """Why there can be no such model, in words.

    Parameters
    ----------
    n_params, n_active, n_heads, n_kv_heads : scalar or array
        As in `Model`. [count]
    n_experts, n_experts_per_token, n_expert_params : scalar or array
        As in `Model`. [count]

    Returns
    -------
    same shape, of str
        "" if nothing contradicts.

    Notes
    -----
    No formula. Query heads are a whole multiple of whole KV heads; no more is active than
    there is; fewer are active only with experts, and then no fewer than the experts' share,
    N·k/E.

    References
    ----------
    Ainslie et al., GQA, 2023 (arXiv:2305.13245); Fedus et al., Switch Transformers, 2021
    (arXiv:2101.03961).
    """
    groups = n_heads / n_kv_heads
    idle = word(n_experts > 0, "", "fewer active parameters (active_b) need experts and top_k")
    said = word(n_active < n_params, idle, "")
    alone = word(n_experts_per_token > 0, said, "experts need their number per token (top_k)")
    said = word(n_experts > 0, alone, said)
    said = word(
        n_expert_params > n_params,
        "fewer active parameters (active_b) than the experts' share, params_b · top_k / experts",
        said,
    )
    said = word(
        n_experts_per_token > n_experts,
        "a token cannot go to more experts (top_k) than there are (experts)",
        said,
    )
    said = word(
        n_active > n_params,
        "there cannot be more active parameters (active_b) than parameters (params_b)",
        said,
    )
    uneven = (
        "the query heads (heads) must be a whole multiple of the KV heads (kv_heads = heads / gqa)"
    )
    said = word(groups > np.floor(groups), uneven, said)
    return word(n_kv_heads > np.floor(n_kv_heads), uneven, said)
