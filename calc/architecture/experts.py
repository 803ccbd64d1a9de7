"""Parameters of a routed expert."""

from __future__ import annotations

from calc.quantity import Value


def expert_params(
    d_expert_input: Value, d_expert: Value, mlp_matrices: Value, expert_bias: Value = 0.0
) -> Value:
    """Parameters of one routed expert.

    Parameters
    ----------
    d_expert_input, d_expert : scalar or array
        Width of what goes in, and of the expert's inside. [count]
    mlp_matrices : scalar or array
        3 with a gate, 2 without. [count]
    expert_bias : scalar or array
        1 = each matrix has a bias. [0 or 1]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    m · d · f. Biases: (m − 1)·f inside, d at the output.

    References
    ----------
    Shazeer, GLU Variants, 2020 (arXiv:2002.05202).
    """
    bias = expert_bias * ((mlp_matrices - 1) * d_expert + d_expert_input)
    return mlp_matrices * d_expert_input * d_expert + bias
