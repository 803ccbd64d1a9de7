"""A Node for the checks of the browser's side: program, or fetched with `python -m` this module."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

#: What the linter asks for.
_OLDEST = (20, 19)

_LOCK = Path(__file__).parents[2] / "requirements-node.lock"


def node() -> str | None:
    """Path of a Node with npm that is new enough: this environment's, else the system's."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    program = shutil.which("node", path=path)
    if program is None or shutil.which("npm", path=path) is None:
        return None
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    major, minor, _ = version.stdout.strip().removeprefix("v").split(".")
    return program if (int(major), int(minor)) >= _OLDEST else None


def main() -> None:
    """Make sure that there is one: where the system has none, PyPI has."""
    if node() is None:
        install = ["install", "--quiet", "--require-hashes", "--requirement", str(_LOCK)]
        subprocess.run([sys.executable, "-m", "pip", *install], check=True)


if __name__ == "__main__":
    main()
