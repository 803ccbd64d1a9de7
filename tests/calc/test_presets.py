"""Preset models and cards: enough of them, each number with its source, derived ones derived."""

from __future__ import annotations

import subprocess
import sys

import pytest

from calc import ASSUMPTIONS, GPUS, MODELS, WEIGHT_FORMATS, evaluate, read_config, scenario
from calc.presets.hardware import gpu_rows
from calc.presets.models import model_rows
from calc.units import GB, MIB, TERA

#: Cards that the page must offer.
CARDS = (
    *("a100-sxm-40gb", "a100-sxm-80gb", "h100-sxm", "h100-pcie", "h100-nvl", "h200-sxm", "h20"),
    *("b200-sxm", "b300-sxm", "gb200", "l4", "l40s", "a10g", "rtx-3090", "rtx-4090", "rtx-5090"),
    *("rtx-pro-6000", "mi300x", "mi325x", "mi355x", "tpu-v5e", "tpu-v5p", "tpu-v6e", "m2-ultra"),
    *("rtx-a6000", "rtx-6000-ada", "v100-sxm-32gb", "rx-7900-xtx", "rx-9070-xt"),
    *("ryzen-ai-max-395", "custom", "h100-80gb-lesson"),
)


def test_there_are_at_least_thirty_models_and_all_cards():
    assert len(model_rows()) >= 30
    assert set(CARDS) <= set(GPUS)


@pytest.mark.parametrize("name", list(gpu_rows()))
def test_every_figure_of_a_card_has_a_source(name):
    row = dict(gpu_rows()[name])
    assert row.pop("name")
    for key, (value, source) in row.items():
        assert value > 0, key
        assert len(source) > 10, key


@pytest.mark.parametrize("name", list(gpu_rows()))
def test_cards_are_in_si_units_and_dense(name):
    row, gpu = gpu_rows()[name], GPUS[name]
    assert gpu.hbm_marketed_bytes == row["hbm_gb"][0] * GB
    assert gpu.hbm_bytes_per_s == row["hbm_gb_per_s"][0] * GB
    assert gpu.peak_16bit_flops_per_s == row["bf16_tflops"][0] * TERA
    seen = row["driver_mib"][0] * MIB if "driver_mib" in row else gpu.hbm_marketed_bytes
    assert gpu.hbm_reported_bytes == seen
    # Dense rates: halving the width at most doubles them, fp4 of a B300 excepted (three times).
    for narrow, wide in (("fp8_tflops", "bf16_tflops"), ("fp4_tflops", "fp8_tflops")):
        if narrow in row and wide in row:
            assert (
                1
                < row[narrow][0] / row[wide][0]
                <= (3.01 if "b300" in name else 2.3) + (name in {"gb300", "rtx-5090"}) * 2
            )
    # What a driver reports is within a tenth of what is marketed, mostly because of GiB.
    assert gpu.hbm_reported_bytes == pytest.approx(gpu.hbm_marketed_bytes, rel=0.1)


@pytest.mark.parametrize("name", list(model_rows()))
def test_models_state_primary_numbers_only_and_where_from(name):
    row = model_rows()[name]
    assert row["source"]
    assert not {"n_params", "n_active", "cache_width"} & row.keys()
    reading = read_config(row["config"])
    assert reading.guesses == ()
    assert reading.model == MODELS[name]
    assert reading.ignored == ()
    evaluate(scenario(model=name))
    if "published_params" in row:
        exact = row["published_source"].startswith("exact")
        tolerance = 0 if exact else 0.031
        assert MODELS[name].n_params == pytest.approx(row["published_params"], rel=tolerance)


def test_importing_reads_no_file():
    script = (
        "import builtins, io, pathlib\n"
        "import numpy, param\n"
        "opened = []\n"
        "real = io.open\n"
        "def spy(file, *a, **k):\n"
        "    opened.append(str(file)); return real(file, *a, **k)\n"
        "io.open = builtins.open = spy\n"
        "import calc, app.controls\n"
        "print([name for name in opened if name.endswith('.toml')])\n"
        "list(calc.GPUS)\n"
        "print([name for name in opened if name.endswith('gpus.toml')] != [])\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["[]", "True"]


def test_engine_differs_from_lesson_in_every_effect():
    lesson, engine = (vars(ASSUMPTIONS[name]) for name in ("lesson", "engine"))
    same = {name for name in lesson if lesson[name] == engine[name]}
    assert same == {"step_overhead_s", "batched_tokens", "batches_in_flight"}


@pytest.mark.parametrize(
    ("weights", "bits"), [("int4", 4.15625), ("mxfp4", 4.25), ("nvfp4", 4.5), ("fp8", 8.001953125)]
)
def test_bits_per_weight_with_scales(weights, bits):
    form = WEIGHT_FORMATS[weights]
    assert 8 * (form.bytes_per_weight + form.scale_bytes_per_weight) == bits


#: Bits per weight of a block, as llama.cpp's ggml-common.h says, and of the whole file of Llama 3.1
#: 8B, which is shaped as 3, as its tools/quantize/README.md at 311c2c9f does, of the plainest mix.
GGUF_BITS = {
    "q8_0": (8.5, 8.5008),
    "q6_k": (6.5625, 6.5633),
    "q5_k": (5.5, 5.5704),
    "q4_k": (4.5, 4.6672),
    "q3_k": (3.4375, 3.6429),
    "q2_k": (2.625, 2.9697),
    "iq4_xs": (4.25, 4.4597),
    "iq3_xxs": (3.0625, 3.2548),
    "iq2_s": (2.5625, 2.7403),
    "iq2_xxs": (2.0625, 2.3824),
    "iq1_m": (1.75, 2.1460),
    "iq1_s": (1.5625, 2.0042),
}


@pytest.mark.parametrize("weights", GGUF_BITS)
def test_types_of_gguf_against_llama_cpp(weights):
    of_block, of_file = GGUF_BITS[weights]
    ideal, stored = (
        evaluate(scenario(model="llama-3-8b", weights=weights, assumptions=assumptions))
        for assumptions in ("lesson", "engine")
    )
    assert 8 * ideal.weight_bytes / ideal.n_params == of_block
    assert 8 * stored.weight_bytes / stored.n_params == pytest.approx(of_file, rel=0.06)
    assert ideal.chip_math_bits == 16
    assert not ideal.math_falls_back


@pytest.mark.parametrize(
    ("model", "kv", "of_token"),
    [
        # 2 · 32 layers · 8 heads · 128 numbers, in blocks of 32 or of 16.
        ("llama-3-8b", "q8_0", 2048 * 34),
        ("llama-3-8b", "q4_0", 2048 * 18),
        ("llama-3-8b", "mxfp4", 2048 * 17),
        ("llama-3-8b", "nvfp4", 4096 * 9),
        # vLLM: 512 numbers in fp8, four fp32 scales, 64 numbers in bf16, in each of 61 layers.
        ("deepseek-v3", "fp8_ds_mla", 61 * 656),
        # Entries of 4 tokens with their keys, 128 in fp8 and an fp32 scale, and entries of 128.
        ("deepseek-v4-flash", "fp8_ds_v4", 21 * (584 + 132) / 4 + 20 * 584 / 128),
    ],
)
def test_bytes_per_cached_token_with_scales(model, kv, of_token):
    report = evaluate(scenario(model=model, kv=kv))
    assert report.kv_bytes_per_token == pytest.approx(of_token, rel=1e-12)


@pytest.mark.parametrize(
    ("weights", "gpu", "chip_bits", "falls_back"),
    [
        ("fp8", "h100-sxm", 8, False),
        ("fp8", "a100-sxm-80gb", 16, True),
        ("int8", "a100-sxm-80gb", 8, False),
        ("int8-wo", "h100-sxm", 16, False),
        ("int4", "b200-sxm", 16, False),
        ("mxfp4", "b200-sxm", 4, False),
        ("mxfp4", "h100-sxm", 16, True),
        ("nvfp4", "h100-sxm", 16, True),
        ("fp32", "h100-sxm", 32, False),
    ],
)
def test_width_of_the_arithmetic(weights, gpu, chip_bits, falls_back):
    report = evaluate(scenario(weights=weights, gpu=gpu))
    assert report.chip_math_bits == chip_bits
    assert bool(report.math_falls_back) == falls_back


def test_weight_only_formats_leave_compute_alone():
    bf16, int4 = (evaluate(scenario(weights=w, batch=1024.0)) for w in ("bf16", "int4"))
    assert int4.compute_s == bf16.compute_s
    assert int4.memory_s < bf16.memory_s
