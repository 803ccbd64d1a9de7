"""The page with libraries that could not be cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from app.build import export
from app.build.bundles import Bundle
from app.files import write
from tests.helpers.site import static_site
from tests.helpers.widget import Widget


def test_the_page_works_with_whole_libraries(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(text: str) -> None:
        raise ValueError("another form")

    monkeypatch.setattr(Bundle, "parse", refuse)
    monkeypatch.setattr(export, "files_of_page", export.files_of_page.__wrapped__)
    with pytest.warns(UserWarning, match="shipped whole"):
        write(tmp_path, export.exported.__wrapped__())
    with static_site(tmp_path) as address:
        widget = Widget(browser, address).open()
        widget.drag_to_stop("gqa", 0, 6)
        widget.says("meter", "48.4 GB of 80 GB")
        widget.choose("kv", "int8")
        widget.says("meter", "31.2 GB of 80 GB")
        widget.page.locator("#tab-roofline").click()
        widget.says("legend_ridge", "ridge: 990 TFLOP/s ÷ 3.3 TB/s = 300 FLOP/byte")
        widget.close()
