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

#: Lists the compressed forms beside it, a line each: the file's hash, the form's, its path.
LIST = "compressed.txt"

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
_MOST_FILES = 10_000

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
        An exported page.

    Returns
    -------
    dict of str to File
        By path in the folder. Hidden files, links to them and links that lead out are left out.

    Raises
    ------
    OSError
        The folder holds no page, or far more than one.
    """
    root = Path(os.path.realpath(folder))
    if not (root / "index.html").is_file():
        raise FileNotFoundError(errno.ENOENT, "No exported page there", str(folder))
    paths = {}
    n_bytes = 0
    for path in _inside(root):
        paths[path.relative_to(root).as_posix()] = path
        n_bytes += path.stat().st_size
        if len(paths) > _MOST_FILES or n_bytes > _MOST_BYTES:
            raise _too_large(folder)
    return prepared({name: path.read_bytes() for name, path in sorted(paths.items())})


def prepared(contents: dict[str, bytes]) -> dict[str, File]:
    """Files ready to send.

    Parameters
    ----------
    contents : dict of str to bytes
        By path. Compressed forms among them are used where `LIST` says that they were made of
        their file, as it is and as they are: to unpack them would take a package for some, and
        for some no end. Others are made here, not quite as small.
    """
    lines = set(contents.get(LIST, b"").splitlines())
    return {
        name: File(
            _MEDIA_TYPES.get(PurePosixPath(name).suffix, "application/octet-stream"),
            _FOR_EVER if re.match(r"assets-[0-9a-f]+/", name) else _ASK_AGAIN,
            dict(_forms(name, contents, lines)),
        )
        for name in contents
        if name != LIST and not _is_form(name, contents)
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
        A `.gz` and, with the package brotli, a `.br` by the path of each, and their `LIST`.
    """
    forms, lines = {}, []
    for name, content in contents.items():
        for encoding, compress in _compressors(brotli_quality=11).items():
            form = compress(content)
            if len(form) < len(content):
                forms[name + ENDINGS[encoding]] = form
                lines.append(line(content, form, name + ENDINGS[encoding]))
    return forms | {LIST: b"".join(each + b"\n" for each in lines)}


def line(content: bytes, form: bytes, name: str) -> bytes:
    """What `LIST` says of a file's compressed form, given both and the form's path."""
    file_hash, form_hash = (hashlib.sha256(each).hexdigest() for each in (content, form))
    return f"{file_hash} {form_hash} {name}".encode()


def _inside(root: Path) -> Iterator[Path]:
    # Not by Path.rglob or os.walk: these call themselves for each folder in a folder.
    folders = [root]
    for folder in folders:
        if len(folders) > _MOST_FILES:
            raise _too_large(root)
        for path in _listing(folder):
            if not _is_shown(path, root):
                continue
            if path.is_dir() and not path.is_symlink():
                folders.append(path)
            # Neither may that be hidden, or elsewhere, which it is a link to.
            elif path.is_file() and _is_shown(Path(os.path.realpath(path)), root):
                yield path


def _listing(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except PermissionError:  # One such as lost+found holds nothing of a page.
        return []


def _too_large(folder: Path) -> OSError:
    return OSError(errno.EFBIG, "Larger than any exported page", str(folder))


def _is_shown(path: Path, root: Path) -> bool:
    if not path.is_relative_to(root):
        return False
    return not any(part.startswith(".") for part in path.relative_to(root).parts)


def _is_form(name: str, names: Container[str]) -> bool:
    """Whether this is named as a compressed form of another file."""
    stem, dot, ending = name.rpartition(".")
    return dot + ending in ENDINGS.values() and stem in names


def _forms(
    name: str, contents: dict[str, bytes], lines: Container[bytes]
) -> Iterator[tuple[str, Form]]:
    content = contents[name]
    yield "", _form(content)
    # A second of waiting at start is too much, so brotli's last tenth is left to `compressed`.
    compressors = _compressors(brotli_quality=9)
    for encoding, ending in ENDINGS.items():
        form = contents.get(name + ending)
        if form is not None and line(content, form, name + ending) in lines:
            yield encoding, _form(form)
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


@lru_cache(maxsize=64)
def _weights(accept_encoding: str) -> dict[str, float]:
    return dict(map(_weight, accept_encoding.lower().split(",")))


def _weight(coding: str) -> tuple[str, float]:
    name, *parameters = (part.strip() for part in coding.split(";"))
    weight = next((p[2:] for p in parameters if p.startswith("q=")), "1")
    # What is not a number is not a wish for compression either.
    return name, float(weight) if re.fullmatch(r"[01](\.\d{0,3})?", weight) else 0.0
