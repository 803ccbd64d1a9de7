"""Named records: models, GPUs, number formats, assumptions. Each number with its source.

Models and GPUs live in `data/*.toml` and are read when they are first asked for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any, Generic, TypeVar

from calc.hf_config import read_config
from calc.quantity import Value, quantity
from calc.specs import AcceptedTokens, Assumptions, Gpu, KvFormat, Model, WeightFormat
from calc.units import GB, GIB, MIB, MICROSECOND, TERA

_NAN = float("nan")
_Record = TypeVar("_Record")


class LazyTable(Mapping[str, _Record], Generic[_Record]):
    """A table that is read from its file the first time someone looks into it."""

    def __init__(self, read: Callable[[], dict[str, _Record]]) -> None:
        self._read = cache(read)

    def __getitem__(self, name: str) -> _Record:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


@dataclass(frozen=True)
class Overlap:
    """Whether a whole step overlaps, or each operator by itself; NaN = as assumed."""

    operator: Value = quantity("1 = per operator, 0 = whole step", symbol="operator", default=_NAN)


#: Bytes are by definition. The width of the arithmetic: fp8 and int8 mean weights and
#: activations (W8A8); int8-wo and int4 are weight-only (W4A16), expanded to bf16 before
#: they multiply; mxfp4 and nvfp4 multiply at the FP4 rate of chips that have one.
#: Scales, in bytes per weight: fp8 one fp32 per 128x128 block (DeepSeek-V3's config.json,
#: weight_block_size); int4 one fp16 scale and one 4-bit zero per 128 (AWQ: 4.16 bits);
#: mxfp4 one 8-bit scale per 32 (OCP MX v1.0: 4.25 bits); nvfp4 one fp8 scale per 16
#: (NVIDIA: 4.5 bits).
WEIGHT_FORMATS: dict[str, WeightFormat] = {
    "fp32": WeightFormat(bytes_per_weight=4.0, math_bits=32.0),
    "bf16": WeightFormat(bytes_per_weight=2.0, math_bits=16.0),
    "fp8": WeightFormat(1.0, 8.0, scale_bytes_per_weight=4 / 128**2),
    "int8": WeightFormat(1.0, 8.0, integer_math=1.0),
    "int8-wo": WeightFormat(1.0, 16.0),
    "int4": WeightFormat(0.5, 16.0, scale_bytes_per_weight=(2 + 0.5) / 128),
    "mxfp4": WeightFormat(0.5, 4.0, scale_bytes_per_weight=1 / 32),
    "nvfp4": WeightFormat(0.5, 4.0, scale_bytes_per_weight=1 / 16),
}

KV_FORMATS: dict[str, KvFormat] = {
    "bf16": KvFormat(bytes_per_kv=2.0),
    "fp8": KvFormat(bytes_per_kv=1.0),
    "int8": KvFormat(bytes_per_kv=1.0),
    "int4": KvFormat(bytes_per_kv=0.5),
}

#: Models that follow the reader's parameters and heads; all others have their own.
OWN_MODELS = ("7b-class", "custom")

#: Share of the bandwidth that measured engines reach at batch 1 on one GPU, 10th to 90th
#: percentile: tests/golden/throughput.json.
MBU_BAND = (0.40, 0.79)

#: What engines were seen to keep free on each GPU: tests/golden/kv_logs.json.
RESERVE_BAND_BYTES = (0.6 * GIB, 7.5 * GIB)

ASSUMPTIONS: dict[str, Assumptions] = {
    "lesson": Assumptions(),
    # Efficiencies, overhead and reserve: see docs/model.md, "How far from the ceiling".
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

OVERLAPS: dict[str, Overlap] = {
    "assumed": Overlap(),
    "step": Overlap(0.0),
    "operator": Overlap(1.0),
}

#: Measured acceptance lengths, k = 1 to 8, the target's own token included.
ACCEPTANCES: dict[str, AcceptedTokens] = {
    "constant": AcceptedTokens(),
    # SemiAnalysisAI/InferenceX, golden_al_distribution: coding, thinking on.
    "kimi-k2.5-eagle3": AcceptedTokens(1.83, 2.43, 2.88, 3.24, 3.46, 3.62, 3.71, 3.77),
    "deepseek-v4-pro-mtp": AcceptedTokens(1.79, 2.27, 2.49, 2.54, 2.55, 2.55, 2.54, 2.58),
}


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(files("calc").joinpath("data", name).read_text(encoding="utf-8"))


@cache
def gpu_rows() -> dict[str, dict[str, Any]]:
    """GPU presets as they stand in the data file: figures in datasheet units, and sources.

    Returns
    -------
    dict of str to dict
        Id → name, and per figure a pair of its value and its source in words. The
        figures are explained at the head of `data/gpus.toml`.

    Notes
    -----
    No formula; for tables that show where a number comes from.
    """
    data = _toml("gpus.toml")
    return {
        id_: {
            key: value if key == "name" else (value[0], data["sources"][value[1]])
            for key, value in row.items()
        }
        for id_, row in data["gpus"].items()
    }


@cache
def model_rows() -> dict[str, dict[str, Any]]:
    """Model presets as they stand in the data file: configs, published counts, sources.

    Returns
    -------
    dict of str to dict
        Id → name, source, `config` in the keys of a config.json, and where known
        `published_params` with its source.

    Notes
    -----
    No formula; for tables that show where a number comes from.
    """
    return _toml("models.toml")


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


GPUS: Mapping[str, Gpu] = LazyTable(lambda: {id_: _gpu(row) for id_, row in gpu_rows().items()})

#: A model that is not named follows the sliders: every field is open.
OPEN_MODEL = Model(**{each.name: _NAN for each in fields(Model)})

MODELS: Mapping[str, Model] = LazyTable(
    lambda: (
        dict.fromkeys(OWN_MODELS, OPEN_MODEL)
        | {id_: read_config(row["config"]).model for id_, row in model_rows().items()}
    )
)

#: Choice → its named records, under the names that the command line and the page use.
CHOICES: dict[str, Mapping[str, Any]] = {
    "model": MODELS,
    "weights": WEIGHT_FORMATS,
    "kv": KV_FORMATS,
    "acceptance": ACCEPTANCES,
    "gpu": GPUS,
    "assumptions": ASSUMPTIONS,
    "overlap": OVERLAPS,
}
