"""Published models, other cards and the estimate, as a link or the header brings them."""

from __future__ import annotations

from playwright.sync_api import Browser, Locator, expect

from tests.helpers.widget import Widget


def test_a_published_model_has_its_own_size_and_heads(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?model=deepseek-v3&gpu=h200-sxm&gpus=8")
    # DeepSeek-V3, MLA in bf16: 61 layers · 576 · 2 bytes (ISCA'25, table 1).
    assert 61 * 576 * 2 == 70_272
    widget.says(
        "kv_bytes_per_token_sub", "70,272 bytes · MLA: 576 numbers per token and layer, on each GPU"
    )
    widget.says("model", "DeepSeek-V3 / R1")
    widget.says(
        "hint_architecture",
        "671 billion parameters in 61 layers, 128 query heads, one latent for all of them (MLA): "
        "no g.",
    )
    expect(widget.exact("params_b")).to_be_hidden()
    expect(widget.exact("gqa")).to_be_hidden()
    # Each of eight cards holds an eighth of the weights and the whole latent cache.
    widget.says("hardware", "8 × H200 SXM 141GB")
    widget.says("meter_kv", f"KV cache {8 * 8192 * 70272 / 1e9:.2f} GB = 8 × 0.576 GB")
    widget.close()


def test_any_model_and_card_opens_without_trouble(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?model=gemma-3-27b&gpu=mi300x")
    for tab in ("roofline", "steptime", "throughput"):
        widget.page.locator(f"#tab-{tab}").click()
    for button in widget.page.locator(".formula-toggle").all():
        button.click()
    widget.press("context", "End")
    widget.choose("weights", "mxfp4")
    widget.press("spec_k", "End")
    assert "NaN" not in widget.page.locator("main").inner_text()
    assert "undefined" not in widget.page.locator("main").inner_text()
    widget.close()


def test_ceiling_and_estimate_are_one_switch(widget: Widget) -> None:
    widget.says("tokens_per_s", "1,170")
    widget.says("assumed", "nothing is lost")
    widget.switch("Estimate")
    widget.says("assumed", "85 % of the bandwidth, 72 GB of 80 GB usable")
    # What the share rests on is one press away.
    widget.text("assumed").get_by_role("button", name="of the bandwidth").click()
    expect(widget.page.get_by_role("tooltip")).to_contain_text("of 181 published measurements")
    # 85 % of the bandwidth; the input embedding (32,000 · 4,096 · 2 bytes) is not read. Each of
    # 32 layers takes 80 µs more.
    read = 14e9 - 32_000 * 4096 * 2 + 8 * 8192 * 131072

    def tokens_per_s(share: float, layer_us: float) -> str:
        return f"{8 / (read / (share * 3.3e12) + 32 * layer_us * 1e-6):.0f}"

    assert tokens_per_s(0.85, 80) == "760"
    widget.says("tokens_per_s", "760")
    low, high = tokens_per_s(0.65, 150), tokens_per_s(0.88, 30)
    said = f"ceiling 1,170, engines {low} to {high} · one step takes 10.5 ms"
    widget.says("tokens_per_s_sub", said)
    widget.says("limit", "usable 72 GB of 80 GB")
    widget.says("meter_reserve", "reserve 2.68 GB")
    widget.page.wait_for_function("location.search === '?assumptions=engine'")
    widget.switch("Ceiling")
    widget.says("tokens_per_s", "1,170")


def test_one_assumption_can_be_changed_alone_and_the_page_says_so(
    browser: Browser, site: str
) -> None:
    widget = Widget(browser, site).open("/index.html?mbu=0.5&attention=1&overlap=operator")
    widget.says(
        "assumed",
        "50 % of the bandwidth, overlap per operator, with attention's arithmetic",
    )
    # 8 tokens per 22.59 GB at half of 3.3 TB/s.
    widget.says("tokens_per_s", "584")
    assert "mbu=0.5" in widget.page.url
    widget.reset()
    widget.says("assumed", "nothing is lost")
    widget.says("tokens_per_s", "1,170")
    widget.open("/index.html?reserve_gb=8.589934592&gpus=4")
    widget.says("assumed", "8.59 GB in reserve per GPU")
    # In one line, which is 16 pixels high.
    assert widget.text("assumed").bounding_box()["height"] < 20
    widget.close()


def test_an_moe_reads_the_experts_it_touches(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?model=mixtral-8x7b&batch=1")
    # 46.7 B parameters, of which the 12.9 B active ones are read: 25.8 GB at 16 bit.
    expect(widget.text("sentence")).to_contain_text("reads 25.8 GB of weights and")
    expect(widget.text("sentence")).to_contain_text("to make 1 token:")
    widget.close()


def test_step_time_shows_the_pass_that_verifies(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?model=mixtral-8x7b&batch=1&spec_k=2")
    widget.page.locator("#tab-steptime").click()

    def legend(name: str) -> Locator:
        return widget.page.locator(f"#panel-steptime [data-text=legend_{name}]")

    # Three tokens touch 8·(1 − (3/4)³) experts: (1.6 + 45.1·0.578 GB·2) / 3.3 TB/s, to 1 %.
    weights = float(legend("weights").inner_text().split()[-2])
    assert abs(weights / ((1.6 + 45.1 * (1 - 0.75**3)) * 2 / 3.3) - 1) < 0.01
    whole = float(widget.text("legend_binding").inner_text().split()[-2])
    cache = float(legend("kv").inner_text().split()[-2])
    assert abs(weights + cache - whole) < 0.1
    widget.close()


def test_keys_that_a_published_model_has_its_own_of_are_noted(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?model=llama-3-8b&gqa=1&layers=12")
    expect(widget.page.locator(".notes li")).to_have_text(
        "gqa, layers: Llama 3 / 3.1 8B has its own"
    )
    widget.page.wait_for_function("location.search === '?model=llama-3-8b'")
    widget.close()


def test_a_card_without_narrow_arithmetic_says_so(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?gpu=a100-sxm-80gb&weights=fp8")
    widget.says(
        "hint_weights",
        "1 byte per weight, multiplied in 8 bit; this GPU takes 16. "
        "Same numbers as int8-wo: scales left out.",
    )
    widget.choose("weights", "bf16")
    widget.says("hint_weights", "2 bytes per weight, multiplied in 16 bit.")
    widget.close()


def test_communication_has_its_bar(browser: Browser, site: str) -> None:
    link = "/index.html?params_b=70&gpus=4&assumptions=engine"
    widget = Widget(browser, site).open(link)
    widget.page.locator("#tab-steptime").click()
    expect(widget.text("legend_comms")).to_contain_text("communication")
    labels = widget.page.locator('#panel-steptime [data-axis="y"] li').all_inner_texts()
    assert {"between GPUs", "starting layers"} <= {*labels}
    widget.close()
