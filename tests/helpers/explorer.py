"""The explorer as a reader meets it."""

from __future__ import annotations

from playwright.sync_api import Locator

from tests.helpers.widget import Widget


class Explorer(Widget):
    """One open page with the explorer on it."""

    def tab(self, name: str) -> Locator:
        return self.page.get_by_role("tab", name=name)

    def row(self, name: str) -> Locator:
        return self.page.locator(".study:not([hidden]) tr", has_text=name).first

    def address_has(self, text: str) -> None:
        self.page.wait_for_function("text => location.search.includes(text)", arg=text)
