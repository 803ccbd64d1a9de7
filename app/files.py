"""Files that somebody names, read without being led astray."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from app.errors import InputError
from calc.text import shortened


def content(path: Path, most: int) -> bytes:
    """What stands in a file; of a file that is too large its start, by one byte too long.

    Parameters
    ----------
    path : Path
    most : int
        What the reader can take. [B]

    Raises
    ------
    InputError
        It is no file: a pipe or a device may have no end, or keep its reader waiting.
    OSError
        It cannot be read.
    """
    name = shortened(str(path), 100)
    try:
        file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 (closed below)
    except ValueError:
        raise InputError(f"{name}: no file can have this name") from None
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise InputError(f"{name}: this is no plain file; save it in one and name that")
        try:
            return file.read(most + 1)
        except OSError as error:
            error.filename = str(path)
            raise


def _without_waiting(path: str, flags: int) -> int:
    """Open a pipe, too, before somebody writes to it."""
    return os.open(path, flags | os.O_NONBLOCK)
