"""Routing: requests that a judge takes for easy go to a cheap model, the others to a strong one.

A judge errs in two ways: easy requests go to the strong model, which costs, and hard ones to the
cheap model, which are answered worse. Where its threshold moves, one error grows as the other
falls; the product of their odds stays the same.
"""

from __future__ import annotations

from calc.primitives import maximum, minimum
from calc.quantity import Value

#: Stands in for no hard requests.
NONE = 1e-30


def cheap_fraction(easy_fraction: Value, easy_error: Value, hard_error: Value) -> Value:
    """Share of the requests that goes to the cheap model.

    Parameters
    ----------
    easy_fraction : scalar or array
        Share of the requests that the cheap model answers as well as the strong one. [ratio]
    easy_error : scalar or array
        Share of the easy ones that the judge takes for hard. [ratio]
    hard_error : scalar or array
        Share of the hard ones that it takes for easy. [ratio]

    Returns
    -------
    same shape
        [ratio]

    Notes
    -----
    e · (1 − p) + (1 − e) · q.

    References
    ----------
    The inference-economics lesson, module 9.
    """
    return easy_fraction * (1 - easy_error) + (1 - easy_fraction) * hard_error


def worse_fraction(easy_fraction: Value, hard_error: Value) -> Value:
    """Share of the requests that is answered worse than by the strong model alone.

    Parameters
    ----------
    easy_fraction, hard_error : scalar or array
        As in `cheap_fraction`. [ratio]

    Returns
    -------
    same shape
        [ratio]

    Notes
    -----
    (1 − e) · q: every hard request that the cheap model gets. Some it will answer well, so this is
    the most.

    References
    ----------
    The inference-economics lesson, module 9.
    """
    return (1 - easy_fraction) * hard_error


def routed_usd(cheap_fraction: Value, cheap_usd: Value, strong_usd: Value) -> Value:
    """What a request costs on average.

    Parameters
    ----------
    cheap_fraction : scalar or array
        As `cheap_fraction` gives it. [ratio]
    cheap_usd, strong_usd : scalar or array
        What a request costs at each model. [USD]

    Returns
    -------
    same shape
        [USD]

    Notes
    -----
    x · cheap + (1 − x) · strong. The judge is free, and both models stay as busy as they were.

    References
    ----------
    The inference-economics lesson, module 9.
    """
    return cheap_fraction * cheap_usd + (1 - cheap_fraction) * strong_usd


def error_odds(easy_error: Value, hard_error: Value) -> Value:
    """How bad a judge is, whatever its threshold: the product of the odds of both errors.

    Parameters
    ----------
    easy_error, hard_error : scalar or array
        Above 0 and below 1. [ratio]

    Returns
    -------
    same shape
        0 of one that never errs, 1 of a coin. [ratio]

    Notes
    -----
    p / (1 − p) · q / (1 − q), the reciprocal of the diagnostic odds ratio. It stays the same along
    the threshold where the scores of easy and of hard requests are logistic and equally wide; a
    measured pair of errors for each threshold replaces that.

    References
    ----------
    Glas et al., 2003, The diagnostic odds ratio: recalled, not looked up.
    """
    return easy_error / (1 - easy_error) * (hard_error / (1 - hard_error))


def easy_error_at(hard_error: Value, error_odds: Value) -> Value:
    """The judge's error with easy requests, at the threshold that gives one with hard ones.

    Parameters
    ----------
    hard_error : scalar or array
        [ratio]
    error_odds : scalar or array
        As `error_odds` gives it; above 0. [ratio]

    Returns
    -------
    same shape
        [ratio]

    Notes
    -----
    K · (1 − q) / (K · (1 − q) + q).

    References
    ----------
    Closed form.
    """
    missed = error_odds * (1 - hard_error)
    return missed / (missed + hard_error)


def most_hard_error(easy_fraction: Value, worse_fraction: Value) -> Value:
    """The judge's error with hard requests at which so many of all are answered worse.

    Parameters
    ----------
    easy_fraction : scalar or array
        [ratio]
    worse_fraction : scalar or array
        What is tolerated. [ratio]

    Returns
    -------
    same shape
        At most 1. [ratio]

    Notes
    -----
    w / (1 − e).

    References
    ----------
    Closed form.
    """
    return minimum(worse_fraction / maximum(1 - easy_fraction, NONE), 1.0)
