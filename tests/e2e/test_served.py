"""The served page in a browser: under its policy, in frames, and without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.build.export import loaded_at_first
from app.server.files import load
from tests.helpers.served import Served, served
from tests.helpers.site import static_site
from tests.helpers.widget import Widget
from tests.repo.test_workshop import command

COUNT = """
  window.violations = [];
  document.addEventListener("securitypolicyviolation", event =>
    violations.push(`${event.effectiveDirective}: ${event.blockedURI} by ${event.sourceFile}`));
"""


@pytest.fixture(scope="module")
def server(exported_folder: Path) -> Iterator[Served]:
    with served(exported_folder) as server:
        yield server


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_no_violation_while_everything_is_used(browser, server):
    widget = Widget(browser, server.address)
    widget.context.add_init_script(COUNT)
    widget.open("/")
    page = widget.page
    for toggle in page.locator(".formula-toggle").all():
        toggle.click()
        expect(toggle).to_have_attribute("aria-expanded", "true")
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        page.locator("[role=tabpanel]:not([hidden]) summary").press("Enter")
        expect(page.locator("[role=tabpanel]:not([hidden]) table")).to_be_visible()
    for theme in ("dark", "light"):
        page.locator("#theme").click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    for more in page.get_by_role("button", name="More formats").all():
        more.click()
    for control in page.locator("[data-control]").all():
        for button in control.locator(".MuiToggleButton-root").all():
            button.click()
            # This model has no such cache as the last formats are for: it stays as it was.
            taken = button.get_attribute("value") not in ("fp8_ds_mla", "fp8_ds_v4")
            expect(button).to_have_attribute("aria-pressed", str(taken).lower())
    sliders = page.locator(".MuiSlider-thumb input")
    for slider in sliders.all():
        if slider.is_enabled() and slider.is_visible():
            slider.focus()
            page.keyboard.press("Home")
            page.keyboard.press("End")
    widget.type("batch", "64")
    widget.holds("batch", "64")
    widget.type("batch", "abc")
    widget.reset()
    widget.says("tokens_per_s", "1,170")
    assert page.evaluate("violations") == []
    widget.close()


def test_an_injected_script_does_not_run_and_is_counted(page, server):
    page.add_init_script(COUNT)
    page.goto(server.address)
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), "
        "{textContent: 'window.ran = true'}))"
    )
    page.wait_for_function("violations.some(each => each.startsWith('script-src-elem: inline'))")
    assert page.evaluate("window.ran") is None


def test_nothing_is_stored(browser, server):
    widget = Widget(browser, server.address).open("/")
    widget.type("batch", "64")
    widget.says("tokens_per_s", "2,550")
    widget.drag_to_stop("gqa", 0, 6)
    widget.page.locator("#theme").click()
    for tab in widget.page.get_by_role("tab").all():
        tab.click()
    widget.page.reload()
    widget.page.wait_for_selector("html[data-ready]")
    kept = widget.page.evaluate("""async () => ({
        cookies: document.cookie,
        session: Object.keys(sessionStorage),
        local: Object.keys(localStorage),
        databases: await indexedDB.databases(),
        caches: await caches.keys(),
        workers: (await navigator.serviceWorker.getRegistrations()).length,
    })""")
    empty = {"session": [], "local": [], "databases": [], "caches": [], "workers": 0}
    assert kept == {"cookies": "", **empty}
    assert widget.context.cookies() == []
    widget.close()


@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts"'])
def test_runs_in_a_frame_on_another_origin(page, server, tmp_path, sandbox):
    page.add_init_script(COUNT)
    frame = f'<iframe title="Widget" {sandbox} src="{server.address}"></iframe>'
    (tmp_path / "lesson.html").write_text(frame)
    with static_site(tmp_path) as site:
        page.goto(f"{site}/lesson.html")
        inside = page.frame_locator("iframe")
        expect(inside.locator("html[data-ready]")).to_be_attached()
        assert inside.locator("html").evaluate("() => violations") == []


@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts"'])
def test_runs_in_a_lesson_opened_from_disk(page, server, tmp_path, sandbox):
    frame = f'<iframe title="Widget" {sandbox} src="{server.address}"></iframe>'
    (tmp_path / "lesson.html").write_text(frame)
    page.goto((tmp_path / "lesson.html").as_uri())
    expect(page.frame_locator("iframe").locator("html[data-ready]")).to_be_attached()


@pytest.mark.parametrize("sandbox", [None, 'sandbox="allow-scripts"'])
def test_the_example_lesson_runs_under_the_policy(page, server, tmp_path, sandbox):
    page.add_init_script(COUNT)
    lesson = f"{server.address}/example-lesson.html"
    if sandbox:
        frame = f'<iframe {sandbox} src="{lesson}" width="1200" height="2600"></iframe>'
        (tmp_path / "host.html").write_text(frame)
        page.goto((tmp_path / "host.html").as_uri())
    else:
        page.goto(lesson)
    around = page.frame_locator("iframe") if sandbox else page
    said = ["22.6 GB of 80 GB", *["151 GB asked, 71.4 GB over"] * 2, "48.4 GB of 80 GB"]
    for position, text in enumerate(said):
        around.locator("decode-arithmetic").nth(position).scroll_into_view_if_needed()
        inside = around.frame_locator("decode-arithmetic iframe").nth(position)
        expect(inside.locator('[data-text="meter"]')).to_have_text(text, timeout=15_000)
        expect(inside.locator("html[data-ready]")).to_be_attached(timeout=15_000)
        assert inside.locator("html").evaluate("() => violations") == []
    assert around.locator("html").first.evaluate("() => violations") == []


def test_other_hosts_than_those_named_may_not_frame_it(page, exported_folder, tmp_path):
    with (
        static_site(tmp_path) as site,
        served(exported_folder, "--frame-ancestors", site) as server,
    ):
        (tmp_path / "lesson.html").write_text(f'<iframe src="{server.address}"></iframe>')
        page.goto(f"{site}/lesson.html")
        ready = page.frame_locator("iframe").locator("html[data-ready]")
        expect(ready).to_be_attached()
        with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
            page.goto(f"{site.replace('127.0.0.1', 'localhost')}/lesson.html")
        expect(ready).not_to_be_attached()


# What docs/workshop.md promises for when the Wi-Fi dies.


@contextmanager
def stick(folder: Path) -> Iterator[str]:
    """The guide's line for a student with a USB stick, on a free port; gives the address."""
    exported_to = command(".venv/bin/decode-arithmetic export")[2]
    here = {"python3": sys.executable, "8000": "0", exported_to: folder}
    words = [here.get(word, word) for word in command("python3 -m http.server")]
    assert set(here.values()) <= set(words)
    process = subprocess.Popen(
        [*words, "--bind", "127.0.0.1"],
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        port = re.search(r"port (\d+)", process.stdout.readline())[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate()


def test_the_stick_holds_the_whole_page_and_an_open_page_needs_no_network(browser, exported_folder):
    with stick(exported_folder) as address:
        widget = Widget(browser, address).open("/")
        widget.context.set_offline(True)
        widget.type("batch", "64")
        widget.says("tokens_per_s", "2,550")
        for tab in widget.page.get_by_role("tab").all():
            tab.click()
        widget.page.locator(".formula-toggle").first.click()
        widget.close()


def test_after_a_reload_only_the_question_whether_it_changed_is_asked(browser, exported_folder):
    with served(exported_folder) as server:
        Widget(browser, server.address).open("/").close()
        context = browser.new_context()
        first, second = context.new_page(), context.new_page()
        for each in (first, second):
            each.goto(server.address)
            each.wait_for_selector("html[data-ready]")
        context.close()
        server.stop()
    # Two browsers' worth of full loads; the third visit asked for one file and got a 304.
    assert sum(" 200 " in line for line in server.lines) == 2 * len(
        list(filter(loaded_at_first, load(exported_folder)))
    )
    (revalidated,) = [line for line in server.lines if " 200 " not in line]
    assert revalidated.startswith("GET / 304 0 ")
