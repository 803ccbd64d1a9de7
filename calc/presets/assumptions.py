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


#: Share of the bandwidth that measured engines reach at batch 1 on one GPU, 10th to 90th
#: percentile: tests/golden/throughput.json.
MBU_BAND = (0.40, 0.79)

ASSUMPTIONS: dict[str, Assumptions] = {
    "lesson": Assumptions(),
    # Efficiencies, overhead and reserve: see docs/arithmetic.md, "How far from the ceiling".
    "engine": Assumptions(
        bandwidth_efficiency=0.65,
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
        allreduce_latency_s=30 * MICROSECOND,
        step_overhead_s=0.0,
    ),
}

#: What the numbers are under each.
ASSUMPTION_NAMES = {"lesson": "Ceiling", "engine": "Estimate"}

OVERLAPS: dict[str, Overlap] = {
    "assumed": Overlap(),
    "step": Overlap(0.0),
    "operator": Overlap(1.0),
}
