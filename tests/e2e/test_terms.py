"""Terms: a dotted line under a word opens its one sentence, by each way of asking."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.widget import Widget

RIDGE = "The intensity at which reading and computing take equally long"
CACHE = "The keys and values of all tokens so far"


def test_a_term_opens_by_pointing_clicking_and_keys(widget: Widget) -> None:
    page, note = widget.page, widget.page.locator(".meaning")
    ridge = page.locator('[data-readout="decode_flops_per_byte"] .term', has_text="ridge")
    ridge.hover()
    expect(note).to_contain_text(RIDGE)
    note.hover()
    expect(note).to_be_visible()
    page.locator("h1").hover()
    expect(note).to_be_hidden()

    ridge.click()
    page.locator("h1").hover()
    expect(note).to_be_visible()
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()

    cache = page.locator(".sentence .term", has_text="KV cache")
    expect(cache).to_have_role("button")
    expect(cache).to_have_accessible_description(
        f"{CACHE}, kept so that a step need not compute them again; each sequence has its own."
    )
    cache.focus()
    page.keyboard.press("Enter")
    expect(note).to_contain_text(CACHE)
    page.keyboard.press("Tab")
    expect(note).to_be_hidden()

    # What moves has no terms; what has come to rest has them again.
    widget.type("batch", "16")
    expect(page.locator(".sentence .term", has_text="weights")).to_have_count(0)
    expect(ridge).to_be_visible()


def test_all_terms_are_a_list(widget: Widget) -> None:
    page, terms = widget.page, widget.page.get_by_role("dialog", name="Terms")
    page.get_by_role("button", name="Terms").click()
    expect(terms.locator("dt", has_text="MLA")).to_be_visible()
    page.keyboard.press("Escape")
    expect(terms).to_be_hidden()


@pytest.mark.parametrize("width", [390, 320])
def test_a_tap_opens_a_term_inside_the_screen(browser: Browser, site: str, width: int) -> None:
    widget = Widget(
        browser, site, viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True
    ).open()
    widget.page.locator(".sentence .term", has_text="memory-bound").tap()
    note = widget.page.locator(".meaning")
    expect(note).to_contain_text("Reading takes longer than computing")
    box = note.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    widget.page.locator("h1").tap()
    expect(note).to_be_hidden()
    widget.close()
