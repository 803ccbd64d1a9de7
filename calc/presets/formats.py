"""Number formats of weights and cache."""

from __future__ import annotations

from calc.scenario import KvFormat, WeightFormat

#: Bytes per weight of q6_k, which llama.cpp stores the output head as.
_GGUF_HEAD_BYTES = 210 / 256


def _gguf(block_bytes: float, weights: int = 256) -> WeightFormat:
    """A block type of GGUF, scales included; kernels expand it and multiply in 16 bit.

    What others keep at 16 bit is the embedding in the type itself, and the head.
    """
    per_weight = block_bytes / weights
    tables = (per_weight + max(per_weight, _GGUF_HEAD_BYTES)) / 2
    return WeightFormat(per_weight, math_bits=16.0, wide_bytes_per_weight=tables)


#: Bytes are by definition. The width of the arithmetic: fp8 and int8 mean weights and
#: activations (W8A8); int8-wo and int4 are weight-only (W4A16), expanded to bf16 before
#: they multiply; mxfp4 and nvfp4 multiply at the FP4 rate of chips that have one.
#: Scales, in bytes per weight: fp8 one fp32 per 128x128 block (DeepSeek-V3's config.json,
#: weight_block_size); int4 one fp16 scale and one 4-bit zero per 128 (AWQ: 4.16 bits);
#: mxfp4 one 8-bit scale per 32 (OCP MX v1.0: 4.25 bits); nvfp4 one fp8 scale per 16
#: (NVIDIA: 4.5 bits). GGUF's are bytes per block, scales always included: the structs of
#: ggml/src/ggml-common.h of ggml-org/llama.cpp at 01243c58, which asserts their sizes. A file is
#: a mix of them: its name's main type, and wider ones for single tensors.
WEIGHT_FORMATS: dict[str, WeightFormat] = {
    "fp32": WeightFormat(bytes_per_weight=4.0, math_bits=32.0),
    "bf16": WeightFormat(bytes_per_weight=2.0, math_bits=16.0),
    "fp8": WeightFormat(1.0, 8.0, scale_bytes_per_weight=4 / 128**2),
    "int8": WeightFormat(1.0, 8.0, integer_math=1.0),
    "int8-wo": WeightFormat(1.0, 16.0),
    "int4": WeightFormat(0.5, 16.0, scale_bytes_per_weight=(2 + 0.5) / 128),
    "mxfp4": WeightFormat(0.5, 4.0, scale_bytes_per_weight=1 / 32),
    "nvfp4": WeightFormat(0.5, 4.0, scale_bytes_per_weight=1 / 16),
    "q8_0": _gguf(2 + 32, weights=32),
    "q6_k": _gguf(2 + 16 + 128 + 64),
    "q5_k": _gguf(4 + 12 + 128 + 32),
    "q4_k": _gguf(4 + 12 + 128),
    "q3_k": _gguf(2 + 12 + 64 + 32),
    "q2_k": _gguf(4 + 16 + 64),
    "iq4_xs": _gguf(2 + 2 + 4 + 128),
    "iq3_xxs": _gguf(2 + 96),
    "iq2_s": _gguf(2 + 64 + 8 + 8),
    "iq2_xxs": _gguf(2 + 64),
    "iq1_m": _gguf(32 + 16 + 8),
    "iq1_s": _gguf(2 + 32 + 16),
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
} | {
    name: f"GGUF, {8 * form.bytes_per_weight:.4g} bits with scales, multiplied in 16"
    for name, form in WEIGHT_FORMATS.items()
    if name.startswith(("q", "iq"))
}

#: Scales included: blocks are those of the weights' formats, q4_0 has 18 bytes per 32. fp8_ds_mla
#: is vLLM's for the latent of DeepSeek's MLA, 656 bytes: of its 576 numbers 512 in fp8 with four
#: fp32 scales, and 64 in bf16 (vLLM, `vllm/v1/attention/backends/mla/flashmla_sparse.py`).
#: fp8_ds_v4 is what vLLM gives the same name for DeepSeek-V4, whose entries take 584 bytes: of 512
#: numbers 448 in fp8 with 8 bytes of scales, and 64 in bf16
#: (`vllm/models/deepseek_v4/attention.py`). fp8, int8 and int4 have a scale per tensor, or none.
KV_FORMATS: dict[str, KvFormat] = {
    "bf16": KvFormat(bytes_per_kv=2.0),
    "fp8": KvFormat(bytes_per_kv=1.0),
    "int8": KvFormat(bytes_per_kv=1.0),
    "int4": KvFormat(bytes_per_kv=0.5),
    "nvfp4": KvFormat(bytes_per_kv=0.5 + 1 / 16),
    "mxfp4": KvFormat(bytes_per_kv=0.5 + 1 / 32),
    "q8_0": KvFormat(bytes_per_kv=(2 + 32) / 32),
    "q4_0": KvFormat(bytes_per_kv=(2 + 16) / 32),
    "fp8_ds_mla": KvFormat(bytes_per_kv=(512 + 4 * 4 + 64 * 2) / 576, latent_width=576.0),
    "fp8_ds_v4": KvFormat(bytes_per_kv=(448 + 8 + 64 * 2) / 512, latent_width=512.0),
}

#: What stands in for a format whose model was left for another: the first that this can have.
STAND_INS = (*(name for name, each in KV_FORMATS.items() if each.latent_width), "fp8")

KV_FORMAT_MEANINGS = {
    "bf16": "2 bytes per key or value",
    "fp8": "1 byte per key or value, as int8",
    "int8": "1 byte per key or value, as fp8",
    "int4": "Half a byte per key or value",
    "nvfp4": "4 bit and a scale per 16: 4.5 bits per key or value",
    "mxfp4": "4 bit and a scale per 32: 4.25 bits per key or value",
    "q8_0": "llama.cpp's 8 bit and a scale per 32: 8.5 bits per key or value",
    "q4_0": "llama.cpp's 4 bit and a scale per 32: 4.5 bits per key or value",
    "fp8_ds_mla": "vLLM's for DeepSeek's MLA only: 656 bytes for the 576 numbers of a token",
    "fp8_ds_v4": "vLLM's fp8_ds_mla of DeepSeek-V4 only: 584 bytes for the 512 numbers of an entry",
}
