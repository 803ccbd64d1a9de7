"""What the page promises around its numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.site import static_site
from tests.helpers.widget import Widget

COLOUR = "getComputedStyle(document.querySelector('.card')).backgroundColor"


@pytest.mark.parametrize(
    "text", ["", "abc", "-3", "0", "1025", "1e400", "NaN", "3.5", "1,,0", "８"]
)
def test_bad_entry_keeps_the_last_good_value(widget: Widget, text: str) -> None:
    widget.type("batch", "64")
    widget.says("tokens_per_s", "2,550")
    widget.type("batch", text)
    error = widget.page.locator("#error-batch")
    expect(error).to_have_text(
        "Batch, B: allowed is a whole number from 1 to 1,024. It stays at 64."
    )
    widget.holds("batch", "64")
    widget.says("tokens_per_s", "2,550")
    expect(widget.exact("batch")).to_have_attribute("aria-invalid", "true")
    widget.type("batch", "32")
    expect(widget.exact("batch")).to_have_attribute("aria-invalid", "false")
    expect(error).to_have_text("")


def test_group_size_must_divide_the_heads(widget: Widget) -> None:
    widget.type("gqa", "5")
    expect(widget.page.locator("#error-gqa")).to_have_text(
        "GQA group size, g: allowed is a divisor of the 32 query heads: 1, 2, 4, 8, 16 or 32. "
        "It stays at 4."
    )


def test_exact_value_between_the_stops(widget: Widget) -> None:
    widget.type("context", "5,000")
    widget.holds("context", "5,000")
    widget.says("kv_bytes", f"{8 * 5000 * 131072 / 1e9:.2f}")
    # The handle stands at the nearest stop and moves on from there.
    widget.press("context", "ArrowRight")
    widget.holds("context", "6,144")


def test_an_entry_shows_what_was_entered(widget: Widget) -> None:
    for key, typed, shown in (
        ("params_b", "12.34", "12.34"),
        ("params_b", "6.90", "6.9"),
        ("params_b", "6.738415616", "6.73842"),
        ("context", "100000", "100,000"),
    ):
        widget.type(key, typed)
        widget.holds(key, shown)
    # Entering the text again changes nothing: all digits of the state are kept.
    widget.type("params_b", "6.738415616")
    widget.exact("params_b").press("Enter")
    widget.page.wait_for_function("location.search.includes('params_b=6.738415616')")


def test_typing_survives_an_update(widget: Widget) -> None:
    widget.type("context", "32768")
    widget.exact("gqa").fill("1")
    widget.page.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    widget.holds("gqa", "1")
    widget.exact("gqa").press("Enter")
    widget.says("meter", "151 GB asked, 71.4 GB over")


def test_typing_ends_where_the_text_is_as_it_was(widget: Widget) -> None:
    field = widget.exact("batch")
    field.fill("80")
    field.fill("8")
    field.blur()
    widget.press("batch", "End")
    widget.holds("batch", "1,024")


def test_params_bring_their_architecture_and_group_sizes(widget: Widget) -> None:
    widget.type("params_b", "70")
    widget.says(
        "hint_architecture",
        "80 layers, 64 query heads of 128, 16 KV heads: Llama-style, interpolated",
    )
    widget.type("gqa", "64")
    widget.says("unit_gqa", "· MQA")
    # 13 B has 40 query heads: 64 does not divide them, the largest that does is 40.
    widget.type("params_b", "13")
    widget.holds("gqa", "40")
    widget.press("gqa", "ArrowLeft")
    widget.holds("gqa", "20")


def test_every_readout_shows_its_formula(widget: Widget) -> None:
    shown = {}
    for button in widget.page.locator(".formula-toggle").all():
        button.click()
        panel = widget.page.locator(f"#{button.get_attribute('aria-controls')}")
        shown[panel.get_attribute("id")] = panel.inner_text()
        assert button.get_attribute("aria-expanded") == "true"
    assert len(shown) == 7
    assert "= 61 most sequences that fit" in shown["formula-max_batch"].replace("\n", " ")
    assert (
        "ridge\n= peak / BW = 990 TFLOP/s / 3.30 TB/s = 300 FLOP/byte"
        in (shown["formula-decode_flops_per_byte"])
    )
    # Each symbol in words; a dense model has no active parameters of its own.
    assert "bw bytes per weight" in shown["formula-kv_bytes"] + shown["formula-tokens_per_s"]
    assert "Nactive" not in "".join(shown.values())
    per_token = "= 2 · L · nkv · dhead · bkv = 2 · 32 · 8 · 128 · 2 bytes = 131,072 bytes"
    assert per_token in shown["formula-kv_bytes_per_token"].replace("\n", " ")
    assert "= B / tstep = 8 / 6.85 ms = 1,170 tokens/s" in shown["formula-tokens_per_s"]
    assert "= 1 / tstep = 1 / 6.85 ms = 146 tokens/s" in shown["formula-tokens_per_s_per_user"]
    assert "= B · KVseq = 8 · 1.07 GB = 8.59 GB" in shown["formula-kv_bytes"]
    assert "= FLOPsprefill / peak" in shown["formula-ttft_s"]
    assert "= FLOPs / bytes = 112 GFLOP / 22.6 GB" in shown["formula-decode_flops_per_byte"]
    # It follows the controls, and shows speculation's own formula once that is on.
    widget.type("spec_k", "4")
    panel = widget.page.locator("#formula-tokens_per_s")
    expect(panel).to_contain_text("8 · 2.77 tokens / 8.21 ms")
    expect(panel).to_contain_text("(1 − 0.7^(4 + 1)) / (1 − 0.7)")
    widget.type("alpha", "1")
    expect(panel).to_contain_text("k + 1 = 4 + 1 = 5 tokens")
    # Escape closes the one that is left, and no other.
    widget.page.locator("[aria-controls=formula-tokens_per_s]").press("Escape")
    expect(panel).to_be_hidden()
    expect(widget.page.locator("#formula-ttft_s")).to_be_visible()


def test_tabs_by_keyboard_and_tables(widget: Widget) -> None:
    page = widget.page
    page.locator("#tab-throughput").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#panel-roofline")).to_be_visible()
    expect(page.locator("#tab-roofline")).to_be_focused()
    page.locator("#panel-roofline summary").click()
    expect(page.locator("#panel-roofline table")).to_contain_text("memory")
    page.keyboard.press("Tab")
    page.locator("#tab-steptime").click()
    widget.says("legend_binding", "memory binds: 6.85 ms")
    page.locator("#tab-throughput").click()
    page.locator("#panel-throughput summary").click()
    row = page.locator("#panel-throughput tr", has_text="1,024")
    expect(row.locator("td").last).to_have_text("no")


def test_controls_work_after_the_server_is_gone(browser: Browser, exported_folder: Path) -> None:
    with static_site(exported_folder) as address:
        widget = Widget(browser, address).open()
    widget.type("context", "32768")
    widget.drag_to_stop("gqa", 0, 6)
    widget.says("meter", "151 GB asked, 71.4 GB over")
    widget.choose("kv", "int8")
    widget.says("meter", "82.7 GB asked, 2.72 GB over")
    widget.press("spec_k", "End")
    for tab in ("roofline", "steptime", "throughput"):
        widget.page.locator(f"#tab-{tab}").click()
    widget.choose("weights", "int4")
    widget.press("params_b", "End")
    # The largest published size: 2 · 126 layers · 128 KV heads · 128 · 1 byte = 4,032 KiB.
    widget.says("kv_bytes_per_token", "4,032")
    widget.close()


def test_first_numbers_need_no_library(browser: Browser, site: str) -> None:
    widget = Widget(browser, site)
    widget.page.route("**/*.min.js", lambda route: None)  # never answered
    widget.page.goto(site + "/index.html")
    widget.says("tokens_per_s", "1,170")
    widget.says("meter", "22.6 GB of 80 GB")
    # Typed entries work before any library is there, too.
    widget.page.wait_for_selector("[data-started]")
    widget.type("batch", "64")
    widget.says("tokens_per_s", "2,550")
    assert widget.page.evaluate("typeof Bokeh") == "undefined"
    widget.page.unroute_all()
    widget.context.close()


def test_at_most_one_evaluation_per_frame(widget: Widget) -> None:
    updates = widget.page.evaluate(
        """async () => {
          const request = requestAnimationFrame;
          let updates = 0;
          window.requestAnimationFrame = callback => {
            if (callback.name === "update") updates++;
            return request(callback);
          };
          const input = document.querySelector('[data-exact="batch"]');
          for (let batch = 1; batch <= 50; batch++) {
            input.value = batch;
            input.dispatchEvent(new Event("change"));
          }
          await new Promise(done => request(() => request(done)));
          return updates;
        }"""
    )
    assert updates == 1
    widget.says("meter", "67.7 GB of 80 GB")


def test_light_and_dark(browser: Browser, site: str) -> None:
    dark = Widget(browser, site, color_scheme="dark").open()
    assert dark.page.evaluate(COLOUR) == "rgb(24, 28, 37)"
    dark.page.get_by_role("button", name="Switch between light and dark").click()
    assert dark.page.evaluate(COLOUR) == "rgb(255, 255, 255)"
    dark.close()


@pytest.mark.parametrize("width", [390, 640, 1280])
def test_nothing_scrolls_sideways_and_targets_are_large(
    browser: Browser, site: str, width: int
) -> None:
    touch = width < 800
    widget = Widget(
        browser, site, viewport={"width": width, "height": 844}, has_touch=touch, is_mobile=touch
    ).open()
    widget.type("spec_k", "2")
    for toggle in widget.page.locator(".formula-toggle").all():
        toggle.click()
    assert widget.page.evaluate("document.documentElement.scrollWidth") == width
    if touch:
        small = widget.page.evaluate(
            """[...document.querySelectorAll("button, input, summary")]
              .map(each => [each.outerHTML.slice(0, 60), each.getBoundingClientRect()])
              .filter(([, box]) => box.height && (box.height < 44 || box.width < 44))
              .map(([html]) => html)"""
        )
        assert small == []
    widget.close()


def test_a_page_that_cannot_start_says_what_to_do(
    browser: Browser, exported_folder: Path, site: str
) -> None:
    page = browser.new_page()
    page.goto((exported_folder / "index.html").as_uri())
    message = page.locator(".not-started")
    expect(message).to_contain_text("use the file page.html")
    expect(message).to_be_visible(timeout=20_000)
    page.goto(site + "/index.html")
    page.wait_for_selector("html[data-started]")
    assert message.evaluate("each => getComputedStyle(each).display") == "none"
    page.close()


def test_a_control_cannot_lead_to_a_model_that_contradicts_itself(
    browser: Browser, site: str
) -> None:
    widget = Widget(browser, site).open("/index.html?active_b=5&experts=8&top_k=2")
    speed = widget.text("tokens_per_s").inner_text()
    widget.type("params_b", "3")
    expect(widget.page.locator("#error-params_b")).to_contain_text("more active parameters")
    widget.holds("params_b", "7")
    widget.says("tokens_per_s", speed)
    widget.type("params_b", "9")
    widget.holds("params_b", "9")
    expect(widget.page.locator("#error-params_b")).to_have_text("")
    widget.close()


def test_a_dense_model_reads_all_its_weights(widget: Widget) -> None:
    widget.type("params_b", "8")
    expect(widget.text("sentence")).to_contain_text("every step reads all of them, once for all 8")
    widget.type("spec_k", "1")
    expect(widget.text("sentence")).to_contain_text("checks 1 guess in one read")


HEIGHTS = """() => [".meter", ".readouts", ".charts"].map(part =>
  document.querySelector(part).getBoundingClientRect().height)"""


@pytest.mark.parametrize(("width", "parts"), [(1280, 3), (1024, 2)])
def test_nothing_jumps_while_a_slider_runs(
    browser: Browser, site: str, width: int, parts: int
) -> None:
    widget = Widget(browser, site, viewport={"width": width, "height": 800}).open()
    heights = widget.page.evaluate(HEIGHTS)[:parts]
    for key, values in {
        "params_b": ("0.5", "40", "1,000", "7"),
        "context": ("512", "65,536", "1,048,576", "8,192"),
        "batch": ("1", "64", "1,024", "8"),
    }.items():
        for value in values:
            widget.type(key, value)
            widget.holds(key, value)
            assert widget.page.evaluate(HEIGHTS)[:parts] == heights, f"{key}={value}"
    widget.close()


def test_meter_stays_in_sight_while_dragging_on_a_phone(browser: Browser, site: str) -> None:
    widget = Widget(
        browser, site, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    ).open()
    touch = widget.context.new_cdp_session(widget.page)

    def send(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    meter = widget.page.locator(".meter")
    # The control in the lower half of the screen, then in the upper one, beneath its top.
    for place, edge in ((500, 0), (80, 844)):
        widget.reset()
        widget.page.evaluate(
            "place => scrollBy(0, document.querySelector('[data-control=context]')"
            ".getBoundingClientRect().top - place)",
            place,
        )
        box = widget.thumb("context").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert (y < 422) == (edge == 844)
        send("touchStart", {"x": x, "y": y})
        send("touchMove", {"x": x + 60, "y": y})
        expect(widget.text("meter")).not_to_have_text("22.6 GB of 80 GB")
        expect(widget.text("meter")).to_be_in_viewport()
        shown = meter.bounding_box()
        assert edge in (shown["y"], shown["y"] + shown["height"])
        assert not shown["y"] <= y <= shown["y"] + shown["height"]
        assert widget.thumb("context").bounding_box()["y"] == box["y"]
        send("touchEnd")
        expect(meter).not_to_have_class(re.compile("pinned"))
    widget.close()


def test_controls_have_names_and_units(widget: Widget) -> None:
    widget.type("context", "32768")
    expected = {
        "params_b": ("Parameters", "7 billion parameters"),
        "gqa": ("GQA group size, g", "4 query heads per KV head"),
        "context": ("Context, T", "32,768 tokens"),
        "batch": ("Batch, B", "8 sequences"),
        "spec_k": ("Drafted tokens, k", "0 tokens"),
    }
    for key, (label, value) in expected.items():
        slider = widget.thumb(key).locator("input")
        expect(slider).to_have_attribute("aria-label", label)
        expect(slider).to_have_attribute("aria-valuetext", value)


def test_enter_that_ends_a_composition_enters_nothing(widget: Widget) -> None:
    field = widget.exact("batch")
    field.fill("64")
    for told in ("key: 'Enter', isComposing: true", "key: 'Enter', keyCode: 229"):
        field.evaluate(
            f"field => field.dispatchEvent(new KeyboardEvent('keydown', {{{told}, bubbles: true}}))"
        )
        widget.says("tokens_per_s", "1,170")
        widget.holds("batch", "64")
    field.press("Enter")
    widget.says("tokens_per_s", "2,550")


def test_what_points_at_a_number_tells_every_digit_of_it_as_it_is_now(widget: Widget) -> None:
    number = widget.page.locator('[data-readout="tokens_per_s"] .number')
    number.hover()
    before = number.get_attribute("title")
    assert re.fullmatch(r"1,1\d\d\.\d+ tokens/s", before)
    widget.thumb("batch").locator("input").press("ArrowRight")
    expect(number).not_to_have_attribute("title", before)
    shown = number.inner_text()
    assert number.get_attribute("title").startswith(shown[: len(shown) - 1])


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_text_stretches_nothing(browser: Browser, site: str, width: int) -> None:
    widget = Widget(browser, site, viewport={"width": width, "height": 800}).open()
    sliders = "[...document.querySelectorAll('.widget')].map(each => each.offsetWidth)"
    before = widget.page.evaluate(sliders)
    for key in ("params_b", "gqa", "context", "batch"):
        widget.exact(key).fill("9" * 400)
    assert widget.page.evaluate(sliders) == before
    assert widget.page.evaluate("document.documentElement.scrollWidth") == width
    widget.close()
