from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.helpers.explorer import Explorer
from tests.helpers.widget import Widget


@pytest.fixture
def widget(browser: Browser, site: str) -> Iterator[Widget]:
    widget = Widget(browser, site).open()
    yield widget
    widget.close()


@pytest.fixture
def explorer(browser: Browser, site: str) -> Iterator[Explorer]:
    made = Explorer(browser, site)
    yield made
    made.close()
