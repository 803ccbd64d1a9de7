"""The images that ours stand on can be pinned, and pinned anew."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("Dockerfile", "compose.yaml")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "programs").mkdir()
    return tmp_path


def pin(checkout: Path, **programs: str) -> subprocess.CompletedProcess:
    """Run it where only these programs are to be found, each a line of shell."""
    for name, line in programs.items():
        (checkout / "programs" / name).write_text(f"#!/bin/sh\n{line}\n")
        (checkout / "programs" / name).chmod(0o755)
    return subprocess.run(
        [sys.executable, ROOT / "docker/bases.py"],
        cwd=checkout,
        env={"PATH": str(checkout / "programs")},
        capture_output=True,
        text=True,
        check=False,
    )


def texts(checkout: Path) -> list[str]:
    return [(checkout / name).read_text() for name in FILES]


def without_digests(text: str) -> str:
    return re.sub(r"@sha256:[0-9a-f]{64}", "", text)


@pytest.mark.parametrize("program", ["docker", "skopeo"])
def test_each_tag_gets_its_digest_and_later_another(checkout, program):
    before = [without_digests(text) for text in texts(checkout)]
    for letter in "ab":
        digest = "sha256:" + 64 * letter
        done = pin(checkout, **{program: f"echo {digest}"})
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"nginx:stable-alpine@{digest}\npython:3.13-slim@{digest}\n"
        after = texts(checkout)
        assert f"\nARG BASE=python:3.13-slim@{digest}\n" in after[0]
        assert f"\n    image: nginx:stable-alpine@{digest}\n" in after[1]
        assert [without_digests(text) for text in after] == before


@pytest.mark.parametrize(
    "line", [None, "exit 1", "echo nothing", "echo sha256:x", "echo denied >&2"]
)
def test_without_an_answer_nothing_is_changed(checkout, line):
    before = texts(checkout)
    done = pin(checkout, **({"docker": line} if line else {}))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "No registry told the digest of nginx:stable-alpine and python:3.13-slim: nothing is "
        "changed. Run this where docker or skopeo reaches one.\n"
    )
    assert texts(checkout) == before


def test_the_words_that_ask(checkout):
    digest = "sha256:" + 64 * "c"
    for program, expected in (
        ("docker", "buildx imagetools inspect --format {{.Manifest.Digest}} python:3.13-slim"),
        ("skopeo", "inspect --no-tags --format {{.Digest}} docker://python:3.13-slim"),
    ):
        pin(checkout, **{program: f'echo "$*" >>asked; echo {digest}'})
        assert (checkout / "asked").read_text().splitlines()[-1] == expected
        (checkout / "programs" / program).unlink()
