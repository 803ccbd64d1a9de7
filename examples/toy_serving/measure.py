"""Serve the same requests in all four ways; print what was measured and what was predicted.

Time is the core's own, so that other programs disturb it little; where there are none, it is the
clock's.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np

from calc.serving.costs import Costs
from examples.toy_serving import continuous, static
from examples.toy_serving.contiguous import Contiguous
from examples.toy_serving.engine import Engine, Memory, Pass, Request
from examples.toy_serving.model import Sizes, Transformer
from examples.toy_serving.paged import Paged
from examples.toy_serving.prediction import (
    Setting,
    gpu_costs,
    pass_cost,
    predicted,
    toy_costs,
)

#: Each loop by the name that the replay has for it.
LOOPS: dict[str, Callable[[Engine], None]] = {
    "static": static.serve,
    "continuous": continuous.serve,
}


class Way(NamedTuple):
    """An allocator and a loop, by the names that the replay has for them."""

    allocator: str
    policy: str


NAIVE, BOTH = Way("contiguous", "static"), Way("paged", "continuous")
ONLY_CONTINUOUS, ONLY_PAGED = Way("contiguous", "continuous"), Way("paged", "static")
WAYS = (NAIVE, ONLY_CONTINUOUS, ONLY_PAGED, BOTH)

#: Each gain: what it is of, from which way, to which.
GAINS = (
    ("both changes", NAIVE, BOTH),
    ("continuous batching alone", NAIVE, ONLY_CONTINUOUS),
    ("blocks alone", NAIVE, ONLY_PAGED),
    ("continuous batching, with blocks", ONLY_PAGED, BOTH),
    ("blocks, with continuous batching", ONLY_CONTINUOUS, BOTH),
)


class Figures(NamedTuple):
    """What came out of one way, measured or predicted."""

    tokens_per_s: float
    n_passes: int
    #: Rows of a decode step that give a token, on average.
    mean_decoding: float
    #: Of the entries that are reserved those that hold a token which is still needed.
    holding_fraction: float


def engine(model: Transformer, setting: Setting, way: Way) -> Engine:
    """An engine that all requests of a setting wait for, with prompts of tokens by chance."""
    chance, drawn = np.random.default_rng(setting.seed), setting.drawn()
    requests = [
        Request(chance.integers(0, model.sizes.n_vocab, int(prompt)).tolist(), int(output))
        for prompt, output in zip(drawn.prompt_len, drawn.output_len, strict=True)
    ]
    memory: Memory = Contiguous(setting.pool, setting.context)
    if way.allocator == "paged":
        memory = Paged(setting.pool, min(setting.block, setting.context))
    return Engine(model, memory, setting.slots, setting.context, requests)


def figures(passes: list[Pass], n_tokens: int, took_s: float) -> Figures:
    """What some passes come to that gave so many tokens in so much time."""
    n_decoding = [each.n_decoding for each in passes if each.n_decoding > 0]
    n_reserved = sum(each.reserved_entries for each in passes)
    return Figures(
        tokens_per_s=n_tokens / took_s,
        n_passes=len(passes),
        mean_decoding=sum(n_decoding) / max(1, len(n_decoding)),
        holding_fraction=sum(each.tokens_held for each in passes) / n_reserved,
    )


def main(arguments: list[str] | None = None) -> None:
    """Measure what the command line asks for, and print it."""
    parser = argparse.ArgumentParser(
        "python -m examples.toy_serving", "%(prog)s [--NAME VALUE ...]", __doc__
    )
    for each in fields(Setting):
        kind = type(each.default)
        parser.add_argument(f"--{each.name}", type=kind, default=each.default, help="%(default)s")
    try:
        measure(Setting(**vars(parser.parse_args(arguments))))
    except ValueError as error:
        parser.error(str(error))


def measure(setting: Setting) -> None:
    """Serve in all four ways, and print what came out."""
    model = Transformer(Sizes())
    # What a process does only once is not measured.
    LOOPS["static"](engine(model, replace(setting, requests=1), NAIVE))
    start_s, start_core_s = time.perf_counter(), time.process_time()
    runs = {way: run(model, setting, way) for way in WAYS}
    clock_s, core_s = time.perf_counter() - start_s, time.process_time() - start_core_s

    naive, _ = runs[NAIVE]
    outputs = [each.output for each in naive.all]
    n_tokens = sum(map(len, outputs))
    for way, (done, _) in runs.items():
        for request, output in zip(done.all, outputs, strict=True):
            if request.output != output:
                raise SystemExit(
                    f"{way.allocator}, {way.policy}: request {request.number} got other tokens "
                    "than in the naive run, so there is nothing to compare"
                )
    cost = pass_cost(naive.passes)
    measured = {way: figures(done.passes, n_tokens, took_s) for way, (done, took_s) in runs.items()}
    replayed = replays(setting, toy_costs(setting, model, cost), n_tokens)
    on_gpu = replays(setting, gpu_costs(setting), n_tokens)
    print(
        f"{setting.requests:,} requests, {setting.slots:,} slots, {setting.pool:,} KV entries, "
        f"{setting.context:,} tokens at most; {model.n_params / 1e6:.1f} million weights\n"
    )
    print_ways(measured, replayed)
    print_gains(measured, replayed, on_gpu)
    print(
        f"All four gave the same {n_tokens:,} tokens. Times of the replay follow from the naive "
        f"run's passes:\n{cost.pass_s * 1e3:.2f} ms to fetch the weights, and as much again for "
        f"each {cost.pass_s / cost.row_s:.0f} rows. On a GPU: the same\nrequests and KV entries, "
        "with a 7B model on an H100, which fetches its weights in the time of\n300 rows. "
        f"Seconds are the core's, {core_s:.1f} in all; by the clock {clock_s:.1f} went by."
    )


def run(model: Transformer, setting: Setting, way: Way) -> tuple[Engine, float]:
    """Serve a setting in one way; the engine afterwards, and the time it took."""
    served = engine(model, setting, way)
    start_s = time.process_time()
    LOOPS[way.policy](served)
    return served, time.process_time() - start_s


def replays(setting: Setting, costs: Costs, n_tokens: int) -> dict[Way, Figures]:
    """What the replay says of each way."""
    passes = {way: predicted(setting, costs, *way) for way in WAYS}
    return {
        way: figures(each, n_tokens, sum(one.took_s for one in each))
        for way, each in passes.items()
    }


def print_ways(measured: dict[Way, Figures], replayed: dict[Way, Figures]) -> None:
    """Print the figures of each way."""
    columns = ("tokens/s", "passes", "rows decoding", "KV holding tokens")
    print(" " * 22 + "".join(f"{column:>19}" for column in columns))
    print(f"{'cache':12}{'batches':10}" + f"{'measured':>11}{'replay':>8}" * len(columns))
    for way in WAYS:
        cells = (
            f"{format(one, form):>11}{format(other, form):>8}"
            for one, other, form in zip(
                measured[way], replayed[way], (",.0f", ",d", ".1f", ".0%"), strict=True
            )
        )
        print(f"{way.allocator:12}{way.policy:10}" + "".join(cells))
    print()


def print_gains(*figures: dict[Way, Figures]) -> None:
    """Print what each change brought: measured, by the replay, and by that on a GPU."""
    print(f"{'times as many tokens/s':34}{'measured':>11}{'replay':>8}{'on a GPU':>10}")
    for name, start, end in GAINS:
        gains = [each[end].tokens_per_s / each[start].tokens_per_s for each in figures]
        print(f"{name:34}{gains[0]:11.2f}{gains[1]:8.2f}{gains[2]:10.2f}")
    print()
