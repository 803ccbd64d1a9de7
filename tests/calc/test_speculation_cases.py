"""Measured speculative decoding: signs, and bands that the closed form must hold."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from calc import ACCEPTANCES, evaluate, scenario
from calc.studies.crossing import crossing_batch, speedup_over_batch
from tests.helpers.cases import records

CASES = {each["id"]: each for each in records("speculation")}
BATCH_1 = [
    each
    for each in CASES.values()
    if each.get("batch") == 1 and "mean_accepted_length" in each and "speedup" in each
]
WITH_POSITIONS = [each for each in CASES.values() if "per_position_acceptance" in each]


@pytest.mark.parametrize("case", BATCH_1, ids=lambda each: each["id"])
def test_speedup_at_batch_1_is_at_most_the_accepted_length(case):
    # A pass costs at least a plain step, so a cycle cannot gain more than it accepts.
    assert case["speedup"] <= case["mean_accepted_length"]
    # What is left is the price of drafting and verifying: half to all of it is kept.
    assert case["speedup"] / case["mean_accepted_length"] > 0.3


@pytest.mark.parametrize("case", WITH_POSITIONS, ids=lambda each: each["id"])
def test_accepted_length_is_one_plus_the_positions(case):
    length = 1 + sum(case["per_position_acceptance"])
    assert case["mean_accepted_length"] == pytest.approx(length, abs=0.06)


@pytest.mark.parametrize("case", WITH_POSITIONS, ids=lambda each: each["id"])
def test_a_constant_acceptance_between_first_and_last_position_fits(case):
    positions = case["per_position_acceptance"]
    k = float(len(positions))
    chances = np.array(positions) / np.array([1.0, *positions[:-1]])
    low, high = (
        evaluate(scenario(spec_k=k, alpha=a)).spec_tokens_per_pass
        for a in (chances.min(), chances.max())
    )
    assert low - 0.06 <= case["mean_accepted_length"] <= high + 0.06


@pytest.mark.parametrize("name", [n for n in ACCEPTANCES if n != "constant"])
def test_acceptance_table_replaces_the_constant(name):
    table = ACCEPTANCES[name]
    for k, each in enumerate(fields(table), start=1):
        got = evaluate(scenario(spec_k=float(k), acceptance=name)).spec_tokens_per_pass
        assert got == getattr(table, each.name)
    assert evaluate(scenario(spec_k=0.0, acceptance=name)).spec_tokens_per_pass == 1


def test_constant_acceptance_fits_eagle_and_not_mtp():
    ks = np.arange(1.0, 9.0)
    eagle = evaluate(scenario(spec_k=ks, acceptance="kimi-k2.5-eagle3")).spec_tokens_per_pass
    constant = evaluate(scenario(spec_k=ks, alpha=0.765)).spec_tokens_per_pass
    assert np.max(np.abs(eagle - constant)) < 0.115
    mtp = evaluate(scenario(spec_k=ks, acceptance="deepseek-v4-pro-mtp")).spec_tokens_per_pass
    best = min(
        np.max(np.abs(mtp - evaluate(scenario(spec_k=ks, alpha=a)).spec_tokens_per_pass))
        for a in np.linspace(0.5, 0.9, 81)
    )
    assert best > 0.15


def llama_70b(**inputs):
    return {"model": "llama-3-70b", "gpu": "h100-sxm", "gpus": 4.0, "spec_k": 4.0} | inputs


def test_load_flips_the_sign():
    # vLLM, Llama 3 70B on four H100: 1.5 times as fast at 1 request/s, 1.8 times as slow
    # at a high rate with an n-gram draft that is rarely right.
    assert CASES["vllm-2024-draft-lowqps"]["speedup"] > 1
    assert CASES["vllm-2024-ngram-highqps"]["speedup"] < 1
    low, high = speedup_over_batch(
        np.array([1.0, 512.0]), **llama_70b(context=64.0, draft_cost=0.01)
    )
    assert low > 1.5
    assert high < 1
    low, high = speedup_over_batch(
        np.array([1.0, 512.0]), **llama_70b(context=64.0, draft_cost=0.0, alpha=0.3)
    )
    assert low > 1
    assert high < 0.5556


@pytest.mark.parametrize("concurrency", [128, 256])
def test_one_drafted_token_loses_at_high_concurrency(concurrency):
    case = CASES[f"qwen38-2.4t-mtp1-c{concurrency}"]
    assert case["speedup"] < 1
    # Closed form: a compute-bound cycle pays k + 1 steps' arithmetic and k drafts, each at
    # most a fifth of a step, for E tokens.
    assert case["mean_accepted_length"] / (2 + 0.2) <= case["speedup"]


def test_moe_pays_for_verifying_with_more_experts():
    dense = evaluate(scenario(model="llama-3-70b", batch=4.0, context=64.0, spec_k=4.0))
    sparse = evaluate(scenario(model="deepseek-v3", batch=4.0, context=64.0, spec_k=4.0))
    assert dense.verify_weight_bytes == dense.weight_bytes_read
    assert sparse.verify_weight_bytes > 2.5 * sparse.weight_bytes_read
    assert sparse.spec_speedup < 0.5 * dense.spec_speedup


def test_crossing_point():
    assert crossing_batch(1024, **llama_70b(context=1.0)) == 152
    assert np.isnan(crossing_batch(512, **llama_70b(context=4096.0)))
    assert crossing_batch(16, **llama_70b(context=64.0, alpha=0.0)) == 0
