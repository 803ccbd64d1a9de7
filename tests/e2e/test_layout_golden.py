"""What a screen reader finds, and where each part stands, at two widths: frozen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.helpers.golden import frozen
from tests.helpers.widget import Widget

_BOXES = """() => {
  const parts = ["data-part", "data-control", "data-readout"].map(name => `[${name}]`).join(", ");
  const shown = [...document.querySelectorAll(`${parts}, .bar, .figure`)]
    .filter(each => each.getClientRects().length);
  return shown.map(each => {
    const {x, y, width, height} = each.getBoundingClientRect();
    const {part, control, readout} = each.dataset;
    const name = control ?? readout ?? part ?? each.className;
    return `${name} ${[x, y + scrollY, width, height].map(Math.round).join(" ")}`;
  }).join("\\n") + "\\n";
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_page_is_the_frozen_one(browser: Browser, site: str, width: int) -> None:
    widget = Widget(browser, site, viewport={"width": width, "height": 844})
    widget.open()
    text = f"{widget.page.locator('body').aria_snapshot()}\n\n{widget.page.evaluate(_BOXES)}"
    widget.close()
    assert text == frozen(f"page_{width}.txt", text)
