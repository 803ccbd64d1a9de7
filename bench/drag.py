"""Drag to paint: 40 mouse moves at a fixed 16 ms, and what of them reaches the screen."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_server

from playwright.async_api import Page, async_playwright

from app.export import export
from app.scenario import PARAMS_STOPS
from tests.browser import chromium, flags
from tests.site import static_site

MOVES = 40
CADENCE_S = 0.016
SETTLE_MS = 3000  # a reader looks before dragging; the page warms up meanwhile
STOPS = len(PARAMS_STOPS)

# Counts frames in which the first <output> differs from the frame before, and the time
# from the last mouse move to the end of such a frame.
WATCH = """output => {
  const text = () => document.querySelector(output)?.textContent ?? deep(document.body);
  const deep = node => {
    for (const each of node.querySelectorAll("*")) {
      const found = each.shadowRoot && (each.shadowRoot.querySelector("output")?.textContent
        ?? deep(each.shadowRoot));
      if (found) return found;
    }
  };
  const seen = window.seen = {painted: [], delays: []};
  let last = text(), moved = 0;
  addEventListener("pointermove", event => { moved ||= event.timeStamp; }, true);
  requestAnimationFrame(function frame() {
    requestAnimationFrame(frame);
    const since = moved;
    setTimeout(() => {
      const now = text();
      if (now === last) return;
      last = now;
      seen.painted.push(now);
      if (since) seen.delays.push(performance.now() - since);
      moved = 0;
    });
  });
}"""


# Times the page's own update by the name of its frame callback.
TIME_UPDATES = """
  window.updates = [];
  const request = window.requestAnimationFrame;
  const timed = callback => time => {
    const start = performance.now();
    callback(time);
    updates.push(performance.now() - start);
  };
  window.requestAnimationFrame = callback =>
    request(callback.name === "update" ? timed(callback) : callback);
"""


@dataclass(frozen=True)
class Drag:
    """What one drag showed."""

    page: str
    painted: int
    median_ms: float
    p95_ms: float


async def drag(page: Page, name: str, output: str, rail: str) -> Drag:
    """Move the mouse along a rail at the fixed cadence, whatever the page does meanwhile."""
    box = await page.locator(rail).bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    await page.evaluate(WATCH, output)
    await page.mouse.move(box["x"] + 1, y)
    await page.mouse.down()
    await page.wait_for_timeout(300)
    await page.evaluate("seen.painted.length = seen.delays.length = 0")
    devtools = await page.context.new_cdp_session(page)
    loop = asyncio.get_running_loop()
    start, sent = loop.time(), []
    for move in range(MOVES):
        await asyncio.sleep(max(0.0, start + move * CADENCE_S - loop.time()))
        # From stop to stop of the parameters' slider, so that every move is a new state.
        x = box["x"] + (move + 2) * box["width"] / (STOPS - 1)
        event = {"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1}
        sent.append(asyncio.create_task(devtools.send("Input.dispatchMouseEvent", event)))
    await asyncio.gather(*sent)
    await page.wait_for_timeout(1000)
    await page.mouse.up()
    seen = await page.evaluate("seen")
    delays = sorted(seen["delays"])
    return Drag(
        name,
        len(seen["painted"]),
        statistics.median(delays),
        delays[int(0.95 * (len(delays) - 1))],
    )


@contextmanager
def panel_session(shown: str) -> Iterator[str]:
    """The same control ("slider") or all ("page") as a Panel app on a free port."""
    with create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "bench.session", str(port), shown])
    address = f"http://localhost:{port}"
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(address).close()
                break
            except OSError:
                if process.poll() is not None:
                    raise
                asyncio.run(asyncio.sleep(0.2))
        yield address
    finally:
        process.terminate()
        process.wait()


async def measure(widget: str, session: str) -> tuple[list[Drag], dict[str, float]]:
    """Drag on the widget, the bare page and the Panel session, in one browser.

    Returns
    -------
    list of Drag
        One per page.
    dict of str to float
        Script time of the widget's updates in ms, and its loading marks in ms.
    """
    bare = (Path(__file__).parent / "bare.html").as_uri()
    material = ".MuiSlider-root"
    drags = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=flags())
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        await page.add_init_script(TIME_UPDATES)
        await page.goto(bare)
        drags.append(await drag(page, "bare hand-written page", "output", "#rail"))
        await page.goto(widget)
        await page.wait_for_selector("html[data-ready]")
        cold = await marks(page)
        await page.goto(widget)
        await page.wait_for_selector("html[data-ready]")
        warm = await marks(page)
        await page.wait_for_timeout(SETTLE_MS)
        await page.evaluate("updates.length = 0")
        rail = f"[data-control=params_b] {material}"
        drags.append(await drag(page, "the widget", '[data-text="tokens_per_s"]', rail))
        updates = sorted(await page.evaluate("updates"))
        await page.goto(session)
        await page.wait_for_selector(material)
        await page.wait_for_timeout(500)
        drags.append(await drag(page, "a Panel session", "no-such-output", material))
        await browser.close()
    times = {
        "script per update, median": statistics.median(updates),
        "script per update, longest": updates[-1],
        "first numbers, cold": cold["first-numbers"],
        "first numbers, warm": warm["first-numbers"],
        "interactive, cold": cold["ready"],
        "interactive, warm": warm["ready"],
    }
    return drags, times


async def marks(page: Page) -> dict[str, float]:
    """The page's own loading marks, in ms since navigation."""
    script = "performance.getEntriesByType('mark').map(e => [e.name, e.startTime])"
    return dict(await page.evaluate(script))


def main() -> dict[str, object]:
    """Measure, print, and give the figures for the JSON."""
    with tempfile.TemporaryDirectory() as folder:
        export(Path(folder))
        with static_site(Path(folder)) as site, panel_session("slider") as session:
            drags, times = asyncio.run(measure(f"{site}/index.html", session))
    print(f"\nDrag to paint: {MOVES} moves, one each {CADENCE_S * 1000:.0f} ms")
    print(f"{'':28}{'painted':>10}{'median ms':>12}{'p95 ms':>10}")
    for each in drags:
        print(f"{each.page:28}{each.painted:>10}{each.median_ms:>12.1f}{each.p95_ms:>10.1f}")
    print("\nThe widget, in ms")
    for name, value in times.items():
        print(f"{name:28}{value:>10.1f}")
    return {"drag": [vars(each) for each in drags], "widget_ms": times}
