"""The browser that the tests drive: found, or fetched with `python -m tests.helpers.browser`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

#: No sandbox inside containers, and no talk to hosts that the tests do not need.
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def flags() -> list[str]:
    """Command-line flags for Chromium."""
    return list(_FLAGS)


def chromium() -> str | None:
    """Path of a Chromium on this machine, or None to let Playwright use its own."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def launch(playwright: Playwright) -> Browser:
    """Start the browser, headless."""
    return playwright.chromium.launch(executable_path=chromium(), args=flags())


def main() -> int:
    """Make sure that a browser can be started: one that is there, Playwright's, or Debian's."""
    if chromium() or _playwright_has_one():
        return 0
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if _playwright_has_one():
        return 0
    if shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "--quiet"], check=True)
        install = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "chromium"]
        subprocess.run(install, check=True, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
        return 0
    print("No Chromium: install the package `chromium`, then run this again.", file=sys.stderr)
    return 1


def _playwright_has_one() -> bool:
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


if __name__ == "__main__":
    sys.exit(main())
