"""Files that somebody names: read without being led astray, written whole or not at all."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from app.errors import InputError
from calc.text import shortened

#: Names what stands beside it, so it comes last, behind its compressed forms.
_ENTRANCE = "index.html"


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


def write(folder: Path, contents: dict[str, bytes]) -> None:
    """Write files beside those that they replace, and rename them when all are there.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    contents : dict of str to bytes
        By path in the folder.

    Raises
    ------
    OSError
        Not all can be written: what was there is there as it was. It names the folder, or
        the file in it that cannot be replaced.

    Notes
    -----
    Killed in the middle it leaves a hidden folder `.export-…`, which may be removed.
    """
    order = sorted(contents, key=lambda name: (name.startswith(_ENTRANCE), -len(name)))
    # The same for all: a server asks whether a compressed form is older than its file.
    now = time.time_ns()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".export-", dir=folder) as beside:
            for number, name in enumerate(order):
                with open(Path(beside, str(number)), "xb") as file:
                    file.write(contents[name])
                    file.flush()
                    # A full disk may be noticed no sooner.
                    os.fsync(file.fileno())
                    os.utime(file.fileno(), ns=(now, now))
            for number, name in enumerate(order):
                place = folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                os.replace(Path(beside, str(number)), place)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(error.filename2 or folder)) from None


def _without_waiting(path: str, flags: int) -> int:
    """Open a pipe, too, before somebody writes to it."""
    return os.open(path, flags | os.O_NONBLOCK)
