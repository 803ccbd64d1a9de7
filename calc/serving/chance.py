"""Chance that falls alike everywhere: the same bits in Python, with Numba and in the page.

Logarithm and exponential are written out in + − · /, because libraries differ in their last bit.
"""

from __future__ import annotations

from math import sqrt

from calc.serving.arrays import Floats, zeros

#: The two generators: each product stays below 2^53, so that every number is exact.
_MODULUS_A, _FACTOR_A = 2147483563.0, 40014.0
_MODULUS_B, _FACTOR_B = 2147483399.0, 40692.0

#: Seeds that are neighbours begin alike: so many numbers are thrown away.
_WARMING_UP = 16

_LN_2 = 0.6931471805599453
_SQRT_2 = 1.4142135623730951

#: Terms of the series after which nothing more changes.
_LN_TERMS = 13
_EXP_TERMS = 18


def chance(seed: float) -> Floats:
    """The state of a generator of random numbers.

    Parameters
    ----------
    seed : float
        A whole number from 0 to 2,147,483,398. [count]

    Returns
    -------
    array of float
        Two numbers, which each draw moves on.

    Notes
    -----
    Both begin at the seed, and some draws are thrown away.

    References
    ----------
    L'Ecuyer, CACM 31(6), 1988.
    """
    state = zeros(2)
    state[0] = 1 + seed % (_MODULUS_A - 1)
    state[1] = 1 + seed % (_MODULUS_B - 1)
    for _ in range(_WARMING_UP):
        uniform(state)
    return state


def uniform(state: Floats) -> float:
    """A number between 0 and 1, all alike likely; never one of the two.

    Parameters
    ----------
    state : array of float
        Of `chance`; moved on.

    Returns
    -------
    float
        [ratio]

    Notes
    -----
    Two multiplicative generators, one minus the other: a period of 2.3e18. Exact in floats.

    References
    ----------
    L'Ecuyer, Efficient and portable combined random number generators, CACM 31(6), 1988.
    """
    state[0] = state[0] * _FACTOR_A % _MODULUS_A
    state[1] = state[1] * _FACTOR_B % _MODULUS_B
    difference = state[0] - state[1]
    if difference < 1:
        difference += _MODULUS_A - 1
    return difference / _MODULUS_A


def logarithm(value: float) -> float:
    """The natural logarithm.

    Parameters
    ----------
    value : float
        Positive. [ratio]

    Returns
    -------
    float
        Within 4e-16, absolutely or relatively. [ratio]

    Notes
    -----
    ln x = e·ln 2 + 2·(s + s³/3 + s⁵/5 + …), s = (m − 1)/(m + 1), x = m·2^e, m from √½ to √2.

    References
    ----------
    Closed form.
    """
    exponent, mantissa = 0.0, value
    while mantissa > _SQRT_2:
        mantissa /= 2
        exponent += 1
    while mantissa * _SQRT_2 < 1:
        mantissa *= 2
        exponent -= 1
    ratio = (mantissa - 1) / (mantissa + 1)
    square = ratio * ratio
    series = 0.0
    for term in range(_LN_TERMS, -1, -1):
        series = series * square + 1 / (2 * term + 1)
    return exponent * _LN_2 + 2 * ratio * series


def exponential(value: float) -> float:
    """The exponential function.

    Parameters
    ----------
    value : float
        Of at most 700, up or down. [ratio]

    Returns
    -------
    float
        Within 1e-14, relatively. [ratio]

    Notes
    -----
    e^x = (1 + r + r²/2 + r³/6 + …)·2^n, x = n·ln 2 + r.

    References
    ----------
    Closed form.
    """
    n = 0.0
    rest = value
    while rest > _LN_2 / 2:
        n += 1
        rest = value - n * _LN_2
    while rest < -_LN_2 / 2:
        n -= 1
        rest = value - n * _LN_2
    result = 1.0
    for term in range(_EXP_TERMS, 0, -1):
        result = 1 + result * rest / term
    while n > 0:
        result *= 2
        n -= 1
    while n < 0:
        result /= 2
        n += 1
    return result


def normal(state: Floats) -> float:
    """A number that is normally distributed around 0 with variance 1.

    Parameters
    ----------
    state : array of float
        Of `chance`; moved on.

    Returns
    -------
    float
        [ratio]

    Notes
    -----
    v·√(−2·ln s / s), with s = v² + w² < 1 for a point (v, w) drawn from the square around it.

    References
    ----------
    Marsaglia, Bray, A convenient method for generating normal variables, SIAM Review 6, 1964.
    """
    first, square = 0.0, 1.0
    while square >= 1 or square == 0:
        first = 2 * uniform(state) - 1
        second = 2 * uniform(state) - 1
        square = first * first + second * second
    return first * sqrt(-2 * logarithm(square) / square)
