"""Number formats of weights and cache."""

from __future__ import annotations

from calc.scenario import KvFormat, WeightFormat

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

#: What each means, in a sentence without its full stop.
WEIGHT_FORMAT_MEANINGS = {
    "fp32": "4 bytes per weight, multiplied in 32 bit at half the 16-bit rate",
    "bf16": "2 bytes per weight, multiplied in 16 bit",
    "fp8": "1 byte per weight, multiplied in 8 bit",
    "int8": "1 byte per weight, multiplied in 8 bit, as integers",
    "int8-wo": "Weights only: stored in 8 bit, multiplied in 16",
    "int4": "Weights only: stored in 4 bit, multiplied in 16",
    "mxfp4": "4 bit, a scale per 32 weights, multiplied in 4 bit",
    "nvfp4": "4 bit, a scale per 16 weights, multiplied in 4 bit",
}

KV_FORMATS: dict[str, KvFormat] = {
    "bf16": KvFormat(bytes_per_kv=2.0),
    "fp8": KvFormat(bytes_per_kv=1.0),
    "int8": KvFormat(bytes_per_kv=1.0),
    "int4": KvFormat(bytes_per_kv=0.5),
}

KV_FORMAT_MEANINGS = {
    "bf16": "2 bytes per key or value",
    "fp8": "1 byte per key or value, as int8",
    "int8": "1 byte per key or value, as fp8",
    "int4": "Half a byte per key or value",
}
