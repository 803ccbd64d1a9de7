"""One decode step: every sequence in flight gets one more token."""

from __future__ import annotations

from calc.quantity import Value


def decode_bytes(weight_bytes: Value, kv_bytes: Value) -> Value:
    """Bytes read from HBM in one decode step.

    Parameters
    ----------
    weight_bytes : scalar or array
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
    return weight_bytes + kv_bytes


def decode_flops(n_params: Value, batch: Value) -> Value:
    """Arithmetic of one decode step.

    Parameters
    ----------
    n_params : scalar or array
        Parameters that each token passes. [count]
    batch : scalar or array
        Sequences in flight. [count]

    Returns
    -------
    same shape
        [FLOP]

    Notes
    -----
    2 · N · B: one multiply and one add per parameter and token. Attention's own
    FLOPs, 4·L·h·d_head·T, are left out, as in the lesson; for the 7 B default they
    reach 2·N at about 27,000 tokens.

    References
    ----------
    Kaplan et al., Scaling Laws, 2020 (arXiv:2001.08361), section 2.1.
    """
    return 2 * n_params * batch


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
