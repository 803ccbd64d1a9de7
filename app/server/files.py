"""The files of an exported page, held in memory and ready to send: typed, tagged, compressed."""

from __future__ import annotations

import errno
import gzip
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

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
        weights = dict(map(_weight, accept_encoding.lower().split(",")))
        everything = weights.get("*", 0.0)
        encodings = (each for each in ENDINGS if weights.get(each, everything) > 0)
        return next((each for each in encodings if each in self.forms), "")


def load(folder: Path) -> dict[str, File]:
    """Read a folder into memory, once.

    Parameters
    ----------
    folder : Path
        An exported page. Compressed forms made by `precompress` are used where they are
        not older than their file; others are made here.

    Returns
    -------
    dict of str to File
        By path in the folder. Hidden files and links that lead out are left out.

    Raises
    ------
    FileNotFoundError
        The folder holds no page.
    """
    paths = dict(_inside(folder))
    if "index.html" not in paths:
        raise FileNotFoundError(errno.ENOENT, "No exported page there", str(folder))
    return {
        name: File(
            _MEDIA_TYPES.get(path.suffix, "application/octet-stream"),
            _FOR_EVER if re.match(r"assets-[0-9a-f]+/", name) else _ASK_AGAIN,
            dict(_forms(name, paths)),
        )
        for name, path in paths.items()
        if not _is_compressed_form(name, paths)
    }


def precompress(folder: Path) -> None:
    """Write the compressed forms beside the files of a folder, as small as they get.

    Parameters
    ----------
    folder : Path
        An exported page. Each file gets a `.gz` and, with the package brotli, a `.br`,
        unless it would not be smaller.
    """
    paths = dict(_inside(folder))
    for name, path in paths.items():
        if _is_compressed_form(name, paths):
            continue
        content = path.read_bytes()
        for encoding, compress in _compressors(brotli_quality=11).items():
            smaller = compress(content)
            if len(smaller) < len(content):
                path.with_name(path.name + ENDINGS[encoding]).write_bytes(smaller)


def _inside(folder: Path) -> Iterator[tuple[str, Path]]:
    root = folder.resolve()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        hidden = any(part.startswith(".") for part in name.split("/"))
        if path.is_file() and path.resolve().is_relative_to(root) and not hidden:
            yield name, path


def _is_compressed_form(name: str, paths: dict[str, Path]) -> bool:
    stem, dot, ending = name.rpartition(".")
    return dot + ending in ENDINGS.values() and stem in paths


def _forms(name: str, paths: dict[str, Path]) -> Iterator[tuple[str, Form]]:
    content = paths[name].read_bytes()
    yield "", _form(content)
    # A second of waiting at start is too much, so brotli's last tenth is left to `precompress`.
    compressors = _compressors(brotli_quality=9)
    for encoding, ending in ENDINGS.items():
        path = paths.get(name + ending)
        if path and path.stat().st_mtime_ns >= paths[name].stat().st_mtime_ns:
            yield encoding, _form(path.read_bytes())
        elif encoding in compressors and len(smaller := compressors[encoding](content)) < len(
            content
        ):
            yield encoding, _form(smaller)


def _form(body: bytes) -> Form:
    return Form(body, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def _compressors(brotli_quality: int) -> dict[str, Callable[[bytes], bytes]]:
    compressors: dict[str, Callable[[bytes], bytes]] = {"gzip": partial(gzip.compress, mtime=0)}
    if brotli:
        compressors["br"] = partial(brotli.compress, quality=brotli_quality)
    return compressors


def _weight(coding: str) -> tuple[str, float]:
    name, *parameters = (part.strip() for part in coding.split(";"))
    weight = next((p[2:] for p in parameters if p.startswith("q=")), "1")
    # What is not a number is not a wish for compression either.
    return name, float(weight) if re.fullmatch(r"[01](\.\d{0,3})?", weight) else 0.0
