"""Texts that must not change unnoticed, files or parts of one: UPDATE_GOLDEN=1 rewrites them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "golden"


def frozen(name: str, text: str) -> str:
    """The text that stands in a golden file, for comparison; with UPDATE_GOLDEN=1, the new one."""
    return frozen_part(FOLDER / name, "", text)


def frozen_part(path: Path, start: str, text: str, end: str = "") -> str:
    """The same for what stands between two marks in a file, by default up to its end."""
    whole = path.read_text(encoding="utf-8") if start or path.exists() else ""
    before, mark, rest = whole.partition(start) if start else ("", "", whole)
    part, end_mark, after = rest.partition(end) if end else (rest, "", "")
    assert mark == start, f"{path.name} has no {start!r}"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(f"{before}{mark}{text}{end_mark}{after}", encoding="utf-8")
        return text
    return part


def table(head: str, rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown under a first line."""
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows]
    return "\n".join([head, "|---" * (head.count("|") - 1) + "|", *lines])
