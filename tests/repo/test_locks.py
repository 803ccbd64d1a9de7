"""Every package is pinned and hashed, and no lock says from where it comes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("lock", sorted(each.name for each in ROOT.glob("requirements*.lock")))
def test_python_packages(lock):
    text = (ROOT / lock).read_text()
    assert "://" not in text
    for requirement in re.split(r"\n(?=\S)", text.strip()):
        assert re.match(r"[\w.-]+==\S+", requirement), requirement
        assert "--hash=sha256:" in requirement, requirement


def test_node_packages():
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    del packages[""]
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name
