"""The scenario bar by mouse, keys and touch: model, GPU, request, ceiling or estimate; undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.helpers.widget import Widget

FOCUSED = """() => {
  let focused = document.activeElement;
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const control = document.activeElement.closest("[data-control]")?.dataset.control;
  return [control, focused.textContent.trim()];
}"""
ADDRESS = "query => location.search === query"


def opener(widget: Widget, name: str) -> Locator:
    return widget.page.locator(".piece").get_by_role("button", name=name)


def sheet(widget: Widget, name: str) -> Locator:
    return widget.page.get_by_role("dialog", name=name)


def search(widget: Widget, name: str) -> Locator:
    """Open a piece by its key; the keyboard is then in its field."""
    opener(widget, name).press("Enter")
    field = sheet(widget, name).get_by_role("combobox")
    expect(field).to_be_focused()
    return field


def focused(page: Page) -> list[str]:
    """The control that has the keyboard, if it is one, and what is written on it."""
    return page.evaluate(FOCUSED)


def test_a_model_and_a_gpu_are_found_by_keys(widget: Widget) -> None:
    page, keys = widget.page, widget.page.keyboard
    widget.type("context", "4096")
    widget.choose("kv", "fp8")
    field = search(widget, "Model")
    keys.type("llama 70")
    options = sheet(widget, "Model").get_by_role("option")
    expect(options).to_have_count(2)
    assert [option.locator("b").inner_text() for option in options.all()] == [
        "Llama 2 70B",
        "Llama 3 / 3.1 / 3.3 70B",
    ]
    keys.press("ArrowDown")
    assert "llama-3-70b" in field.get_attribute("aria-activedescendant")
    # Enter that ends a composition chooses nothing.
    for told in ("key: 'Enter', isComposing: true", "key: 'Enter', keyCode: 229"):
        field.evaluate(f"it => it.dispatchEvent(new KeyboardEvent('keydown', {{{told}}}))")
        expect(sheet(widget, "Model")).to_be_visible()
        widget.says("model", "7B class")
    keys.press("Enter")
    expect(sheet(widget, "Model")).to_be_hidden()
    expect(opener(widget, "Model")).to_be_focused()
    widget.says("model", "Llama 3 / 3.1 / 3.3 70B")
    # It keeps the rest, and has its own size and g: 64 query heads share 8 KV heads.
    page.wait_for_function(ADDRESS, arg="?model=llama-3-70b&context=4096&kv=fp8")
    expect(widget.exact("params_b")).to_be_hidden()
    expect(widget.exact("gqa")).to_be_hidden()
    expect(widget.text("hint_architecture")).to_contain_text("8 KV heads: g = 8")

    search(widget, "Hardware")
    keys.type("none such")
    expect(sheet(widget, "Hardware").get_by_text("None has such a name.")).to_be_visible()
    keys.press("Enter")
    keys.press("Escape")
    expect(sheet(widget, "Hardware")).to_be_hidden()
    widget.says("hardware", "1 × H100 80GB")
    search(widget, "Hardware")
    keys.type("h200")
    expect(sheet(widget, "Hardware").get_by_role("option")).to_contain_text("2.9 USD/h")
    keys.press("Enter")
    widget.says("hardware", "1 × H200 SXM 141GB")
    widget.holds("usd_per_gpu_hour", "2.9")
    # 70.55 B at 16 bit are 141.1 GB: 0.11 GB and the caches are too much for one, not for two.
    expect(widget.text("meter")).to_contain_text("asked")
    opener(widget, "Hardware").click()
    widget.type("gpus", "2")
    keys.press("Escape")
    expect(widget.text("meter")).to_contain_text("of 141 GB")
    widget.says("hardware", "2 × H200 SXM 141GB")
    # A press beside it closes it, too; back to the open model the sliders are there again.
    opener(widget, "Model").click()
    page.mouse.click(1200, 700)
    expect(sheet(widget, "Model")).to_be_hidden()
    opener(widget, "Model").click()
    sheet(widget, "Model").get_by_role("option", name="7B class").click()
    expect(widget.exact("params_b")).to_be_visible()
    widget.holds("gqa", "4")


@pytest.mark.parametrize("name", ["Model", "Hardware", "Request"])
def test_keys_pressed_at_once_after_opening_count(widget: Widget, name: str) -> None:
    # The first key may follow in the very task that opened the sheet.
    inside = opener(widget, name).evaluate(
        "opener => (opener.click(), opener.popoverTargetElement.contains(document.activeElement))"
    )
    assert inside


def test_an_own_gpu_has_entries_for_its_figures(widget: Widget) -> None:
    opener(widget, "Hardware").click()
    own = sheet(widget, "Hardware")
    own.get_by_role("option", name="Own GPU").click()
    assert focused(widget.page)[0] == "hbm_gb"
    expect(widget.exact("hbm_gb")).to_have_attribute("placeholder", "80")
    widget.type("hbm_gb", "160")
    widget.type("hbm_gb_per_s", "6600")
    widget.type("fp8_tflops", "0")
    widget.says("meter", "22.6 GB of 160 GB")
    # 8 tokens per 22.59 GB at 6.6 TB/s.
    assert f"{8 * 6.6e12 / (14e9 + 8 * 2**30):,.0f}" == "2,337"
    widget.says("tokens_per_s", "2,340")
    widget.type("hbm_gb", "-1")
    expect(own.locator("#error-hbm_gb")).to_contain_text("It stays at 160.")
    # Left empty it follows the lesson's card again; the error has gone with its cause.
    widget.type("hbm_gb", "")
    expect(own.locator("#error-hbm_gb")).to_have_text("")
    widget.says("meter", "22.6 GB of 80 GB")
    widget.page.keyboard.press("Escape")
    widget.choose("weights", "fp8")
    expect(widget.text("hint_weights")).to_contain_text("this GPU takes 16")
    query = "?weights=fp8&gpu=custom&hbm_gb_per_s=6600&fp8_tflops=0"
    widget.page.wait_for_function(ADDRESS, arg=query)


def test_what_is_typed_beside_the_list_is_entered_before_a_choice(widget: Widget) -> None:
    opener(widget, "Hardware").click()
    widget.exact("gpus").fill("4")
    sheet(widget, "Hardware").get_by_role("option", name="H200 SXM").click()
    widget.says("hardware", "4 × H200 SXM 141GB")
    widget.says("meter_weights", "weights 3.50 GB")


def test_request_and_assumptions(widget: Widget) -> None:
    opener(widget, "Request").click()
    widget.type("prompt", "2,000")
    widget.type("output", "800")
    widget.says("request", "2,000 in, 800 out")
    widget.type("prompt", "")
    widget.says("request", "8,192 in, 800 out")
    widget.page.keyboard.press("Escape")
    ceiling = widget.page.get_by_role("radio", name="Ceiling")
    ceiling.focus()
    before = [opener(widget, n).bounding_box() for n in ("Model", "Hardware", "Request")]
    widget.page.keyboard.press("ArrowRight")
    expect(widget.page.get_by_role("radio", name="Estimate")).to_be_checked()
    widget.says("assumed", "85 % of the bandwidth, 72 GB of 80 GB usable")
    widget.page.get_by_role("button", name="Share").click()
    assert before == [opener(widget, n).bounding_box() for n in ("Model", "Hardware", "Request")]
    widget.page.keyboard.press("Escape")


def test_pieces_are_hidden_and_locked_by_their_names(browser: Browser, site: str) -> None:
    query = "hide=request&lock=model,assumptions,gpu"
    widget = Widget(browser, site).open(f"/index.html?{query}")
    expect(widget.page.locator(".piece.request")).to_be_hidden()
    expect(opener(widget, "Model")).to_be_disabled()
    expect(widget.page.get_by_role("radio", name="Estimate")).to_be_disabled()
    opener(widget, "Hardware").click()
    expect(sheet(widget, "Hardware").get_by_role("combobox")).to_be_disabled()
    sheet(widget, "Hardware").get_by_role("option", name="B200 SXM").click()
    widget.type("gpus", "2")
    widget.says("hardware", "2 × H100 80GB")
    widget.open("/index.html?show=meter")
    expect(widget.page.locator(".scenario")).to_be_hidden()
    widget.open("/index.html?show=hardware")
    expect(opener(widget, "Hardware")).to_be_visible()
    expect(opener(widget, "Model")).to_be_hidden()
    widget.close()


def test_every_step_can_be_undone(widget: Widget) -> None:
    undo = widget.page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    widget.type("batch", "64")
    widget.choose("weights", "int4")
    widget.reset()
    widget.holds("batch", "8")
    undo.click()
    widget.holds("batch", "64")
    widget.says("meter_weights", "weights 3.50 GB")
    undo.press("Enter")
    widget.says("meter_weights", "weights 14.0 GB")
    undo.press("Enter")
    widget.holds("batch", "8")
    expect(undo).to_have_attribute("aria-disabled", "true")
    expect(undo).to_be_focused()


def test_a_group_of_buttons_is_one_stop_and_arrows_walk_in_it(widget: Widget) -> None:
    page = widget.page
    more = page.get_by_role("button", name="More formats: Weights")
    widget.choose("weights", "int8")
    more.focus()
    page.keyboard.press("Tab")
    assert focused(page) == ["weights", "int8"]
    page.keyboard.press("ArrowLeft")
    assert focused(page) == ["weights", "fp8"]
    # One stop further is the next control's own term, then what shows more, then what is pressed.
    page.keyboard.press("Tab")
    assert focused(page) == ["kv", "KV cache"]
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert focused(page) == ["kv", "bf16"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    assert focused(page) == ["weights", "int8"]
    # The others come when they are asked for; arrows lead through the rows.
    expect(page.get_by_role("button", name="nvfp4")).to_be_hidden()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="nvfp4")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert focused(page) == ["weights", "mxfp4"]
    page.keyboard.press("Enter")
    expect(widget.text("hint_weights")).to_contain_text("a scale per 32 weights")
    # Closed, what is chosen stays in sight.
    more.press("Enter")
    expect(page.get_by_role("button", name="mxfp4")).to_be_visible()
    expect(page.get_by_role("button", name="nvfp4")).to_be_hidden()


def test_a_format_that_is_set_opens_the_others(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open(
        "/index.html?model=deepseek-v3&weights=iq2_xxs&kv=fp8_ds_mla"
    )
    for label in ("Weights", "KV cache"):
        more = widget.page.get_by_role("button", name=f"More formats: {label}")
        expect(more).to_have_attribute("aria-expanded", "true")
    formats = widget.page.locator(".MuiToggleButton-root")
    expect(formats.filter(visible=True)).to_have_count(30)
    wide = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.value)"
    assert formats.evaluate_all(wide) == []
    # The first stop of the page leads to the results.
    widget.page.keyboard.press("Tab")
    skip = widget.page.get_by_role("link", name="Skip to the results")
    expect(skip).to_be_visible()
    widget.page.keyboard.press("Enter")
    expect(widget.page.locator(".meter")).to_be_focused()
    assert "#" not in widget.page.url
    widget.close()


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_one_line_opens_all(browser: Browser, site: str, width: int) -> None:
    phone = {"viewport": {"width": width, "height": 844}, "has_touch": True, "is_mobile": True}
    widget = Widget(browser, site, **phone).open()
    page = widget.page
    line = page.get_by_role("button", name="Scenario")
    expect(line).to_have_text("Scenario: 7B class · 1 × H100 80GB · ceiling")
    expect(opener(widget, "Hardware")).to_be_hidden()
    line.tap()
    # What a request takes and costs stands where it is set; numbers as in the sentence's test.
    opener(widget, "Request").tap()
    request = sheet(widget, "Request")
    widget.type("prompt", "2000")
    expect(request).to_contain_text("It takes 2.50 s: 28.3 ms of prefill, then 4.96 ms a token")
    expect(request).to_contain_text("It costs 0.000282 USD")
    # A tap beside the sheet closes it, be it on a slider.
    rail = page.locator("[data-control=params_b] .slider").bounding_box()
    assert rail
    page.touchscreen.tap(rail["x"] + 0.9 * rail["width"], rail["y"] + rail["height"] / 2)
    expect(request).to_be_hidden()
    widget.holds("params_b", "7")
    line.tap()
    opener(widget, "Request").tap()
    request.get_by_role("button", name="Done").tap()
    expect(request).to_be_hidden()
    opener(widget, "Hardware").tap()
    sheet(widget, "Hardware").get_by_role("option", name="B200 SXM").tap()
    widget.says("scenario", "7B class · 1 × B200 SXM 180GB · ceiling")
    page.get_by_role("radio", name="Estimate").tap()
    widget.says("scenario", "7B class · 1 × B200 SXM 180GB · estimate")
    opener(widget, "Model").tap()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    small = page.evaluate(
        """[...document.querySelectorAll(".scenario :is(button, input, li)")]
          .map(each => [each.outerHTML.slice(0, 60), each.getBoundingClientRect()])
          .filter(([, box]) => box.height && (box.height < 43.5 || box.width < 43.5))
          .map(([html]) => html)"""
    )
    assert small == []
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(opener(widget, "Hardware")).to_be_hidden()
    widget.close()
