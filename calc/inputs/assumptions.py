"""What the roofline leaves out: a set of assumptions, and each of them alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from calc.inputs.declaration import OPEN, choice, is_open, number, numbers_of, record_of
from calc.presets.assumptions import ASSUMPTIONS, OVERLAPS, Overlap
from calc.primitives import given
from calc.quantity import Value
from calc.scenario import Assumptions
from calc.units import GB, MICROSECOND, MILLISECOND


def _assumption(sets: str, range: tuple[float, float], **words: Any) -> Any:
    """Declare one field of the set of assumptions, as the set has it unless given."""
    return number("Assumptions", OPEN, range, sets=(sets,), **words)


def _effect(sets: str, *, label: str, doc: str) -> Any:
    """Declare one effect that the set of assumptions counts or leaves out."""
    return _assumption(sets, (0, 1), whole=True, label=label, doc=f"{doc} 1 = yes, 0 = no.")


@dataclass(frozen=True, kw_only=True)
class AssumptionInputs:
    """The set of assumptions, and what is changed of it."""

    assumptions: str | Assumptions = choice(
        "Assumptions",
        "lesson",
        ASSUMPTIONS,
        label="Assumptions",
        doc="What the roofline leaves out: the lesson's ideal leaves out everything.",
    )
    mbu: Value = _assumption(
        "bandwidth_efficiency",
        (0.01, 1),
        label="Bandwidth reached",
        doc="Share of HBM bandwidth reached.",
    )
    mfu: Value = number(
        "Assumptions",
        OPEN,
        (0.01, 1),
        symbol="mfu",
        sets=("prefill_efficiency", "decode_efficiency"),
        label="Peak reached",
        doc="Share of the peak reached.",
    )
    mfu_prefill: Value = _assumption(
        "prefill_efficiency",
        (0.01, 1),
        label="Peak reached in prefill",
        doc="The same, in prefill only.",
    )
    mfu_decode: Value = _assumption(
        "decode_efficiency",
        (0.01, 1),
        label="Peak reached in decode",
        doc="The same, in decode only.",
    )
    usable: Value = _assumption(
        "usable_fraction", (0.01, 1), label="Usable HBM", doc="Share of HBM in use at most."
    )
    reserve_gb: Value = _assumption(
        "reserve_bytes",
        (0, 1000),
        unit="GB",
        factor=GB,
        label="Reserve",
        doc="Kept free on each GPU for activations and workspace.",
    )
    overlap: str | Overlap = choice(
        "Assumptions",
        "assumed",
        OVERLAPS,
        label="Overlap",
        doc="Whether a whole step overlaps memory with arithmetic, or each operator does.",
    )
    attention: Value = _effect(
        "attention_counted",
        label="Attention's arithmetic",
        doc="Whether attention's own FLOPs are counted.",
    )
    kv_write: Value = _effect(
        "kv_write_counted",
        label="Writing the cache",
        doc="Whether the cache that prefill writes is counted.",
    )
    input_table: Value = _effect(
        "input_table_read",
        label="Reading the input embedding",
        doc="Whether a step reads all of an input embedding of its own.",
    )
    driver_capacity: Value = _effect(
        "reported_capacity",
        label="Capacity as reported",
        doc="Whether HBM is as large as the driver says, not the vendor.",
    )
    real_checkpoint: Value = _effect(
        "real_checkpoint",
        label="Real checkpoint",
        doc="Whether weights are a real checkpoint's: with scales and 16-bit tables if quantised, "
        "and with copies where GPUs share layers.",
    )
    communication: Value = _effect(
        "communication_counted",
        label="Communication",
        doc="Whether what the GPUs tell each other takes time.",
    )
    allreduce_us: Value = number(
        "Assumptions",
        OPEN,
        (0, 10_000),
        sets=("allreduce_latency_s", "pcie_allreduce_latency_s"),
        unit="µs",
        factor=MICROSECOND,
        label="Latency of one all-reduce",
        doc="Latency of one all-reduce between GPUs, whatever their link.",
    )
    layer_us: Value = _assumption(
        "layer_overhead_s",
        (0, 10_000),
        unit="µs",
        factor=MICROSECOND,
        label="Overhead per layer",
        doc="Time per layer that is neither memory nor arithmetic: launches of its kernels.",
    )
    expert_us: Value = _assumption(
        "expert_overhead_s",
        (0, 10_000),
        unit="µs",
        factor=MICROSECOND,
        label="Overhead that experts add to a layer",
        doc="What routing and experts add to that, in each layer of a model with experts.",
    )
    step_overhead_ms: Value = _assumption(
        "step_overhead_s",
        (0, 1000),
        unit="ms",
        factor=MILLISECOND,
        label="Overhead per step",
        doc="Time per step beside that of its layers, such as scheduling.",
    )
    batched_tokens: Value = _assumption(
        "batched_tokens",
        (1, 2**20),
        whole=True,
        unit="tokens",
        label="Tokens batched per step",
        doc="Most tokens that an engine brings in per step: what a sliding window reserves.",
    )
    batches_in_flight: Value = _assumption(
        "batches_in_flight",
        (1, 64),
        whole=True,
        label="Batches in flight",
        doc="Batches that an engine schedules ahead: 2 with asynchronous scheduling.",
    )

    def assumptions_record(self) -> Assumptions:
        """The set of assumptions, changed where an input is given."""
        usual = record_of(ASSUMPTIONS, self.assumptions)
        operator = record_of(OVERLAPS, self.overlap).operator
        changes = {"operator_overlap": given(operator, usual.operator_overlap)}
        for key, one in _CHANGES.items():
            value = getattr(self, key)
            if is_open(value):
                continue
            for name in one.sets:
                otherwise = changes.get(name, getattr(usual, name))
                changes[name] = given(value * one.factor, otherwise)
        return replace(usual, **changes)


_CHANGES = numbers_of(AssumptionInputs)
