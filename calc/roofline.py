"""The roofline: time is the larger of moving the bytes and doing the arithmetic."""

from __future__ import annotations

import numpy as np

from calc.quantity import Value, Word


def peak_flops_per_s(math_bits: Value, peak_16bit: Value, peak_8bit: Value) -> Value:
    """Dense peak of the chip at the width in which a weight format multiplies.

    Parameters
    ----------
    math_bits : scalar or array
        8 for fp8 and int8 (weights and activations), 16 for bf16 and weight-only int4. [bits]
    peak_16bit, peak_8bit : scalar or array
        The chip's dense peaks. [FLOP/s]

    Returns
    -------
    same shape
        [FLOP/s]

    Notes
    -----
    peak_8 if bits ≤ 8, else peak_16. Weight-only formats shrink what is read but are
    expanded before the multiplication, so they stay at the 16-bit rate.

    References
    ----------
    Frantar et al., MARLIN, 2024 (arXiv:2408.11743) for W4A16.
    """
    return np.where(math_bits <= 8, peak_8bit, peak_16bit)


def ridge_flops_per_byte(peak_flops_per_s: Value, hbm_bytes_per_s: Value) -> Value:
    """Arithmetic intensity at which a chip is equally bound by memory and compute.

    Parameters
    ----------
    peak_flops_per_s : scalar or array
        [FLOP/s]
    hbm_bytes_per_s : scalar or array
        [B/s]

    Returns
    -------
    same shape
        [FLOP/B]

    Notes
    -----
    peak / BW. Work with fewer FLOP per byte than this is memory-bound.

    References
    ----------
    Williams, Waterman, Patterson, Roofline, CACM 2009.
    """
    return peak_flops_per_s / hbm_bytes_per_s


def attainable_flops_per_s(
    flops_per_byte: Value, peak_flops_per_s: Value, hbm_bytes_per_s: Value
) -> Value:
    """The roof: most FLOP/s that work of a given intensity can reach.

    Parameters
    ----------
    flops_per_byte : scalar or array
        Arithmetic intensity of the work. [FLOP/B]
    peak_flops_per_s : scalar or array
        [FLOP/s]
    hbm_bytes_per_s : scalar or array
        [B/s]

    Returns
    -------
    same shape
        [FLOP/s]

    Notes
    -----
    min(peak, intensity · BW). A ceiling: kernels reach 60-90 % of either arm.

    References
    ----------
    Williams, Waterman, Patterson, Roofline, CACM 2009.
    """
    return np.minimum(peak_flops_per_s, flops_per_byte * hbm_bytes_per_s)


def bound(memory_s: Value, compute_s: Value) -> Word:
    """Which of the two times is the larger one.

    Parameters
    ----------
    memory_s, compute_s : scalar or array
        [s]

    Returns
    -------
    same shape, of str
        "compute" if arithmetic takes longer, else "memory".

    Notes
    -----
    Exactly on the ridge both are equal; that counts as "memory".

    References
    ----------
    Williams, Waterman, Patterson, Roofline, CACM 2009.
    """
    return np.where(compute_s > memory_s, "compute", "memory")


def times_from_ridge(flops_per_byte: Value, ridge_flops_per_byte: Value) -> Value:
    """How many times an intensity lies above or below the ridge.

    Parameters
    ----------
    flops_per_byte, ridge_flops_per_byte : scalar or array
        Positive. [FLOP/B]

    Returns
    -------
    same shape
        At least 1. [ratio]

    Notes
    -----
    max(I / ridge, ridge / I); `bound` says on which side.

    References
    ----------
    Williams, Waterman, Patterson, Roofline, CACM 2009.
    """
    return np.maximum(flops_per_byte / ridge_flops_per_byte, ridge_flops_per_byte / flops_per_byte)
