"""The lessons' own numbers, and those of the model that come from the same card.

Expected values are the printed ones of the serving lesson, the inference-economics
lesson, or worked by hand beside the test.
"""

from __future__ import annotations

import numpy as np
import pytest

from calc import (
    KV_FORMATS,
    WEIGHT_FORMATS,
    Assumptions,
    Gpu,
    Model,
    Precision,
    Scenario,
    Speculation,
    Workload,
    evaluate,
    scenario,
)
from calc.units import GIB

LONG = {"context": 32768}


def report(**inputs):
    return evaluate(scenario(**inputs))


@pytest.mark.parametrize(
    ("inputs", "field", "printed"),
    [
        # Serving lesson, section 2: "one token, MHA = 512 KB" (KiB), 32,768 tokens, weights.
        ({"gqa": 1}, "kv_bytes_per_token", "524288"),
        ({"gqa": 1, **LONG}, "kv_bytes_per_sequence", "17179869184"),
        ({"gqa": 4}, "kv_bytes_per_token", "131072"),
        ({"gqa": 4, **LONG}, "kv_bytes_per_sequence", "4294967296"),
        ({}, "weight_bytes", "14000000000"),
        ({"gqa": 1, **LONG}, "max_batch", "3"),
        # Section 1: ~235 weight reads per second; prefill of 8,192 tokens in bf16.
        ({}, "prefill_flops_per_byte", "8192"),
        ({}, "ridge_flops_per_byte", "300"),
        ({}, "max_batch", "61"),
    ],
)
def test_exact_values(inputs, field, printed):
    assert f"{getattr(report(**inputs), field):.0f}" == printed


@pytest.mark.parametrize(
    ("inputs", "used_gb", "percent", "fits"),
    [
        ({"gqa": 1, **LONG}, "151.44", "189.3", False),
        ({"gqa": 4, **LONG}, "48.36", "60.4", True),
        # The lesson's own sweep to batch 64 does not fit on its card.
        ({"batch": 64}, "82.72", "103.4", False),
    ],
)
def test_memory(inputs, used_gb, percent, fits):
    result = report(**inputs)
    assert f"{result.hbm_used_bytes / 1e9:.2f}" == used_gb
    assert f"{100 * result.hbm_used_fraction:.1f}" == percent
    assert result.fits == fits


@pytest.mark.parametrize(
    ("inputs", "used_gb", "fits"),
    [
        ({"gqa": 8}, "151.4", False),
        ({"gqa": 8, "kv": "int8"}, "82.7", False),
        ({"gqa": 8, "kv": "int8", "weights": "int4"}, "72.2", True),
    ],
)
def test_the_closing_question_64_users_of_32k(inputs, used_gb, fits):
    result = report(batch=64, **LONG, **inputs)
    assert f"{result.hbm_used_bytes / 1e9:.1f}" == used_gb
    assert result.fits == fits


@pytest.mark.parametrize(
    ("inputs", "together", "per_user"),
    [
        ({}, "1168.66", "146.08"),
        ({"batch": 1}, "218.92", "218.92"),
        ({"batch": 64}, "2553.21", "39.89"),
        ({"batch": 1, "weights": "int4"}, "721.51", "721.51"),
    ],
)
def test_decode_speed(inputs, together, per_user):
    result = report(**inputs)
    assert f"{result.tokens_per_s:.2f}" == together
    assert f"{result.tokens_per_s_per_user:.2f}" == per_user
    assert result.bound == "memory"


def test_int4_gains_most_where_weights_dominate():
    def gain(context):
        plain, int4 = (
            report(batch=1, context=context, weights=w).tokens_per_s for w in ("bf16", "int4")
        )
        return f"{int4 / plain:.3f}"

    assert gain(8192) == "3.296"
    assert gain(512) == "3.944"


def test_weights_alone_are_read_about_235_times_a_second():
    assert f"{3.3e12 / report().weight_bytes:.1f}" == "235.7"


def test_default_intensity():
    assert f"{report().decode_flops_per_byte:.3f}" == "4.958"
    assert report().prefill_bound == "compute"


@pytest.mark.parametrize(
    ("alpha", "tokens", "speedup"),
    [
        # 1 + 0.7 + 0.7² + 0.7³ + 0.7⁴, and that over 1 + 4 · 0.05 passes
        (0.7, "2.7731", "2.311"),
        (0.0, "1.0000", "0.833"),
        (1.0, "5.0000", "4.167"),
    ],
)
def test_speculation_at_batch_1(alpha, tokens, speedup):
    result = report(batch=1, spec_k=4, alpha=alpha)
    assert f"{result.spec_tokens_per_pass:.4f}" == tokens
    assert f"{result.spec_speedup:.3f}" == speedup


# Llama 3 70B (70,553,706,496 parameters; 80 layers, 64 heads, 8 KV heads of 128) on four
# H100 SXM seen as one card: inference-economics lesson, modules 1 to 3.
LLAMA_3_70B = Model.dense(70_553_706_496, n_layers=80, n_heads=64, n_kv_heads=8, d_head=128)


#: A context that vanishes leaves the KV cache out, as the lesson's first derivation does.
NO_CACHE = 1e-9


def llama(batch, context, cards=4, **speculation):
    return evaluate(
        Scenario(
            model=LLAMA_3_70B,
            gpu=Gpu(
                hbm_marketed_bytes=cards * 80 * GIB,
                hbm_bytes_per_s=cards * 3.35e12,
                peak_16bit_flops_per_s=cards * 989.5e12,
                peak_8bit_flops_per_s=cards * 1979e12,
            ),
            precision=Precision(WEIGHT_FORMATS["bf16"], KV_FORMATS["bf16"]),
            workload=Workload(context, batch, prompt_len=1000),
            speculation=Speculation(**speculation),
            assumptions=Assumptions(reserve_bytes=32 * GIB),
        )
    )


def test_llama_70b_memory():
    result = llama(1, 1024)
    assert result.kv_bytes_per_token == 320 * 1024
    assert f"{result.weight_bytes / 1e9:.1f}" == "141.1"


@pytest.mark.parametrize(("context", "most"), [(1024, 501), (4096, 125), (32768, 15), (131072, 3)])
def test_llama_70b_concurrency_falls_with_context(context, most):
    assert llama(1, context).max_batch == most


def test_llama_70b_steps():
    assert f"{1e3 * llama(1, NO_CACHE, cards=1).step_s:.2f}" == "42.12"
    assert f"{1e3 * llama(1, NO_CACHE).step_s:.2f}" == "10.53"
    assert f"{llama(1, NO_CACHE).ridge_flops_per_byte:.2f}" == "295.37"


@pytest.mark.parametrize("batch", [1, 8, 125])
def test_intensity_in_bf16_is_the_batch(batch):
    assert llama(batch, NO_CACHE).decode_flops_per_byte == pytest.approx(batch)


def test_llama_70b_at_full_batch_is_far_below_the_ridge():
    result = llama(125, 4096)
    assert f"{result.kv_bytes / 1e9:.1f}" == "167.8"
    assert f"{result.decode_flops_per_byte:.1f}" == "57.1"
    assert f"{result.decode_times_from_ridge:.2f}" == "5.17"


@pytest.mark.parametrize(
    ("batch", "speedup"), [(1, "2.31"), (59, "2.31"), (125, "1.20"), (512, "0.53")]
)
def test_speculation_inverts_with_batch_when_the_cache_is_left_out(batch, speedup):
    assert f"{llama(batch, NO_CACHE, n_drafted=4).spec_speedup:.2f}" == speedup


def test_speculation_crosses_1_at_batch_152():
    # Five times 152 sequences' arithmetic takes 2.7731 − 0.2 times one read of the weights.
    batches = np.arange(1.0, 1025.0)
    gaining = batches[llama(batches, NO_CACHE, n_drafted=4).spec_speedup > 1]
    assert gaining[-1] == 152


def test_speculation_holds_where_cache_traffic_dominates():
    assert f"{llama(125, 4096, n_drafted=4).spec_speedup:.2f}" == "2.31"


def test_published_kv_sizes():
    # ISCA'25, "Insights into DeepSeek-V3", table 1: bf16 KV cache per token.
    qwen_72b = Model.dense(72.7e9, n_layers=80, n_heads=64, n_kv_heads=8, d_head=128)
    llama_405b = Model.dense(405.9e9, n_layers=126, n_heads=128, n_kv_heads=8, d_head=128)
    base = scenario()
    for model, printed in ((qwen_72b, 327_680), (llama_405b, 516_096)):
        changed = Scenario(model, base.gpu, base.precision, base.workload)
        assert evaluate(changed).kv_bytes_per_token == printed
