"""The two sets of assumptions, and what was measured about them."""

from __future__ import annotations

from dataclasses import dataclass

from calc.conversion import FloatRecord
from calc.quantity import Value, quantity
from calc.scenario import Assumptions
from calc.units import GIB, MICROSECOND

_NAN = float("nan")


@dataclass(frozen=True)
class Overlap(FloatRecord):
    """Whether a whole step overlaps, or each operator by itself; NaN = as assumed."""

    operator: Value = quantity("1 = per operator, 0 = whole step", symbol="operator", default=_NAN)


ASSUMPTIONS: dict[str, Assumptions] = {
    "lesson": Assumptions(),
    # Of a step's time: docs/model.md, "The estimate". The reserve: docs/arithmetic.md.
    "engine": Assumptions(
        bandwidth_efficiency=0.85,
        prefill_efficiency=0.60,
        decode_efficiency=0.60,
        usable_fraction=0.90,
        reserve_bytes=2.5 * GIB,
        reported_capacity=1.0,
        operator_overlap=1.0,
        attention_counted=1.0,
        kv_write_counted=1.0,
        input_table_read=0.0,
        real_checkpoint=1.0,
        communication_counted=1.0,
        allreduce_latency_s=5 * MICROSECOND,
        pcie_allreduce_latency_s=30 * MICROSECOND,
        layer_overhead_s=80 * MICROSECOND,
        expert_overhead_s=40 * MICROSECOND,
        step_overhead_s=0.0,
    ),
}

#: What slow and fast engines make of the estimate, by input: docs/model.md, "The estimate".
ENGINE_SPREAD: dict[str, dict[str, float]] = {
    "slow": {"mbu": 0.65, "layer_us": 150.0, "expert_us": 120.0},
    "fast": {"mbu": 0.88, "layer_us": 30.0, "expert_us": 10.0},
}

#: What the numbers are under each.
ASSUMPTION_NAMES = {"lesson": "Ceiling", "engine": "Estimate"}

OVERLAPS: dict[str, Overlap] = {
    "assumed": Overlap(),
    "step": Overlap(0.0),
    "operator": Overlap(1.0),
}
