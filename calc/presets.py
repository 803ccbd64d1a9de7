"""Named records: number formats, GPUs, assumptions. Each number with its source."""

from __future__ import annotations

from collections.abc import Mapping

from calc.specs import Assumptions, Gpu, KvFormat, WeightFormat
from calc.units import GB, TB, TERA

#: Bytes are by definition. The width of the arithmetic: fp8 and int8 mean weights and
#: activations (W8A8); int4 is weight-only (W4A16), expanded to bf16 before it multiplies.
#: int4 is the lesson's exact half byte; real checkpoints add scales.
WEIGHT_FORMATS: dict[str, WeightFormat] = {
    "bf16": WeightFormat(bytes_per_weight=2.0, math_bits=16.0),
    "fp8": WeightFormat(bytes_per_weight=1.0, math_bits=8.0),
    "int8": WeightFormat(bytes_per_weight=1.0, math_bits=8.0),
    "int4": WeightFormat(bytes_per_weight=0.5, math_bits=16.0),
}

KV_FORMATS: dict[str, KvFormat] = {
    "bf16": KvFormat(bytes_per_kv=2.0),
    "fp8": KvFormat(bytes_per_kv=1.0),
    "int8": KvFormat(bytes_per_kv=1.0),
    "int4": KvFormat(bytes_per_kv=0.5),
}

GPUS: dict[str, Gpu] = {
    # The serving lesson's rounded card: 80 GB, ~3.3 TB/s, ~990 bf16 TFLOP/s. Its 8-bit
    # peak is twice the bf16 one, as in NVIDIA's H100 datasheet (dense: 989.5 and 1,979).
    "h100-80gb-lesson": Gpu(
        hbm_bytes=80 * GB,
        hbm_bytes_per_s=3.3 * TB,
        peak_16bit_flops_per_s=990 * TERA,
        peak_8bit_flops_per_s=1980 * TERA,
    ),
    # NVIDIA H100 Tensor Core GPU datasheet, SXM column, halved to dense.
    "h100-sxm": Gpu(
        hbm_bytes=80 * GB,
        hbm_bytes_per_s=3.35 * TB,
        peak_16bit_flops_per_s=989.5 * TERA,
        peak_8bit_flops_per_s=1979 * TERA,
    ),
}

ASSUMPTIONS: dict[str, Assumptions] = {
    "lesson": Assumptions(reserve_bytes=0.0),
}

#: Choice → its named records, under the names that the command line and the page use.
CHOICES: dict[str, Mapping[str, WeightFormat | KvFormat | Gpu | Assumptions]] = {
    "weights": WEIGHT_FORMATS,
    "kv": KV_FORMATS,
    "gpu": GPUS,
    "assumptions": ASSUMPTIONS,
}
