"""What is measured by hand can still be started: it is in no other test."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import bench


@pytest.mark.parametrize("name", [each.name for each in pkgutil.iter_modules(bench.__path__)])
def test_a_measurement_imports_what_is_there(name):
    if name != "__main__":
        assert importlib.import_module(f"bench.{name}").__doc__


def test_the_session_compared_with_can_be_made():
    from bench import session  # noqa: PLC0415

    assert session.page().objects
    assert session.slider().objects
