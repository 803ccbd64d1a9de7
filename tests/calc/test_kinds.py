"""Kinds of layers that compress their cache, and read a part of it: one function for all kinds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calc import KvFormat, evaluate, scenario
from calc.formulas import decode, prefill
from calc.scenario import LayerKind

#: vLLM's layout of DeepSeek-V4's entries: 512 numbers in 584 bytes.
V4_ENTRY = KvFormat(bytes_per_kv=584 / 512)


@pytest.mark.parametrize(
    ("name", "n_params", "n_active"),
    # Published are 284 B with 13 B active, and 1.6 T with 49 B; looking up a token's row is none.
    [
        ("deepseek-v4-flash", 284_332_230_231, 13_270_091_351),
        ("deepseek-v4-pro", 1_572_997_179_491, 48_852_379_747),
    ],
)
def test_parameters_of_models_with_compressed_caches(name, n_params, n_active):
    model = scenario(model=name).model
    assert (model.n_params, model.n_active - model.n_input_table) == (n_params, n_active)


@pytest.mark.parametrize(
    ("name", "of_token", "of_states"),
    # 716 bytes for 4 tokens in 21 or 30 layers, 584 for 128 in 20 or 31; rows in fp32.
    [("deepseek-v4-flash", 3850.25, 12_206_080), ("deepseek-v4-pro", 5511.4375, 18_710_528)],
)
def test_what_a_compressed_cache_keeps(name, of_token, of_states):
    report = evaluate(scenario(model=name, kv=V4_ENTRY, context=131_072, batch=1, gpus=8))
    windows = report.window_bytes_per_token * 128
    assert report.kv_bytes_per_token == of_token
    assert report.state_bytes_per_sequence == of_states
    assert report.kv_bytes_per_sequence == 131_072 * of_token + windows + of_states
    # Nothing of it can be split: one vector for all heads, and the rows that make it.
    assert report.kv_bytes_per_sequence_per_gpu == report.kv_bytes_per_sequence


def test_what_a_step_reads_of_deepseek_v4_flash():
    read = {}
    for context in (1024, 131_072, 2**20):
        report = evaluate(
            scenario(model="deepseek-v4-flash", kv=V4_ENTRY, context=context, batch=1)
        )
        entries = 43 * 128 * 584 + 20 * context / 128 * 584
        best = 21 * (min(context / 4, 512) * 584 + context / 4 * 132)
        # A compressor reads its rows once for each of its entries.
        rows = 21 * 81_920 / 4 + 20 * 524_288 / 128
        found = report.kv_read_bytes_per_gpu - rows
        assert found == pytest.approx(entries + best)
        read[context] = round(found / 1e6)
    # vLLM's figures: 112 MB of 520 MB kept, 832 MB of 4.05 GB.
    assert (read[131_072], read[2**20]) == (112, 832)


def test_what_is_kept_is_read_where_attention_is_not_sparse():
    for model in ("llama-3-8b", "gemma-3-27b", "qwen3.5-27b", "deepseek-v3"):
        report = evaluate(scenario(model=model, context=32_768, batch=16, gpus=2))
        assert report.kv_read_bytes_per_gpu == report.kv_bytes_per_gpu


def test_sparse_attention_keeps_all_and_reads_its_best():
    # Llama 3 8B: 32 layers, 8 KV heads of 128 in bf16 are 131,072 bytes a token.
    dense = scenario(model="llama-3-8b", context=32_768, batch=16)
    kind = replace(dense.model.full, tokens_per_entry=4, most_entries_read=512)
    sparse = replace(dense, model=replace(dense.model, full=kind))
    report = evaluate(sparse)
    assert report.kv_bytes_per_gpu == 16 * 32_768 / 4 * 131_072
    assert report.kv_read_bytes_per_gpu == 16 * 512 * 131_072
    assert report.kv_read_s == pytest.approx(16 * 512 * 131_072 / 3.3e12)
    # 8,192 entries, of which 512 are met: a sixteenth of the arithmetic, and of a dense layer's
    # a 64th. 2 for multiply and add, 2 for scores and values, 32 heads of 128 in each of 32 layers.
    assert decode.attention_flops_per_token(kind, 32_768.0) == 2 * 2 * 32 * 32 * 128 * 512


def test_an_indexer_meets_every_key_and_attention_its_best():
    model = scenario(model="deepseek-v3.2").model
    # 64 heads of 128 meet each key; of the latents 128 heads meet 2,048, 2 · 512 + 64 wide.
    for context in (1000.0, 100_000.0):
        flops = [
            decode.attention_flops_per_token(each, context) for each in (model.index, model.full)
        ]
        assert flops[0] == 2 * 61 * 64 * 128 * context
        assert flops[1] == 2 * 61 * 128 * (2 * 512 + 64) * min(context, 2048)


def test_a_prompt_meets_one_entry_for_several_tokens():
    kind = LayerKind(n_layers=1, tokens_per_entry=4, prefill_attention_width=1)
    # Half of all pairs of 1,000 tokens with 250 entries; 250 at most are met by the second half.
    assert prefill.attention_flops(kind, 1000.0, 1000.0) == 2 * 1000 * 1000 / 2 / 4
    assert prefill.attention_flops(kind, 1000.0, 1.0) == pytest.approx(2 * 250, rel=1e-3)
    short = replace(kind, most_entries_read=10)
    assert prefill.attention_flops(short, 1000.0, 1000.0) == 2 * 1000 * 10
