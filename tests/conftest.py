from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from app.build.export import exported
from app.files import write
from tests.helpers.browser import launch
from tests.helpers.site import static_site

# How long an example takes says nothing here: another program may be using the machine.
settings.register_profile("here", deadline=None)
settings.load_profile("here")


@pytest.fixture(scope="session")
def exported_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    write(folder, exported())
    return folder


@pytest.fixture(scope="session")
def site(exported_folder: Path) -> Iterator[str]:
    with static_site(exported_folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()
