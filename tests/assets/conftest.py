from __future__ import annotations

import pytest

from tests.helpers import modules


@pytest.fixture(scope="session")
def written() -> None:
    """The page's modules, where Node finds them."""
    modules.write()
