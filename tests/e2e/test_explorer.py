"""The explorer: what helps, which GPUs do it, what a request costs. Numbers by hand.

The lesson's 7B on its card: a step reads 14e9 bytes of weights and 1.0737e9 of each sequence's
cache of 8,192 tokens at 3.3e12 bytes/s. With 8 sequences that is 6.845 ms, 1,169 tokens/s; at
twice the bandwidth 2,337.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import re
import shlex

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.__main__ import main
from app.explorer import STUDIES
from tests.e2e.test_accessibility import AXE, RUN
from tests.helpers.explorer import Explorer


def test_from_the_widget_to_what_helps_most_and_back(explorer: Explorer) -> None:
    explorer.open("/index.html?batch=16")
    explorer.page.get_by_role("button", name="Explorer", exact=True).click()
    explorer.address_has("view=explorer")
    expect(explorer.page.get_by_role("tab", name="Throughput")).to_be_hidden()
    expect(explorer.row("FLOP/s × 2")).to_contain_text("no change")
    explorer.page.get_by_role("button", name="Leave").click()
    expect(explorer.page.locator(".explorer")).to_have_count(0)
    expect(explorer.page.get_by_role("tab", name="Throughput")).to_be_visible()
    explorer.holds("batch", "16")


def test_a_lever_is_what_it_says_and_undo_takes_it_back(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer")
    line = explorer.row("Bandwidth × 2")
    expect(line).to_contain_text("2,340 tokens/s")
    expect(line).to_contain_text("+100 %")
    line.get_by_role("button").focus()
    explorer.page.keyboard.press("Enter")
    explorer.says("tokens_per_s", "2,340")
    expect(explorer.page.locator(".sentence")).to_contain_text("Memory is read at 6.60 TB/s")
    explorer.address_has("bandwidth_factor=2")
    explorer.page.get_by_role("button", name="Undo").click()
    explorer.says("tokens_per_s", "1,170")


def test_levers_follow_a_slider_and_keep_their_places_while_it_runs(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer")
    names = explorer.page.locator(".levers tbody button")
    first = names.all_inner_texts()
    assert first[:2] == ["Speculation with 4 drafted tokens", "Bandwidth × 2"]
    explorer.page.locator("[data-control=batch] input[type=range]").focus()
    for _ in range(6):
        explorer.page.keyboard.press("ArrowLeft")
    expect(names.first).to_have_text("Weights alone at 4 bit")  # one reader: the weights are all


def test_each_user_s_speed_ranks_otherwise_than_all_together(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer")
    explorer.page.get_by_label("Ranked by").select_option("user")
    expect(explorer.row("Batch × 2")).to_contain_text("−28 %")  # 22.6 of 31.2 GB
    explorer.page.get_by_label("Ranked by").select_option("room")
    expect(explorer.row("KV cache at 8 bit")).to_contain_text("122")


def test_which_gpus_serve_so_many_at_such_a_speed(explorer: Explorer) -> None:
    # At least 100 tokens/s: 14e9 + B · 1.0737e9 <= 33e9, so up to 17 at once, 4 cards for 64.
    explorer.open("/index.html?view=explorer&study=fit&users=64&speed=100")
    line = explorer.row("1 × H100 80GB, 4 times")
    for text in ("12.0 USD/h", "4 GPUs", "17 at once", "speed: 18 at once are too slow"):
        expect(line).to_contain_text(text)
    expect(explorer.page.locator(".fit .said")).to_contain_text("Prompts are not counted")
    explorer.page.get_by_label("Users at once").fill("17")
    explorer.page.keyboard.press("Enter")
    explorer.address_has("users=17")
    line = explorer.row("1 × H100 80GB")
    expect(line).to_contain_text("3.00 USD/h")
    line.get_by_role("button").focus()
    explorer.page.keyboard.press("Enter")
    explorer.holds("batch", "17")
    expect(line.get_by_role("button")).to_be_focused()
    explorer.type("context", "16384")
    # (14e9 + 17 · 2.147e9) / 6.6e12 = 7.65 ms.
    expect(explorer.row("2 × H100 80GB")).to_contain_text("131 tokens/s")


@pytest.mark.parametrize("width", [1280, 1101, 900, 390])
def test_what_binds_is_seen_without_a_swipe_to_the_side(explorer: Explorer, width: int) -> None:
    explorer.page.set_viewport_size({"width": width, "height": 800})
    explorer.open("/index.html?view=explorer&study=fit")
    rows = explorer.page.locator(".fit .rows")
    expect(rows.get_by_text("nothing: all fit and are fast").first).to_be_visible()
    assert rows.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_what_a_box_serves_is_the_lesson_s_table(explorer: Explorer) -> None:
    # 66e9 bytes beside the weights, 131,072 for each token: the lesson's 15 at 32K and 3 at 131K.
    explorer.open("/index.html?view=explorer&study=fit")
    for context, sequences in (("8,192", "61"), ("32,768", "15"), ("131,072", "3")):
        cells = explorer.page.locator(".serves tr", has_text=context).locator("td")
        expect(cells.first).to_have_text(sequences)


def test_a_wish_that_cannot_be_is_refused_at_its_field(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer&study=fit")
    explorer.page.get_by_label("Users at once").fill("-3")
    explorer.page.keyboard.press("Enter")
    expect(explorer.page.locator(".study.fit > .error")).to_contain_text("It stays at 64")
    expect(explorer.page.get_by_label("Users at once")).to_have_value("64")


def test_what_a_request_takes_and_costs(explorer: Explorer) -> None:
    # 2 · 7e9 · 2,000 / 990e12 = 28.3 ms; 499 more of 14e9 + 8 · 2,250 · 131,072 bytes, 4.96 ms;
    # 500 / (28.3 ms + 500 · 4.96 ms / 8) = 1,480 tokens/s at 3 USD/h.
    explorer.open("/index.html?view=explorer&study=cost&load=2")
    explorer.page.locator(".entries [data-exact=prompt]").fill("2000")
    explorer.page.keyboard.press("Enter")
    expected = {
        "First token": "28.3 ms",
        "Each next token": "4.96 ms",
        "The whole request": "2.50 s",
        "Prefill’s share": "8 %",
        "Output served": "1,480 tokens/s",
        "A million tokens out": "0.564 USD",
        "A thousand requests": "0.282 USD",
        "A month of them": "1,460 USD",
    }
    for name, amount in expected.items():
        expect(explorer.row(name).locator("td").first).to_have_text(amount)
    expect(explorer.text("said").locator("visible=true")).to_contain_text("92 % is decode")


def test_any_quantity_over_any_input_is_a_chart_and_a_table(explorer: Explorer) -> None:
    # 61 sequences of 8,192 tokens fit, 15 of 32,768; 14e9 bytes of weights leave 66e9.
    explorer.open("/index.html?view=explorer&study=sweep&over=context&shown=max_batch")
    panel = explorer.page.locator(".study.sweep")
    expect(panel.locator("canvas").first).to_be_visible()
    panel.locator("summary:visible").click()
    for context, most in (("8,192", "61"), ("32,768", "15"), ("131,072", "3")):
        row = panel.get_by_role("row").filter(has_text=context)
        expect(row.get_by_role("cell").nth(1)).to_have_text(most)
    panel.get_by_label("Show").select_option("kv_bytes")
    explorer.address_has("shown=kv_bytes")
    expect(panel.locator(".said")).to_have_text(
        "Context from 512 to 1,048,576: KV cache in all 0.537 GB to 1,100 GB. It fits up to 62,942."
    )
    # 141 GB of weights: what only fits from 4 GPUs on is hatched below.
    explorer.page.goto(
        explorer.page.url.split("?")[0]
        + "?view=explorer&study=sweep&over=gpus&model=llama-3-70b&batch=8"
    )
    expect(panel.locator(".said")).to_contain_text("it fits only from 4 on.")
    ticks, wall = panel.locator(".ticks.x li"), panel.locator("[data-chart=sweep] .wall")
    middle = "each => each.getBoundingClientRect().x + each.getBoundingClientRect().width / 2"
    expect(ticks.get_by_text("64", exact=True)).to_be_visible()
    four = ticks.get_by_text("4", exact=True).evaluate(middle)
    end = wall.evaluate("each => each.getBoundingClientRect().right")
    assert end == pytest.approx(four, abs=2)
    # What says nothing here cannot be chosen: a published model has its own parameters.
    explorer.page.goto(explorer.page.url + "&model=llama-3-8b")
    explorer.page.wait_for_selector("html[data-ready]")
    expect(panel.locator("[name=over] option[value=params_b]")).to_be_disabled()
    expect(panel.locator("[name=over] option[value=batch]")).to_be_enabled()


def test_two_inputs_are_a_map_that_keys_and_a_finger_read(explorer: Explorer) -> None:
    # 131,072 bytes for each token: 4 · 1,024 of them are 0.537 GB.
    explorer.open("/index.html?view=explorer&study=sweep&over=context&shown=kv_bytes")
    panel = explorer.page.locator(".study.sweep")
    panel.locator("[name=against]").select_option("batch")
    explorer.address_has("against=batch")
    expect(panel.locator("canvas:visible").first).to_be_visible()
    expect(panel.locator(".said")).to_contain_text("Context from 512 to 1,048,576, batch from 1 to")
    cells = panel.get_by_role("slider")
    cells.focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowUp"):
        explorer.page.keyboard.press(key)
    told = "Context 1,024, Batch 4, KV cache in all 0.537 GB"
    expect(cells).to_have_attribute("aria-valuetext", told)
    expect(cells.locator("li").first).to_have_text("Context 1,024")
    explorer.page.keyboard.press("Escape")
    expect(cells.locator("li")).to_have_count(0)
    box = cells.bounding_box()
    explorer.page.mouse.move(box["x"] + box["width"] - 3, box["y"] + 3)
    expect(cells.locator("li").last).to_have_text("does not fit")
    panel.locator("summary:visible").click()
    row = panel.get_by_role("row").filter(has_text="64").filter(has_text="does not fit")
    expect(row.first).to_be_visible()
    panel.locator("[name=against]").select_option("none")
    expect(panel.locator("[data-chart=map]")).to_be_hidden()
    expect(panel.locator("[data-chart=sweep]")).to_be_visible()


def test_easy_requests_go_to_a_cheap_model(explorer: Explorer) -> None:
    # 0.8 · 0.9 + 0.2 · 0.1 = 0.74 at a tenth of the price: 0.334 of it; 0.2 · 0.1 are worse.
    explorer.open("/index.html?view=explorer&study=routing")
    panel = explorer.page.locator(".study.routing")
    said = panel.locator(".said")
    expect(said).to_contain_text("74 % go to the cheap model: 67 % of the cost is saved")
    expect(said).to_contain_text("Thresholds that send 33 % to 78 % there are safe")
    expect(explorer.row("A request, routed")).to_contain_text("2.99× cheaper")
    panel.get_by_label("Easy requests").fill("10")
    explorer.page.keyboard.press("Enter")
    explorer.address_has("easy=10")
    expect(said).to_contain_text("No threshold is safe")
    expect(explorer.row("Safe")).to_contain_text("none")
    panel.locator("[name=cheap]").select_option("llama-3.2-1b")
    expect(panel.locator("[name=cheap_price]")).to_be_hidden()
    expect(explorer.row("A request at the cheap model")).to_be_visible()
    point = panel.get_by_role("slider")
    point.focus()
    explorer.page.keyboard.press("End")
    expect(point).to_have_attribute("aria-valuetext", re.compile("100 % to the cheap model, 90 %"))


def test_a_cached_prefix_in_host_memory_is_loaded_first(explorer: Explorer) -> None:
    # 4,096 tokens of 131,072 bytes at 50 GB/s take 10.7 ms; the other 4,096 58.0 ms of prefill.
    explorer.open("/index.html?view=explorer&study=cost&prefix_hit=0.5")
    expect(explorer.row("First token").locator("td").first).to_have_text("57.9 ms")
    explorer.page.get_by_label("in host memory").fill("100")
    explorer.page.keyboard.press("Enter")
    expect(explorer.row("First token").locator("td").first).to_have_text("68.7 ms")
    explorer.type("host_link_gb_per_s", "25")
    expect(explorer.row("First token").locator("td").first).to_have_text("79.4 ms")


def test_speculation_over_the_batch_at_two_contexts(explorer: Explorer) -> None:
    # At 512 tokens and batch 593: 5 · 593 · 14e9 / 990e12 = 41.9 ms to verify, and 0.2 of a step of
    # (14e9 + 593 · 512 · 131,072) / 3.3e12 = 16.3 ms to draft: 2.772 steps for 2.773 tokens; at
    # 768 it is 54.3 ms, and 2.93 steps of 19.9 ms.
    explorer.open("/index.html?view=explorer&study=speculation")
    panel = explorer.page.locator(".study.speculation")
    expect(panel.locator("canvas").first).to_be_visible()
    said = panel.locator(".said")
    expect(said).to_contain_text("At 8,192 tokens of context it pays at every batch: 99 %")
    expect(said).to_contain_text("At 512 tokens of context it pays up to batch 593, then loses")
    point = panel.get_by_role("slider")
    point.focus()
    explorer.page.keyboard.press("End")
    explorer.holds("batch", "1,024")
    expect(point).to_have_attribute(
        "aria-valuetext",
        "1,024 sequences, 8,192 tokens: 2.31×, does not fit, 512 tokens: 0.898×, does not fit",
    )
    panel.get_by_text("The same as a table").click()
    row = panel.get_by_role("row").filter(has_text="768")
    expect(row.get_by_role("cell")).to_have_text(
        ["768", "2.31×", "memory", "no", "0.945×", "compute", "yes"]
    )
    explorer.type("context", "512")
    expect(said).to_contain_text("At 32,768 tokens of context it pays at every batch")


def test_an_assumption_is_changed_where_both_sets_stand(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer&study=assumed")
    line = explorer.row("Bandwidth reached")
    assert line.locator("td").all_inner_texts()[:2] == ["1", "0.85"]
    line.get_by_role("textbox").fill("0.5")
    explorer.page.keyboard.press("Enter")
    explorer.says("tokens_per_s", "584")  # half of 1,169
    explorer.address_has("mbu=0.5")
    said = explorer.page.locator(".study.assumed .said")
    expect(said).to_contain_text("With what you changed: 584 tokens/s")
    line.get_by_role("textbox").fill("")
    explorer.page.keyboard.press("Enter")
    explorer.says("tokens_per_s", "1,170")


TAKEN = "view=explorer&study=take&model=mixtral-8x7b&gpus=2&batch=16&weights=fp8&assumptions=engine"


def printed(*words: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(words) == 0
    return out.getvalue()


def test_what_is_taken_away_says_what_the_page_says(explorer: Explorer) -> None:
    explorer.open(f"/index.html?{TAKEN}")
    panel = explorer.page.locator(".study.take")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(panel.locator("[data-text=python]").inner_text(), {})
    numbers = dict(line.split() for line in out.getvalue().splitlines())
    rounded = float(f"{float(numbers['tokens_per_s']):.3g}")
    explorer.says("tokens_per_s", f"{rounded:,.0f}")
    program, *words = shlex.split(panel.locator("[data-text=command]").inner_text())
    assert program == "decode-arithmetic"
    report = json.loads(printed(*words, "--json"))
    assert report["tokens_per_s"] == float(numbers["tokens_per_s"])
    with explorer.page.expect_download() as download:
        panel.get_by_role("link", name="JSON").click()
    page = json.loads(download.value.path().read_text())
    assert page.keys() == report.keys()
    for name, value in report.items():
        same = page[name] == value or math.isclose(page[name], value, rel_tol=1e-12)
        assert same, name
    with explorer.page.expect_download() as download:
        panel.get_by_role("link", name="CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    (row,) = (each for each in rows if each["batch"] == "16")
    assert float(row["tokens_per_s"]) == pytest.approx(report["tokens_per_s"], rel=1e-12)
    link = panel.locator("[data-text=link]").inner_text()
    assert link == explorer.page.url


def test_the_open_study_stands_in_the_address_and_arrow_keys_go_on(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer")
    explorer.tab("What helps").focus()
    explorer.page.keyboard.press("ArrowRight")
    explorer.address_has("study=fit")
    expect(explorer.tab("Fit it")).to_have_attribute("aria-selected", "true")
    explorer.page.keyboard.press("ArrowLeft")
    explorer.page.wait_for_function("!location.search.includes('study')")


def test_a_lesson_shows_one_study_alone_and_locks(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer&show=levers&lock=batch")
    expect(explorer.page.locator(".explorer [role=tablist]")).to_be_hidden()
    expect(explorer.page.locator(".meter")).to_be_hidden()
    expect(explorer.row("Batch × 2").get_by_role("button")).to_be_disabled()
    expect(explorer.row("GPUs × 2").get_by_role("button")).to_be_enabled()


@pytest.mark.parametrize("study", [*STUDIES, "sweep&against=context"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_page(
    browser: Browser, site: str, scheme: str, study: str
) -> None:
    explorer = Explorer(browser, site, color_scheme=scheme)
    explorer.open(f"/index.html?view=explorer&study={study}")
    explorer.page.add_script_tag(path=AXE)
    for width in (1280, 768, 390, 320):
        explorer.page.set_viewport_size({"width": width, "height": 900})
        assert explorer.page.evaluate(RUN) == []
        assert explorer.page.evaluate("document.documentElement.scrollWidth") == width
    explorer.close()


def pressed(page: Page, place: Locator) -> None:
    """A hand's press: what lies under it when the button comes up is what is clicked."""
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    page.mouse.up()


def test_what_is_typed_counts_before_the_press_that_leaves_it(explorer: Explorer) -> None:
    page = explorer.page
    explorer.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explorer.open("/index.html?view=explorer&batch=16")
    explorer.exact("batch").fill("30")
    pressed(page, explorer.row("Batch × 2").get_by_role("button"))
    explorer.holds("batch", "60")
    page.get_by_role("button", name="Undo").click()
    explorer.holds("batch", "30")
    explorer.tab("Fit it").click()
    explorer.exact("context").fill("4096")
    pressed(page, page.locator(".fits tbody button").first)
    explorer.address_has("gpu=")
    explorer.holds("context", "4,096")
    page.get_by_label("Users at once").fill("7")
    pressed(page, explorer.row("1 × H100 80GB").get_by_role("button"))
    explorer.address_has("users=7")
    explorer.holds("batch", "7")
    explorer.tab("Take it away").click()
    explorer.exact("batch").fill("64")
    pressed(page, page.get_by_role("button", name="Copy: Command line"))
    assert "batch=64" in page.evaluate("navigator.clipboard.readText()")
    pressed(page, page.get_by_role("button", name="Copy: Link"))
    assert "batch=64" in page.evaluate("navigator.clipboard.readText()")


def test_a_press_that_leaves_what_cannot_be_is_not_made_and_the_next_one_is(
    explorer: Explorer,
) -> None:
    page = explorer.page
    explorer.open("/index.html?view=explorer")
    lever = explorer.row("KV cache at 8 bit").get_by_role("button")
    explorer.exact("batch").fill("5000")
    pressed(page, lever)
    error = page.locator("[data-control=batch] .error")
    expect(error).to_contain_text("It stays at 8")
    assert "kv=" not in page.url
    pressed(page, lever)
    explorer.address_has("kv=fp8")
    explorer.tab("Fit it").click()
    users = page.get_by_label("Users at once")
    users.fill("0")
    pressed(page, explorer.tab("Sweep"))
    expect(page.locator(".study.fit > .error")).to_contain_text("It stays at 64")


def test_what_is_wrong_in_a_sheet_is_noted_as_a_press_beside_it_closes_it(
    explorer: Explorer,
) -> None:
    explorer.open("/index.html?view=explorer")
    explorer.page.locator(".piece").get_by_role("button", name="Hardware").click()
    explorer.exact("gpus").fill("-1")
    explorer.page.mouse.click(5, 5)
    expect(explorer.page.locator(".notes")).to_contain_text("It stays at 1")


def test_rows_keep_their_places_between_two_presses(explorer: Explorer) -> None:
    page = explorer.page
    explorer.open("/index.html?view=explorer")
    before = page.locator(".levers tbody button").all_inner_texts()
    pressed(page, explorer.row("Weights alone at 4 bit").get_by_role("button"))
    explorer.address_has("weights=int4")
    expect(explorer.row("Weights alone at 4 bit")).to_contain_text("done")
    assert page.locator(".levers tbody button").all_inner_texts()[: len(before)] == before
    pressed(page, explorer.row("Weights alone at 4 bit").get_by_role("button"))
    expect(page.locator(".notes")).to_contain_text("Weights alone at 4 bit: done.")
    page.mouse.move(5, 5)
    expect(page.locator(".levers tbody")).not_to_contain_text("done")
    # A double click pulls the same lever twice.
    explorer.row("Batch × 2").get_by_role("button").dblclick()
    explorer.holds("batch", "32")


def test_what_would_change_something_locked_cannot_be_pressed(explorer: Explorer) -> None:
    explorer.open(
        "/index.html?view=explorer&study=fit&usd_per_gpu_hour=3&lock=usd_per_gpu_hour&users=7"
    )
    expect(explorer.row("RTX PRO 6000").get_by_role("button")).to_be_disabled()
    explorer.row("1 × H100 80GB").get_by_role("button").click()
    explorer.holds("batch", "7")


def test_a_sweep_with_nothing_to_draw_draws_nothing(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer&study=sweep&shown=request_usd&usd_per_gpu_hour=0")
    chart = explorer.page.locator("[data-chart=sweep] .plot")
    expect(chart).to_be_hidden()
    explorer.page.locator(".study.sweep").get_by_label("Show").select_option("tokens_per_s")
    expect(chart).to_be_visible()
    for width in (1280, 360):
        explorer.page.set_viewport_size({"width": width, "height": 900})
        card = explorer.page.locator(".explorer").bounding_box()
        for label in chart.locator(".ticks.y li").all():
            assert label.bounding_box()["x"] >= card["x"]


def test_a_frame_that_may_save_no_file_has_its_text(browser: Browser, site: str) -> None:
    page = browser.new_page()
    source = f"{site}/index.html?view=explorer&study=take"
    page.goto(f"{site}/licenses.txt")
    page.evaluate(
        'source => { document.body.innerHTML = \'<iframe sandbox="allow-scripts allow-same-origin"'
        " width=1200 height=1400>'; document.querySelector('iframe').src = source; }",
        source,
    )
    inside = page.frame_locator("iframe")
    inside.get_by_role("link", name="JSON").click()
    held = inside.get_by_label("What the file holds")
    expect(held).to_be_visible()
    assert json.loads(held.inner_text())["batch_per_gpu"] == 8
    page.close()
