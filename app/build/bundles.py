"""Bokeh's browser bundles, cut down to the modules that a page needs.

A bundle is a table of modules, each a function that asks for others by key; behind it stand the
key of the one to run first and the public names. The first one registers every model there is,
which brings in everything: here it registers only what is wanted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

_MODULE = re.compile(r'^("[^"\n]+"|\d+): function _\(', re.M)
_END = re.compile(r'^\}, ("[^"\n]+"|\d+), (\{.*?\}), \{\}\);\}\);$', re.M)
_REQUEST = re.compile(r'\w\(("[^"\n]+"|\d+)\)')


@dataclass(frozen=True)
class Bundle:
    """One bundle, taken apart. Keys are as written, with the quotes of texts."""

    head: str
    modules: dict[str, str]
    entry: str
    names: dict[str, str]
    tail: str

    @classmethod
    def parse(cls, text: str) -> Bundle:
        """Take a bundle apart.

        Raises
        ------
        ValueError
            It does not have the form that Bokeh's build gives it.
        """
        starts = list(_MODULE.finditer(text))
        end = _END.search(text)
        if not starts or not end:
            raise ValueError("this is no bundle as Bokeh's build makes them")
        borders = [*(match.start() for match in starts), end.start()]
        modules = {
            match[1]: text[here:there]
            for match, (here, there) in zip(starts, pairwise(borders), strict=True)
        }
        names = {name: json.dumps(key) for name, key in json.loads(end[2]).items()}
        return cls(text[: borders[0]], modules, end[1], names, text[end.end() :])

    def only(self, wanted: Iterable[str], registered: Iterable[str] = ()) -> Bundle:
        """The bundle with the modules of these public names, and what they ask for.

        Parameters
        ----------
        wanted, registered : iterable of str
            Public names. A document can name the models of registered modules; the others are
            there for modules that ask for them.

        Raises
        ------
        KeyError
            There is no module of such a name.
        """
        models = [self.names[name] for name in registered]
        keys: set[str] = set()
        queue = models + [self.names[name] for name in wanted]
        while queue:
            key = queue.pop()
            if key not in keys:
                keys.add(key)
                queue += self._requests(key) & self.modules.keys()
        register = "".join(f"register(require({key}));" for key in models)
        entry = (
            f"{self.entry}: function _(require) "
            f'{{const register = require("@bokehjs/base").register_models;{register}}},\n'
        )
        modules = {key: source for key, source in self.modules.items() if key in keys}
        return Bundle(
            self.head,
            {self.entry: entry} | modules,
            self.entry,
            {name: key for name, key in self.names.items() if key in keys},
            self.tail,
        )

    def asks_elsewhere(self) -> set[str]:
        """Public names that its modules want from other bundles."""
        requests = set().union(*map(self._requests, self.modules))
        prefix = '"@bokehjs/'
        return {key.removeprefix(prefix).rstrip('"') for key in requests if key.startswith(prefix)}

    def text(self) -> str:
        """The bundle put together again."""
        names = json.dumps({name: json.loads(key) for name, key in self.names.items()})
        return "".join(
            [self.head, *self.modules.values(), f"}}, {self.entry}, {names}, {{}});}});", self.tail]
        )

    def _requests(self, key: str) -> set[str]:
        return set(_REQUEST.findall(self.modules[key]))
