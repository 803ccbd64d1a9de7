"""Drag to paint: 40 mouse moves at a fixed 16 ms, and what of them reaches the screen.

The screen has 60 frames a second, so 40 moves in 640 ms meet 38 or 39 of them: no page can paint
more. How long one move takes is measured on moves far apart, where each has its own paint.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_server
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from app.build.export import exported
from app.files import write
from calc.inputs.table import NUMBERS
from tests.helpers.browser import chromium, flags
from tests.helpers.site import static_site

BARE = Path(__file__).parent / "bare.html"

MOVES = 40
CADENCE_S = 0.016
ALONE_S = 0.107  # no multiple of a frame: 0.1 would meet every frame at the same phase
ROUNDS = 5
SETTLE_MS = 3000  # a reader looks before dragging; the page warms up meanwhile
WINDOW_MS = 1500  # a new window loads the browser's own pages first, on the same processor
SLOWER = 4  # a cheap laptop, an older phone
STOPS = len(NUMBERS["params_b"].stops)

# Counts frames that a move has met, and those in which the first <output> is painted differently
# from the frame before, with the time from the first unpainted move to that paint. A
# ResizeObserver reads it, which runs between layout and paint; a timer could come frames later.
WATCH = """output => {
  const text = () => document.querySelector(output)?.textContent ?? deep(document.body);
  const deep = node => {
    for (const each of node.querySelectorAll("*")) {
      const found = each.shadowRoot && (each.shadowRoot.querySelector("output")?.textContent
        ?? deep(each.shadowRoot));
      if (found) return found;
    }
  };
  const seen = window.seen = {painted: [], delays: [], met: 0};
  let last = text(), moved = 0, counted = 0, pending = 0;
  addEventListener("pointermove", event => {
    moved = event.timeStamp;
    pending ||= moved;
  }, true);
  const probe = document.createElement("div");
  probe.style.cssText = "position: fixed; visibility: hidden; contain: strict; height: 1px";
  document.documentElement.append(probe);
  new ResizeObserver(() => {
    if (moved > counted) seen.met++;
    counted = moved;
    const now = text();
    if (now === last) return;
    last = now;
    seen.painted.push(now);
    if (pending) seen.delays.push(performance.now() - pending);
    pending = 0;
  }).observe(probe);
  let width = 0;
  requestAnimationFrame(function frame() {
    requestAnimationFrame(frame);
    probe.style.width = `${width ^= 1}px`;
  });
}"""


OPEN_ALL = "document.querySelectorAll('.formula-toggle').forEach(button => button.click())"

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
    """What some drags over one page showed, each a median."""

    page: str
    met: float
    painted: float
    alone_ms: float


async def drag(page: Page, output: str, rail: str, cadence_s: float) -> dict[str, Any]:
    """Move the mouse along a rail at a fixed cadence, whatever the page does meanwhile.

    Returns
    -------
    dict
        `painted`, the distinct texts that were painted; `delays` of these in ms; `met`, the
        number of frames that at least one move has met.
    """
    box = await page.locator(rail).bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    await page.evaluate(WATCH, output)
    await page.mouse.move(box["x"] + 1, y)
    await page.mouse.down()
    await page.wait_for_timeout(300)
    await page.evaluate("seen.painted.length = seen.delays.length = seen.met = 0")
    devtools = await page.context.new_cdp_session(page)
    loop = asyncio.get_running_loop()
    start, sent = loop.time(), []
    for move in range(MOVES):
        await asyncio.sleep(max(0.0, start + move * cadence_s - loop.time()))
        # From stop to stop of the parameters' slider, so that every move is a new state.
        x = box["x"] + (move + 2) * box["width"] / (STOPS - 1)
        event = {"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1}
        sent.append(asyncio.create_task(devtools.send("Input.dispatchMouseEvent", event)))
    await asyncio.gather(*sent)
    await page.wait_for_timeout(1000)
    await page.mouse.up()
    await devtools.detach()
    return dict(await page.evaluate("seen"))


async def drags(
    page: Page,
    name: str,
    output: str,
    rail: str,
    settle_ms: float,
    slower: float = 1,
    opened: bool = False,
) -> tuple[Drag, list[float]]:
    """Some drags at the fixed cadence and one of moves that stand alone, each on a new load.

    The processor may be made so many times slower, and all formulas opened before.

    Returns
    -------
    Drag
        Medians.
    list of float
        Script time of each update in the drags at the fixed cadence, ascending. [ms]
    """
    fast, updates, address = [], [], page.url
    for cadence_s in (*[CADENCE_S] * ROUNDS, ALONE_S):
        await page.goto(address)
        await page.wait_for_selector(rail)
        await page.wait_for_timeout(settle_ms)
        if opened:
            await page.evaluate(OPEN_ALL)
        await page.evaluate("updates.length = 0")
        async with slowed(page, slower):
            fast.append(await drag(page, output, rail, cadence_s))
        if cadence_s == CADENCE_S:
            updates += await page.evaluate("updates")
    alone = fast.pop()
    found = Drag(
        name,
        statistics.median(each["met"] for each in fast),
        statistics.median(len(each["painted"]) for each in fast),
        statistics.median(alone["delays"]),
    )
    return found, sorted(updates)


@asynccontextmanager
async def slowed(page: Page, times: float) -> AsyncIterator[None]:
    """The page's processor, so many times slower."""
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": times})
    yield
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    await devtools.detach()


async def first_paint_ms(browser: Browser, address: str) -> float:
    """When a page that was never open before shows its first number."""
    found = []
    for _ in range(ROUNDS):
        context = await browser.new_context(viewport={"width": 1280, "height": 800})
        page = await context.new_page()
        await page.wait_for_timeout(WINDOW_MS)
        await page.goto(address)
        script = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
        await page.wait_for_function(script)
        found.append(await page.evaluate(script))
        await page.wait_for_load_state("networkidle")
        await context.close()
    return statistics.median(found)


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


async def measure(widget: str, bare: str, session: str) -> tuple[list[Drag], dict[str, float]]:
    """Drag on the widget, the bare page and the Panel session, in one browser.

    Returns
    -------
    list of Drag
        One per page.
    dict of str to float
        Script time of the widget's updates in ms, and its loading marks in ms.
    """
    material = ".MuiSlider-root"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=flags())
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        await page.add_init_script(TIME_UPDATES)
        plain_ms = await first_paint_ms(browser, bare)
        first_ms = await first_paint_ms(browser, widget)
        await page.goto(widget)
        await page.wait_for_selector("html[data-ready]")
        cold = await marks(page)
        await page.goto(widget)
        await page.wait_for_selector("html[data-ready]")
        warm = await marks(page)
        rail = f"[data-control=params_b] {material}"
        number = '[data-text="tokens_per_s"]'
        found = []
        for slower in (1, SLOWER):
            slow = f", {slower}× slower" if slower > 1 else ""
            await page.goto(bare)
            plain, _ = await drags(page, f"bare page{slow}", "output", "#rail", 0, slower)
            found.append(plain)
            for opened in (False, True):
                name = f"the widget{', formulas open' if opened else ''}{slow}"
                await page.goto(widget)
                ours, times_ms = await drags(page, name, number, rail, SETTLE_MS, slower, opened)
                found.append(ours)
                if slower == 1 and not opened:
                    updates = times_ms
        await page.goto(session)
        theirs, _ = await drags(page, "a Panel session", "no-such-output", material, 500)
        await browser.close()
    times = {
        "script per update, median": statistics.median(updates),
        "script per update, longest": updates[-1],
        "first paint, bare page": plain_ms,
        "first paint with the default's numbers": first_ms,
        "first numbers of another state, cold": cold["first-numbers"],
        "first numbers of another state, warm": warm["first-numbers"],
        "interactive, cold": cold["ready"],
        "interactive, warm": warm["ready"],
    }
    return [*found, theirs], times


async def marks(page: Page) -> dict[str, float]:
    """The page's own loading marks, in ms since navigation."""
    script = "performance.getEntriesByType('mark').map(e => [e.name, e.startTime])"
    return dict(await page.evaluate(script))


def main() -> dict[str, object]:
    """Measure, print, and give the figures for the JSON."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), exported())
        with static_site(Path(folder)) as site, panel_session("slider") as session:
            (Path(folder) / "bare.html").write_bytes(BARE.read_bytes())
            addresses = f"{site}/index.html", f"{site}/bare.html"
            found, times = asyncio.run(measure(*addresses, session))
    print(f"\nDrag to paint: {MOVES} moves, one each {CADENCE_S * 1000:.0f} ms")
    print(f"{'':40}{'frames met':>12}{'painted':>10}{'one move, ms':>14}")
    for each in found:
        print(f"{each.page:40}{each.met:>12}{each.painted:>10}{each.alone_ms:>14.1f}")
    print("\nThe widget, in ms")
    for name, value in times.items():
        print(f"{name:40}{value:>10.1f}")
    return {"drag": [vars(each) for each in found], "widget_ms": times}
