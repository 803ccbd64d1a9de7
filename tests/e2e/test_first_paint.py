"""Before any script has run the page shows the default, and never the numbers of another state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app.assets import path
from app.build.first_paint import KEPT
from tests.helpers.golden import frozen_part

READ = """() => {
  const all = (selector, of) => Object.fromEntries(
    [...document.querySelectorAll(selector)].map(of).filter(([, it]) => it));
  const attribute = (each, name) => each.getAttribute(name) ?? "";
  return {
    texts: all("[data-text]:not(.charts *)", each => [each.dataset.text, each.textContent]),
    fields: all("[data-exact]", each => [each.dataset.exact, Object.fromEntries(
      [["value", each.value], ["placeholder", attribute(each, "placeholder")],
        ["style", attribute(each, "style")]].filter(([, it]) => it))]),
    hidden: [...document.querySelectorAll("[data-control][hidden]")]
      .map(each => each.dataset.control),
    meter: attribute(document.querySelector(".meter"), "style"),
  };
}"""


SHIFTS = """window.shifts = [];
new PerformanceObserver(list => shifts.push(...list.getEntries().map(each => each.value)))
  .observe({type: "layout-shift", buffered: true});"""


@contextmanager
def opened(browser: Browser, **settings: object) -> Iterator[Page]:
    context = browser.new_context(**settings)
    try:
        yield context.new_page()
    finally:
        context.close()


@contextmanager
def held(page: Page, files: str) -> Iterator[list[Route]]:
    """Files that do not come until one lets them."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(files, hold)
    yield waiting


def test_what_stands_in_the_html_is_what_the_page_writes(browser: Browser, site: str) -> None:
    with opened(browser) as page:
        page.route("**/documents.json", lambda route: route.abort())
        page.goto(f"{site}/index.html")
        page.wait_for_selector("[data-started]")
        text = json.dumps(page.evaluate(READ), ensure_ascii=False, indent=1) + "\n"
    assert text == frozen_part(path(KEPT), "", text)


def test_without_a_script_the_default_is_there(browser: Browser, site: str) -> None:
    with opened(browser, java_script_enabled=False) as page:
        page.goto(f"{site}/index.html")
        expect(page.locator('[data-text="tokens_per_s"]')).to_have_text("1,170")
        expect(page.locator('[data-text="meter"]')).to_have_text("22.6 GB of 80 GB")
        expect(page.locator('[data-exact="batch"]')).to_have_value("8")
        expect(page.locator('[data-control="alpha"]')).to_be_hidden()


def test_the_default_s_numbers_wait_for_no_module(browser: Browser, site: str) -> None:
    painted = "performance.getEntriesByName('first-contentful-paint').length === 1"
    with opened(browser) as page, held(page, "**/boot.mjs") as waiting:
        page.goto(f"{site}/index.html", wait_until="commit")
        page.wait_for_function(painted)
        expect(page.locator('[data-text="tokens_per_s"]')).to_have_text("1,170")
        expect(page.locator("main")).to_be_visible()
        waiting.pop().continue_()
        page.wait_for_selector("[data-started]")


def test_the_numbers_of_another_state_are_never_the_default_s(browser: Browser, site: str) -> None:
    with opened(browser) as page, held(page, "**/boot.mjs") as waiting:
        page.goto(f"{site}/index.html?batch=64", wait_until="commit")
        expect(page.locator("h1")).to_have_count(1)
        expect(page.locator("main")).to_be_hidden()
        waiting.pop().continue_()
        expect(page.locator('[data-text="tokens_per_s"]')).to_have_text("2,550")
        expect(page.locator("main")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 900, 390])
def test_nothing_moves_while_the_page_opens(browser: Browser, site: str, width: int) -> None:
    with opened(browser, viewport={"width": width, "height": 800}) as page:
        page.add_init_script(SHIFTS)
        page.goto(f"{site}/index.html")
        page.wait_for_selector("html[data-ready]")
        assert page.evaluate("shifts") == []


def test_what_follows_the_numbers_needs_no_script(browser: Browser, site: str) -> None:
    with opened(browser, java_script_enabled=False) as page:
        page.goto(f"{site}/index.html")
        for shown in (".controls fieldset", ".charts .legend", ".piece .opener"):
            expect(page.locator(shown).first).to_be_visible()
