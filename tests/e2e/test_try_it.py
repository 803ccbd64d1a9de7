"""The lesson's three "Try it" steps, by mouse and keyboard, against numbers worked by hand.

The card: 80e9 bytes, 3.3e12 bytes/s, 990e12 FLOP/s. The model: 7e9 parameters of 2 bytes
= 14e9 bytes; 32 layers, 32 query heads, head size 128.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.helpers.widget import Widget

WEIGHTS = 14e9
BANDWIDTH = 3.3e12
CONTEXT_STOPS = 23
GQA_STOPS = 6
BATCH_STOPS = 20


def test_context_and_mha_overflow_then_gqa_brings_it_back(widget: Widget) -> None:
    # 32,768 is the 13th stop; one token at g 1 costs 2·32·32·128·2 = 524,288 bytes.
    widget.drag_to_stop("context", 12, CONTEXT_STOPS)
    widget.says("unit_context", "tokens")
    widget.holds("context", "32,768")
    widget.drag_to_stop("gqa", 0, GQA_STOPS)
    widget.holds("gqa", "1")
    used = WEIGHTS + 8 * 32768 * 524288
    assert f"{used / 1e9:.1f}" == "151.4"
    assert round(used / 80e9 * 100) == 189
    assert int((80e9 - WEIGHTS) / (32768 * 524288)) == 3
    widget.says("meter", "151 GB asked, 71.4 GB over")
    widget.says("room", "189 % · 3 of 8 sequences fit")
    expect(widget.page.locator(".meter")).to_contain_class("over")
    widget.says("kv_bytes_per_token", "512")
    widget.says("tokens_per_s_sub", "if it fitted · one step takes 45.9 ms")

    widget.drag_to_stop("gqa", 2, GQA_STOPS)
    widget.holds("gqa", "4")
    assert f"{(WEIGHTS + 8 * 32768 * 131072) / 1e9:.1f}" == "48.4"
    widget.says("meter", "48.4 GB of 80 GB")
    widget.says("room", "60 % · room for 15 sequences")
    expect(widget.page.locator(".meter")).not_to_contain_class("over")
    widget.says("kv_bytes_per_token", "128")
    widget.says(
        "sentence",
        "Now it fits. KV cache went from 137 to 34.4 GB: 4 query heads share each pair of key and "
        "value. One user gets 68.2 tokens/s.",
    )


def test_context_and_mha_overflow_by_keyboard(widget: Widget) -> None:
    widget.press("context", *["ArrowRight"] * 4)
    widget.press("gqa", "Home")
    widget.says("meter", "151 GB asked, 71.4 GB over")
    widget.press("gqa", "ArrowRight", "ArrowRight")
    widget.says("meter", "48.4 GB of 80 GB")


def test_batch_sweep_raises_the_total_and_lowers_each_user(widget: Widget) -> None:
    # One sequence of 8,192 tokens at g 4 reads 8,192 · 131,072 bytes of cache.
    cache = 8192 * 131072
    widget.drag_to_stop("batch", 0, BATCH_STOPS)
    alone = BANDWIDTH / (WEIGHTS + cache)
    assert f"{alone:.1f}" == "218.9"
    widget.says("tokens_per_s", "219")
    widget.says("tokens_per_s_per_user", "219")

    totals, users = [alone], [alone]
    for batch in (2, 4, 8, 16, 32, 64):
        widget.press("batch", *["ArrowRight"] * (1 if batch == 2 else 2))
        step = (WEIGHTS + batch * cache) / BANDWIDTH
        totals.append(batch / step)
        users.append(1 / step)
        widget.says("tokens_per_s_per_user", f"{1 / step:.3g}")
    assert totals == sorted(totals)
    assert users == sorted(users, reverse=True)
    assert f"{totals[-1]:,.0f}" == "2,553"
    assert f"{users[-1]:.1f}" == "39.9"
    widget.says("tokens_per_s", "2,550")
    widget.says("meter", "82.7 GB asked, 2.72 GB over")
    widget.says("room", "103 % · 61 of 64 sequences fit")
    assert int((80e9 - WEIGHTS) / cache) == 61


def test_int4_speeds_up_decode_and_leaves_it_memory_bound(widget: Widget) -> None:
    widget.type("batch", "1")
    widget.says("tokens_per_s", "219")
    widget.choose("weights", "int4")
    cache = 8192 * 131072
    rate = BANDWIDTH / (WEIGHTS / 4 + cache)
    assert f"{rate:.1f}" == "721.5"
    assert f"{rate * (WEIGHTS + cache) / BANDWIDTH:.2f}" == "3.30"
    widget.says("tokens_per_s", "722")
    widget.says(
        "sentence",
        "A step reads 3.50 GB of weights instead of 14.0: beside 1.07 GB of KV cache, that makes "
        "3.30× the speed. One user rises from 219 to 722 tokens/s. Prefill still takes 116 ms: its "
        "arithmetic stays 16 bit wide.",
    )
    intensity = 2 * 7e9 / (WEIGHTS / 4 + cache)
    assert f"{intensity:.2f}" == "3.06"
    assert round(300 / intensity) == 98
    widget.says("decode_flops_per_byte", "3.06")
    widget.says("decode_flops_per_byte_sub", "memory-bound, 98× below the ridge")


def test_speculation_yields_tokens_and_speed(widget: Widget) -> None:
    # 1 + 0.7 + 0.49 + 0.343 + 0.2401 tokens per pass, for 1 + 4·0.05 passes of time.
    tokens = 1 + 0.7 + 0.7**2 + 0.7**3 + 0.7**4
    widget.type("batch", "1")
    widget.press("spec_k", *["ArrowRight"] * 4)
    assert (f"{tokens:.2f}", f"{tokens / 1.2:.2f}") == ("2.77", "2.31")
    widget.says("tokens_per_s_sub", "2.31× by 2.77 tokens per pass")
    expect(widget.exact("alpha")).to_be_visible()
    widget.type("alpha", "0")
    widget.says("tokens_per_s_sub", f"{1 / 1.2:.3f}× by 1.00 tokens per pass")
    widget.type("spec_k", "0")
    expect(widget.exact("alpha")).to_be_hidden()


def test_reset_brings_back_the_lesson(widget: Widget) -> None:
    widget.type("batch", "100")
    widget.choose("kv", "int4")
    widget.type("spec_k", "3")
    widget.reset()
    widget.says("meter", "22.6 GB of 80 GB")
    widget.says("tokens_per_s", "1,170")
    widget.says("tokens_per_s_per_user", "146")
    widget.holds("batch", "8")
    slider = widget.thumb("batch").locator("input")
    expect(slider).to_have_attribute("aria-valuetext", "8 sequences")
