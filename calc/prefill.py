"""Prefill: the whole prompt in one parallel pass."""

from __future__ import annotations

from calc.quantity import Value


def prefill_flops(n_params: Value, prompt_len: Value) -> Value:
    """Arithmetic of one prompt's prefill.

    Parameters
    ----------
    n_params : scalar or array
        Parameters that each token passes. [count]
    prompt_len : scalar or array
        [tokens]

    Returns
    -------
    same shape
        [FLOP]

    Notes
    -----
    2 · N · P. Attention's quadratic part is left out, as in the lesson: at 7 B it
    adds about 15 % at 8 K tokens and passes 2·N·P beyond some 50 K.

    References
    ----------
    Kaplan et al., Scaling Laws, 2020 (arXiv:2001.08361); the serving lesson, section 1.
    """
    return 2 * n_params * prompt_len


def prefill_flops_per_byte(prefill_flops: Value, weight_bytes: Value) -> Value:
    """Arithmetic intensity of prefill.

    Parameters
    ----------
    prefill_flops : scalar or array
        [FLOP]
    weight_bytes : scalar or array
        Read once for the whole prompt. [B]

    Returns
    -------
    same shape
        [FLOP/B]

    Notes
    -----
    2·N·P / W, which in bf16 is P itself. The keys and values that prefill writes are
    left out, as in the lesson: at the default they would
    lower it by 7 %.

    References
    ----------
    The serving lesson, section 1.
    """
    return prefill_flops / weight_bytes
