"""GPUs that share a model: what each holds, by hand and as engines print it; what talk takes."""

from __future__ import annotations

import pytest

from calc import Inputs, Parallelism, evaluate, scenario
from calc.serving.inputs import ServingInputs, rules
from calc.units import GIB

R1 = {"model": "deepseek-v3", "weights": "fp8", "real_checkpoint": 1.0, "gpu": "h200-sxm"}


def report(**inputs):
    return evaluate(scenario(**inputs))


# --- as engines print it --------------------------------------------------------------------


def test_deepseek_r1_with_data_parallel_attention():
    # sglang issue 6017: 8 GPUs, each with sequences of its own, 32 redundant experts. The engine
    # also keeps the projections out of the latent at 16 bit: 61 layers, 128 heads of 128 + 128.
    shared = report(**R1, gpus=8, dp=8, ep=8, redundant_experts=32)
    absorbed = 61 * 512 * 128 * (128 + 128) * 2
    held_gib = (shared.weight_bytes_per_gpu + absorbed) / GIB
    assert held_gib == pytest.approx(105.59, rel=0.005)
    # 10.57 GiB hold 161,488 tokens of a group.
    assert shared.full_bytes_per_token_per_gpu == pytest.approx(10.57 * GIB / 161_488, rel=5e-4)


def test_kimi_k2_with_context_parallelism():
    # vLLM's recipe for Kimi-K2-Thinking: 46.80 GiB hold 715,072 tokens, or 5,721,088 split by 8.
    tokens = {}
    for dcp in (1, 8):
        each = report(model="kimi-k2", gpus=8, dcp=dcp).full_bytes_per_token_per_gpu
        tokens[dcp] = 46.80 * GIB / each
    assert tokens[1] == pytest.approx(715_072, rel=2e-4)
    assert tokens[8] == pytest.approx(5_721_088, rel=2e-4)


# --- by hand --------------------------------------------------------------------------------


def test_alone_gpus_share_each_layer():
    assert report(gpus=8) == report(gpus=8, tp=8)
    assert Parallelism(n_gpus=8).tensor_parallel == 8
    assert Parallelism(n_gpus=8, data_parallel=2, pipeline_parallel=2).tensor_parallel == 2


def test_groups_of_a_dense_model_are_servers_of_their_own():
    one, four = report(batch=8, gpus=2), report(batch=32, gpus=8, dp=4)
    for name in ("weight_bytes_per_gpu", "kv_bytes_per_gpu", "step_s", "ttft_s", "fits"):
        assert getattr(four, name) == getattr(one, name), name
    for name in ("max_batch", "tokens_per_s", "served_tokens_per_s", "usd_per_hour_in_all"):
        assert getattr(four, name) == pytest.approx(4 * getattr(one, name)), name
    assert four.usd_per_million_output_tokens == pytest.approx(one.usd_per_million_output_tokens)


def test_groups_share_one_set_of_experts():
    shared = report(**R1, gpus=16, tp=2, dp=8, ep=16)
    outside = shared.weight_bytes - shared.expert_bytes + shared.copied_weight_bytes
    assert shared.weight_bytes_per_gpu == pytest.approx(outside / 2 + shared.expert_bytes / 16)
    # Cut into pieces or shared out as wholes: as many bytes, if they come out even.
    pieces = report(**R1, gpus=16, tp=2, dp=8)
    assert pieces.weight_bytes_per_gpu == shared.weight_bytes_per_gpu


def test_what_a_latent_comes_from_is_whole_on_each_gpu():
    # DeepSeek-V3: 61 layers of 7,168 to 1,536 and to 576, 58 routers of 256, norms.
    down = 61 * (7168 * (1536 + 576) + 1536)
    routers, norms = 58 * 256 * (7168 + 1), (2 * 61 + 1) * 7168
    for tp in (1, 8):
        shared = report(**R1, gpus=tp, batch=1)
        assert shared.n_copied_params == (tp - 1) * (down + routers + norms)
        held_bytes = shared.weight_bytes + shared.copied_weight_bytes
        assert shared.weight_bytes_per_gpu * tp == pytest.approx(held_bytes)
        # Each reads its copies, and multiplies with them.
        idle = shared.expert_bytes * shared.idle_fraction
        unread_bytes = idle + shared.unread_table_bytes
        assert shared.weight_bytes_read * tp == pytest.approx(held_bytes - unread_bytes)
        n_multiplied = shared.n_active_params + shared.n_copied_params
        assert shared.linear_flops * tp == pytest.approx(2 * n_multiplied)
    # The routers and norms are at 16 bit, the rest is fp8 with its scales.
    copied = report(**R1, gpus=8).copied_weight_bytes
    assert copied == pytest.approx(7 * (down * (1 + 4 / 128**2) + 2 * (routers + norms)))


def test_nothing_of_a_group_is_copied_where_each_gpu_is_one():
    assert report(**R1, gpus=8, dp=8, ep=8).copied_weight_bytes == 0
    # Nor of a model of which only a size is known, while each GPU has KV heads of its own.
    assert report(gpus=8, real_checkpoint=1).copied_weight_bytes == 0


def test_in_the_ideal_gpus_divide_all_weights():
    for model in ("7b-class", "llama-3-70b", "deepseek-v3", "deepseek-v4-pro"):
        shared = report(model=model, gpus=16)
        assert shared.weight_bytes_per_gpu == shared.weight_bytes / 16


def test_projections_to_kv_heads_are_copied_as_these_are():
    # 8 KV heads on 32 GPUs: 4 copies of each, of 80 layers from 8,192 to keys and values.
    norms = (2 * 80 + 1) * 8192
    for tp, times in ((8, 1), (16, 2), (32, 4)):
        shared = report(model="llama-3-70b", gpus=tp, real_checkpoint=1)
        projections = 80 * 8192 * 2 * 8 * 128 * (times - 1)
        assert shared.n_copied_params == (tp - 1) * norms + projections


def test_an_indexer_is_whole_on_each_gpu():
    # 61 layers: queries of 64 heads from the latent, a key with its norm, a weight per head.
    plain, sparse = (
        report(model=f"deepseek-{each}", gpus=8, real_checkpoint=1) for each in ("v3", "v3.2")
    )
    indexer = 61 * (1536 * 64 * 128 + 7168 * 128 + 2 * 128 + 7168 * 64)
    assert sparse.n_copied_params - plain.n_copied_params == 7 * indexer


def test_experts_are_whole_and_some_are_kept_twice():
    # 256 experts and 32 copies over 64 GPUs: 4.5, so that the fullest has 5.
    shared = report(**R1, gpus=64, dp=64, ep=64, redundant_experts=32)
    outside = shared.weight_bytes - shared.expert_bytes
    assert shared.weight_bytes_per_gpu == pytest.approx(outside + shared.expert_bytes * 5 / 256)


def test_all_groups_touch_the_same_experts():
    # 8 of 256: 64 tokens of each of 4 groups are as 256 tokens.
    shared = report(**R1, gpus=4, dp=4, ep=4, batch=256)
    assert shared.idle_fraction == pytest.approx((1 - 8 / 256) ** 256)
    read = shared.weight_bytes_read - (shared.weight_bytes - shared.expert_bytes)
    assert read == pytest.approx(shared.expert_bytes / 4 * (1 - shared.idle_fraction))


def test_a_latent_is_not_copied_where_each_group_has_its_own_sequences():
    tensor, data = report(**R1, gpus=8, batch=64), report(**R1, gpus=8, dp=8, ep=8, batch=64)
    assert tensor.kv_bytes_per_gpu == 8 * data.kv_bytes_per_gpu
    # The fullest group decides: 65 sequences are 9 for one of the 8.
    assert report(**R1, gpus=8, dp=8, ep=8, batch=65).batch_per_gpu == 9


def test_context_parallelism_splits_copies_of_what_is_kept():
    plain, split = (report(model="llama-3-70b", gpus=32, dcp=n) for n in (1, 4))
    assert split.kv_bytes_per_gpu == plain.kv_bytes_per_gpu / 4
    assert split.kv_share == 1 / 32
    # Of a window each GPU keeps its own.
    plain, split = (report(model="gemma-3-27b", gpus=32, dcp=n) for n in (1, 2))
    assert split.window_bytes_per_token_per_gpu == plain.window_bytes_per_token_per_gpu
    assert split.full_bytes_per_token_per_gpu == plain.full_bytes_per_token_per_gpu / 2


def test_a_pipeline_divides_memory_and_not_the_time_of_a_token():
    one, four = (report(model="llama-3-70b", batch=n, gpus=n, pp=n) for n in (1, 4))
    assert four.weight_bytes_per_gpu == one.weight_bytes_per_gpu / 4
    # Four batches of one sequence are on their way: each step takes as long, and yields four.
    assert four.step_s == one.step_s
    assert four.tokens_per_s == pytest.approx(4 * one.tokens_per_s)
    assert four.kv_bytes_per_gpu == one.kv_bytes_per_gpu
    assert four.ttft_s == one.ttft_s
    # 32 sequences: 8 go through the layers together.
    many = report(model="llama-3-70b", batch=32, gpus=4, pp=4)
    assert (many.batch_per_pass, many.batch_per_gpu) == (8, 32)


def test_the_fullest_stage_decides():
    uneven = report(**R1, gpus=2, pp=2)
    assert uneven.weight_bytes_per_gpu == pytest.approx(uneven.weight_bytes * 31 / 61)
    assert uneven.kv_reserved_bytes_per_sequence == pytest.approx(
        report(**R1).kv_reserved_bytes_per_sequence * 31 / 61
    )


def test_a_full_pipeline_is_as_fast_as_its_fullest_stage():
    # 32 layers in 16 stages or in 31: the fullest has 2 layers, and 2 sequences at a time.
    even, uneven = report(gpus=16, pp=16, batch=32), report(gpus=31, pp=31, batch=62)
    assert even.step_s == report(batch=2).step_s
    assert uneven.step_s == pytest.approx(even.step_s * 62 / 32)
    for name in ("tokens_per_s", "served_tokens_per_s"):
        assert getattr(uneven, name) == pytest.approx(getattr(even, name)), name
    assert uneven.usd_per_million_output_tokens == pytest.approx(
        even.usd_per_million_output_tokens * 31 / 16
    )
    # Checking guesses waits likewise.
    even, uneven = (report(gpus=n, pp=n, batch=2 * n, spec_k=3) for n in (16, 31))
    assert uneven.tokens_per_s == pytest.approx(even.tokens_per_s)


def test_nobody_waits_in_a_pipeline_that_is_not_full():
    alone = report(batch=1)
    for batch in (1, 16):
        assert report(gpus=31, pp=31, batch=batch).step_s == alone.step_s
    # 17 batches at 2 of 32 layers.
    assert report(gpus=31, pp=31, batch=17).step_s == pytest.approx(alone.step_s * 34 / 32)
    assert report(gpus=31, pp=31, batch=62).ttft_s == alone.ttft_s


# --- what it takes to talk ------------------------------------------------------------------


def test_experts_of_all_groups_cost_two_exchanges_per_layer():
    # DeepEP on 8 H100, 128 tokens each, hidden 7,168, 8 experts: 40 + 72 µs (aiconfigurator's
    # tables); on 8 H200 35 + 68.
    engine = R1 | {"assumptions": "engine", "gpus": 8, "dp": 8, "ep": 8, "gpu": "h100-sxm"}
    for tokens, low_us, high_us in ((8, 27, 31), (32, 41, 45), (128, 103, 112)):
        each_us = report(**engine, batch=8.0 * tokens).communication_s / 61 * 1e6
        assert 0.75 * low_us < each_us < 1.35 * high_us, tokens


def test_a_dense_model_s_groups_have_nothing_to_say_to_each_other():
    inputs = {"assumptions": "engine", "gpu": "h100-sxm", "batch": 32}
    assert report(**inputs, gpus=4, dp=4).communication_s == 0
    two, eight = report(**inputs, gpus=2), report(**inputs, gpus=8, dp=4, tp=2)
    assert 0 < eight.communication_s < two.communication_s


def test_stages_hand_on_what_they_have():
    inputs = {"assumptions": "engine", "gpu": "h100-sxm", "model": "llama-3-70b"}
    piped = report(**inputs, gpus=4, pp=4, batch=4)
    assert piped.communication_s == pytest.approx(3 * (5e-6 + 8192 * 2 / 450e9))


@pytest.mark.parametrize("key", ["dp", "pp"])
def test_a_replay_has_one_batch(key):
    with pytest.raises(ValueError, match=r"^dp, pp: the replay has one batch at a time"):
        rules(Inputs(gpus=2, **{key: 2}), ServingInputs())
