"""One decode step: every sequence in flight gets one more token."""

from __future__ import annotations

from calc.formulas import kv
from calc.quantity import Value
from calc.scenario import LayerKind

#: One multiply and one add. [FLOP]
MULTIPLY_ADD = 2.0


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


def attention_flops_per_token(kind: LayerKind, context_len: Value) -> Value:
    """Arithmetic of attention in the layers of a kind, for one new token.

    Parameters
    ----------
    kind : LayerKind
        Its multiply-adds per cached entry are 2·h·d_head under MHA, GQA and MQA, and
        h·(2·kv_lora_rank + rope) for absorbed MLA.
    context_len : quantity

    Returns
    -------
    same shape
        [FLOP]

    Notes
    -----
    2 · L · a · n_read: scores and weighted values. Query heads count here, not KV
    heads: GQA saves bytes, not arithmetic. For the 7 B default it equals 2·N at about
    27,000 tokens. Linear layers are left out: their part does not grow with T.

    References
    ----------
    DeepSeek-V2, 2024 (arXiv:2405.04434), section 2.1.2 for the absorbed form.
    """
    n_entries = kv.n_entries_read(kind, context_len)
    return MULTIPLY_ADD * kind.n_layers * kind.decode_attention_width * n_entries


def speedup(tokens_per_s: Value, baseline_tokens_per_s: Value) -> Value:
    """How many times as fast as a baseline.

    Parameters
    ----------
    tokens_per_s : quantity
    baseline_tokens_per_s : scalar or array
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
