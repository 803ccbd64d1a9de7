"""Speculative decoding: a small draft proposes, the target verifies in one pass."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from calc.primitives import where
from calc.quantity import Value
from calc.scenario import AcceptedTokens


def draft_share(n_drafted: Value, draft_cost: Value) -> Value:
    """The draft model's weights and cache as a share of the target's.

    Parameters
    ----------
    n_drafted : quantity
        0 = no speculation.
    draft_cost : quantity

    Returns
    -------
    same shape
        [ratio]

    Notes
    -----
    c if k > 0, else 0. One share for weights and cache is a simplification: a real
    draft has its own architecture.

    References
    ----------
    Leviathan, Kalman, Matias, 2023 (arXiv:2211.17192), section 3.
    """
    return where(n_drafted > 0, draft_cost, 0.0)


def measured_tokens_per_pass(n_drafted: Value, accepted_tokens: AcceptedTokens) -> Value:
    """Measured tokens per pass, where there are any for this many drafted tokens.

    Parameters
    ----------
    n_drafted : quantity
    accepted_tokens : AcceptedTokens

    Returns
    -------
    same shape
        0 = not measured. [tokens]

    Notes
    -----
    A table from k = 1 to 8; no interpolation, as k is a whole number.

    References
    ----------
    SemiAnalysisAI/InferenceX, golden_al_distribution.
    """
    tokens: Value = 0.0
    for k, each in enumerate(fields(AcceptedTokens), start=1):
        tokens = where(n_drafted == k, getattr(accepted_tokens, each.name), tokens)
    return tokens


def tokens_per_pass(
    n_drafted: Value, acceptance: Value, measured_tokens_per_pass: Value = 0.0
) -> Value:
    """Expected tokens that one pass of the target yields.

    Parameters
    ----------
    n_drafted : quantity
    acceptance : quantity
        The same for each drafted token.
    measured_tokens_per_pass : quantity
        Replaces what follows from the acceptance; 0 = none.

    Returns
    -------
    same shape
        Between 1 and k + 1. [tokens]

    Notes
    -----
    (1 − α^(k+1)) / (1 − α), and k + 1 at α = 1. Real acceptance falls with the
    position in the draft, so long drafts yield less than this: no constant fits
    DeepSeek-V4-Pro's own drafter, whose 2.5 tokens stop growing at k = 4.

    References
    ----------
    Leviathan, Kalman, Matias, 2023 (arXiv:2211.17192), equation 1.
    """
    rejection = where(acceptance == 1, 1.0, 1 - acceptance)
    constant = where(
        acceptance == 1, n_drafted + 1, (1 - np.power(acceptance, n_drafted + 1)) / rejection
    )
    return where(measured_tokens_per_pass > 0, measured_tokens_per_pass, constant)


def draft_s(n_drafted: Value, draft_cost: Value, step_s: Value) -> Value:
    """Time in which the draft proposes its tokens, one after the other.

    Parameters
    ----------
    n_drafted : quantity
    draft_cost : quantity
        One draft step relative to one plain step of the target.
    step_s : quantity

    Returns
    -------
    same shape
        [s]

    Notes
    -----
    k · c · t_step. Holds while the draft is bound by the same thing as the target.

    References
    ----------
    Leviathan, Kalman, Matias, 2023 (arXiv:2211.17192), theorem 3.8.
    """
    return n_drafted * draft_cost * step_s
