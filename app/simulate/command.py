"""`simulate`: a replay from the command line, of as many requests as one likes."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import NamedTuple

from app.errors import InputError
from app.files import opened
from app.inputs import from_texts, serving_from_texts
from app.lab import blocks_each
from app.simulate.compiled import compiled, numba_is_there
from app.totals import TOTALS
from calc.inputs.declaration import is_open
from calc.inputs.table import INPUTS, Inputs, unknown
from calc.serving.blocks import cache_bytes
from calc.serving.costs import Costs, costs
from calc.serving.engine import Rules
from calc.serving.inputs import (
    OF_DRAWN,
    SERVING_INPUTS,
    USUAL_PROMPT_LEN,
    ServingInputs,
    limits_s,
    mix,
    rules,
)
from calc.serving.replay import is_good, n_good
from calc.serving.requests import Requests, draw
from calc.serving.scheduler import advance
from calc.serving.stream import NeverFitsError, Stream, drawn
from calc.serving.trace_file import TraceError, encoding, line_of, read_trace
from calc.text import shortened
from calc.units import GB

#: Blocks that are taken before Numba has compiled: Python takes 6 to 10 µs for each, compiling
#: some 40 s. [count]
_WORTH_COMPILING = 5_000_000

#: Of a file's bytes, where a line has 20 and an answer 500 tokens in blocks of 16. [1/B]
_BLOCKS_PER_BYTE = 500 / 16 / 20

#: What of a finished request is a place, from 0 on.
_PLACES = ("request", "slot")

#: Between two words on how far it is. [s]
_PROGRESS_S = 5.0


def simulate(texts: Mapping[str, str], trace: Path | None, form: str) -> None:
    """Replay what somebody typed, and print what comes out.

    Parameters
    ----------
    texts : mapping of str to str
        Key → what was typed: the scenario's keys and those of serving.
    trace : Path, optional
        Requests in a file, instead of such as are drawn.
    form : str
        "text" and "json" print the totals, "csv" a line for each request as it ends.

    Raises
    ------
    InputError
        Names the first key, value or line that is not allowed, or the request that can never fit.
    OSError
        The trace cannot be read.
    """
    asked = _asked_for(texts, trace)
    file = f"{shortened(str(trace), 100)}: " if trace else ""
    try:
        good = _serve(asked, form == "csv")
    except TraceError as problem:
        raise InputError(f"{file}{problem}") from None
    except NeverFitsError as problem:
        if trace:
            with _text(trace) as text:
                file += f"line {line_of(problem.number, text):,}: "
        raise InputError(f"{file}{problem}: {_why(asked.rules, asked.costs, problem)}") from None
    if form != "csv":
        _print_totals(asked.stream, good, form == "json")


class _Asked(NamedTuple):
    """A replay: how many requests it draws (0 = as many as a trace has), and what counts those
    that keep the limits.
    """

    stream: Stream
    n_drawn: int
    rules: Rules
    costs: Costs
    limits_s: tuple[float, float]
    n_good: Callable[..., float]


def _asked_for(texts: Mapping[str, str], trace: Path | None) -> _Asked:
    """The replay of what somebody typed."""
    for key in texts:
        if key not in INPUTS and key not in SERVING_INPUTS:
            raise InputError(unknown(key, [*INPUTS, *SERVING_INPUTS]))
        if trace and key in OF_DRAWN:
            raise InputError(f"{key}: the trace has its own, leave this key out")
    inputs = from_texts({key: text for key, text in texts.items() if key in INPUTS})
    serving = serving_from_texts({k: text for k, text in texts.items() if k in SERVING_INPUTS})
    n_drawn = 0 if trace else int(serving.requests)
    n_blocks = _n_blocks(inputs, serving, trace)
    is_long = n_blocks >= _WORTH_COMPILING
    quick = compiled if is_long and numba_is_there() else lambda function: function
    try:
        how, of = rules(inputs, serving), costs(inputs.scenario())
        if trace:
            blocks = blocks_of(trace)
        else:
            blocks = drawn(mix(inputs, serving), serving.seed, n_drawn, quick(draw))
    except ValueError as problem:
        raise InputError(str(problem)) from None
    stream = Stream(how, of, blocks, quick(advance))
    return _Asked(stream, n_drawn, how, of, limits_s(serving), quick(n_good))


def _n_blocks(inputs: Inputs, serving: ServingInputs, trace: Path | None) -> float:
    """How long a replay takes, in blocks that are taken meanwhile."""
    if trace:
        return trace.stat().st_size * _BLOCKS_PER_BYTE if trace.is_file() else 0.0
    prompt = USUAL_PROMPT_LEN if is_open(inputs.prompt) else float(inputs.prompt)
    slots = float(inputs.batch if is_open(serving.slots) else serving.slots)
    return serving.requests * blocks_each(serving, prompt, float(inputs.output), slots)


def blocks_of(trace: Path) -> Iterator[Requests]:
    """The requests of a file.

    Parameters
    ----------
    trace : Path

    Returns
    -------
    iterator of Requests
        As `read_trace`; what is no text in the file is no number either.

    Raises
    ------
    InputError, OSError
        As `opened`.
    TraceError
        As `read_trace`.
    """
    with _text(trace) as text:
        yield from read_trace(text)


@contextmanager
def _text(trace: Path) -> Iterator[TextIOWrapper]:
    """A file as text, in what it is written."""
    with (
        opened(trace) as file,
        TextIOWrapper(file, encoding(file.peek(2)), errors="replace") as text,
    ):
        yield text


def _serve(asked: _Asked, writes: bool) -> float:
    """Serve all; write a line for each request, if asked to, and now and then how far it is.

    How many keep the limits.
    """
    stream, n_drawn = asked.stream, asked.n_drawn
    said_s, is_first, good = time.monotonic(), True, 0.0
    for finished, n in stream.finished():
        good += asked.n_good(finished, n, *asked.limits_s)
        if writes:
            if is_first:
                print(",".join([*finished._fields, "is_good"]))
            for place, row in enumerate(zip(*(values[:n] for values in finished), strict=True)):
                # Requests and slots are counted from 1 where people read them.
                counted = [
                    value + (name in _PLACES)
                    for name, value in zip(finished._fields, row, strict=True)
                ]
                print(",".join(map(_plain, [*counted, is_good(finished, place, *asked.limits_s)])))
            is_first = False
        if time.monotonic() - said_s >= _PROGRESS_S:
            said_s = time.monotonic()
            of_all = f" of {n_drawn:,}" if n_drawn else ""
            hours = f"{stream.served_s / 3600:,.1f} hours of their time"
            print(f"{stream.n_finished:,}{of_all} requests served, {hours}", file=sys.stderr)
    return good


def _plain(value: float) -> str:
    return f"{value:.0f}" if value % 1 == 0 else repr(value)


def _why(rules: Rules, costs: Costs, request: NeverFitsError) -> str:
    """Why a request cannot be served even by itself."""
    if request.prompt_len + request.output_len > rules.max_len:
        return f"context={rules.max_len:.0f} is the longest sequence that is served"
    if costs.pool_bytes <= 0:
        return "the weights leave no room for a cache"
    length = max(request.prompt_len + request.output_len - 1, rules.block_len)
    return (
        f"its cache takes {cache_bytes(costs, length) / GB:.3g} GB, and the weights leave "
        f"{costs.pool_bytes / GB:.3g} GB on each GPU"
    )


def _print_totals(stream: Stream, good: float, as_json: bool) -> None:
    of_all = stream.totals()
    counted = {"n_requests": stream.n_requests, "goodput_per_s": good / of_all.makespan_s}
    found = of_all._asdict() | counted
    totals = {key: _printed(key, found[key]) for key in TOTALS}
    if as_json:
        print(json.dumps(totals))
        return
    for key, (label, unit) in TOTALS.items():
        value = totals[key]
        number = "none" if value is None else f"{value:,}" if key in _COUNTS else f"{value:,.6g}"
        print(f"{key:22}{number:>20} {unit:9} {label}".rstrip())


_COUNTS = {key for key in TOTALS if key.startswith("n_") or key.endswith("_tokens")}


def _printed(key: str, value: float) -> float | None:
    """A total as it is printed: counts whole; where there was nothing to measure, none."""
    if math.isnan(value):
        return None
    return int(value) if key in _COUNTS else value
