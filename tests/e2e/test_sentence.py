"""The sentence under the meter: its place, the page's only live region, and things to try."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.widget import Widget

#: From a handle's press to its release: what is told, and how often while it is.
_WATCH = """() => {
  const region = document.querySelector("[aria-live]");
  globalThis.told = [];
  new MutationObserver(() => {
    if (region.ariaBusy !== "true") globalThis.told.push(region.textContent);
  }).observe(region, {childList: true, characterData: true, subtree: true});
}"""


#: No pause is long enough to end a move until `rest` is called, however slow the machine is.
_HOLD = """() => {
  const {setTimeout} = globalThis, ends = [];
  globalThis.setTimeout = (call, ms, ...rest) =>
    ms === 700 ? (ends.push(call), -1) : setTimeout(call, ms, ...rest);
  globalThis.rest = () => { Object.assign(globalThis, {setTimeout}); ends.at(-1)(); };
}"""


def live_regions(widget: Widget) -> list[tuple[str, bool]]:
    """How live each live region of the accessibility tree is, and whether it is busy."""
    client = widget.context.new_cdp_session(widget.page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    client.detach()
    told = [
        {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
        for node in nodes
    ]
    return [(its["live"], bool(its.get("busy"))) for its in told if its.get("live", "off") != "off"]


def test_one_live_region_is_told_once_per_move(widget: Widget) -> None:
    assert live_regions(widget) == [("polite", False)]
    widget.page.evaluate(_WATCH)
    widget.page.evaluate(_HOLD)
    rail = widget.page.locator('[data-control="context"] .MuiSlider-root').bounding_box()
    handle = widget.thumb("context").bounding_box()
    mouse, y = widget.page.mouse, rail["y"] + rail["height"] / 2
    mouse.move(handle["x"] + handle["width"] / 2, y)
    mouse.down()
    mouse.move(rail["x"] + rail["width"], y, steps=8)
    expect(widget.text("sentence")).to_contain_text("1,048,576 tokens")
    assert live_regions(widget) == [("polite", True)]
    assert widget.page.evaluate("told") == []
    mouse.up()
    widget.page.evaluate("rest()")
    expect(widget.page.locator('[aria-live][aria-busy="false"]')).to_have_count(1)
    said = widget.text("sentence").inner_text()
    assert widget.page.evaluate("told") == [said]
    assert live_regions(widget) == [("polite", False)]


@pytest.mark.parametrize("width", [1280, 390])
def test_moves_are_explained_and_nothing_below_moves(
    browser: Browser, site: str, width: int
) -> None:
    widget = Widget(browser, site, viewport={"width": width, "height": 844}).open()
    place = "() => document.querySelector('.meter').getBoundingClientRect().bottom + scrollY"
    top = widget.page.evaluate(place)
    expect(widget.page.locator(".try")).to_have_text(
        ["Predict first", "32 readers?", "4-bit weights?", "32K tokens without GQA?"]
    )
    widget.type("context", "32K")
    widget.type("gqa", "1")
    # 2 · 32 layers · 32 heads · 128 · 2 bytes = 512 KiB a token; 8 · 32,768 of them, and 14 GB.
    widget.says("meter", "151 GB asked, 71.4 GB over")
    expect(widget.page.locator(".tries")).to_be_hidden()
    expect(widget.page.locator('[data-text="decode_flops_per_byte_sub"] .term')).to_have_count(2)
    assert widget.page.evaluate(place) == top
    widget.reset()
    widget.type("batch", "64")
    widget.says(
        "sentence",
        "Only 61 of the 64 sequences fit, 2.72 GB missing. All users together went from 1,170 to "
        "2,550 tokens/s: one read of the weights serves 64 sequences, but each brings 1.07 GB of "
        "cache to read. If it fitted, one user would get 39.9 tokens/s.",
    )
    assert widget.page.evaluate(place) == top
    widget.type("spec_k", "4")
    widget.choose("weights", "int8")
    widget.choose("weights", "int4")
    assert widget.page.evaluate(place) == top
    widget.close()


def test_what_would_change_a_locked_input_is_not_offered(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?lock=batch")
    tries = widget.page.locator(".try")
    expect(tries).to_have_text(["Predict first"])
    widget.close()
