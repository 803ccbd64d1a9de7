"""A drag: the numbers in the frame of the move, the handle after them, and no value lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from calc.inputs.table import NUMBERS
from tests.helpers.widget import Widget

BATCH_STOPS = NUMBERS["batch"].stops
PARAMS_STOPS = NUMBERS["params_b"].stops

# What is about to be painted in the frame of a pointer's move.
WATCH_FRAMES = """() => {
  window.painted = [];
  const text = document.querySelector('[data-text="tokens_per_s"]');
  addEventListener("pointermove", () =>
    requestAnimationFrame(() => painted.push(text.textContent)));
}"""


def rail(widget: Widget, key: str) -> tuple[float, float, float]:
    """Left end, width and middle height of a slider."""
    box = widget.page.locator(f'[data-control="{key}"] .MuiSlider-root').bounding_box()
    return box["x"], box["width"], box["y"] + box["height"] / 2


def test_numbers_are_painted_in_the_frame_of_the_move(widget: Widget) -> None:
    mouse, (left, width, y) = widget.page.mouse, rail(widget, "batch")
    mouse.move(left, y)
    mouse.down()
    widget.says("tokens_per_s", "219")
    widget.page.evaluate(WATCH_FRAMES)
    mouse.move(left + width * BATCH_STOPS.index(64) / (len(BATCH_STOPS) - 1), y)
    widget.page.wait_for_function("painted.length === 1")
    assert widget.page.evaluate("painted") == ["2,550"]
    mouse.up()


def test_open_formulas_follow_a_drag_in_sight_and_all_are_right_after_it(widget: Widget) -> None:
    for name in ("tokens_per_s", "decode_flops_per_byte"):
        widget.page.locator(f'[aria-controls="formula-{name}"]').click()
    widget.page.evaluate(
        "document.getElementById('formula-decode_flops_per_byte').style.marginTop = '2000px'"
    )
    mouse, (left, width, y) = widget.page.mouse, rail(widget, "batch")
    mouse.move(left, y)
    mouse.down()
    mouse.move(left + width * BATCH_STOPS.index(64) / (len(BATCH_STOPS) - 1), y)
    expect(widget.page.locator("#formula-tokens_per_s")).to_contain_text("= 2,550")
    mouse.up()
    expect(widget.page.locator("#formula-decode_flops_per_byte")).to_contain_text("= 10.8")


def test_the_handle_ends_where_it_was_let_go(widget: Widget) -> None:
    thumb = widget.thumb("params_b").locator("input")
    for params_b in (70, 13, 1000, 8):
        index = PARAMS_STOPS.index(params_b)
        widget.drag_to_stop("params_b", index, len(PARAMS_STOPS))
        expect(thumb).to_have_value(str(index))
        widget.holds("params_b", f"{params_b:,}")
        expect(thumb).to_have_attribute("aria-valuetext", f"{params_b:,} billion parameters")


def test_beyond_its_ends_a_slider_stays_at_its_end(widget: Widget) -> None:
    mouse, (left, width, y) = widget.page.mouse, rail(widget, "batch")
    mouse.move(left, y)
    mouse.down()
    mouse.move(left + width + 300, y + 200, steps=5)
    widget.holds("batch", "1,024")
    mouse.move(left - 200, y - 100, steps=5)
    widget.holds("batch", "1")
    mouse.up()
    mouse.move(left + width, y)
    widget.holds("batch", "1")


def test_keys_follow_a_drag(widget: Widget) -> None:
    widget.drag_to_stop("batch", BATCH_STOPS.index(64), len(BATCH_STOPS))
    widget.holds("batch", "64")
    expect(widget.thumb("batch").locator("input")).to_have_value(f"{BATCH_STOPS.index(64)}")
    widget.page.keyboard.press("ArrowRight")
    widget.holds("batch", "96")
    widget.page.keyboard.press("Home")
    widget.holds("batch", "1")


def test_a_press_alone_keeps_a_value_between_the_stops(widget: Widget) -> None:
    widget.type("params_b", "6.9")
    widget.holds("params_b", "6.9")
    box = widget.thumb("params_b").bounding_box()
    widget.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    widget.page.mouse.down()
    widget.page.mouse.up()
    widget.press("batch", "ArrowRight")
    widget.holds("batch", "12")
    widget.holds("params_b", "6.9")


# What else can happen while a slider is held

OTHER_ADDRESS = """query => {
  history.replaceState(null, "", query);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def press_at(widget: Widget, key: str, share: float) -> tuple[float, float]:
    """Press the mouse on a slider, at a share of its length; gives where."""
    left, width, y = rail(widget, key)
    widget.page.mouse.move(left + width * share, y)
    widget.page.mouse.down()
    return left + width * share, y


def test_keys_pressed_in_a_drag_leave_handle_and_numbers_together(widget: Widget) -> None:
    press_at(widget, "batch", BATCH_STOPS.index(8) / (len(BATCH_STOPS) - 1))
    widget.page.keyboard.press("ArrowRight")
    widget.page.mouse.up()
    thumb = widget.thumb("batch").locator("input")
    expect(thumb).to_have_attribute("aria-valuetext", "8 sequences")
    expect(thumb).to_have_value(f"{BATCH_STOPS.index(8)}")
    widget.page.keyboard.press("ArrowRight")
    widget.holds("batch", "12")


def test_a_drag_whose_end_was_not_told_is_over(widget: Widget) -> None:
    x, y = press_at(widget, "batch", BATCH_STOPS.index(64) / (len(BATCH_STOPS) - 1))
    widget.holds("batch", "64")
    devtools = widget.context.new_cdp_session(widget.page)
    move = {"type": "mouseMoved", "button": "none", "buttons": 0, "y": y}
    devtools.send("Input.dispatchMouseEvent", {**move, "x": x + 30})
    devtools.send("Input.dispatchMouseEvent", {**move, "x": x + 60})
    widget.drag_to_stop("context", 0, len(NUMBERS["context"].stops))
    widget.holds("context", "512")
    widget.holds("batch", "64")


def test_a_held_slider_learns_of_other_heads(widget: Widget) -> None:
    press_at(widget, "gqa", 0)
    widget.holds("gqa", "1")
    widget.page.evaluate(OTHER_ADDRESS, "?params_b=20")
    widget.says("unit_gqa", "· GQA")
    widget.page.mouse.up()
    thumb = widget.thumb("gqa").locator("input")
    expect(thumb).to_have_attribute("max", "9")
    widget.page.keyboard.press("End")
    widget.holds("gqa", "48")


@pytest.mark.parametrize("query", ["?model=llama-3-8b", "?lock=params_b"])
def test_a_slider_that_goes_away_or_is_locked_in_a_drag_is_let_go(
    widget: Widget, query: str
) -> None:
    x, y = press_at(widget, "params_b", 0.5)
    widget.page.evaluate(OTHER_ADDRESS, query)
    root = widget.page.locator('[data-control="params_b"] .MuiSlider-root')
    if "lock" in query:
        expect(root).to_have_class(re.compile("Mui-disabled"))
    else:
        expect(root).to_be_hidden()
    widget.page.mouse.move(x + 50, y)
    widget.page.mouse.move(x + 80, y)
    widget.page.mouse.up()
    # A move of the parameters would be what the sentence speaks of.
    expect(widget.text("sentence")).to_contain_text("Each step reads")
    if "lock" in query:
        widget.holds("params_b", "7")


def test_what_was_typed_comes_before_what_is_pressed(widget: Widget) -> None:
    for typed in ("100", "abc"):
        widget.exact("batch").fill(typed)
        press_at(widget, "batch", BATCH_STOPS.index(64) / (len(BATCH_STOPS) - 1))
        widget.page.mouse.up()
        widget.holds("batch", "64")
        expect(widget.page.locator("#error-batch")).to_have_text("")
        widget.reset()
        widget.holds("batch", "8")


@pytest.mark.parametrize("button", ["middle", "right"])
def test_other_buttons_move_nothing(widget: Widget, button: str) -> None:
    mouse, (left, width, y) = widget.page.mouse, rail(widget, "batch")
    mouse.move(left, y)
    mouse.down(button=button)
    mouse.move(left + width / 2, y, steps=3)
    mouse.up(button=button)
    widget.holds("batch", "8")
    widget.says("tokens_per_s", "1,170")


def test_a_locked_slider_cannot_be_dragged(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?lock=batch")
    widget.drag_to_stop("batch", BATCH_STOPS.index(64), len(BATCH_STOPS))
    widget.says("tokens_per_s", "1,170")
    widget.drag_to_stop("params_b", PARAMS_STOPS.index(70), len(PARAMS_STOPS))
    widget.holds("params_b", "70")
    widget.holds("batch", "8")
    widget.close()


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[Widget]:
    screen = {"width": 390, "height": 844}
    widget = Widget(browser, site, viewport=screen, has_touch=True, is_mobile=True).open()
    widget.page.locator('[data-control="batch"]').scroll_into_view_if_needed()
    yield widget
    widget.close()


class Finger:
    """A finger on a phone's screen."""

    def __init__(self, widget: Widget) -> None:
        self._devtools = widget.context.new_cdp_session(widget.page)

    def down(self, x: float, y: float) -> None:
        self._send("touchStart", {"x": x, "y": y})

    def move(self, x: float, y: float) -> None:
        self._send("touchMove", {"x": x, "y": y})

    def up(self) -> None:
        self._send("touchEnd")

    def _send(self, kind: str, *points: dict[str, float]) -> None:
        event = {"type": kind, "touchPoints": points}
        self._devtools.send("Input.dispatchTouchEvent", event)


def test_a_finger_drags_like_a_mouse(phone: Widget) -> None:
    left, width, y = rail(phone, "batch")
    finger, stop = Finger(phone), BATCH_STOPS.index(64)
    finger.down(left + 1, y)
    for step in range(1, 9):
        finger.move(left + 1 + width * stop / (len(BATCH_STOPS) - 1) * step / 8, y)
    phone.says("tokens_per_s", "2,550")
    finger.up()
    phone.holds("batch", "64")
    expect(phone.thumb("batch").locator("input")).to_have_value(str(stop))


def test_a_swipe_that_begins_on_a_slider_scrolls(phone: Widget) -> None:
    left, width, y = rail(phone, "batch")
    finger, before = Finger(phone), phone.page.evaluate("scrollY")
    finger.down(left + width * 0.8, y)
    for step in range(1, 16):
        finger.move(left + width * 0.8 + step, y - 20 * step)
    finger.up()
    phone.page.wait_for_function("before => scrollY > before + 100", arg=before)
    phone.holds("batch", "8")
    phone.says("tokens_per_s", "1,170")


def test_a_tap_on_a_rail_is_a_press_at_its_place(phone: Widget) -> None:
    left, width, y = rail(phone, "batch")
    finger = Finger(phone)
    finger.down(left + width * BATCH_STOPS.index(64) / (len(BATCH_STOPS) - 1), y)
    phone.holds("batch", "8")
    finger.up()
    phone.holds("batch", "64")


def test_keys_go_from_stop_to_stop(widget: Widget) -> None:
    widget.type("params_b", "6.9")
    moves = [("ArrowRight", "7"), ("PageUp", "9"), ("PageDown", "7"), ("ArrowLeft", "6")]
    for key, holds in [*moves, ("End", "1,000"), ("ArrowUp", "1,000"), ("Home", "0.5")]:
        widget.press("params_b", key)
        widget.holds("params_b", holds)
    expect(widget.thumb("params_b").locator("input")).to_have_value("0")


def test_a_late_move_of_a_slider_is_held_against_the_stops_of_now(widget: Widget) -> None:
    """An index that a slider tells of after its list has changed never becomes a value."""
    widget.type("gqa", "32")
    expect(widget.thumb("gqa").locator("input")).to_have_value("5")
    widget.page.evaluate(
        """() => {
          const found = Bokeh.documents.map(each => each.get_model_by_name("place-gqa"));
          const slider = found.find(each => each).data;
          const heads = document.querySelector('[data-exact="params_b"]');
          heads.value = "13";
          heads.dispatchEvent(new Event("change"));
          slider.value = slider.value - 1;   // in the frame before it hears of 40 heads: 16
        }"""
    )
    widget.holds("gqa", "20")
    widget.page.wait_for_function("location.search.includes('gqa=20')")


#: A move that is never over: what ends it does not come.
ENDLESS = """
  const later = window.setTimeout;
  window.setTimeout = (work, ms, ...rest) => ms === 700 ? -1 : later(work, ms, ...rest);
"""


def test_what_is_out_of_sight_waits_and_is_right_once_it_comes_in(
    browser: Browser, site: str
) -> None:
    widget = Widget(browser, site, viewport={"width": 1280, "height": 500})
    widget.page.add_init_script(ENDLESS)
    widget.open()
    legend = widget.page.locator("#panel-throughput .legend")
    expect(legend).to_contain_text("1,170 tokens/s")
    widget.press("batch", "ArrowRight")
    # 12 tokens for 14 GB and 12 times 1.07 GB at 3.3 TB/s.
    widget.says("tokens_per_s", "1,470")
    assert "1,170 tokens/s" in legend.inner_text()
    legend.scroll_into_view_if_needed()
    expect(legend).to_contain_text("1,470 tokens/s")
    widget.close()
