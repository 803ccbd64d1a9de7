"""Measured decode speeds against the estimate: errors by class, before and after a law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from calc import ASSUMPTIONS, GPUS, Assumptions, Inputs, Scenario, evaluate
from calc.formulas.parallel import SLOWEST_OWN_LINK_BYTES_PER_S, n_copied_params
from calc.presets.assumptions import ENGINE_SPREAD
from calc.units import MICROSECOND
from tests.helpers.cases import kv_format, model, records
from tests.helpers.measurements import CARDS, is_pure_step, weights_of

LAW = ASSUMPTIONS["engine"]

#: What the estimate was before: one share of the bandwidth for everything, a slow all-reduce. GPUs
#: then had no copies of weights: `Timed.before_s`.
BEFORE = replace(
    LAW,
    bandwidth_efficiency=0.65,
    allreduce_latency_s=30 * MICROSECOND,
    layer_overhead_s=0.0,
    expert_overhead_s=0.0,
)


def law_of(engines: str) -> Assumptions:
    """The law of slow or of fast engines."""
    spread = ENGINE_SPREAD[engines]
    return replace(
        LAW,
        bandwidth_efficiency=spread["mbu"],
        layer_overhead_s=spread["layer_us"] * MICROSECOND,
        expert_overhead_s=spread["expert_us"] * MICROSECOND,
    )


@dataclass(frozen=True)
class Timed:
    """A measured step, and the scenario of it."""

    case: dict[str, Any]
    scenario: Scenario

    @property
    def measured_s(self) -> float:
        return self.case["step_ms"] / 1e3

    def estimated_s(self, law: Assumptions) -> float:
        """One decode step under a law; the checkpoint as the case has it."""
        return float(evaluate(self._under(law)).step_s)

    def before_s(self) -> float:
        """One decode step as it was estimated before."""
        scenario = self._under(BEFORE)
        model, n_gpus = scenario.model, scenario.parallelism.tensor_parallel
        copied_each = n_copied_params(model, n_gpus) / max(n_gpus - 1, 1)
        divided = replace(model, n_whole=model.n_whole - copied_each, n_whole_16bit=0.0)
        return float(evaluate(replace(scenario, model=divided)).step_s)

    def estimated_interval_s(self, law: Assumptions) -> float:
        """From token to token of one user, with all users' prefill between the steps."""
        report = evaluate(self._under(law))
        return float(self.scenario.workload.batch / report.served_tokens_per_s)

    def ratio(self, law: Assumptions) -> float:
        """Estimate over measurement: below 1 it is too fast."""
        return self.estimated_s(law) / self.measured_s

    def _under(self, law: Assumptions) -> Scenario:
        real = self.scenario.assumptions.real_checkpoint
        return replace(self.scenario, assumptions=replace(law, real_checkpoint=real))


@cache
def timed(name: str) -> tuple[Timed, ...]:
    """All pure decode steps of a file of cases."""
    found = []
    for case in records(name):
        if not is_pure_step(case):
            continue
        record, weights, real = weights_of(case, model(case["model_ref"]))
        inputs = Inputs(
            model=record,
            weights=weights,
            kv=kv_format(case["kv_dtype"]),
            batch=float(case["batch"]),
            context=max(float(case.get("mean_context", 0)), 1.0),
            prompt=max(float(case.get("input_len", 0)), 1.0),
            output=max(float(case.get("output_len", 0)), 1.0),
            gpus=1.0 if case.get("layer_split_gpus") else float(case["tp"]),
            gpu=GPUS[CARDS[case["gpu"]]],
            assumptions=Assumptions(real_checkpoint=real),
        )
        found.append(Timed(case, inputs.scenario()))
    return tuple(found)


def _shares(row: Timed) -> bool:
    return float(row.scenario.parallelism.n_gpus) > 1


def _pcie(row: Timed) -> bool:
    return float(row.scenario.gpu.link_bytes_per_s) < SLOWEST_OWN_LINK_BYTES_PER_S


def _experts(row: Timed) -> bool:
    return float(row.scenario.model.n_experts) > 0


def _few_active(row: Timed) -> bool:
    return float(row.scenario.model.n_active) < float(row.scenario.model.n_params) / 6


def _alone(row: Timed) -> bool:
    return row.case["batch"] == 1


#: Name of a class → which rows belong to it. "Few active": below a sixth of the parameters.
CLASSES: dict[str, Callable[[Timed], bool]] = {
    "batch 1, one GPU, dense": lambda r: _alone(r) and not _shares(r) and not _experts(r),
    "batch 1, one GPU, experts": lambda r: _alone(r) and not _shares(r) and _experts(r),
    "batch 1, NVLink, dense": lambda r: (
        _alone(r) and _shares(r) and not _pcie(r) and not _experts(r)
    ),
    "batch 1, NVLink, experts": lambda r: _alone(r) and _shares(r) and not _pcie(r) and _experts(r),
    "batch 1, PCIe": lambda r: _alone(r) and _shares(r) and _pcie(r),
    "batch 1, few active": lambda r: _alone(r) and _few_active(r),
    "batch above 1": lambda r: not _alone(r),
}


@dataclass(frozen=True)
class Errors:
    """How far estimates are from measurements: |estimate / measurement − 1|, and its parts."""

    n: int
    before: float
    median: float
    ninth: float
    ratio: float
    inside: float


def errors(rows: tuple[Timed, ...]) -> Errors:
    """Median error before; median, 90th percentile, median ratio and share in the band now."""
    ratios = np.array([row.ratio(LAW) for row in rows])
    before = np.array([row.before_s() / row.measured_s for row in rows])
    sizes = np.abs(ratios - 1)
    return Errors(
        len(rows),
        float(np.median(np.abs(before - 1))),
        float(np.median(sizes)),
        float(np.percentile(sizes, 90)),
        float(np.median(ratios)),
        inside_band(rows),
    )


def inside_band(rows: tuple[Timed, ...]) -> float:
    """Share of measurements between what the law gives for fast and for slow engines."""
    slow, fast = law_of("slow"), law_of("fast")
    return float(np.mean([row.ratio(fast) <= 1 <= row.ratio(slow) for row in rows]))


def class_rows(name: str, source: str) -> tuple[Timed, ...]:
    """The rows of a class in a file of cases."""
    return tuple(row for row in timed(source) if CLASSES[name](row))


def error_table(source: str) -> list[str]:
    """The errors of every class that a file has rows of, as the rows of docs/model.md."""
    found = []
    for name in CLASSES:
        if rows := class_rows(name, source):
            e = errors(rows)
            found.append(
                f"| {name} | {e.n} | {e.before:.0%} | {e.median:.0%} | {e.ninth:.0%} "
                f"| {e.ratio:.2f} | {e.inside:.0%} |".replace("%", " %")
            )
    return found


#: Measurements that differ in the sequences in flight alone: name → ids of the first and last.
SERIES = {
    "DeepSeek-R1, 8 H200, SGLang": ("inferencex-dsr1-fp8-h200-c8", "inferencex-dsr1-fp8-h200-c64"),
    "gpt-oss-120b, 8 H100, vLLM": (
        "inferencex-gpt-oss-120b-h100-1024-1024-c4",
        "inferencex-gpt-oss-120b-h100-1024-1024-c64",
    ),
    "gpt-oss-120b, MI300X, vLLM": (
        "inferencex-gpt-oss-120b-mi300x-c64",
        "inferencex-gpt-oss-120b-mi300x-c256",
    ),
    "Qwen3-235B, 8 B200, SGLang": (
        "cookbook-qwen3-235b-b200-reasoning-c16",
        "cookbook-qwen3-235b-b200-reasoning-c64",
    ),
}


def unexplained_s(series: str) -> float:
    """What each further sequence of a series adds to a step, beside what the law says."""
    by_id = {row.case["id"]: row for row in timed("held_out_speeds")}
    first, last = (by_id[id_] for id_ in SERIES[series])
    missing = [row.measured_s - row.estimated_interval_s(LAW) for row in (first, last)]
    return (missing[1] - missing[0]) / (last.case["batch"] - first.case["batch"])


def left_out() -> tuple[float, float]:
    """Median errors of one GPU at batch 1: of the best two constants, and of those refitted.

    Refitted without the rows' own source, on a grid of 0.05 and 10 µs.
    """
    rows = class_rows("batch 1, one GPU, dense", "throughput")
    floor_s = np.array([row.estimated_s(replace(BEFORE, bandwidth_efficiency=1.0)) for row in rows])
    n_layers = np.array([float(row.scenario.model.n_layers) for row in rows])
    measured_s = np.array([row.measured_s for row in rows])
    sources = np.array([row.case["source"] for row in rows])

    grid = [
        np.abs((floor_s / share + n_layers * tau_us * MICROSECOND) / measured_s - 1)
        for share in np.arange(0.70, 0.96, 0.05)
        for tau_us in range(20, 170, 10)
    ]
    best = min(grid, key=np.median)
    unseen = np.empty(len(rows))
    for source in set(sources):
        own = sources == source
        unseen[own] = min(grid, key=lambda sizes: np.median(sizes[~own]))[own]
    return float(np.median(best)), float(np.median(unseen))
