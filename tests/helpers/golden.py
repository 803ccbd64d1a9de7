"""Texts that must not change unnoticed: a file each, rewritten with UPDATE_GOLDEN=1."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "golden"


def frozen(name: str, text: str) -> str:
    """The text that stands in a golden file, for comparison; with UPDATE_GOLDEN=1, the new one."""
    path = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")
