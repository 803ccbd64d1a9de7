"""Each assumption changes what it says, and can be changed alone."""

from __future__ import annotations

import pytest

from calc import Inputs, evaluate, scenario
from calc.units import GIB, MIB


def report(**inputs):
    return evaluate(scenario(**inputs))


@pytest.mark.parametrize(
    ("inputs", "field", "factor"),
    [
        ({"mbu": 0.5}, "memory_s", 2),
        ({"mfu": 0.5}, "compute_s", 2),
        ({"mfu_decode": 0.5}, "compute_s", 2),
        ({"mfu_prefill": 0.5}, "prefill_compute_s", 2),
        ({"usable": 0.5}, "hbm_limit_bytes", 0.5),
    ],
)
def test_efficiencies(inputs, field, factor):
    assert getattr(report(**inputs), field) == pytest.approx(factor * getattr(report(), field))


def test_mfu_alone_changes_both_phases_and_one_phase_alone_only_its_own():
    assert report(mfu=0.5).ttft_s == pytest.approx(2 * report().ttft_s)
    assert report(mfu_decode=0.5).ttft_s == report().ttft_s


def test_kv_write_alone():
    # 8,192 tokens of 131,072 bytes more per prompt.
    assert report(kv_write=1.0).prefill_bytes == report().prefill_bytes + 8192 * 131_072
    assert report(kv_write=1.0, prompt=1.0).prefill_bytes == 14e9 + 131_072


def test_input_table_alone():
    table = 128_256 * 4096 * 2
    whole = report(model="llama-3-8b", assumptions="engine", input_table=1.0)
    assert whole.weight_bytes_read == whole.weight_bytes
    looked_up = report(model="llama-3-8b", input_table=0.0)
    assert looked_up.weight_bytes_read == looked_up.weight_bytes - table


def test_reserve_and_capacity():
    assert report(reserve_gb=2.0).hbm_used_bytes == report().hbm_used_bytes + 2e9
    assert report(driver_capacity=1.0, gpu="h100-sxm").hbm_bytes == 81_559 * MIB
    assert report(assumptions="engine").reserved_bytes == 2.5 * GIB
    assert report(assumptions="engine", reserve_gb=1.0).reserved_bytes == 1e9


def test_engine_starts_from_the_driver_s_capacity_and_uses_nine_tenths():
    engine = report(assumptions="engine", gpu="h100-sxm")
    assert engine.hbm_limit_bytes == pytest.approx(0.9 * 81_559 * MIB)


def test_input_table_is_read_in_the_lesson_and_looked_up_in_engines():
    lesson, engine = report(model="llama-3-8b"), report(model="llama-3-8b", assumptions="engine")
    table = 128_256 * 4096 * 2
    assert lesson.weight_bytes_read - engine.weight_bytes_read == table
    # A tied table is the output head, which is read.
    tied = report(model="llama-3.2-1b", assumptions="engine")
    assert tied.weight_bytes_read == tied.weight_bytes


def test_attention_flops():
    with_attention = report(attention=1.0)
    assert report().attention_flops == 0
    # 4 · L · h · d_head · T per sequence.
    assert with_attention.attention_flops == 8 * 4 * 32 * 32 * 128 * 8192
    assert with_attention.decode_flops == report().decode_flops + with_attention.attention_flops


def test_prefill_attention_is_half_of_all_pairs():
    counted = report(attention=1.0, prompt=1000.0)
    assert counted.prefill_attention_flops == 2 * 32 * 32 * 128 * 1000**2
    # With nine tenths cached, only the pairs of the last tenth are left.
    warm = report(attention=1.0, prompt=1000.0, prefix_hit=0.9)
    assert warm.prefill_attention_flops == pytest.approx(2 * 32 * 32 * 128 * (1000**2 - 900**2))


def test_absorbed_mla_attention():
    # 2 · heads · (2 · kv_lora_rank + rope) · T per layer.
    counted = report(model="deepseek-v3", attention=1.0, batch=1.0)
    assert counted.attention_flops == 61 * 2 * 128 * (2 * 512 + 64) * 8192


def test_communication():
    alone, four = (report(assumptions="engine", gpus=n, gpu="h100-sxm") for n in (1.0, 4.0))
    assert alone.communication_s == 0
    # 64 all-reduces of 5 µs and 2 · 3/4 · 8 · 4096 · 2 B over 450 GB/s.
    assert four.communication_s == pytest.approx(64 * (5e-6 + 1.5 * 8 * 4096 * 2 / 450e9))
    assert report(gpus=4.0).communication_s == 0


def test_communication_over_pcie_waits_for_the_host():
    four = {"assumptions": "engine", "gpus": 4.0, "gpu": "a100-pcie-80gb"}
    # 32 GB/s one way.
    assert report(**four).communication_s == pytest.approx(64 * (30e-6 + 1.5 * 8 * 8192 / 32e9))
    # A latency of one's own is that of any link.
    for gpu, link in (("a100-pcie-80gb", 32e9), ("h100-sxm", 450e9)):
        own = report(**four | {"gpu": gpu}, allreduce_us=10.0)
        assert own.communication_s == pytest.approx(64 * (10e-6 + 1.5 * 8 * 8192 / link))


def test_overhead():
    assert report(step_overhead_ms=1.0).step_s == pytest.approx(report().step_s + 1e-3)
    assert report(layer_us=10.0).step_s == pytest.approx(report().step_s + 32 * 10e-6)
    assert report(expert_us=10.0).step_s == report().step_s
    # Mixtral's 32 layers, each with experts.
    mixtral = report(model="mixtral-8x7b", layer_us=10.0, expert_us=5.0, step_overhead_ms=1.0)
    assert mixtral.overhead_s == pytest.approx(32 * 15e-6 + 1e-3)
    assert mixtral.step_s == pytest.approx(report(model="mixtral-8x7b").step_s + mixtral.overhead_s)
    # GPUs share the bytes of a layer, and not the start of it.
    assert report(layer_us=10.0, gpus=4.0).overhead_s == report(layer_us=10.0).overhead_s


def test_a_prompt_starts_its_layers_too():
    assert report(layer_us=10.0).ttft_s == pytest.approx(report().ttft_s + 32 * 10e-6)


def test_what_binds_may_be_overhead():
    assert report(batch=1.0).bound == "memory"
    assert report(batch=1.0, layer_us=1000.0).bound == "overhead"
    # Two all-reduces per layer against a start.
    two = {"gpus": 2.0, "communication": 1.0, "allreduce_us": 1000.0}
    assert report(**two, layer_us=1000.0).bound == "comms"
    assert report(**two, layer_us=3000.0).bound == "overhead"


def test_heads_are_copied_beyond_their_number_and_latents_always():
    per_gpu = [report(gpus=n).kv_bytes_per_gpu for n in (1.0, 4.0, 8.0, 16.0, 32.0)]
    assert per_gpu == [per_gpu[0] / n for n in (1, 4, 8, 8, 8)]
    latents = [report(model="deepseek-v3", gpus=n).kv_bytes_per_gpu for n in (1.0, 8.0)]
    assert latents[0] == latents[1]


def test_sglang_s_rule_of_one_head_per_rank():
    # Two KV heads on four ranks: one each.
    shared = report(model="qwen3.5-35b-a3b", gpus=4.0)
    assert shared.kv_share == 0.5


def test_longest_context_is_the_inverse_of_the_largest_batch():
    most = report(batch=8.0)
    assert report(context=float(most.max_context_len)).max_batch == 8
    assert report(context=float(most.max_context_len) + 1).max_batch == 7


def test_windows_make_the_cache_stop_growing():
    short, long = (report(model="gemma-3-27b", context=c) for c in (1000.0, 100_000.0))
    assert short.kv_bytes_per_token == 62 * 2 * 16 * 128 * 2
    assert long.kv_bytes_per_token == 10 * 2 * 16 * 128 * 2


def test_custom_moe_from_its_two_counts():
    # Mixtral's counts: 46.7 B, 12.9 B active, 2 of 8 experts: 45.07 B in experts.
    own = report(params_b=46.7, active_b=12.9, experts=8.0, top_k=2.0)
    assert own.expert_bytes / 2 == pytest.approx(33.8e9 * 8 / 6)
    assert own.decode_flops == 2 * 12.9e9 * 8


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"active_b": 1.0}, "need experts and top_k"),
        ({"active_b": 10.0, "experts": 8.0, "top_k": 1.0}, "cannot be more active parameters"),
        ({"experts": 2.0, "top_k": 3.0}, "cannot go to more experts"),
        ({"experts": 8.0}, "number per token"),
        ({"gqa": 3.0}, "^gqa=3: allowed is a divisor of the 32 query heads"),
        ({"gpus": 0.0}, "^gpus=0: allowed is a whole number from 1 to 64$"),
        ({"gpus": 100.0}, "^gpus=100: allowed is a whole number from 1 to 64$"),
        ({"mbu": 0.0}, "^mbu=0: allowed is a number from 0.01 to 1$"),
        ({"mbu": 0.001}, "^mbu=0.001: allowed is a number from 0.01 to 1$"),
        ({"prefix_hit": 1.5}, "prefix_hit"),
    ],
)
def test_contradictions_are_refused(inputs, said):
    with pytest.raises(ValueError, match=said):
        scenario(**inputs)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"gqa": 3.0}, "whole multiple"),
        ({"gpus": 2048.0}, "n_gpus must be between 1 and 1024"),
        ({"mbu": 0.001}, "bandwidth_efficiency must be between 0.01 and 1, not 0.001"),
    ],
)
def test_what_no_formula_is_meant_for_is_refused(inputs, said):
    with pytest.raises(ValueError, match=said):
        Inputs(**inputs).scenario().validate()


def test_request_and_price():
    result = report(prompt=1000.0, output=500.0, batch=8.0, usd_per_gpu_hour=3.0)
    # One prefill of 1,000 tokens, and 500 steps at 1,250 tokens shared by eight.
    prefill_s = 2 * 7e9 * 1000 / 990e12
    step_s = (14e9 + 8 * 1250 * 131_072) / 3.3e12
    gpu_s = prefill_s + 500 * step_s / 8
    assert result.ttft_s == pytest.approx(prefill_s)
    assert result.served_tokens_per_s == pytest.approx(500 / gpu_s)
    assert result.served_input_tokens_per_s == pytest.approx(1000 / gpu_s)
    assert result.usd_per_million_output_tokens == pytest.approx(3 / 3600 * gpu_s / 500 * 1e6)
    assert result.request_s == pytest.approx(prefill_s + 499 * step_s)
