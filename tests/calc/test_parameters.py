"""Counting parameters: parts of layers, by hand."""

from __future__ import annotations

from dataclasses import fields

from calc import Report, evaluate, scenario
from calc.architecture.attention import latent_attention_params
from calc.architecture.experts import expert_params


def test_one_expert_by_hand():
    # gpt-oss: three matrices of 2,880 squared, two inner biases and one outer.
    assert expert_params(2880.0, 2880.0, 3.0, 1.0) == 3 * 2880**2 + 3 * 2880


def test_mla_without_a_query_latent():
    # DeepSeek-V2-Lite: q 2048 x 16 x 192; kv_a 2048 x 576 and its norm; kv_b 512 x 16 x 256; o.
    expected = 2048 * 16 * 192 + 2048 * 576 + 512 + 512 * 16 * 256 + 16 * 128 * 2048
    assert latent_attention_params(2048, 16, 128, 512, 0, 128, 64) == expected


def test_an_input_and_a_result_share_a_name_only_if_they_are_the_same():
    built = scenario()
    report = evaluate(built)
    shared = built.leaves().keys() & {f.name for f in fields(Report)}
    assert {name for name in shared if built.leaves()[name] != getattr(report, name)} == set()
