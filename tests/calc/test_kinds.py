"""Kinds of layers that compress their cache, and read a part of it: one function for all kinds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calc import evaluate, scenario
from calc.formulas import decode, kv, prefill
from calc.scenario import LayerKind

#: DeepSeek-V4-Flash: an fp8 entry of 584 bytes; every layer keeps a window, 21 layers one entry
#: for 4 tokens, of which 512 are read, with an index key of 132 bytes each, and 20 one for 128.
FLASH = [
    LayerKind(n_layers=43, kept_len=128, cache_width=584),
    LayerKind(n_layers=21, tokens_per_entry=4, most_entries_read=512, cache_width=584),
    LayerKind(n_layers=21, tokens_per_entry=4, cache_width=132),
    LayerKind(n_layers=20, tokens_per_entry=128, cache_width=584),
]


def test_deepseek_v4_flash_s_cache():
    # vLLM's caches of this model: 3,850 bytes a token; of 520 MB at 131,072 tokens 12.2 MB are
    # its compressors' states, and a step reads 112 MB.
    caches = [kv.kind_cache(each, 1.0) for each in FLASH]
    growing = sum(kv.bytes_per_next_token(each, 131_072.0) for each in caches)
    assert growing == pytest.approx(3850, abs=0.5)
    assert kv.bytes_per_sequence(caches, 131_072.0) == pytest.approx(520e6 - 12.2e6, rel=1e-3)
    assert kv.read_bytes_per_sequence(caches, 131_072.0) == pytest.approx(112e6, rel=5e-3)


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
