"""The page's modules as files, those built from `calc` among them: for Node and the type check."""

from __future__ import annotations

import shutil
from pathlib import Path

from app.build.modules import modules

FOLDER = Path(__file__).parents[2] / "build" / "modules"


def write() -> None:
    """Write them where package.json's `#modules` leads, and nothing else."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name, source in modules().items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # Of what is built, the type check only wants to know the names.
        unchecked = "// @ts-nocheck\n" if name.startswith("built/") else ""
        path.write_text(unchecked + source, encoding="utf-8")


if __name__ == "__main__":
    write()
