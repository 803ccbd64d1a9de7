"""What tokens cost at the price of a GPU hour."""

from __future__ import annotations

import numpy as np

from calc.primitives import maximum
from calc.quantity import Value
from calc.units import MILLION, SECONDS_PER_HOUR, SECONDS_PER_MONTH

#: Stands in for a price of nothing. [USD]
FREE = 1e-30


def usd_per_million_tokens(usd_per_hour: Value, tokens_per_s: Value) -> Value:
    """What a million tokens cost at this price and speed.

    Parameters
    ----------
    usd_per_hour : quantity
        Of all GPUs together.
    tokens_per_s : quantity
        Of the one kind of token that is charged.

    Returns
    -------
    same shape
        [USD]

    Notes
    -----
    price / 3600 / rate · 1,000,000. All GPU time is charged to the one kind of token
    whose rate is given: output tokens then carry their prompts' prefill, and prices of
    input and output must not be added.

    References
    ----------
    The inference-economics lesson, cost model.
    """
    return usd_per_hour / SECONDS_PER_HOUR / tokens_per_s * MILLION


def request_usd(usd_per_million_output_tokens: Value, output_len: Value) -> Value:
    """What one request costs.

    Parameters
    ----------
    usd_per_million_output_tokens, output_len : quantity

    Returns
    -------
    same shape
        [USD]

    Notes
    -----
    USD/M · O / 1,000,000: its output tokens carry its prompt's prefill.

    References
    ----------
    The inference-economics lesson, cost model.
    """
    return usd_per_million_output_tokens * output_len / MILLION


def tokens_per_usd(usd_per_million_tokens: Value) -> Value:
    """How many tokens a dollar buys.

    Parameters
    ----------
    usd_per_million_tokens : scalar or array
        [USD]

    Returns
    -------
    same shape
        [tokens/USD]

    Notes
    -----
    1,000,000 / price: the exact reciprocal. Free tokens are counted at 1e-30 USD, which
    keeps the result finite.

    References
    ----------
    Closed form.
    """
    return MILLION / maximum(usd_per_million_tokens, FREE)


def month_usd(request_usd: Value, requests_per_s: Value) -> Value:
    """What a month of requests costs that come all day and night.

    Parameters
    ----------
    request_usd : quantity
    requests_per_s : scalar or array
        On average. [1/s]

    Returns
    -------
    same shape
        [USD]

    Notes
    -----
    USD/req · rate · 30 days. Only what is served is charged: GPUs that wait for requests cost more.

    References
    ----------
    The inference-economics lesson, cost model.
    """
    return request_usd * requests_per_s * SECONDS_PER_MONTH


def n_replicas(n_users: Value, batch: Value) -> Value:
    """How often a deployment is needed for so many users at once.

    Parameters
    ----------
    n_users : scalar or array
        [count]
    batch : quantity
        What one deployment serves at once.

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    ⌈users / batch⌉.

    References
    ----------
    Closed form.
    """
    return np.ceil(n_users / batch)
