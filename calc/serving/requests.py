"""Requests: when they arrive, how long their prompts and outputs are."""

from __future__ import annotations

from typing import NamedTuple

from calc.serving.arrays import Floats, zeros
from calc.serving.chance import chance, exponential, logarithm, normal, uniform

#: No request comes later: the clock's steps are 2 µs then, and grow with the time. [s]
LATEST_S = 1e10

#: How lengths are spread.
FIXED, LOGNORMAL, BIMODAL = 0.0, 1.0, 2.0

#: Spread of lognormal lengths, as wide as chat is: one in six is longer than 1.6 means.
SIGMA = 1.0

#: Of bimodal outputs one in so many is long, by so many means; chat has what is left of the mean.
_LONG_ONE_IN, _LONG_MEANS = 8.0, 4.0


class Mix(NamedTuple):
    """What requests are like. `rate_per_s` 0 = all at once; they come in groups of `burst`."""

    rate_per_s: float
    burst: float
    lengths: float
    prompt_len: float
    output_len: float
    max_len: float


class Requests(NamedTuple):
    """Requests in the order of their arrival, an array each."""

    arrival_s: Floats
    prompt_len: Floats
    output_len: Floats


class Source(NamedTuple):
    """Where requests come from: chance; the last one's arrival, and its place in its burst."""

    chance: Floats
    last: Floats


def source(seed: float) -> Source:
    """Where requests come from.

    Parameters
    ----------
    seed : float
        As `chance` takes it. [count]

    Returns
    -------
    Source
        At the first request.
    """
    return Source(chance(seed), zeros(2))


def draw(mix: Mix, source: Source, requests: Requests, n: int) -> None:
    """Draw the next requests.

    Parameters
    ----------
    mix : Mix
    source : Source
        Moved on.
    requests : Requests
        Its first `n` are overwritten.
    n : int
        [count]

    Notes
    -----
    Bursts at rate / burst, with gaps −ln u / (rate / burst): a Poisson process. Lognormal lengths
    have the mean m: exp(σ·z − σ²/2)·m with σ = 1. Bimodal: prompts are lognormal; of outputs one in
    eight is four times the mean, chat is lognormal around 4/7 of it. Whole tokens; what would pass
    the longest sequence is cut there, if lengths are not fixed. The same lengths at any rate.

    References
    ----------
    The serving lesson, section 3: chat, and a few answers of 2,000 tokens.
    """
    for index in range(n):
        waited = -logarithm(uniform(source.chance))
        if mix.rate_per_s > 0 and source.last[1] == 0:
            source.last[0] += waited * mix.burst / mix.rate_per_s
        source.last[1] = (source.last[1] + 1) % mix.burst
        prompt, output = mix.prompt_len, mix.output_len
        if mix.lengths != FIXED:
            prompt = _lognormal(source.chance, prompt, mix.max_len - 1)
            most = mix.max_len - prompt
            if mix.lengths == LOGNORMAL:
                output = _lognormal(source.chance, output, most)
            elif uniform(source.chance) * _LONG_ONE_IN < 1:
                output = min(_LONG_MEANS * output, most)
            else:
                chat = output * (_LONG_ONE_IN - _LONG_MEANS) / (_LONG_ONE_IN - 1)
                output = _lognormal(source.chance, chat, most)
        requests.arrival_s[index] = source.last[0]
        requests.prompt_len[index] = prompt
        requests.output_len[index] = output


def _lognormal(state: Floats, mean: float, most: float) -> float:
    """A lognormal length: at least one token, at most so many."""
    length = exponential(SIGMA * normal(state) - SIGMA * SIGMA / 2) * mean + 0.5
    length -= length % 1
    length = max(length, 1.0)
    return min(length, most)
