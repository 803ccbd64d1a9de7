"""Two scenarios side by side. Numbers by hand, as in test_explorer.py."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.e2e.test_accessibility import AXE, RUN
from tests.helpers.explorer import Explorer

#: A holds four times the context of a quarter of the sequences.
COMPARED = "view=explorer&study=compare&a=batch:16,context:32768&weights=int4&batch=64"


def test_a_scenario_is_pinned_and_the_controls_go_on(explorer: Explorer) -> None:
    # Twice the bandwidth halves each step: 1,169 tokens/s become 2,337.
    explorer.open("/index.html?view=explorer&study=compare")
    panel = explorer.page.locator(".study.compare")
    expect(panel.locator(".acts").get_by_role("button")).to_have_text(["Pin as A"])
    panel.get_by_role("button", name="Pin as A").focus()
    explorer.page.keyboard.press("Enter")
    explorer.address_has("a=defaults")
    said = panel.locator("[data-text=compared]")
    expect(said).to_contain_text("A and B are the same")
    explorer.tab("What helps").click()
    explorer.row("Bandwidth × 2").get_by_role("button").click()
    explorer.tab("Compare").click()
    expect(said).to_contain_text(
        "from 1,170 to 2,340 tokens/s, 2.00×. The only difference is bandwidth"
    )
    cells = explorer.row("All users together").locator("td")
    expect(cells).to_have_text(["1,170", "2,340", "2.00×"])
    explorer.says("tokens_per_s_sub", "A 1,170 · 2.00×")
    panel.get_by_text("The same as a table").click()
    line = panel.locator(".rows tr").filter(has=explorer.page.get_by_text("8", exact=True))
    expect(line.locator("td")).to_have_text(["8", "2,340 tokens/s", "1,170 tokens/s", "yes"])
    explorer.reset()
    expect(said).to_contain_text("A and B are the same")


def test_a_compare_link_opens_in_another_browser(explorer: Explorer, browser: Browser) -> None:
    explorer.open(f"/index.html?{COMPARED}")
    said = explorer.page.locator("[data-text=compared]")
    expect(said).to_contain_text(
        "Most comes from context, 2.65× alone. KV cache went from 68.7 to 17.2 GB:"
    )
    explorer.page.get_by_role("button", name="Swap A and B").click()
    explorer.address_has("a=batch:64,weights:int4")
    expect(said).to_contain_text(
        "from 2,920 to 638 tokens/s, 0.218×. B does not fit, 2.72 GB missing"
    )
    other = Explorer(browser, explorer.address)
    other.page.goto(explorer.page.url)
    other.page.wait_for_selector("html[data-ready]")
    expect(other.page.locator("[data-text=compared]")).to_have_text(said.inner_text())
    expect(other.row("Sequences that fit").locator("td")).to_have_text(["71", "15", "0.211×"])
    other.close()
    # Undo takes the swap back as a whole; Clear leaves B alone.
    explorer.page.get_by_role("button", name="Undo").click()
    explorer.address_has("a=context:32768,batch:16")
    expect(said).to_contain_text("from 638 to 2,920 tokens/s")
    explorer.page.get_by_role("button", name="Clear").click()
    explorer.page.wait_for_function("!location.search.includes('a=')")
    expect(explorer.page.locator(".amounts")).to_be_hidden()
    explorer.says("tokens_per_s", "2,920")


def test_a_is_pale_in_the_widget_s_charts_and_beneath_its_numbers(explorer: Explorer) -> None:
    explorer.open("/index.html?a=batch:16&batch=32")
    expect(explorer.page.locator("#panel-throughput .before")).to_have_text("pale: A, as pinned")
    explorer.says("tokens_per_s_sub", "A 1,690 · 1.29×")  # 32 · 3.3e12 / 48.4e9 = 2,184
    explorer.page.goto(explorer.page.url + "&hide=compare")
    explorer.page.wait_for_selector("html[data-ready]")
    expect(explorer.page.locator("#panel-throughput .before")).to_be_hidden()
    expect(explorer.text("tokens_per_s_sub")).to_contain_text("one step takes")


def test_an_a_that_cannot_be_is_refused_and_the_rest_of_the_address_is_there(
    explorer: Explorer,
) -> None:
    explorer.open("/index.html?view=explorer&study=compare&a=gpus:3&batch=32")
    (note,) = explorer.page.locator(".notes li").all_inner_texts()
    assert note.startswith("a=gpus:3: nothing is pinned as A; tp=3 (gpus / dp / pp): allowed is")
    explorer.holds("batch", "32")
    expect(explorer.page.get_by_role("button", name="Pin as A")).to_be_visible()
    explorer.page.wait_for_function("!location.search.includes('a=')")


def test_what_is_locked_is_not_swapped(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer&study=compare&a=batch:16&lock=batch")
    expect(explorer.page.get_by_role("button", name="Swap A and B")).to_be_disabled()


def test_axe_finds_nothing_beside_a_and_nothing_is_wider_than_the_page(
    browser: Browser, site: str
) -> None:
    for scheme in ("light", "dark"):
        explorer = Explorer(browser, site, color_scheme=scheme)
        explorer.open(f"/index.html?{COMPARED}&gpu=h200-sxm")
        explorer.page.add_script_tag(path=AXE)
        for width in (1280, 768, 390, 320):
            explorer.page.set_viewport_size({"width": width, "height": 900})
            assert explorer.page.evaluate(RUN) == []
            assert explorer.page.evaluate("document.documentElement.scrollWidth") == width
        explorer.close()
