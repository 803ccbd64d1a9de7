from __future__ import annotations

import pytest

from app.assets import read_text
from app.exercises.read import read_course
from app.exercises.record import Course


@pytest.fixture(scope="session")
def course() -> Course:
    """The exercises that are shipped."""
    return read_course(read_text("exercises.toml").encode())
