"""What is installed is the whole of it, with its licence."""

from __future__ import annotations

import email
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """Built from a copy, so that nothing is left behind in the checkout."""
    source, target = (tmp_path_factory.mktemp(name) for name in ("source", "wheel"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for folder in ("app", "assets", "calc"):
        shutil.copytree(ROOT / folder, source / folder)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", target, source], check=True, capture_output=True)
    (built,) = target.iterdir()
    with ZipFile(built) as opened:
        yield opened


def test_every_file_of_ours_is_in_the_wheel(wheel):
    names = set(wheel.namelist())
    for folder in ("app", "assets", "calc"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        ours = {str(p.relative_to(ROOT)) for p in files if "__pycache__" not in p.parts}
        assert ours
        assert ours - names == set()


def test_the_licence_is_in_the_wheel(wheel):
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    said = email.message_from_bytes(wheel.read(metadata))
    assert said["License-Expression"] == "BSD-3-Clause"
    assert said["Author"] == "the decode-arithmetic contributors"
    own = wheel.read(metadata.replace("METADATA", "licenses/LICENSE"))
    assert own == (ROOT / "LICENSE").read_bytes()
    assert b"Copyright (c) 2026, the decode-arithmetic contributors" in own
