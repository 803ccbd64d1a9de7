"""Inputs that are refused, as they are typed, and the sentence that every door says."""

from __future__ import annotations

WHOLE_GROUPS = (
    "the query heads (heads) must be a whole multiple of the KV heads (kv_heads = heads / gqa)"
)

#: One for each kind of range, and for each rule.
REFUSALS: list[tuple[dict[str, str], str]] = [
    ({"batch": "0"}, "batch=0: allowed is a whole number from 1 to 1,024"),
    ({"batch": "2.5"}, "batch=2.5: allowed is a whole number from 1 to 1,024"),
    ({"context": "2000000"}, "context=2000000: allowed is a whole number from 1 to 1,048,576"),
    ({"prompt": "0"}, "prompt=0: allowed is a whole number from 1 to 1,048,576"),
    ({"alpha": "1.5"}, "alpha=1.5: allowed is a number from 0 to 1"),
    ({"params_b": "0.4"}, "params_b=0.4: allowed is a number from 0.5 to 1,000"),
    ({"attention": "2"}, "attention=2: allowed is a whole number from 0 to 1"),
    (
        {"kv": "q8"},
        "kv=q8: did you mean q8_0? "
        "allowed is one of bf16, fp8, int8, int4, nvfp4, mxfp4, q8_0, q4_0, fp8_ds_mla, "
        "fp8_ds_v4",
    ),
    ({"gqa": "5"}, "gqa=5: allowed is a divisor of the 32 query heads: 1, 2, 4, 8, 16 or 32"),
    ({"gqa": "64"}, "gqa=64: allowed is a divisor of the 32 query heads: 1, 2, 4, 8, 16 or 32"),
    (
        {"gqa": "3", "params_b": "70"},
        "gqa=3: allowed is a divisor of the 64 query heads: 1, 2, 4, 8, 16, 32 or 64",
    ),
    ({"heads": "7"}, "gqa=4: allowed is a divisor of the 7 query heads: 1 or 7"),
    ({"kv_heads": "3"}, WHOLE_GROUPS),
    ({"kv_heads": "16", "params_b": "13"}, WHOLE_GROUPS),
    (
        {"active_b": "10", "experts": "8", "top_k": "2"},
        "there cannot be more active parameters (active_b) than parameters (params_b)",
    ),
    (
        {"experts": "2", "top_k": "3"},
        "a token cannot go to more experts (top_k) than there are (experts)",
    ),
    (
        {"active_b": "1", "experts": "8", "top_k": "6"},
        "fewer active parameters (active_b) than the experts' share, params_b · top_k / experts",
    ),
    ({"experts": "8"}, "experts need their number per token (top_k)"),
    ({"active_b": "3"}, "fewer active parameters (active_b) need experts and top_k"),
    ({"model": "llama-3-8b", "gqa": "1"}, "gqa: Llama 3 / 3.1 8B has its own"),
    (
        {"model": "llama-3-8b", "layers": "12", "gqa": "2"},
        "gqa, layers: Llama 3 / 3.1 8B has its own",
    ),
    ({"hbm_gb": "96"}, "hbm_gb: H100 80GB has its own"),
    (
        {"gpu": "a100-sxm-80gb", "fp8_tflops": "624", "link_gb_per_s": "64"},
        "fp8_tflops, link_gb_per_s: A100 SXM 80GB has its own",
    ),
    (
        {"gpus": "3"},
        "tp=3 (gpus / dp / pp): allowed is a divisor of the 32 query heads: 1, 2, 4, 8, 16 or 32",
    ),
    (
        {"model": "qwen2.5-7b", "gpus": "8"},
        "tp=8 (gpus / dp / pp): allowed is a divisor of the 28 query heads: 1, 2, 4, 7, 14 or 28",
    ),
    (
        {"model": "phi-4", "gpus": "4"},
        "tp=4 (gpus / dp / pp): it must divide the 10 KV heads, or be a multiple of them; "
        "with 40 query heads these do: 1, 2, 5, 10, 20 or 40",
    ),
    (
        {"model": "qwen2.5-72b", "kv": "fp8_ds_mla"},
        "this KV format (kv) is for models that cache one vector of 576 numbers, key and value at "
        "once: choose another format",
    ),
    (
        {"model": "deepseek-v3", "kv": "fp8_ds_v4"},
        "this KV format (kv) is for models that cache one vector of 512 numbers, key and value at "
        "once: choose another format",
    ),
    (
        {"gpus": "8", "dp": "3", "pp": "2"},
        "gpus=8: allowed is a whole multiple of dp · pp, here 3 · 2 = 6",
    ),
    (
        {"gpus": "8", "tp": "4"},
        "gpus=8: allowed is tp · dp · pp, here 4 · 1 · 1 = 4",
    ),
    (
        {"gpus": "64", "pp": "64"},
        "there cannot be more pipeline stages (pp=64) than layers, 32",
    ),
    (
        {"gpus": "8", "dcp": "2"},
        "context parallelism (dcp=2) must divide the copies of the KV cache, tp / KV heads: 1 here",
    ),
    (
        {"model": "llama-3-70b", "gpus": "32", "dcp": "3"},
        "context parallelism (dcp=3) must divide the copies of the KV cache, tp / KV heads: 4 here",
    ),
    (
        {"gpus": "8", "ep": "8"},
        "expert parallelism (ep) and redundant experts need a model with experts",
    ),
    (
        {"model": "deepseek-v3", "gpus": "8", "ep": "3"},
        "expert parallelism (ep=3) must divide tp · dp, 8 · 1",
    ),
    (
        {"model": "mixtral-8x7b", "gpus": "16", "ep": "16"},
        "expert parallelism (ep=16) is over no more GPUs than a layer has experts: "
        "8, and 0 redundant",
    ),
    (
        {"model": "deepseek-v3", "gpus": "8", "redundant_experts": "32"},
        "redundant experts (redundant_experts) need expert parallelism (ep)",
    ),
    ({"gpu": "custom", "hbm_gb": "0"}, "hbm_gb=0: allowed is a number from 1 to 100,000"),
]
