"""Files that somebody names: read without being led astray, written whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Container
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from tempfile import TemporaryDirectory

from app.errors import InputError
from app.server.files import ENDINGS, LIST
from calc.text import shortened

#: Names what stands beside it, so it comes last, behind its compressed forms.
_ENTRANCE = "index.html"

#: Where new files wait beside the old ones.
_BESIDE = ".export-"

#: No compressed form of ours, nor the list of them, is larger.
_MOST_BYTES = 2**24


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
        It is no file, as `opened` has it.
    OSError
        It cannot be read.
    """
    with opened(path) as file:
        try:
            return file.read(most + 1)
        except OSError as error:
            error.filename = str(path)
            raise


def opened(path: Path) -> BufferedReader:
    """A file to be read piece by piece, and closed by who asked for it.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InputError
        It is no file: a pipe or a device may have no end, or keep its reader waiting.
    OSError
        It cannot be read.
    """
    name = shortened(str(path), 100)
    try:
        file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 (who asked closes it)
    except ValueError:
        raise InputError(f"{name}: no file can have this name") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise InputError(f"{name}: this is no plain file; save it in one and name that")
    return file


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
    An export removes what an export has made, and nothing else: the compressed forms of a file
    that it replaces, where the folder's `LIST` has them as they are, and that list with the last
    of them. A form that is not listed, or has changed since, is somebody's own and stays.

    Killed while it writes it leaves the old files, and a hidden folder `.export-…`, which can be
    removed by hand: no export removes what it has not made. Killed between two renames it leaves
    some of both: folders come first and `index.html` last, so that this one and what it names in a
    folder are of one export.
    """
    order = sorted(
        contents.keys() | _stale_names(folder, contents),
        key=lambda name: (name.startswith(_ENTRANCE), "/" not in name, -len(name), name),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=_BESIDE, dir=folder) as beside:
            for name, content in contents.items():
                new = Path(beside, "new", name)
                new.parent.mkdir(parents=True, exist_ok=True)
                with open(new, "xb") as file:
                    file.write(content)
                    file.flush()
                    # A full disk may be noticed no sooner.
                    os.fsync(file.fileno())
            _exchange(folder, order, Path(beside))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(error.filename2 or folder)) from None


def write_one(path: Path, content: bytes) -> None:
    """Write one file as `write` does; a link stays one, what it leads to is replaced.

    Parameters
    ----------
    path : Path
    content : bytes

    Raises
    ------
    OSError
        As for `write`, or links lead round in a circle.
    """
    place = _place_of(path)
    write(place.parent, {place.name: content})


def _place_of(path: Path) -> Path:
    """What a path leads to, over all links."""
    # Path.resolve says so by another error in Python 3.11, and in none in 3.13.
    place = Path(os.path.realpath(path))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return place


def _stale_names(folder: Path, names: Container[str]) -> set[str]:
    """What an earlier export made of files of these names, and is of none of the new ones."""
    hashes = _hashes(folder)
    stale = {
        f"{stem}.{ending}"
        for stem, _, ending in (name.rpartition(".") for name in hashes)
        if f".{ending}" in ENDINGS.values() and stem in names and f"{stem}.{ending}" not in names
    }
    ours = {name for name in stale if _hash(folder / name) == hashes[name]}
    return ours | {LIST} if hashes and stale == hashes.keys() else ours


def _hashes(folder: Path) -> dict[str, str]:
    """The hash of each compressed form that an earlier export made, by its path."""
    try:
        text = content(folder / LIST, _MOST_BYTES).decode()
    except (OSError, InputError, UnicodeError):
        return {}
    lines = (line.split(" ", 2) for line in text.splitlines())
    return {line[2]: line[1] for line in lines if len(line) == 3}


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(content(path, _MOST_BYTES)).hexdigest()
    except (OSError, InputError):
        return ""


def _exchange(folder: Path, order: list[str], beside: Path) -> None:
    """Put each new file in its place, or remove what has none; where one cannot be, take back."""
    moves = []
    try:
        for name in order:
            new, old, place = beside / "new" / name, beside / "old" / name, folder / name
            for parent in (place.parent, old.parent):
                parent.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(place):
                _keep(place, old)
            moves.append((place, old))
            if new.exists():
                os.replace(new, place)
            else:
                place.unlink()
    except OSError:
        for place, old in reversed(moves):
            # Where one cannot be taken back, as the one that failed, the others still are.
            with suppress(OSError):
                if os.path.lexists(old):
                    os.replace(old, place)
                else:
                    place.unlink(missing_ok=True)
                    place.parent.rmdir()
        raise


def _keep(place: Path, old: Path) -> None:
    """A second name for a file that is about to be replaced; where there are none, a copy."""
    try:
        os.link(place, old, follow_symlinks=False)
    except OSError:
        if place.is_dir() and not place.is_symlink():
            error = errno.EISDIR
            raise OSError(error, os.strerror(error), str(old), None, str(place)) from None
        shutil.copy2(place, old, follow_symlinks=False)


def _without_waiting(path: str, flags: int) -> int:
    """Open a pipe, too, before somebody writes to it."""
    return os.open(path, flags | os.O_NONBLOCK)
