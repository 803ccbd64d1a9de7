"""The address is the state: each key, both ways, and what bad ones get."""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Browser, expect

from app.contract import settings
from app.controls import CONTROLS
from calc.inputs.declaration import Choice
from calc.inputs.table import INPUTS
from tests.helpers.refusals import REFUSALS
from tests.helpers.widget import Widget

SCENARIO = {
    "params_b": "70",
    "gqa": "8",
    "context": "5000",
    "batch": "33",
    "weights": "int4",
    "kv": "int8",
    "spec_k": "3",
    "alpha": "0.55",
}


@pytest.mark.parametrize(("key", "value"), SCENARIO.items())
def test_scenario_key_both_ways(browser: Browser, site: str, key: str, value: str) -> None:
    widget = Widget(browser, site).open(f"/index.html?{key}={value}")
    widget.page.wait_for_function("q => location.search === q", arg=f"?{key}={value}")
    if key in ("weights", "kv"):
        chosen = widget.page.locator(f'[data-control="{key}"] [aria-pressed="true"]')
        expect(chosen).to_have_text(value)
    else:
        assert widget.exact(key).input_value().replace(",", "") == value
    expect(widget.page.locator(".notes")).to_be_hidden()
    if key not in ("weights", "kv"):
        # The slider itself stands there, too: it was told before its widget was mounted.
        label = re.compile(f"^{float(value):,g} ")
        slider = widget.thumb(key).locator("input")
        if key != "alpha":
            expect(slider).to_have_attribute("aria-valuetext", label)
    widget.reset()
    widget.page.wait_for_function("location.search === ''")
    widget.close()


def test_the_address_follows_and_opens_again(widget: Widget, browser: Browser, site: str) -> None:
    widget.drag_to_stop("context", 12, 23)
    widget.choose("kv", "fp8")
    widget.page.wait_for_function("location.search === '?context=32768&kv=fp8'")
    shown = widget.text("kv_bytes").inner_text()
    again = Widget(browser, site).open("/index.html?context=32768&kv=fp8")
    again.says("kv_bytes", shown)
    again.close()


def test_back_and_forward(widget: Widget) -> None:
    widget.type("batch", "64")
    widget.page.wait_for_function("location.search === '?batch=64'")
    widget.page.evaluate("history.pushState(null, '', '?context=1024&theme=dark')")
    widget.page.go_back()
    widget.holds("batch", "64")
    widget.page.go_forward()
    widget.holds("context", "1,024")
    widget.holds("batch", "8")
    expect(widget.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_units_and_theme(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?units=GiB&theme=dark")
    # 14e9 + 8 · 2^30 bytes over 2^30
    assert f"{(14e9 + 8 * 2**30) / 2**30:.1f}" == "21.0"
    widget.says("meter", "21.0 GiB of 74.51 GiB")
    expect(widget.page.locator("html")).to_have_attribute("data-theme", "dark")
    widget.page.get_by_role("button", name="Switch between GB and GiB").click()
    widget.says("meter", "22.6 GB of 80 GB")
    widget.page.wait_for_function("location.search === '?theme=dark'")
    widget.close()


@pytest.mark.parametrize(
    ("query", "visible", "hidden"),
    [
        ("show=meter,readouts", ".meter .readouts", ".controls .charts .top"),
        ("hide=controls,steptime", ".meter #tab-roofline .top", ".controls #tab-steptime"),
        ("show=roofline", "#panel-roofline", ".meter .readouts #panel-throughput .tabs"),
        ("hide=formulas,share", ".readouts", ".formula-toggle .top"),
    ],
)
def test_parts(browser: Browser, site: str, query: str, visible: str, hidden: str) -> None:
    widget = Widget(browser, site).open(f"/index.html?{query}")
    for each in visible.split():
        expect(widget.page.locator(each).first).to_be_visible()
    for each in hidden.split():
        expect(widget.page.locator(each).first).to_be_hidden()
    expect(widget.page.locator(".notes")).to_be_hidden()
    widget.close()


def test_what_a_later_version_has_is_said_and_the_rest_is_there(
    browser: Browser, site: str
) -> None:
    query = "show=throughput&view=full&batch=64"
    widget = Widget(browser, site).open(f"/index.html?{query}")
    expect(widget.page.locator(".notes li")).to_have_text(
        ["view=full: this version has no such view yet"]
    )
    expect(widget.page.locator("#panel-throughput")).to_be_visible()
    expect(widget.page.locator(".meter")).to_be_hidden()
    widget.page.wait_for_function("location.search === '?batch=64&show=throughput'")
    widget.page.get_by_role("button", name="Dismiss").click()
    expect(widget.page.locator(".notes")).to_be_hidden()
    widget.close()


def test_locked_controls_show_and_do_not_move(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?lock=batch,weights&batch=32")
    expect(widget.exact("batch")).to_be_disabled()
    expect(widget.thumb("batch").locator("input")).to_be_disabled()
    int4 = widget.page.locator('[data-control="weights"]').get_by_role("button", name="int4")
    expect(int4).to_be_disabled()
    widget.type("context", "1024")
    widget.reset()
    widget.holds("context", "8,192")
    widget.holds("batch", "32")
    # 40 query heads do not go with 64 to a group, and a published model has a g of its own.
    widget.open("/index.html?params_b=70&gqa=64&lock=gqa,nothing,batch")
    expect(widget.page.locator(".notes li")).to_have_count(1)
    held = "This would change what is locked here: GQA group size, g"
    widget.type("params_b", "13")
    expect(widget.page.locator("#error-params_b")).to_have_text(held)
    widget.page.get_by_role("button", name="Model").press("Enter")
    widget.page.keyboard.type("llama 70")
    widget.page.keyboard.press("Enter")
    expect(widget.page.get_by_role("dialog", name="Model").get_by_role("alert")).to_have_text(held)
    widget.page.keyboard.press("Escape")
    widget.holds("params_b", "70")
    widget.holds("gqa", "64")
    widget.close()
    everything = Widget(browser, site).open("/index.html?lock=all")
    # What is left shows more, and changes nothing.
    left = everything.page.locator("form :is(input, button):enabled:visible")
    assert left.all_text_contents() == ["More formats", "More formats"]
    everything.close()


HOSTILE = [
    *("batch=0", "batch=-1", "batch=1e400", "batch=NaN", "batch=Infinity", "batch=", "batch=8.5"),
    *("batch=0x10", "batch=1,00,", "batch=８", "context=9999999999", "alpha=1.01", "alpha=-0"),
    *("params_b=0.49", "spec_k=9", "gqa=3", "gqa=0", "weights=int3", "weights=BF16", "kv=[]"),
    *("weights=__proto__", "__proto__=1", "constructor=1", "prototype[x]=1", "toString=1"),
    *("hasOwnProperty=1", "batch=8&batch=9", "batch[]=8", "theme=red", "units=MB", "view=admin"),
    *("show=everything", "hide=meter;drop", "lock=none", "lock=batch,__proto__", "gpu=h900"),
    *("assumptions=mine", "foo=bar", "=", "&&&=&", "prompt=zero", "usd_per_gpu_hour=-1"),
    *("heads=7&d_model=5000", "kv_heads=3", "active_b=3", "active_b=10&experts=8&top_k=2"),
    *("experts=8&top_k=16", "experts=8", "gqa=64", "heads=12&gqa=5", "gqa=3&kv_heads=3"),
    *("gqa=64&experts=8", "active_b=1&experts=8&top_k=6", "active_b=3&experts=8&top_k=8"),
    "foo=" + quote("<script>window.hit = 1</script>"),
    "batch=" + quote("<img src=x onerror=window.hit=1>"),
    quote("<svg onload=window.hit=1>") + "=1",
    "theme=" + quote("javascript:window.hit=1"),
    "origin=" + quote("javascript:window.hit=1"),
    "exercise=" + quote('"><script>window.hit=1</script>'),
    "batch=%00%0a%ff%zz",
    "%E0%A4%A=1",
    "x" * 20_000 + "=1",
    "batch=" + "9" * 20_000,
    "batch=" + quote("\u202e64\n\r\t "),
]
#: Accepted: a zero.
HARMLESS = ("alpha=-0",)


@pytest.fixture(scope="module")
def hostile_widget(browser: Browser, site: str) -> Widget:
    widget = Widget(browser, site)
    yield widget
    widget.close()


@pytest.mark.parametrize("query", HOSTILE, ids=[f"{i}:{q[:24]}" for i, q in enumerate(HOSTILE)])
def test_hostile_addresses_change_nothing_but_a_note(hostile_widget: Widget, query: str) -> None:
    widget = hostile_widget.open(f"/index.html?{query}")
    widget.says("meter", "22.6 GB of 80 GB")
    widget.says("tokens_per_s", "1,170")
    assert widget.page.evaluate("typeof hit") == "undefined"
    assert widget.page.evaluate("({}).batch") is None
    notes = widget.page.locator(".notes")
    assert notes.locator("script, img, svg").count() == 0
    if not query.startswith(HARMLESS):
        expect(notes.locator("li").first).to_be_visible()
        assert len(notes.inner_text()) < 800
        notes.get_by_role("button", name="Dismiss").click()
        expect(notes).to_be_hidden()


def test_a_bad_key_leaves_the_good_ones(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?params_b=70&gqa=3&batch=2")
    expect(widget.page.locator(".notes li")).to_have_text(
        "gqa=3: allowed is a divisor of the 64 query heads: 1, 2, 4, 8, 16, 32 or 64"
    )
    widget.holds("params_b", "70")
    widget.holds("batch", "2")
    widget.holds("gqa", "4")
    widget.close()


@pytest.mark.parametrize(("typed", "said"), REFUSALS)
def test_what_may_not_go_together_is_said_as_everywhere(
    hostile_widget: Widget, typed: dict[str, str], said: str
) -> None:
    widget = hostile_widget.open(f"/index.html?{urlencode(typed)}")
    expect(widget.page.locator(".notes li")).to_have_text([said])


def test_what_a_published_model_has_its_own_of_is_not_written(widget: Widget) -> None:
    widget.type("params_b", "70")
    widget.page.evaluate(
        """() => {
          history.replaceState(null, "", "?model=llama-3-8b&batch=2");
          dispatchEvent(new PopStateEvent("popstate"));
        }"""
    )
    widget.holds("batch", "2")
    widget.page.wait_for_function("location.search === '?model=llama-3-8b&batch=2'")
    expect(widget.page.locator(".notes")).to_be_hidden()


def test_there_are_enough_hostile_addresses() -> None:
    assert len(HOSTILE) >= 40


def test_every_key_is_read_and_written(widget: Widget) -> None:
    """Each input and setting, also those that have no control, through the page's own code."""
    texts = {}
    for key, what in INPUTS.items():
        if isinstance(what, Choice):
            texts[key] = next(n for n in reversed(list(what.table)) if n != what.default)
        else:
            low, high = what.range
            middle = max(round((low + high) / 3), 1) if what.whole else (low + high) / 4
            texts[key] = f"{middle:g}" if middle < 1e6 else str(middle)
    texts |= {"show": "meter,readouts", "hide": "share", "lock": "batch,kv"}
    texts |= {"theme": "dark", "units": "GiB", "origin": "https://lms.example"}
    texts |= {"view": "exercises", "exercise": "a-question"}
    assert texts.keys() == {*INPUTS, *settings(CONTROLS)}
    found = widget.page.evaluate(
        """async texts => {
          const {modules} = await pageModules();
          const {read, query} = modules["core/address.mjs"];
          const {default: data} = modules["built/data.mjs"];
          const result = {};
          for (const [key, text] of Object.entries(texts)) {
            const {inputs, settings, notes} = read(`?${key}=${encodeURIComponent(text)}`);
            // What an own card has is written for an own card only.
            const gpu = data.card_keys.includes(key) ? data.own_gpu : data.defaults.gpu;
            const state = {...data.defaults, gpu, ...inputs};
            const written = query(state, settings).replace("gpu=custom&", "");
            result[key] = [notes, new URLSearchParams(written).get(key), written.split("&").length];
          }
          return result;
        }""",
        texts,
    )
    for key, text in texts.items():
        assert found[key] == [[], text, 1], key
