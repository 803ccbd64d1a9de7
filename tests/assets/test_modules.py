"""The modules' own tests, `*.test.mjs`, each file in Node: no page, no browser."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.helpers.node import node

HERE = Path(__file__).parent
FILES = [
    pytest.param(name, marks=pytest.mark.fuzz if name.endswith(".fuzz.test.mjs") else ())
    for name in sorted(each.relative_to(HERE).as_posix() for each in HERE.rglob("*.test.mjs"))
]


@pytest.mark.parametrize("file", FILES)
def test_in_node(file, written):
    found = node()
    assert found, "Node is missing: python -m tests.helpers.node"
    command = [found, "--test", "--test-reporter=spec", HERE / file]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
