"""Measured decode speeds as scenarios: the fraction of each step that memory alone explains."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from calc import GPUS, Assumptions, Gpu, Inputs, WeightFormat, evaluate
from tests.helpers.cases import configs, kv_format, model, records

#: Cards as the cases name them → preset.
CARDS: dict[str, str] = {
    "A10G": "a10g",
    "A100 80GB (330 W cap)": "a100-sxm-80gb",
    "A100 PCIe 80GB": "a100-pcie-80gb",
    "A100 SXM 80GB": "a100-sxm-80gb",
    "A40": "a40",
    "Apple M1 7-core GPU": "m1",
    "Apple M1 Max 32-core GPU": "m1-max",
    "Apple M2 Ultra 76-core GPU": "m2-ultra",
    "Apple M3 Max 40-core GPU": "m3-max",
    "Arc Pro B60": "arc-b60",
    "B200": "b200-sxm",
    "DGX Spark GB10": "gb10",
    "GB200": "gb200",
    "GB300": "gb300",
    "H100 PCIe 80GB": "h100-pcie",
    "H100 SXM 80GB": "h100-sxm",
    "H20": "h20",
    "H200": "h200-sxm",
    "L40S": "l40s",
    "MI250X (1 GCD)": "mi250x",
    "MI300X": "mi300x",
    "RTX 3080 10GB": "rtx-3080",
    "RTX 3080 Ti": "rtx-3080-ti",
    "RTX 3090": "rtx-3090",
    "RTX 3090 Ti": "rtx-3090-ti",
    "RTX 4070 Ti": "rtx-4070-ti",
    "RTX 4080": "rtx-4080",
    "RTX 4090": "rtx-4090",
    "RTX 5000 Ada": "rtx-5000-ada",
    "RTX 5090": "rtx-5090",
    "RTX 6000 Ada": "rtx-6000-ada",
    "RTX A6000": "rtx-a6000",
    "RX 7900 XTX": "rx-7900-xtx",
}

#: Bits per weight of a class where a case does not state its own.
BITS = {"fp8": 8.0, "int8": 8.0, "nvfp4": 4.5, "mxfp4": 4.25}


@dataclass(frozen=True)
class Row:
    """One measurement, and the least time that its bytes take."""

    case: dict[str, Any]
    floor_s: float

    @property
    def fraction(self) -> float:
        """Share of the measured step that memory traffic explains; 1 = at the ceiling."""
        return self.floor_s / (self.case["step_ms"] / 1e3)


def _card(name: str) -> Gpu:
    return Gpu(1e12, GPUS[CARDS[name]].hbm_bytes_per_s, 1e18, 1e18, peak_4bit_flops_per_s=1e18)


def weights_of(case: dict[str, Any], record: Any) -> tuple[Any, WeightFormat | str, float]:
    """The model, its weight format, and whether the checkpoint is taken as it is stored."""
    if "weight_bytes_total" in case:
        return record, WeightFormat(case["weight_bytes_total"] / record.n_params, 16.0), 0.0
    bits = case.get("bits_per_weight", BITS.get(case["weight_class"], 16.0))
    if "expert_bits" in case:
        # Experts narrower than the rest: blow the rest up to the experts' width.
        rest = bits / case["expert_bits"]
        outside = record.n_params - record.n_expert_params
        record = replace(
            record,
            n_params=record.n_expert_params + outside * rest,
            n_input_table=record.n_input_table * rest,
        )
        return record, WeightFormat(case["expert_bits"] / 8, 16.0), 0.0
    if case["weight_class"] == "mxfp4":
        return record, "mxfp4", 1.0
    math_bits = 8.0 if case["weight_class"] == "fp8" else 16.0
    return record, WeightFormat(bits / 8, math_bits), 0.0


def is_pure_step(case: dict[str, Any]) -> bool:
    """Whether a case is a decode step and nothing else, of a known model and batch."""
    return (
        not case.get("exclude_from_bandwidth_check")
        and case["metric"] == "decode"
        and case.keys() >= {"step_ms", "batch", "model_ref"}
        and case["model_ref"] in configs()
    )


@cache
def rows() -> tuple[Row, ...]:
    """All measurements of pure decode steps whose model and batch are known."""
    measurements = []
    for case in records("throughput"):
        if not is_pure_step(case):
            continue
        record, weights, real = weights_of(case, model(case["model_ref"]))
        report = evaluate(
            # A mean context is no whole number, and some batches are beyond the slider.
            Inputs(
                model=record,
                weights=weights,
                kv=kv_format(case["kv_dtype"]),
                batch=float(case["batch"]),
                context=max(float(case.get("mean_context", 0)), 1.0),
                # Cards that work in turn do not add up their bandwidth.
                gpus=1.0 if case.get("layer_split_gpus") else float(case["tp"]),
                gpu=_card(case["gpu"]),
                assumptions=Assumptions(input_table_read=0.0, real_checkpoint=real),
            ).scenario()
        )
        measurements.append(Row(case, float(report.memory_s)))
    return tuple(measurements)


#: Name of a group → which rows belong to it.
GROUPS = {
    "batch 1, one GPU": lambda c: c["batch"] == 1 and c["gpu_count"] == 1,
    "batch 1, 2 GPUs": lambda c: c["batch"] == 1 and c["tp"] == 2,
    "batch 1, 4 GPUs": lambda c: c["batch"] == 1 and c["tp"] == 4,
    "batch 1, 8 GPUs": lambda c: c["batch"] == 1 and c["tp"] == 8,
    "larger batches": lambda c: c["batch"] > 1,
    **{
        f"{engine}, batch 1, one GPU": lambda c, e=engine: (
            c["engine_family"] == e and c["batch"] == 1 and c["gpu_count"] == 1
        )
        for engine in ("llama.cpp", "vLLM", "gpt-fast", "AutoAWQ", "exllamav2", "MLC-LLM")
    },
    **{
        f"{card}, batch 1, one GPU": lambda c, g=card: (
            c["gpu"] == g and c["batch"] == 1 and c["gpu_count"] == 1
        )
        for card in (
            "RTX 4090",
            "A100 SXM 80GB",
            "A100 80GB (330 W cap)",
            "H100 PCIe 80GB",
            "Apple M2 Ultra 76-core GPU",
            "DGX Spark GB10",
        )
    },
}


def distribution(group: str) -> tuple[int, float, float, float, float]:
    """Count, 10th percentile, median, 90th percentile and largest fraction of a group."""
    fractions = np.array([row.fraction for row in rows() if GROUPS[group](row.case)])
    low, middle, high = np.percentile(fractions, (10, 50, 90))
    return len(fractions), float(low), float(middle), float(high), float(fractions.max())


def table() -> list[str]:
    """The distribution of every group, as the rows of docs/arithmetic.md."""
    return [
        f"| {group} | {n} | {low:.2f} | {middle:.2f} | {high:.2f} | {most:.2f} |"
        for group in GROUPS
        for n, low, middle, high, most in [distribution(group)]
    ]
