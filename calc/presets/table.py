"""Tables that are read from their file when someone first looks into them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Generic, TypeVar

_Record = TypeVar("_Record")


class LazyTable(Mapping[str, _Record], Generic[_Record]):
    """A table that is read from its file the first time someone looks into it."""

    def __init__(self, read: Callable[[], dict[str, _Record]]) -> None:
        self._read = cache(read)

    def __getitem__(self, name: str) -> _Record:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


def toml(name: str) -> dict[str, Any]:
    """The content of a file in `data`.

    Parameters
    ----------
    name : str
        The file's name.

    Returns
    -------
    dict
        As it stands there.
    """
    return tomllib.loads(files("calc.presets").joinpath("data", name).read_text(encoding="utf-8"))
