"""The charts: read, dragged, told to who does not see them, and standing still."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from tests.helpers.widget import Widget


def reading(widget: Widget, chart: str = "throughput") -> Locator:
    """The face of a chart: it is pointed at, dragged, and has the focus."""
    return widget.page.locator(f"#panel-{chart} .reading")


def place(widget: Widget, x: float, y: float, chart: str = "throughput") -> tuple[float, float]:
    """A place on the screen, from shares of the chart's axes."""
    face = reading(widget, chart)
    face.scroll_into_view_if_needed()
    box = face.bounding_box()
    return box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]


def at_batch(widget: Widget, batch: int) -> float:
    """How far along its axis the chart of throughput has a batch: 1 to 1,024, ten doublings."""
    return (batch.bit_length() - 1) / 10


#: Finds the figure of a chart.
FIGURE = """chart =>
  Bokeh.documents.map(each => each.get_model_by_name(`place-${chart}`)).find(Boolean)"""


def mark(widget: Widget, chart: str = "throughput") -> tuple[float, float]:
    """Where the last of a chart's points stands on the screen."""
    x, y = widget.page.evaluate(
        f"""chart => {{
          const figure = ({FIGURE})(chart), {{x_range, y_range}} = figure;
          const {{x, y}} = figure.select_one("points").data;
          const share = ({{start, end}}, value) => Math.log(value / start) / Math.log(end / start);
          return [share(x_range, x.at(-1)), share(y_range, y.at(-1))];
        }}""",
        chart,
    )
    return place(widget, x, y, chart)


TICKS = '#panel-throughput [data-axis="y"] li'


def test_the_point_is_the_batch(widget: Widget) -> None:
    mouse = widget.page.mouse
    mouse.move(*mark(widget))
    mouse.down()
    x, y = place(widget, at_batch(widget, 64), 0.3)
    mouse.move(x, y, steps=5)
    widget.holds("batch", "64")
    widget.says("tokens_per_s", "2,550")
    widget.says("meter", "82.7 GB asked, 2.72 GB over")
    mouse.up()
    # Let go, it is read only.
    mouse.move(*place(widget, at_batch(widget, 4), 0.3))
    widget.holds("batch", "64")
    expect(reading(widget)).to_contain_text("4 sequences")
    expect(widget.text("sentence")).to_contain_text("one read of the weights")
    # One press of the mouse is one move.
    mouse.move(*mark(widget))
    mouse.down()
    mouse.move(*place(widget, at_batch(widget, 32), 0.3), steps=3)
    mouse.up()
    expect(widget.text("sentence")).to_contain_text("from 2,550")
    # A key on its tab hides it under the pointer: then it is let go.
    mouse.move(*mark(widget))
    mouse.down()
    widget.page.locator("#tab-throughput").focus()
    widget.page.keyboard.press("ArrowRight")
    mouse.move(x, y + 40, steps=3)
    mouse.up()
    widget.holds("batch", "32")
    # So it is where the page was not told that the button was released, as by a menu.
    widget.page.locator("#tab-throughput").click()
    x, y = mark(widget)
    mouse.move(x, y)
    mouse.down()
    devtools = widget.page.context.new_cdp_session(widget.page)
    for to in (x + 40, x + 80):
        moved = {"type": "mouseMoved", "x": to, "y": y, "buttons": 0}
        devtools.send("Input.dispatchMouseEvent", moved)
    mouse.up()
    widget.holds("batch", "32")


def test_a_chart_is_a_slider_for_keys_and_screen_readers(widget: Widget) -> None:
    page = widget.page
    slider = page.get_by_role("slider", name="Batch, B: a point of the chart")
    page.locator("#tab-throughput").focus()
    page.keyboard.press("Tab")
    expect(slider).to_be_focused()  # no stop between
    page.keyboard.press("ArrowRight")
    widget.holds("batch", "12")
    expect(slider).to_have_attribute("aria-valuenow", "12")
    spoken = "12 sequences, all users together 1,470 tokens/s, one user 123 tokens/s"
    expect(slider).to_have_attribute("aria-valuetext", spoken)
    expect(slider).to_contain_text("12 sequences")
    for key, batch in (("End", "1,024"), ("Home", "1"), ("PageUp", "3"), ("ArrowLeft", "2")):
        page.keyboard.press(key)
        widget.holds("batch", batch)
    expect(slider).to_have_accessible_description(
        "From batch 1 to 1,024 all users together go from 219 to 3,030 tokens/s; one user from "
        "219 to 2.96 tokens/s; does not fit beyond 61; decode is memory-bound at every batch."
    )
    page.keyboard.press("Escape")
    expect(slider).to_have_text("")
    # It stays away when the move comes to rest and the chart is drawn once more.
    expect(widget.text("sentence")).to_have_attribute("aria-busy", "false")
    expect(slider).to_have_text("")
    page.keyboard.press("Tab")
    expect(page.locator("#panel-throughput summary")).to_be_focused()
    # The chart of memory is the context; the roofline is read without a move.
    page.locator("#tab-memory").click()
    reading(widget, "memory").focus()
    page.keyboard.press("End")
    widget.holds("context", "1,048,576")
    page.locator("#tab-roofline").click()
    reading(widget, "roofline").focus()
    page.keyboard.press("Home")
    expect(reading(widget, "roofline")).to_have_attribute(
        "aria-valuetext",
        "0.0100 FLOP/byte, at most 0.0330 TFLOP/s, below the ridge: memory-bound",
    )
    expect(reading(widget, "roofline")).to_have_attribute("aria-readonly", "true")


def test_a_locked_input_is_read_and_not_moved(browser: Browser, site: str) -> None:
    widget = Widget(browser, site).open("/index.html?lock=batch")
    slider = reading(widget)
    expect(slider).to_have_attribute("aria-readonly", "true")
    slider.focus()
    widget.page.keyboard.press("End")
    expect(slider).to_contain_text("1,024 sequences")
    widget.page.mouse.move(*mark(widget))
    widget.page.mouse.down()
    widget.page.mouse.move(*place(widget, 0.9, 0.5), steps=3)
    widget.page.mouse.up()
    widget.holds("batch", "8")
    widget.close()


def test_a_finger_scrolls_reads_and_drags(browser: Browser, site: str) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    widget = Widget(browser, site, **phone).open()
    touch = widget.context.new_cdp_session(widget.page)

    def swipe(start: tuple[float, float], dx: float, dy: float) -> None:
        """A real swipe, which the browser makes a scroll of where the page lets it."""
        x, y = start
        for i in range(6):
            point = {"x": x + dx * i / 5, "y": y + dy * i / 5}
            kind = "touchMove" if i else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    point = mark(widget)
    before = widget.page.evaluate("scrollY")
    swipe(point, 0, 150)
    widget.page.wait_for_function(f"scrollY < {before}")
    widget.holds("batch", "8")
    expect(reading(widget)).to_have_text("")
    swipe(place(widget, 0.9, 0.1), -20, 0)
    expect(reading(widget)).to_contain_text("tokens/s")
    widget.holds("batch", "8")
    x, y = mark(widget)
    swipe((x, y), place(widget, at_batch(widget, 64), 0)[0] - x, 0)
    widget.holds("batch", "64")
    widget.close()


def test_axes_stand_still_while_a_ghost_shows_the_curve_before(widget: Widget) -> None:
    page, mouse = widget.page, widget.page.mouse
    ticks = page.locator(TICKS).all_inner_texts()
    assert ticks == ["0.1", "1", "10", "100", "1,000", "10,000"]
    lines = f"""() => {{
      const {{ys, alpha}} = ({FIGURE})("throughput").select_one("lines").data;
      return ys.map((line, i) => [Math.round(line[0]), alpha[i]]);
    }}"""
    assert page.evaluate(lines) == [[219, 1], [219, 1]]
    named = page.locator("#panel-throughput").get_by_text("pale: before the move")
    expect(named).to_be_hidden()
    handle = widget.thumb("gqa").bounding_box()
    rail = page.locator('[data-control="gqa"] .MuiSlider-root').bounding_box()
    y = rail["y"] + rail["height"] / 2
    mouse.move(handle["x"] + handle["width"] / 2, y)
    mouse.down()
    mouse.move(rail["x"], y, steps=5)
    widget.says("kv_bytes_per_token", "512")
    # With own keys and values for each head a step at batch 1 reads 18.3 GB, not 15.1.
    # Figures follow the numbers once these are painted.
    page.wait_for_function(f"({lines})().map(([first]) => first).join() === '219,219,180,180'")
    ghost_and_curve = page.evaluate(lines)
    assert [strength < 1 for _, strength in ghost_and_curve] == [True, True, False, False]
    assert page.locator(TICKS).all_inner_texts() == ticks
    expect(named).to_be_visible()
    mouse.up()
    widget.reset()
    page.wait_for_function(f"({lines})().length === 2")
    expect(named).to_be_hidden()
    # A move along the curves leaves them where they are: none is before another.
    widget.type("batch", "16")
    expect(page.locator("#panel-throughput .legend")).to_contain_text("1,690 tokens/s")
    expect(named).to_be_hidden()


#: Whether each label of a chart begins and ends in its figure, a letter being 7 px wide.
LABELS_INSIDE = f"""chart => {{
  const figure = ({FIGURE})(chart), {{x_range: {{start, end}}}} = figure;
  const {{x, dx, align, text}} = figure.select_one("labels").data;
  const width = document.querySelector(`#panel-${{chart}} .reading`).clientWidth;
  return text.length && text.every((each, i) => {{
    const at = Math.log(x[i] / start) / Math.log(end / start) * width + dx[i];
    const from = align[i] === "right" ? at - 7 * each.length : at;
    return from > -64 && from + 7 * each.length < width + 24;
  }});
}}"""


@pytest.mark.parametrize("width", [320, 390, 1024, 1280])
def test_nothing_is_cut_and_nothing_touches(browser: Browser, site: str, width: int) -> None:
    widget = Widget(browser, site, viewport={"width": width, "height": 800}).open()
    page = widget.page
    card = page.locator(".charts").bounding_box()
    tabs = page.locator(".charts [role=tab]")
    boxes = [tab.bounding_box() for tab in tabs.all()]
    assert len({box["y"] for box in boxes}) == 1
    assert boxes[-1]["x"] + boxes[-1]["width"] <= card["x"] + card["width"]
    for tab in tabs.all():
        tab.click()
        assert [each.bounding_box()["width"] for each in tabs.all()] == [b["width"] for b in boxes]
        name = tab.get_attribute("data-part")
        caption, summary, plot = (
            page.locator(f"#panel-{name} {part}").bounding_box()
            for part in (".axis", "summary", ".plot")
        )
        beside = summary["x"] + summary["width"] <= caption["x"]
        assert beside or caption["y"] + caption["height"] <= summary["y"]
        assert plot["y"] + plot["height"] <= min(caption["y"], summary["y"])
        if name != "steptime":
            page.wait_for_function(LABELS_INSIDE, arg=name)
    widget.close()


def test_the_bar_is_bokehs_and_was_there_before(browser: Browser, site: str) -> None:
    widget = Widget(browser, site)
    widget.page.route("**/*.min.js", lambda route: None)  # never answered
    widget.page.goto(site + "/index.html")
    bar = widget.page.locator(".meter .bar")
    # The scale ends at 96 GB: weights to 14, cache to 22.6, free to 80, nothing.
    places = [gb / 96 for gb in (7, 18, 50, 90)]
    own, own_box = colours(bar, places), bar.bounding_box()
    assert own == ["2b6cdb", "e69f00", "e6e9f1", "ffffff"]
    widget.page.unroute_all()
    widget.context.close()
    widget = Widget(browser, site).open()
    bar = widget.page.locator(".meter .bar")
    expect(bar.locator("i")).to_have_count(0)
    assert (colours(bar, places), bar.bounding_box()) == (own, own_box)
    # 14 GB of weights, 137.4 GB of cache: what fits keeps its colour, the rest is red and hatched.
    widget.type("context", "32768")
    widget.type("gqa", "1")
    widget.says("meter", "151 GB asked, 71.4 GB over")
    end = 1.03 * 151.4
    widget.page.evaluate(FRAMES)
    assert colours(bar, [7 / end, 40 / end]) == own[:2]
    assert {"c8152e", "e69f00"} <= set(colours(bar, [(90 + i / 4) / end for i in range(40)]))
    widget.close()


#: Bokeh has drawn by then: charts and bar take turns, each a frame behind.
FRAMES = """async () => {
  for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
}"""


def colours(bar: Locator, places: list[float]) -> list[str]:
    """The colours on the screen along a line through the bar."""
    shot = Image.open(BytesIO(bar.screenshot())).convert("RGB")
    middle = shot.height // 2
    return [
        "{:02x}{:02x}{:02x}".format(*shot.getpixel((x, middle)))
        for x in (min(int(place * shot.width), shot.width - 1) for place in places)
    ]
