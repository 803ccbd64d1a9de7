"""What happens around the page: translators and highlighters in it, files that do not come, frames
without an address."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app.build.export import exported, single_file
from tests.helpers.widget import Widget

#: As a browser's translation does: each text in elements of its own, in other words.
TRANSLATED = """node => {
  const outer = document.createElement("font"), inner = document.createElement("font");
  inner.textContent = node.data.toUpperCase();
  outer.append(inner);
  node.replaceWith(outer);
}"""
#: As those who mark words do: a text in several nodes, one of them marked.
MARKED = """node => {
  const rest = node.splitText(node.length >> 1), mark = document.createElement("mark");
  rest.replaceWith(mark);
  mark.append(rest);
}"""
SPLIT = "node => { node.splitText(node.length >> 1); }"
REMOVED = "node => { node.remove(); }"

DISTURB = """disturb => {
  const texts = document.createTreeWalker(document.querySelector(".results"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) if (/\\w/.test(texts.currentNode.data)) found.push(texts.currentNode);
  found.forEach(eval(disturb));
}"""
TEXTS = """() => Object.fromEntries([
  ...[...document.querySelectorAll(".results [data-text]")].map(
    place => [place.dataset.text, place.textContent]),
  ...[...document.querySelectorAll(".formula:not([hidden]) dd b")].map(
    (result, i) => [`result ${i}`, result.textContent]),
])"""


def opened(widget: Widget) -> Widget:
    """The page, with a formula open."""
    widget.open()
    widget.page.locator("[data-readout=tokens_per_s] .formula-toggle").click()
    return widget


def test_numbers_follow_in_a_page_that_others_write_into(widget: Widget) -> None:
    page = opened(widget).page
    before = page.evaluate(TEXTS)
    widget.type("batch", "512")
    expect(widget.text("meter")).to_contain_text("over")
    page.wait_for_function("!document.querySelector('[aria-busy=true]')")
    after = page.evaluate(TEXTS)
    followed = {name for name in after if after[name] != before[name]}
    assert {"meter", "tokens_per_s", "sentence", "result 0"} <= followed
    for disturb in (TRANSLATED, MARKED, SPLIT, REMOVED):
        opened(widget)
        page.evaluate(DISTURB, disturb)
        widget.type("batch", "512")
        expect(widget.text("meter")).to_have_text(after["meter"])
        page.wait_for_function("!document.querySelector('[aria-busy=true]')")
        now = page.evaluate(TEXTS)
        assert {name: now[name] for name in followed} == {n: after[n] for n in followed}, disturb


BUNDLE = next(path for path in exported() if path.endswith(".bundle.js"))


@pytest.mark.parametrize("lost", ["bokeh.min.js", BUNDLE.rpartition("/")[2], "documents.json"])
@pytest.mark.parametrize("how", ["abort", "other"])
def test_without_a_library_a_note_says_so_and_entries_work(
    browser: Browser, site: str, lost: str, how: str
) -> None:
    def answer(route: Route) -> None:
        if how == "abort":
            route.abort()
        else:
            route.fulfill(body="<!DOCTYPE html><p>Sign in", content_type="text/html")

    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route(f"**/{lost}", answer)
    host = '<!DOCTYPE html><link rel="icon" href="data:,"><iframe src="index.html"></iframe>'
    listen = "<script>heard = []; addEventListener('message', e => heard.push(e.data))</script>"
    page.route(
        f"{site}/host.html",
        lambda route: route.fulfill(body=listen + host, content_type="text/html"),
    )
    page.goto(f"{site}/host.html")
    page.wait_for_function("heard.some(each => each.type === 'error')")
    said = page.evaluate("heard.find(each => each.type === 'error').message")
    assert said.startswith("Sliders and charts did not come: reload the page")
    frame = page.frame_locator("iframe")
    expect(frame.locator(".notes li")).to_have_text([said])
    frame.locator('[data-exact="batch"]').fill("64")
    frame.locator('[data-exact="batch"]').press("Enter")
    expect(frame.locator('[data-text="meter"]')).to_have_text("82.7 GB asked, 2.72 GB over")
    # Of HTML in a script's place the browser complains, of Bokeh's absence Bokeh's others do.
    foreign = ("Unexpected token", "Cannot find Bokeh", "Bokeh is not defined")
    assert [each for each in errors if not any(theirs in each for theirs in foreign)] == []
    page.close()


def test_a_library_that_hangs_is_told_until_it_comes(browser: Browser, site: str) -> None:
    page, hanging = browser.new_page(), []

    def hang(route: Route) -> None:
        hanging.append(route)

    page.clock.install()
    page.route("**/panel.min.js", hang)
    page.goto(f"{site}/index.html?nothing=1", wait_until="commit")
    notes = page.locator(".notes li")
    expect(notes).to_have_count(1)
    page.wait_for_function("document.querySelector('script[src*=panel]')")
    page.clock.fast_forward(30_000)
    expect(notes.nth(1)).to_contain_text("Sliders and charts did not come: reload the page")
    page.locator('[data-exact="batch"]').fill("64")
    page.locator('[data-exact="batch"]').press("Enter")
    expect(page.locator('[data-text="meter"]')).to_have_text("82.7 GB asked, 2.72 GB over")
    for route in hanging:
        route.continue_()
    expect(notes).to_have_count(0)
    page.wait_for_selector("html[data-ready]")
    page.close()


def test_exercises_that_do_not_come_can_be_asked_for_again(browser: Browser, site: str) -> None:
    page = browser.new_page()
    page.route("**/views/exercises.mjs", lambda route: route.abort())
    page.goto(f"{site}/index.html")
    page.wait_for_selector("html[data-ready]")
    way = page.get_by_role("button", name="Predict first")
    way.click()
    expect(page.locator(".notes li")).to_have_text(
        "This part of the page did not come. Press again when you are online, or reload the page."
    )
    expect(page.locator('[data-text="tokens_per_s"]')).to_have_text("1,170")
    page.unroute("**/views/exercises.mjs")
    way.click()
    expect(page.locator(".exercise .question")).to_be_focused()
    expect(page.locator(".notes")).to_be_hidden()
    page.close()


def test_in_a_frame_without_an_address_share_says_so_and_a_hash_changes_nothing(
    browser: Browser,
) -> None:
    page: Page = browser.new_page()
    page.set_content("<iframe style='width: 1200px; height: 900px'></iframe>")
    page.evaluate("text => { document.querySelector('iframe').srcdoc = text; }", single_file())
    frame = page.frame_locator("iframe")
    frame.locator('[data-exact="batch"]').fill("64")
    frame.locator('[data-exact="batch"]').press("Enter")
    frame.get_by_role("button", name="Share").click()
    expect(frame.locator(".notes li")).to_have_text(
        "Here the page has no address of its own. Behind one that it has elsewhere, this state is: "
        "?batch=64"
    )
    page.frames[1].evaluate("location.hash = 'chart'")
    page.frames[1].evaluate("new Promise(done => setTimeout(done))")
    expect(frame.locator('[data-text="meter"]')).to_have_text("82.7 GB asked, 2.72 GB over")
    page.close()


@pytest.mark.parametrize("query", ["show=formulas", "show=meter&hide=meter"])
def test_an_address_that_leaves_nothing_says_so(browser: Browser, site: str, query: str) -> None:
    widget = Widget(browser, site).open(f"/index.html?{query}")
    expect(widget.page.locator(".notes li")).to_have_text(
        "show and hide leave nothing of the page: take one of them out of the address"
    )
    widget.close()


def test_what_stands_above_the_widget_is_something(browser: Browser, site: str) -> None:
    widget = Widget(browser, site)
    for part, left in (("share", ".top"), ("model", ".scenario-bar")):
        widget.open(f"/index.html?show={part}")
        expect(widget.page.locator(left)).to_be_visible()
        expect(widget.page.locator(".notes")).to_be_hidden()
    widget.close()


def test_an_entry_stays_in_its_place_whatever_is_typed(widget: Widget) -> None:
    widget.exact("batch").fill("8" * 200_000)
    assert widget.exact("batch").bounding_box()["width"] < 300


def test_a_hash_right_after_a_move_loses_nothing(widget: Widget) -> None:
    widget.type("batch", "64")
    widget.page.evaluate("location.hash = 'chart'")
    widget.page.wait_for_function("location.search === '?batch=64'")
    widget.says("meter", "82.7 GB asked, 2.72 GB over")
    widget.page.go_back()
    widget.says("meter", "22.6 GB of 80 GB")
