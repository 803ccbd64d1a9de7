"""From a control of the batching lab to its picture, for 2,000 requests."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from pathlib import Path

from playwright.async_api import Page, async_playwright

from app.build.export import exported
from app.files import write
from tests.helpers.browser import chromium, flags
from tests.helpers.site import static_site

#: Settings by what they are called: where answers are long and slots few passes are many.
SETTINGS = {
    "8 slots": "",
    "4 slots, answers of 1,000 tokens": "&slots=4&output=1000",
    "32 slots, in chunks against whole": (
        "&slots=32&rate=4&prompt=2000&policy=chunked&other_policy=continuous"
    ),
    "256 slots": "&slots=256",
}
CHANGES = 9

# Types another seed, and waits for the frame after the one in which figures are drawn anew.
CHANGE = """async seed => {
  const input = document.querySelector('.lab [name="seed"]'), start = performance.now();
  input.value = seed;
  input.dispatchEvent(new Event("change", {bubbles: true}));
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  return performance.now() - start;
}"""


async def change_ms(page: Page, address: str) -> float:
    """Median over some changes, on a page that has been open for a while."""
    await page.goto(address)
    await page.wait_for_selector("html[data-ready]")
    await page.wait_for_selector(".run.second .slots canvas", state="attached")
    await page.wait_for_timeout(2000)
    found = [await page.evaluate(CHANGE, str(2 + change)) for change in range(CHANGES)]
    return statistics.median(found)


async def measure(site: str) -> dict[str, float]:
    """By what the settings are called, in ms."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=flags())
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        found = {
            name: await change_ms(page, f"{site}/index.html?view=lab&requests=2000{asked}")
            for name, asked in SETTINGS.items()
        }
        await browser.close()
    return found


def main() -> dict[str, float]:
    """Measure, print, and give the figures for the JSON."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), exported())
        with static_site(Path(folder)) as site:
            found = asyncio.run(measure(site))
    print("\nThe lab, from a control to the picture of 2,000 requests, in ms")
    for name, value in found.items():
        print(f"{name:40}{value:>10.0f}")
    return found


if __name__ == "__main__":
    main()
