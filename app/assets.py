"""The project's own browser files, from the `assets` folder beside `app`."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "assets"


def path(name: str) -> Path:
    """Where an asset is."""
    return _FOLDER / name


def read_text(name: str) -> str:
    """The text of one asset, such as `core/words/format.mjs`."""
    return path(name).read_text(encoding="utf-8")


def names(suffix: str) -> list[str]:
    """The names of all assets that end in a suffix, sorted; those in folders with their path."""
    return sorted(each.relative_to(_FOLDER).as_posix() for each in _FOLDER.rglob(f"*{suffix}"))
