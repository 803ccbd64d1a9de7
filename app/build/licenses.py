"""Whose work the page ships, and under which licences: one text, made at each export.

An installed package says its own version and licence. What is inside its browser bundles has
left its licence behind; `notices/` keeps those, each with its source.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

_NOTICES = Path(__file__).parent / "notices"
_OWN = Path(__file__).parents[2] / "LICENSE"


@dataclass(frozen=True)
class Library:
    """A row of `notices/libraries.toml`, which says what the fields are."""

    name: str
    signs: tuple[str, ...]
    distribution: str = ""
    parts: tuple[str, ...] = ()
    copyright: tuple[str, ...] = ()
    text: str = ""
    licence: str = ""
    source: str = ""

    def files(self, shipped: Mapping[str, bytes]) -> list[str]:
        """The names of the files that hold it."""
        signs = [sign.encode() for sign in self.signs]
        return [name for name, content in shipped.items() if any(s in content for s in signs)]

    def notice(self) -> str:
        """Whose it is, and under which licence."""
        if self.distribution:
            version = distribution(self.distribution).version
            return f"Version {version}.\n\n{_of_package(self.distribution)}"
        if not self.copyright:
            return _text(f"{self.text}.txt")
        return "\n".join([*self.copyright, "", f"{self.text} licence, at the end of this file."])


def libraries() -> list[Library]:
    """All libraries that the page may ship."""
    rows = tomllib.loads(_text("libraries.toml"))["library"]
    return [Library(**row) for row in rows]


def licenses(shipped: Mapping[str, bytes]) -> str:
    """The notices and licences of all that is shipped.

    Parameters
    ----------
    shipped : mapping of str to bytes
        What the browser loads, by name.

    Returns
    -------
    str
        Plain text: our own licence, a section for each library in these files, then the
        licences that several share.
    """
    own = _OWN.read_text("utf-8") if _OWN.is_file() else _of_package("decode-arithmetic")
    sections = [_section("Decode arithmetic", own)]
    there = [(library, names) for library in libraries() if (names := library.files(shipped))]
    for library, names in there:
        where = f"In {', '.join(names)}"
        parts = f": {', '.join(library.parts)}" if library.parts else ""
        sections.append(_section(library.name, f"{where}{parts}.\n\n{library.notice()}"))
    shared = sorted({library.text for library, _ in there if library.copyright})
    sections += [_section(f"The {text} licence", _text(f"{text}.txt")) for text in shared]
    return "\n\n".join(sections)


def _section(title: str, body: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{body.strip()}\n"


def _of_package(name: str) -> str:
    """The licence files in an installed package's metadata."""
    licence = re.compile(r"\.dist-info/.*(licen[cs]e|notice|copying)", re.IGNORECASE)
    files = distribution(name).files or []
    return "\n\n".join(each.read_text("utf-8") for each in files if licence.search(str(each)))


def _text(name: str) -> str:
    return (_NOTICES / name).read_text("utf-8")
