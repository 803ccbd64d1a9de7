"""Bokeh's browser bundles, cut down to the modules that a page needs.

A bundle is a table of modules, each a function that asks for others by key, or a list of them
where the keys are their places; behind it stand the key of the one to run first and the public
names. The first one registers every model there is, which brings in everything: here it registers
only what is wanted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

_MODULE = re.compile(r'^(?:("[^"\n]+"|\d+): )?(?=function _\()', re.M)
_END = re.compile(r'^[\]}], ("[^"\n]+"|\d+), (\{.*?\}), \{\}\);\}\);$', re.M)
_ASKS = re.compile(r": function _\((\w+)")


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
        modules = {}
        for place, (match, (here, there)) in enumerate(zip(starts, pairwise(borders), strict=True)):
            key = match[1] or str(place)
            modules[key] = f"{key}: {text[here:there].removeprefix(match[0])}"
        names = {name: json.dumps(key) for name, key in json.loads(end[2]).items()}
        head = re.sub(r"\[$", "{", text[: starts[0].start()].rstrip()) + "\n"
        return cls(head, modules, end[1], names, text[end.end() :])

    def only(
        self, names: Iterable[str], register: Iterable[str] = (), export: Iterable[str] = ()
    ) -> Bundle:
        """The bundle with the modules of these public names, and what they ask for.

        Parameters
        ----------
        names, register, export : iterable of str
            Public names, or keys. The bundle registers the models of some modules, so that a
            document can name them, and exports what others do; the rest is there for modules
            that ask for it.

        Raises
        ------
        KeyError
            There is no module of such a name.
        """
        models, own = [[self._key(name) for name in names] for names in (register, export)]
        keys: set[str] = set()
        queue = models + own + [self._key(name) for name in names]
        while queue:
            key = queue.pop()
            if key not in keys:
                keys.add(key)
                queue += self._requests(key) & self.modules.keys() - {self.entry}
        exports = "".join(f"Object.assign(exports, require({key}));" for key in own)
        registers = "".join(f"register(require({key}));" for key in models)
        entry = (
            f"{self.entry}: function _(require, module, exports) "
            f'{{{exports}const register = require("@bokehjs/base").register_models;{registers}}},\n'
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
        """What its modules want from other bundles: public names, and keys."""
        requests = set().union(*map(self._requests, self.modules)) - self.modules.keys()
        return {key.strip('"').removeprefix("@bokehjs/") for key in requests}

    def knows(self, names: Iterable[str]) -> list[str]:
        """Those of some public names, or keys, of which it has modules; but for its entry."""
        there = (self.names.keys() | self.modules.keys()) - {self.entry}
        return sorted(there.intersection(names))

    def with_class(self, name: str) -> list[str]:
        """The public names of modules that export something of this name, each its own."""
        export = re.compile(rf"\b\w\.{name}=(?!=)")
        return [public for public, key in self.names.items() if export.search(self.modules[key])]

    def text(self) -> str:
        """The bundle put together again."""
        names = json.dumps({name: json.loads(key) for name, key in self.names.items()})
        return "".join(
            [self.head, *self.modules.values(), f"}}, {self.entry}, {names}, {{}});}});", self.tail]
        )

    def _key(self, name: str) -> str:
        return name if name in self.modules else self.names[name]

    def _requests(self, key: str) -> set[str]:
        """What follows the word by which a module asks for others."""
        source = self.modules[key]
        word = _ASKS.search(source)
        return set(re.findall(rf'\b{word[1]}\(("[^"\n]+"|\d+)\)', source)) if word else set()
