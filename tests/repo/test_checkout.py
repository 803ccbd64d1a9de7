"""What the project is made of is under version control."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone, but a copy of one")
def test_no_file_of_ours_is_ignored():
    ours = ("app", "assets", "bench", "calc", "docker", "docs", "examples", "tests")
    ignored = ["git", "ls-files", "--others", "--ignored", "--exclude-standard", "--", *ours]
    names = subprocess.run(ignored, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert [name for name in names.split() if "__pycache__" not in name] == []
