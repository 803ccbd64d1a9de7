"""One pass over some work: what is shared, what adds up, what that costs in time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calc import evaluate, scenario
from calc.formulas.passes import Rates, Work, forward_pass, rates

DECODE = Work(n_tokens=8.0, kv_bytes=8 * 8192 * 131_072.0, attention_flops=0.0)
CHUNK = Work(n_tokens=512.0, kv_bytes=512 * 131_072.0, attention_flops=0.0)


def pass_over(work: Work, **inputs: object):
    start = scenario(**inputs)
    report = evaluate(start)
    speeds = rates(start, report.peak_flops_per_s, start.assumptions.decode_efficiency)
    return forward_pass(start, report, speeds, work)


def test_a_step_of_the_default_by_hand():
    step = pass_over(DECODE)
    assert step.weight_bytes_per_pass == 14e9
    assert step.total_bytes == 14e9 + 8.589934592e9
    assert step.flops == 2 * 7e9 * 8
    assert step.total_s == step.total_bytes / 3.3e12
    assert step.bound == "memory"


def test_works_add_up_and_share_one_read_of_the_weights():
    both = DECODE + CHUNK
    assert both == Work(520.0, DECODE.kv_bytes + CHUNK.kv_bytes, 0.0)
    together = pass_over(both)
    assert together.weight_bytes_per_pass == 14e9
    assert together.flops == pass_over(DECODE).flops + pass_over(CHUNK).flops
    # A prompt's piece beside a decode batch is bound by its own arithmetic here, and for free.
    assert together.total_s == pytest.approx(2 * 7e9 * 520 / 990e12)
    assert together.total_s < pass_over(DECODE).total_s + pass_over(CHUNK).total_s


def test_more_tokens_touch_more_experts_but_never_more_than_all():
    alone = pass_over(replace(DECODE, n_tokens=1.0), model="mixtral-8x7b")
    many = pass_over(replace(DECODE, n_tokens=1000.0), model="mixtral-8x7b")
    assert alone.idle_fraction == 1 - 2 / 8
    assert many.idle_fraction < 1e-100
    assert alone.weight_bytes_per_pass < many.weight_bytes_per_pass
    assert many.weight_bytes_per_pass == evaluate(scenario(model="mixtral-8x7b")).weight_bytes


def test_each_part_overlaps_with_its_own_where_operators_do():
    # Attention alone is bound by arithmetic, everything else by memory.
    work = replace(DECODE, attention_flops=1e13)
    whole, each = pass_over(work), pass_over(work, overlap="operator")
    assert whole.total_s == max(whole.memory_s, whole.compute_s)
    assert each.total_s == each.weight_s + each.attention_s


def test_rates_are_the_shares_of_the_peaks():
    start = scenario(mbu=0.5, mfu=0.25)
    assert rates(start, 8e14, 0.25) == Rates(1.65e12, 2e14, 990e12 / 4)


def test_a_prefix_in_host_memory_is_loaded_before_the_first_token():
    # 10,000 of 20,000 tokens, 2 · 32 layers · 8 heads · 128 numbers of 2 bytes each, at 50 GB/s.
    inputs = {"model": "llama-3-8b", "prompt": 20_000.0, "prefix_hit": 0.5}
    load_s = 10_000 * 131_072 / 50e9
    assert evaluate(scenario(**inputs)).host_load_s == pytest.approx(load_s)
    assert evaluate(scenario(**inputs, gpus=4.0)).host_load_s == pytest.approx(load_s / 4)
    assert evaluate(scenario(**inputs, host_link_gb_per_s=25.0)).host_load_s == pytest.approx(
        2 * load_s
    )
    # Nothing is loaded where nothing is cached, be it a constant state.
    for model in ("llama-3-8b", "qwen3-next-80b-a3b"):
        assert evaluate(scenario(model=model)).host_load_s == 0
