"""The roofline: time is the larger of moving the bytes and doing the arithmetic."""

from __future__ import annotations

from calc.primitives import maximum, minimum, where, word
from calc.quantity import Value, Word


def chip_math_bits(
    math_bits: Value, peak_8bit_flops_per_s: Value, peak_4bit_flops_per_s: Value
) -> Value:
    """Width in which a chip multiplies a weight format: its own, or the next it has.

    Parameters
    ----------
    math_bits : quantity
        4, 8, 16 or 32.
    peak_8bit_flops_per_s : quantity
        Of the numbers that the format multiplies; 0 = the chip lacks that rate.
    peak_4bit_flops_per_s : quantity
        0 = the chip lacks that rate.

    Returns
    -------
    same shape
        4, 8, 16 or 32. [bits]

    Notes
    -----
    Without an 8-bit rate, 8-bit formats multiply at 16 bit. Without an FP4 rate, 4-bit
    formats do too, as weight-only ones: that is what the kernels for such chips do
    (MARLIN), although an 8-bit rate would be nearer.

    References
    ----------
    Frantar et al., MARLIN, 2024 (arXiv:2408.11743).
    """
    bits_of_8bit = where(peak_8bit_flops_per_s > 0, 8.0, 16.0)
    bits_of_4bit = where(peak_4bit_flops_per_s > 0, 4.0, 16.0)
    return where(math_bits <= 4, bits_of_4bit, where(math_bits <= 8, bits_of_8bit, math_bits))


def peak_flops_per_s(
    chip_math_bits: Value,
    peak_16bit_flops_per_s: Value,
    peak_8bit_flops_per_s: Value,
    peak_4bit_flops_per_s: Value = 0.0,
) -> Value:
    """Dense peak of the chip at the width in which it multiplies.

    Parameters
    ----------
    chip_math_bits : quantity
        8 for fp8 and int8 (weights and activations), 16 for bf16 and weight-only int4.
    peak_16bit_flops_per_s : quantity
    peak_8bit_flops_per_s : quantity
        Of the numbers that the format multiplies.
    peak_4bit_flops_per_s : quantity

    Returns
    -------
    same shape
        [FLOP/s]

    Notes
    -----
    peak_4 if bits ≤ 4, peak_8 if ≤ 8, peak_16 if ≤ 16, else half of peak_16 (the TF32
    rate of tensor cores). Weight-only formats shrink what is read but are expanded
    before the multiplication, so they stay at the 16-bit rate.

    References
    ----------
    Frantar et al., MARLIN, 2024 (arXiv:2408.11743) for W4A16; NVIDIA A100 and H100
    datasheets for TF32.
    """
    wide = where(chip_math_bits <= 16, peak_16bit_flops_per_s, peak_16bit_flops_per_s / 2)
    narrow = where(chip_math_bits <= 4, peak_4bit_flops_per_s, peak_8bit_flops_per_s)
    return where(chip_math_bits <= 8, narrow, wide)


def ridge_flops_per_byte(peak_flops_per_s: Value, hbm_bytes_per_s: Value) -> Value:
    """Arithmetic intensity at which a chip is equally bound by memory and compute.

    Parameters
    ----------
    peak_flops_per_s, hbm_bytes_per_s : quantity

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
    flops_per_byte, peak_flops_per_s, hbm_bytes_per_s : quantity

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
    return minimum(peak_flops_per_s, flops_per_byte * hbm_bytes_per_s)


def reached_flops_per_s(
    flops_per_byte: Value,
    peak_flops_per_s: Value,
    hbm_bytes_per_s: Value,
    bandwidth_efficiency: Value,
    compute_efficiency: Value,
) -> Value:
    """The roof under some assumptions: what is reached of the ideal one.

    Parameters
    ----------
    flops_per_byte, peak_flops_per_s, hbm_bytes_per_s, bandwidth_efficiency : quantity
    compute_efficiency : scalar or array
        Share of the peak that a phase, prefill or decode, reaches. [ratio]

    Returns
    -------
    same shape
        [FLOP/s]

    Notes
    -----
    min(peak · mfu, intensity · BW · mbu). The ideal roof where both shares are 1. Without
    communication, overhead, and what overlaps less than a whole pass.

    References
    ----------
    docs/arithmetic.md, "How far from the ceiling".
    """
    return attainable_flops_per_s(
        flops_per_byte,
        peak_flops_per_s * compute_efficiency,
        hbm_bytes_per_s * bandwidth_efficiency,
    )


def reached_ridge_flops_per_byte(
    ridge_flops_per_byte: Value, bandwidth_efficiency: Value, compute_efficiency: Value
) -> Value:
    """Where the two arms of the roof under some assumptions meet.

    Parameters
    ----------
    ridge_flops_per_byte, bandwidth_efficiency : quantity
    compute_efficiency : scalar or array
        Share of the peak that a phase, prefill or decode, reaches. [ratio]

    Returns
    -------
    same shape
        [FLOP/B]

    Notes
    -----
    ridge · mfu / mbu.

    References
    ----------
    docs/arithmetic.md, "How far from the ceiling".
    """
    return ridge_flops_per_byte * compute_efficiency / bandwidth_efficiency


def format_8bit_flops_per_s(
    integer_math: Value, peak_8bit_flops_per_s: Value, peak_int8_flops_per_s: Value
) -> Value:
    """Dense 8-bit peak, of the kind of numbers that a format multiplies.

    Parameters
    ----------
    integer_math : quantity
        1 = int8, 0 = fp8.
    peak_8bit_flops_per_s, peak_int8_flops_per_s : quantity
        0 = the chip lacks that rate.

    Returns
    -------
    same shape
        [FLOP/s]

    Notes
    -----
    Most chips run both equally fast. Ampere has int8 only; GeForce cards run fp8 with
    FP32 accumulation at half their int8 rate.

    References
    ----------
    NVIDIA Ampere and Ada architecture whitepapers.
    """
    return where(integer_math > 0, peak_int8_flops_per_s, peak_8bit_flops_per_s)


def overlapped_s(
    memory_s: Value,
    compute_s: Value,
    weight_s: Value,
    kv_s: Value,
    linear_s: Value,
    attention_s: Value,
    operator_overlap: Value,
) -> Value:
    """Time of a pass whose memory traffic and arithmetic run side by side.

    Parameters
    ----------
    memory_s, compute_s : quantity
        Of the whole pass.
    weight_s, kv_s, linear_s, attention_s, operator_overlap : quantity

    Returns
    -------
    same shape
        [s]

    Notes
    -----
    Whole pass: max(t_mem, t_comp). Per operator: max(t_W, t_lin) + max(t_KV, t_att),
    because attention cannot start before its projections have ended. Both are equal
    while memory binds everywhere; per operator is never shorter, and at most twice as
    long.

    References
    ----------
    Austin et al., How to Scale Your Model, 2025, chapter 7 (per operator); the
    inference-economics lesson (whole step).
    """
    whole = maximum(memory_s, compute_s)
    by_operator = maximum(weight_s, linear_s) + maximum(kv_s, attention_s)
    return where(operator_overlap > 0, by_operator, whole)


def bound(
    memory_s: Value, compute_s: Value, communication_s: Value = 0.0, overhead_s: Value = 0.0
) -> Word:
    """Which of the times is the largest one.

    Parameters
    ----------
    memory_s, compute_s, communication_s, overhead_s : quantity

    Returns
    -------
    same shape, of str
        "memory", "compute", "comms" or "overhead".

    Notes
    -----
    Exactly on the ridge memory and compute are equal; that counts as "memory".

    References
    ----------
    Williams, Waterman, Patterson, Roofline, CACM 2009; He, Making Deep Learning Go Brrrr,
    2022 (overhead-bound).
    """
    on_chip = word(compute_s > memory_s, "compute", "memory")
    between = word(overhead_s > communication_s, "overhead", "comms")
    waits = maximum(communication_s, overhead_s) > maximum(memory_s, compute_s)
    return word(waits, between, on_chip)


def times_from_ridge(flops_per_byte: Value, ridge_flops_per_byte: Value) -> Value:
    """How many times an intensity lies above or below the ridge.

    Parameters
    ----------
    flops_per_byte : quantity
        Positive.
    ridge_flops_per_byte : quantity

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
    return maximum(flops_per_byte / ridge_flops_per_byte, ridge_flops_per_byte / flops_per_byte)
