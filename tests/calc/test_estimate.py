"""The estimate against measured steps: docs/model.md's law, its errors, and where it fails."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calc import ASSUMPTIONS, GPUS, MODELS, evaluate, scenario
from calc.presets.assumptions import ENGINE_SPREAD
from calc.presets.hardware import OWN_GPU
from calc.presets.models import OWN_MODELS
from tests.helpers.estimates import (
    CLASSES,
    LAW,
    SERIES,
    class_rows,
    error_table,
    errors,
    inside_band,
    left_out,
    timed,
    unexplained_s,
)

TEXT = (Path(__file__).parents[2] / "docs" / "model.md").read_text(encoding="utf-8")

CASES, HELD_OUT = "throughput", "held_out_speeds"

#: Class → most median error now, of the cases and of what was held out.
MOST = {
    "batch 1, one GPU, dense": (0.11, 0.30),
    "batch 1, one GPU, experts": (0.08, 0.06),
    "batch 1, NVLink, dense": (0.08, None),
    "batch 1, NVLink, experts": (0.45, 0.27),
    "batch 1, PCIe": (0.06, None),
    "batch 1, few active": (0.16, 0.06),
    "batch above 1": (0.12, 0.24),
}


@pytest.mark.parametrize("source", [CASES, HELD_OUT])
def test_the_errors_are_those_of_the_docs(source, capsys):
    with capsys.disabled():
        print("\n| measurements | rows | before | median | 90 % | ratio | in the band |")
        print("\n".join(error_table(source)))
    assert "\n".join(error_table(source)) in TEXT


@pytest.mark.parametrize("name", CLASSES)
def test_median_errors_of_a_class(name):
    for source, most in zip((CASES, HELD_OUT), MOST[name], strict=True):
        if most is None:
            assert class_rows(name, source) == ()
            continue
        found = errors(class_rows(name, source))
        assert found.median < most
        # Nowhere worse than one share of the bandwidth for everything.
        assert found.median < found.before + 0.01


def test_few_active_parameters_at_batch_1():
    """Qwen3-30B-A3B in bf16 on an H200: 147 tokens/s were measured, 505 were estimated."""
    inputs = {"model": "qwen3-30b-a3b", "gpu": "h200-sxm", "batch": 1.0, "context": 1000.0}
    report = evaluate(scenario(assumptions="engine", **inputs))
    assert report.tokens_per_s == pytest.approx(147, rel=0.1)
    assert report.bound == "overhead"
    assert f"{report.tokens_per_s:.0f} tokens/s instead of 505; 147 were measured" in TEXT


def test_the_band_holds_four_of_five_measurements():
    for source in (CASES, HELD_OUT):
        assert inside_band(timed(source)) == pytest.approx(0.8, abs=0.03)


def test_the_estimate_is_between_slow_and_fast_engines():
    own = {
        "mbu": LAW.bandwidth_efficiency,
        "layer_us": LAW.layer_overhead_s * 1e6,
        "expert_us": LAW.expert_overhead_s * 1e6,
    }
    for key, value in own.items():
        slow, fast = ENGINE_SPREAD["slow"][key], ENGINE_SPREAD["fast"][key]
        assert min(slow, fast) < value < max(slow, fast)
        assert f"{value:g}" in TEXT
        assert f"{slow:g} to {fast:g}" in TEXT


def test_constants_of_a_source_left_out():
    best, unseen = left_out()
    assert (f"{best:.0%}", f"{unseen:.0%}") == ("10%", "14%")
    assert "10 % to 14 %" in TEXT


@pytest.mark.parametrize(("series", "us"), [*zip(SERIES, (90, 14, 99, 92), strict=True)])
def test_what_each_further_sequence_adds(series, us):
    assert unexplained_s(series) * 1e6 == pytest.approx(us, abs=0.5)
    assert f"| {series} | {us} µs |" in TEXT


@pytest.mark.parametrize("engines", ["", *ENGINE_SPREAD])
@pytest.mark.parametrize("batch", [1.0, 32.0, 1024.0])
def test_no_estimate_is_faster_than_the_ceiling(engines, batch):
    """Though engines look up the input embedding, which the ceiling reads. The band: if it fits."""
    spread = ENGINE_SPREAD[engines] if engines else {}
    for model in MODELS.keys() - set(OWN_MODELS):
        for gpu in ("t4", "m2-ultra", "gb10", "h100-sxm", "h20", "b300-sxm"):
            inputs = {"model": model, "gpu": gpu, "batch": batch, "context": 2048.0}
            ceiling = evaluate(scenario(**inputs))
            if engines and not ceiling.fits:
                continue
            estimate = evaluate(scenario(assumptions="engine", **inputs, **spread))
            assert estimate.tokens_per_s < ceiling.tokens_per_s, (model, gpu)
            assert estimate.ttft_s > ceiling.ttft_s, (model, gpu)


def test_every_card_has_a_link_of_one_kind():
    """Between PCIe's fastest and the slowest of the others there is room for the limit."""
    links = np.array([float(GPUS[name].link_bytes_per_s) for name in GPUS.keys() - {OWN_GPU}])
    assert not ((links > 64e9) & (links < 150e9)).any()
    assert ASSUMPTIONS["engine"].pcie_allreduce_latency_s > LAW.allreduce_latency_s
