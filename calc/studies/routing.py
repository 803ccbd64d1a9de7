"""A cheap model for easy requests: what it saves, what it spoils, and which thresholds are safe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calc.conversion import as_number
from calc.formulas import routing as formulas
from calc.text import shortened

#: A judge errs at least so often, and as often is right. [ratio]
LEAST_ERROR = 0.001


@dataclass(frozen=True)
class Band:
    """Thresholds that are safe, by the share of all requests that goes to the cheap model."""

    least_cheap_fraction: float
    most_cheap_fraction: float


@dataclass(frozen=True)
class Routing:
    """What a request costs and how many are answered worse; `band` is None where none is safe.

    `fails` then says why: even all requests at the cheap model would not save enough, or the judge
    confuses too many.
    """

    cheap_fraction: float
    worse_fraction: float
    request_usd: float
    saved_fraction: float
    band: Band | None
    fails: Literal["", "price", "judge"]


def routing(
    easy: float,
    easy_error: float,
    hard_error: float,
    *,
    cheap_usd: float,
    strong_usd: float,
    most_worse: float,
    least_saved: float = 0.0,
) -> Routing:
    """Send what a judge takes for easy to a cheap model.

    Parameters
    ----------
    easy : float
        Share of the requests that the cheap model answers as well as the strong one.
    easy_error, hard_error : float
        Of the easy ones, the share that the judge takes for hard, and the other way round; from
        `LEAST_ERROR` to 1 − `LEAST_ERROR`.
    cheap_usd, strong_usd : float
        What a request costs at each model: `Report.request_usd`.
    most_worse : float
        Share of all requests that may be answered worse.
    least_saved : float
        Share of the cost that is to be saved.

    Returns
    -------
    Routing

    Raises
    ------
    TypeError, ValueError
        A share is none between 0 and 1, or a price none above 0.

    Notes
    -----
    The threshold moves both errors, the product of their odds stays. The judge is free.

    References
    ----------
    The inference-economics lesson, module 9.
    """
    shares = {"easy": easy, "most_worse": most_worse, "least_saved": least_saved}
    e, worse, saved = (_between(name, each, 0, 1) for name, each in shares.items())
    errors = {"easy_error": easy_error, "hard_error": hard_error}
    p, q = (_between(name, each, LEAST_ERROR, 1 - LEAST_ERROR) for name, each in errors.items())
    prices = {"cheap_usd": cheap_usd, "strong_usd": strong_usd}
    cheap, strong = (_between(name, each, 1e-12, 1e12) for name, each in prices.items())
    x = float(formulas.cheap_fraction(e, p, q))
    usd = float(formulas.routed_usd(x, cheap, strong))
    band, fails = _band(e, float(formulas.error_odds(p, q)), worse, saved, 1 - cheap / strong)
    return Routing(
        cheap_fraction=x,
        worse_fraction=float(formulas.worse_fraction(e, q)),
        request_usd=usd,
        saved_fraction=1 - usd / strong,
        band=band,
        fails=fails,
    )


def _band(
    easy: float, odds: float, worse: float, saved: float, saving: float
) -> tuple[Band | None, Literal["", "price", "judge"]]:
    """The thresholds at which no more is answered worse, and so much saved of all that can be."""
    if saving <= 0 or saved > saving:
        return None, "price"
    most = formulas.most_hard_error(easy, worse)
    error = formulas.easy_error_at(most, odds)
    highest = float(formulas.cheap_fraction(easy, error, most))
    lowest = saved / saving
    return (None, "judge") if lowest > highest else (Band(lowest, highest), "")


def _between(name: str, value: float, low: float, high: float) -> float:
    number = as_number(name, value)
    if not isinstance(number, float) or not low <= number <= high:
        raise ValueError(f"{name} must be from {low:g} to {high:g}, not {shortened(value)}")
    return number
