"""What axe finds: nothing, at any width, in light, dark and the system's own colours."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.widget import Widget

#: Deque's checker; `make check` installs it beside the linters.
AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"

RUN = """async () => {
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const {passes, violations} = await axe.run(document, {runOnly: rules});
  if (passes.length < 20) return ["hardly anything was looked at"];
  return violations.map(({id, nodes}) => `${id}: ${nodes.map(({target}) => target).join(", ")}`);
}"""


def found(page: Page) -> dict[int, list[str]]:
    """What axe finds at each width."""
    at: dict[int, list[str]] = {}
    for width in (1280, 768, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        at[width] = page.evaluate(RUN)
    return at


@pytest.mark.parametrize(
    "looks",
    [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}],
    ids=lambda looks: "-".join(looks.values()),
)
def test_axe_finds_nothing(browser: Browser, site: str, looks: dict[str, str]) -> None:
    widget = Widget(browser, site, **looks).open()
    widget.page.add_script_tag(path=AXE)
    nothing: dict[int, list[str]] = {width: [] for width in (1280, 768, 390, 320)}
    assert found(widget.page) == nothing
    # A state that does not fit, as an estimate, with guesses and all formulas open.
    widget.page.evaluate("document.querySelectorAll('.formula-toggle').forEach(it => it.click())")
    widget.page.evaluate(
        """() => {
          const search = "?context=131072&batch=64&spec_k=4&assumptions=engine";
          history.replaceState(null, "", search);
          dispatchEvent(new PopStateEvent("popstate"));
        }"""
    )
    expect(widget.page.locator(".meter.over")).to_be_visible()
    assert found(widget.page) == nothing
    widget.close()
