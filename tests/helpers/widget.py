"""The widget as a student meets it: read it, drag it, type into it."""

from __future__ import annotations

from playwright.sync_api import Browser, Locator, Page, expect

#: For scripts in the page, and in its frames: what gives `modules`, the page's own by name.
_MODULES = """globalThis.pageModules = () =>
  import(new URL(document.querySelector("[data-entry]").dataset.entry, document.baseURI))"""


class Widget:
    """One open page that fails on any trouble the browser reports."""

    def __init__(self, browser: Browser, address: str, **context: object) -> None:
        settings = {"viewport": {"width": 1280, "height": 800}} | context
        self.context = browser.new_context(**settings)
        self.context.add_init_script(_MODULES)
        self.page: Page = self.context.new_page()
        self.address = address
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        self.page.on("console", self._console)
        self.page.on("response", self._response)
        self.page.on("requestfailed", lambda request: self.trouble.append(f"lost: {request.url}"))
        self.page.on("request", self._request)

    def _console(self, message: object) -> None:
        if message.type in ("error", "warning"):
            self.trouble.append(f"console: {message.text}")

    def _response(self, response: object) -> None:
        if response.status >= 400:
            self.trouble.append(f"{response.status}: {response.url}")

    def _request(self, request: object) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.trouble.append(f"foreign: {request.url}")

    def open(self, path: str = "/index.html") -> Widget:
        self.page.goto(self.address + path)
        self.page.wait_for_selector("html[data-ready]")
        return self

    def close(self) -> None:
        self.context.close()
        assert self.trouble == [], self.trouble

    def text(self, name: str) -> Locator:
        return self.page.locator(f'[data-text="{name}"]')

    def says(self, name: str, text: str) -> None:
        expect(self.text(name)).to_have_text(text)

    def exact(self, key: str) -> Locator:
        return self.page.locator(f'[data-exact="{key}"]')

    def holds(self, key: str, value: str) -> None:
        expect(self.exact(key)).to_have_value(value)

    def type(self, key: str, text: str) -> None:
        self.exact(key).fill(text)
        self.exact(key).press("Enter")

    def thumb(self, key: str) -> Locator:
        return self.page.locator(f'[data-control="{key}"] .MuiSlider-thumb')

    def drag_to_stop(self, key: str, index: int, stops: int) -> None:
        """Drag a slider's handle with the mouse to its stop number `index` of `stops`."""
        rail = self.page.locator(f'[data-control="{key}"] .MuiSlider-root').bounding_box()
        handle = self.thumb(key).bounding_box()
        mouse, y = self.page.mouse, rail["y"] + rail["height"] / 2
        mouse.move(handle["x"] + handle["width"] / 2, y)
        mouse.down()
        mouse.move(rail["x"] + rail["width"] * index / (stops - 1), y, steps=8)
        mouse.up()

    def press(self, key: str, *keys: str) -> None:
        """Press keys while a slider's handle has the focus."""
        self.thumb(key).locator("input").focus()
        for each in keys:
            self.page.keyboard.press(each)

    def choose(self, key: str, name: str) -> None:
        control = self.page.locator(f'[data-control="{key}"]')
        button = control.get_by_role("button", name=name, exact=True)
        if not button.is_visible():
            control.get_by_role("button", name="More formats").click()
        button.click()

    def switch(self, name: str) -> None:
        """Press one of the two words of the switch."""
        self.page.get_by_role("radio", name=name).check()

    def reset(self) -> None:
        self.page.get_by_role("button", name="Reset").click()
