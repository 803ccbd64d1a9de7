"""Parameter counts from config.json against published ones."""

from __future__ import annotations

import math

import pytest

from calc import read_config
from tests.helpers.cases import records

PUBLISHED = [each for each in records("models") if "published" in each]

#: Rounded counts that ours does not round to, and why.
NAMED_CAUSES = {
    "Qwen/Qwen3.5-35B-A3B": "the vision tower is in the published count",
    "Qwen/Qwen3.5-9B": "the vision tower is in the published count; config from memory",
    "nvidia/Qwen3.6-35B-A3B-NVFP4": "the vision tower is in the published count",
    "deepseek-ai/DeepSeek-V3.2": "published for V3; V3.2 adds 0.85 B of indexers",
    "google/gemma-4-26B-A4B": "the name's 26 rounds 25.2 and adds the vision tower",
    "meta-llama/Llama-4-Scout-17B-16E-Instruct": "the vision tower is in the published count",
    "meta-llama/Llama-4-Maverick-17B-128E-Instruct": "401 B, published as 400",
    "moonshotai/Kimi-K2-Instruct": "published as 1.04 T; its tensors add up to 1.026 T",
    "moonshotai/Kimi-K2.5": "published as 1.04 T; its tensors add up to 1.026 T",
    "nvidia/Kimi-K2.6-NVFP4": "published as 1.04 T; its tensors add up to 1.026 T",
    "MiniMaxAI/MiniMax-M2.5": "228.7 B, published as 230",
    "MiniMaxAI/MiniMax-M3": "published with extra prediction layers",
    "zai-org/GLM-4.5": "the extra prediction layer is in the published count",
    "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8": "120.7 B, published as 120",
    "nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16": "549.3 B, published as 550",
    "zai-org/GLM-4.5-Air": "106.9 B, published as 106",
    "mistralai/Mistral-Small-3.2-24B-Instruct-2506": "the vision tower is in the published count",
    "moonshotai/Kimi-Linear-48B-A3B-Instruct": "config from memory; the name rounds",
    "Qwen/Qwen3-Next-80B-A3B-Instruct": "79.7 B, published as 80",
    "Qwen/Qwen3-0.6B": "0.596 B, published as 0.6",
}

#: No config that says enough, or one whose widths are guesses.
NOT_COUNTED = {
    "google/gemma-4-E4B-it": "the widths of its MLPs were not collected",
    "ibm-granite/granite-4.2-3b": "its widths were guessed by whoever collected them",
}


#: What is read of the cache is a guess, and said to be.
GUESSED = {"MiniMaxAI/MiniMax-M3": "its sparse attention is counted as reading all"}


def shown(number: float) -> float:
    """Half a unit of the last digit that is not 0."""
    digits = f"{number:.0f}".rstrip("0")
    return 0.5 * 10 ** (len(f"{number:.0f}") - len(digits))


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda each: each["id"])
def test_parameters_match_the_published_count(case):
    if case["id"] in NOT_COUNTED:
        pytest.skip(NOT_COUNTED[case["id"]])
    published = case["published"]
    reading = read_config(case["config"])
    counted = reading.model.n_params
    assert reading.guesses == () or case["id"] in GUESSED
    assert counted == math.floor(counted)
    if published["precision"].startswith("exact"):
        assert counted == published["total_params"]
        return
    total = published["total_params"]
    agrees = abs(counted - total) <= shown(total)
    if case["id"] in NAMED_CAUSES:
        assert counted == pytest.approx(total, rel=0.05)
    else:
        assert agrees, f"{counted:,.0f} against {total:,.0f}"


def test_named_causes_are_of_cases_that_exist():
    assert {*NAMED_CAUSES, *NOT_COUNTED} <= {each["id"] for each in PUBLISHED}


def test_nearly_all_counts_are_exact_to_the_tensor():
    exact = [c for c in PUBLISHED if c["published"]["precision"].startswith("exact")]
    assert len(exact) == 29


#: Published active counts leave out the input embedding in some cases and not in others.
ACTIVE_CAUSES = {
    "deepseek-ai/DeepSeek-V3.2": "published for V3; V3.2 adds indexers",
    "MiniMaxAI/MiniMax-M2.5": "published as 10, ours 10.4 without the input embedding",
    "Qwen/Qwen3-Next-80B-A3B-Instruct": "published as 3; 3.6 without the input embedding",
    "Qwen/Qwen3.5-35B-A3B": "published as 3; 2.9 without the input embedding",
    "zai-org/GLM-4.5-Air": "published as 12; 12.8 without the input embedding",
    "deepseek-ai/DeepSeek-V2-Lite": "published as 2.4; 2.45 without the input embedding",
    "google/gemma-4-26B-A4B": "the card says 3.8, the name rounds it to 4",
    "moonshotai/Kimi-Linear-48B-A3B-Instruct": "config from memory; the name rounds",
}


@pytest.mark.parametrize(
    "case",
    [c for c in PUBLISHED if c["published"].get("active_params") and c["id"] not in NOT_COUNTED],
    ids=lambda each: each["id"],
)
def test_active_parameters(case):
    model = read_config(case["config"]).model
    published = case["published"]["active_params"]
    counts = (model.n_active, model.n_active - model.n_input_table)
    nearest = min(abs(each / published - 1) for each in counts)
    if case["id"] in ACTIVE_CAUSES:
        assert nearest < 0.30
    else:
        assert nearest < 0.05
