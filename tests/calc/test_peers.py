"""Closed forms that other sources publish, to their printed digits.

The number beside each test is that of the row in a published comparison of calculators;
where a source prints GB for GiB, the unit that its digits fit is used and said.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calc import (
    GPUS,
    KV_FORMATS,
    WEIGHT_FORMATS,
    Assumptions,
    Inputs,
    LayerKind,
    Model,
    Parallelism,
    Precision,
    Scenario,
    WeightFormat,
    Workload,
    evaluate,
    scenario,
)
from calc.formulas.cost import tokens_per_usd, usd_per_million_tokens
from calc.units import GIB, MIB
from tests.helpers.cases import model, with_full


def report(**inputs):
    return evaluate(scenario(**inputs))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        # 1-3: "Insights into DeepSeek-V3" (ISCA 2025), table 1.
        ("deepseek-v3", 70_272),
        ("qwen2.5-72b", 327_680),
        ("llama-3.1-405b", 516_096),
        # 4: DeepSeek-V2 paper, appendix D.2: 34.6 K and 15.6 K elements per token.
        ("deepseek-v2-lite", 2 * 27 * 576),
        ("llama-3-70b", 320 * 1024),
    ],
)
def test_kv_bytes_per_token(name, printed):
    assert report(model=name).kv_bytes_per_token == printed


def test_row_4_mla_against_mha():
    large = model("deepseek-ai/DeepSeek-V2")
    mla = evaluate(replace(scenario(), model=large))
    assert f"{mla.kv_bytes_per_token / 2e3:.1f}" == "34.6"
    lite = report(model="deepseek-v2-lite")
    assert f"{lite.kv_bytes_per_token / 2e3:.1f}" == "15.6"
    # The same heads without compression: 27 layers, 16 heads of 128 + 128.
    base = scenario(model="deepseek-v2-lite")
    heads = evaluate(replace(base, model=with_full(base.model, cache_width=16.0 * 256)))
    assert f"{heads.kv_bytes_per_token / 2e3:.1f}" == "110.6"


def test_row_6_llama_8b_pool():
    # vLLM prints 11.12 GiB and 5,691 blocks of 16 tokens; 11.12 sequences of 8,192.
    per_token = report(model="llama-3-8b").kv_bytes_per_token
    assert per_token == 131_072
    assert f"{5691 * 16 * per_token / GIB:.2f}" == "11.12"
    sequence = report(model="llama-3-8b", context=8192).kv_bytes_per_sequence
    assert f"{5691 * 16 * per_token / sequence:.2f}" == "11.12"


def test_row_7_the_draft_is_one_more_layer():
    base = scenario(model="llama-3-8b")
    drafted = evaluate(replace(base, model=with_full(base.model, n_layers=33.0)))
    assert drafted.kv_bytes_per_token == 135_168
    assert f"{410_128 * drafted.kv_bytes_per_token / GIB:.2f}" == "51.63"


def test_row_8_room_on_a_4090():
    # 25.25e9 B seen, 0.9 usable, 41,408 tokens in the pool: 1.24 GB is left over.
    room = report(model="llama-3-8b")
    left = 0.9 * 25.25e9 - room.weight_bytes - 41_408 * room.kv_bytes_per_token
    assert f"{left / 1e9:.2f}" == "1.24"


def test_row_12_gpt_oss_windowed_and_reserved():
    # hf-mem: bf16, 8,192 tokens, 32 sequences: 12.00 GiB reserved, 6.09 GiB windowed.
    windowed = report(model="gpt-oss-20b", batch=32)
    assert f"{windowed.kv_bytes / GIB:.2f}" == "6.09"
    base = scenario(model="gpt-oss-20b", batch=32)
    all_full = with_full(replace(base.model, window=LayerKind()), n_layers=24.0)
    assert f"{evaluate(replace(base, model=all_full)).kv_bytes / GIB:.2f}" == "12.00"


@pytest.mark.parametrize(
    ("name", "context", "gib"),
    [
        ("deepseek-v3", 163_840, "10.72"),  # 13, DeepSeek-V3.1
        ("kimi-k2", 262_144, "17.16"),  # 14, Kimi-K2.5
        ("gemma-3-27b", 131_072, "10.41"),  # 15
        ("qwen3-0.6b", 40_960, "4.38"),  # 16, head size 128 and not 64
    ],
)
def test_kv_total_printed_as_gb_but_gib(name, context, gib):
    total = report(model=name, context=context).kv_bytes_per_sequence / GIB
    assert f"{total:.2f}" == gib


def test_row_15_naive_gemma_is_eight_times_too_large():
    base = scenario(model="gemma-3-27b", context=131_072)
    # No window, and a head size guessed as 5,376 / 32 = 168 instead of the config's 128.
    naive = with_full(replace(base.model, window=LayerKind()), n_layers=62.0, d_head=168.0)
    total = evaluate(replace(base, model=naive)).kv_bytes_per_sequence
    assert f"{total / GIB:.2f}" == "81.38"


def test_row_17_hybrid_cache_and_state():
    # LM Studio: 262,144 cells, 16 of 64 layers cache, 16,384 MiB; plus 598.5 MiB of states.
    full = report(model="qwen3.5-27b", context=262_144)
    cache = full.kv_bytes_per_sequence - full.state_bytes_per_sequence
    assert full.kv_bytes_per_token == 65_536
    assert cache / MIB == 16_384
    # llama.cpp keeps convolutions at 32 bit too (here 16), and four states: 48 layers remember
    # three inputs of 2 · 16 · 128 + 48 · 128 channels.
    convolutions = 48 * 3 * (2 * 16 * 128 + 48 * 128) * 2
    assert 4 * (full.state_bytes_per_sequence + convolutions) / MIB == 598.5


# --- 19-25: Austin et al., How to Scale Your Model (2025), chapters 7 and 8 ------------------

# Its chapters take 8.1e11 B/s in one problem and 8.2e11 in another.
V5E = replace(
    GPUS["tpu-v5e"],
    hbm_bytes_per_s=8.2e11,
    peak_16bit_flops_per_s=1.97e14,
    peak_int8_flops_per_s=3.94e14,
)
PER_OPERATOR = Assumptions(operator_overlap=1.0)
LLAMA_13B = Model.dense(13e9, n_layers=40, n_heads=40, n_kv_heads=40, d_head=128)


def scaled(
    model, batch, context, chips, weights="bf16", kv="bf16", assumptions=PER_OPERATOR, chip=V5E
):
    return evaluate(
        Scenario(
            model,
            chip,
            Precision(
                weights if isinstance(weights, WeightFormat) else WEIGHT_FORMATS[weights],
                KV_FORMATS[kv],
            ),
            Workload(context, batch, prompt_len=1000.0),
            assumptions=assumptions,
            parallelism=Parallelism(n_gpus=float(chips)),
        )
    )


#: 6.7 GB of cache for a sequence of 8,192 tokens, as the chapter rounds it.
ROUNDED_13B = with_full(LLAMA_13B, cache_width=6.7e9 / 8192 / 40 / 2)


@pytest.mark.parametrize(
    ("batch", "milliseconds", "tokens_per_s"),
    [(1, "4.98", "200.6"), (240, "249.1", "963.5")],
)
def test_row_19_llama_13b_on_8_chips(batch, milliseconds, tokens_per_s):
    result = scaled(ROUNDED_13B, batch, 8192, 8)
    digits = len(milliseconds.partition(".")[2])
    assert f"{1e3 * result.step_s:.{digits}f}" == milliseconds
    assert f"{result.tokens_per_s:.1f}" == tokens_per_s


def test_row_20_a_fifth_of_the_cache():
    fifth = with_full(ROUNDED_13B, n_kv_heads=8.0, cache_width=ROUNDED_13B.full.cache_width / 5)
    result = scaled(fifth, 64, 8192, 8)
    assert f"{1e3 * result.step_s:.2f}" == "17.04"
    assert f"{result.tokens_per_s:.0f}" == "3757"


# 30 B parameters, 100 kB of cache per token: 12,500 int8 elements in 4 heads on 4 layers.
LLAMA_70B = Model.dense(70e9, n_layers=80, n_heads=64, n_kv_heads=8, d_head=128)

THIRTY_B = Model.dense(30e9, n_layers=50, n_heads=16, n_kv_heads=16, d_head=62.5)
INT8_BF16_MATH = WeightFormat(1.0, 16.0)
SLOWER = replace(V5E, hbm_bytes_per_s=8.1e11)


@pytest.mark.parametrize(("batch", "milliseconds"), [(4, "2.57"), (256, "21.05")])
def test_row_21_overlap_per_operator(batch, milliseconds):
    result = scaled(THIRTY_B, batch, 8192, 16, INT8_BF16_MATH, "int8", chip=SLOWER)
    assert result.kv_bytes_per_token == 100_000
    assert f"{1e3 * result.step_s:.2f}" == milliseconds


def test_row_21_one_maximum_for_the_whole_step_is_shorter():
    whole = scaled(THIRTY_B, 256, 8192, 16, INT8_BF16_MATH, "int8", Assumptions(), SLOWER)
    assert f"{1e3 * whole.step_s:.1f}" == "18.5"


def test_row_22_llama_70b_int8_on_8_chips():
    # 160 kB of cache per token, as the chapter rounds it. Its 1,882 tokens/s are 32 per 17 ms.
    rounded = with_full(LLAMA_70B, cache_width=2000.0)
    result = scaled(rounded, 32, 8192, 8, "int8-wo", "int8")
    assert f"{(result.weight_bytes + result.kv_bytes) / 1e9:.0f}" == "112"
    assert f"{1e3 * result.step_s:.0f}" == "17"
    assert f"{32 / round(result.step_s, 3):,.0f}" == "1,882"


def test_row_23_prefill():
    result = scaled(
        LLAMA_70B,
        1,
        8192,
        16,
        assumptions=Assumptions(prefill_efficiency=0.4),
    )
    seconds = result.ttft_s * 8192 / 1000
    assert f"{seconds:.2f}" == "0.91"


def test_row_24_prefill_to_decode_servers():
    # 0.91 s of prefill against 512 steps of 19 ms shared by 32 sequences: 3 to 1.
    prefill_s, decode_s = 0.91, 512 * 0.019
    assert round(prefill_s / (decode_s / 32)) == 3


@pytest.mark.parametrize(
    ("weights", "batch"), [("bf16", 240), (INT8_BF16_MATH, 120), ("int8", 240)]
)
def test_row_25_critical_batch(weights, batch):
    batches = np.arange(1.0, 400.0)
    tiny = LLAMA_70B
    result = scaled(tiny, batches, 1e-9, 1, weights)
    assert abs(batches[np.argmax(result.compute_s >= result.memory_s)] - batch) <= 1


def test_row_34_weight_only_int4_against_fp16():
    # MARLIN reports 3.87 times; 4 bits and a 16-bit scale per 128 weights allow 3.88.
    marlin = WeightFormat(0.5, 16.0, scale_bytes_per_weight=2 / 128)
    base = Inputs(context=1e-9, batch=1, real_checkpoint=1.0, weights=marlin).scenario()
    base = replace(base, model=replace(base.model, n_16bit=0.0))
    plain = Inputs(context=1e-9, batch=1).scenario()
    gain = evaluate(plain).step_s / evaluate(base).step_s
    assert f"{gain:.2f}" == "3.88"


def test_row_36_a_day_of_deepseek():
    # 226.75 nodes of 8 GPUs at 2 USD/h.
    assert f"{report(gpus=8, usd_per_gpu_hour=2).usd_per_hour_in_all * 226.75 * 24:.0f}" == "87072"


def test_row_37_price_of_output_tokens():
    # 12 nodes of 8 H100 at 2 USD/h put out 22.3 k tokens/s per node.
    price = usd_per_million_tokens(16.0, 22_300.0)
    assert f"{price:.3f}" == "0.199"
    assert tokens_per_usd(price) * price == pytest.approx(1e6, rel=1e-12)


@pytest.mark.parametrize(("batch", "experts"), [(1, 8), (16, 102), (64, 222)])
def test_deepseek_v3_touches_more_experts_with_the_batch(batch, experts):
    assert round(float(report(model="deepseek-v3", batch=batch).experts_touched)) == experts


def test_ridges_follow_chip_and_width():
    # 281 with the 8 TB/s that NVIDIA rounds to.
    printed = {"h100-sxm": 295, "h200-sxm": 206, "b200-sxm": 293, "mi300x": 247}
    for gpu, ridge in printed.items():
        assert round(report(gpu=gpu).ridge_flops_per_byte) == ridge
    assert round(report(gpu="h100-sxm", weights="fp8").ridge_flops_per_byte) == 591


def test_price_of_a_request():
    # 2,250 tokens on average: (14 + 8 · 2,250 · 2^17 / 1e9) GB / 3.3 TB/s = 4.957 ms a step. The
    # prompt takes 2 · 7e9 · 2,000 / 990e12 s, and a GPU hour costs 3 USD.
    step_s = (14e9 + 8 * 2250 * 2**17) / 3.3e12
    gpu_s = 2 * 7e9 * 2000 / 990e12 + 500 * step_s / 8
    assert report(prompt=2000).request_usd == pytest.approx(gpu_s * 3 / 3600)
