"""`report --json` of twenty scenarios, frozen: a change of the code is not one of the numbers."""

from __future__ import annotations

import json

import pytest

from app.inputs import from_texts
from calc import evaluate
from tests.helpers.golden import frozen

SCENARIOS = [
    "",
    "context=32768 batch=8 gqa=1",
    "batch=64",
    "batch=1 weights=int4",
    "spec_k=4",
    "spec_k=4 batch=1 acceptance=kimi-k2.5-eagle3",
    "spec_k=8 alpha=1 batch=512 context=512",
    "assumptions=engine",
    "assumptions=engine batch=32 prefix_hit=0.5 prompt=2000 output=500",
    "params_b=70 gqa=8 gpus=4 weights=fp8 kv=fp8",
    "params_b=405 gqa=16 gpus=8 assumptions=engine gpu=h200-sxm",
    "model=deepseek-v3 gpus=8 weights=fp8 gpu=h200-sxm batch=64",
    "model=deepseek-v3 gpus=8 weights=fp8 gpu=h200-sxm assumptions=engine spec_k=2",
    "model=gpt-oss-120b weights=mxfp4 assumptions=engine",
    "model=gemma-3-27b context=131072 batch=4",
    "model=qwen3.5-27b context=131072 gpus=2 spec_k=2 assumptions=engine",
    "model=custom params_b=8 layers=32 heads=32 kv_heads=8 d_head=128 vocab=128256 active_b=2 "
    "experts=64 top_k=4",
    "model=llama-3-70b gpus=4 reserve_gb=8.589934592 context=4096 batch=125 overlap=operator",
    "model=nemotron-3-nano context=1048576 batch=16 kv=fp8",
    "gpu=a100-sxm-80gb weights=fp8 mbu=0.8 mfu=0.5 usable=0.9 step_overhead_ms=2",
]


def report(scenario: str) -> dict[str, object]:
    texts = dict(pair.split("=", 1) for pair in scenario.split())
    return evaluate(from_texts(texts).scenario()).as_dict()


@pytest.fixture(scope="module")
def golden() -> dict[str, dict[str, object]]:
    now = {scenario: report(scenario) for scenario in SCENARIOS}
    return json.loads(frozen("reports.json", json.dumps(now, indent=1) + "\n"))


def test_there_are_twenty():
    assert len(set(SCENARIOS)) == 20


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_report_is_the_frozen_one(golden, scenario):
    now, then = report(scenario), golden[scenario]
    assert now.keys() >= then.keys()
    for name, value in then.items():
        # Sums may be added up in another order: 3e-16 is what that moved when it was tried.
        same = pytest.approx(value, rel=1e-14, abs=0) if isinstance(value, float) else value
        assert now[name] == same, name
