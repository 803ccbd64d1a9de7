"""GPU presets, read from `data/gpus.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from calc.presets.table import LazyTable, toml
from calc.scenario import Gpu
from calc.units import GB, MIB, TERA

#: A card that the reader describes; all others have their own figures.
OWN_GPU = "custom"


@cache
def gpu_rows() -> dict[str, dict[str, Any]]:
    """GPU presets as they stand in the data file: figures in datasheet units, and sources.

    Returns
    -------
    dict of str to dict
        Id → name, and per figure a pair of its value and its source in words. The
        figures are explained at the head of `data/gpus.toml`. What a card costs,
        `usd_per_hour`, is known of some: inputs take it only where it is given.
    """
    data = toml("gpus.toml")
    return {
        id_: {
            key: value if key == "name" else (value[0], data["sources"][value[1]])
            for key, value in row.items()
        }
        for id_, row in data["gpus"].items()
    }


def _gpu(row: dict[str, Any]) -> Gpu:
    def figure(key: str) -> float:
        return float(row[key][0]) if key in row else 0.0

    hbm_bytes = figure("hbm_gb") * GB
    return Gpu(
        hbm_marketed_bytes=hbm_bytes,
        hbm_bytes_per_s=figure("hbm_gb_per_s") * GB,
        peak_16bit_flops_per_s=figure("bf16_tflops") * TERA,
        peak_8bit_flops_per_s=figure("fp8_tflops") * TERA,
        peak_int8_flops_per_s=figure("int8_tops") * TERA,
        peak_4bit_flops_per_s=figure("fp4_tflops") * TERA,
        hbm_reported_bytes=figure("driver_mib") * MIB if "driver_mib" in row else hbm_bytes,
        link_bytes_per_s=figure("link_gb_per_s") * GB,
    )


#: What the inputs say of a card of the reader's own is open here.
OPEN_GPU = Gpu(
    *(float("nan"),) * 4, peak_4bit_flops_per_s=float("nan"), link_bytes_per_s=float("nan")
)

GPUS: Mapping[str, Gpu] = LazyTable(
    lambda: {OWN_GPU: OPEN_GPU} | {id_: _gpu(row) for id_, row in gpu_rows().items()}
)
