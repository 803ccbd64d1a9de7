"""The files of an exported page, held in memory and ready to send: typed, tagged, compressed."""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath

# Optional: Tornado alone is enough to serve, and a precompressed folder has its .br files.
try:
    import brotli
except ImportError:
    brotli = None

#: File endings of the compressed forms by content encoding, best first.
ENDINGS = {"br": ".br", "gzip": ".gz"}

# Not from `mimetypes`, which reads what the machine has under /etc.
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".ipynb": "application/x-ipynb+json",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}

#: Held in memory: some pages' worth, and no disk's.
_MOST_BYTES = 256 * 2**20

_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"


@dataclass(frozen=True)
class Form:
    """One form of a file, as it is or compressed; two forms never share a tag."""

    body: bytes
    etag: str


@dataclass(frozen=True)
class File:
    """One file in all its forms, by content encoding; the empty encoding is the file as it is."""

    media_type: str
    cache_control: str
    forms: dict[str, Form]

    def encoding(self, accept_encoding: str) -> str:
        """The best encoding that a browser takes, from its `Accept-Encoding`."""
        weights = _weights(accept_encoding)
        everything = weights.get("*", 0.0)
        encodings = (each for each in ENDINGS if weights.get(each, everything) > 0)
        return next((each for each in encodings if each in self.forms), "")


def load(folder: Path) -> dict[str, File]:
    """Read a folder into memory, once.

    Parameters
    ----------
    folder : Path
        An exported page. Its compressed forms are used where they are of their file, and not
        older.

    Returns
    -------
    dict of str to File
        By path in the folder. Hidden files and links that lead out are left out.

    Raises
    ------
    OSError
        The folder holds no page, or far more than one.
    """
    paths = dict(_inside(folder))
    if "index.html" not in paths:
        raise FileNotFoundError(errno.ENOENT, "No exported page there", str(folder))
    stats = {name: path.stat() for name, path in paths.items()}
    if sum(each.st_size for each in stats.values()) > _MOST_BYTES:
        raise OSError(errno.EFBIG, "Larger than any exported page", str(folder))
    times = {name: each.st_mtime_ns for name, each in stats.items()}
    return prepared(
        {
            name: path.read_bytes()
            for name, path in paths.items()
            if not (file := _compressed_from(name, paths)) or times[name] >= times[file]
        }
    )


def prepared(contents: dict[str, bytes]) -> dict[str, File]:
    """Files ready to send.

    Parameters
    ----------
    contents : dict of str to bytes
        By path. Compressed forms among them are used where they are of their file; others are
        made here, not quite as small.
    """
    return {
        name: File(
            _MEDIA_TYPES.get(PurePosixPath(name).suffix, "application/octet-stream"),
            _FOR_EVER if re.match(r"assets-[0-9a-f]+/", name) else _ASK_AGAIN,
            dict(_forms(name, contents)),
        )
        for name in contents
        if not _compressed_from(name, contents)
    }


def compressed(contents: dict[str, bytes]) -> dict[str, bytes]:
    """The compressed forms of files, as small as they get, where they are smaller at all.

    Parameters
    ----------
    contents : dict of str to bytes
        By path.

    Returns
    -------
    dict of str to bytes
        A `.gz` and, with the package brotli, a `.br` by the path of each.
    """
    return {
        name + ENDINGS[encoding]: smaller
        for name, content in contents.items()
        for encoding, compress in _compressors(brotli_quality=11).items()
        if len(smaller := compress(content)) < len(content)
    }


def _inside(folder: Path) -> Iterator[tuple[str, Path]]:
    root = Path(os.path.realpath(folder))
    for path in sorted(root.rglob("*")):
        # Neither it nor what it is a link to may be hidden, or elsewhere.
        places = (path, Path(os.path.realpath(path)))
        if path.is_file() and all(_is_shown(each, root) for each in places):
            yield path.relative_to(root).as_posix(), path


def _is_shown(path: Path, root: Path) -> bool:
    if not path.is_relative_to(root):
        return False
    return not any(part.startswith(".") for part in path.relative_to(root).parts)


def _compressed_from(name: str, names: Container[str]) -> str:
    """The file that this is a compressed form of, if it is one."""
    stem, dot, ending = name.rpartition(".")
    return stem if dot + ending in ENDINGS.values() and stem in names else ""


def _forms(name: str, contents: dict[str, bytes]) -> Iterator[tuple[str, Form]]:
    content = contents[name]
    yield "", _form(content)
    # A second of waiting at start is too much, so brotli's last tenth is left to `compressed`.
    compressors = _compressors(brotli_quality=9)
    for encoding, ending in ENDINGS.items():
        if _holds(contents.get(name + ending), encoding, content):
            yield encoding, _form(contents[name + ending])
        elif encoding in compressors and len(smaller := compressors[encoding](content)) < len(
            content
        ):
            yield encoding, _form(smaller)


def _holds(packed: bytes | None, encoding: str, content: bytes) -> bool:
    """Whether a compressed form is there and is this file's."""
    unpack = {"gzip": gzip.decompress} | ({"br": brotli.decompress} if brotli else {})
    if packed is None or encoding not in unpack:
        return packed is not None
    try:
        return bool(unpack[encoding](packed) == content)
    except Exception:  # Each of them has errors of its own.
        return False


def _form(body: bytes) -> Form:
    return Form(body, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def _compressors(brotli_quality: int) -> dict[str, Callable[[bytes], bytes]]:
    compressors: dict[str, Callable[[bytes], bytes]] = {"gzip": partial(gzip.compress, mtime=0)}
    if brotli:
        compressors["br"] = partial(brotli.compress, quality=brotli_quality)
    return compressors


@lru_cache(maxsize=64)
def _weights(accept_encoding: str) -> dict[str, float]:
    return dict(map(_weight, accept_encoding.lower().split(",")))


def _weight(coding: str) -> tuple[str, float]:
    name, *parameters = (part.strip() for part in coding.split(";"))
    weight = next((p[2:] for p in parameters if p.startswith("q=")), "1")
    # What is not a number is not a wish for compression either.
    return name, float(weight) if re.fullmatch(r"[01](\.\d{0,3})?", weight) else 0.0
