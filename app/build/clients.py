"""The page's clients: a lesson's `embed.js`, and the module of the notebook's object.

Each is a module of `assets/contract` with what it imports in its place, for neither a classic
script nor a notebook's cell can import a file beside it.
"""

from __future__ import annotations

import posixpath
import re

from app import assets
from app.build.placeholder import placeholder
from app.contract import contract_module
from calc import evaluate, scenario

#: The modules that are not the page's, but of those around it.
CLIENTS = {f"contract/{name}.mjs" for name in ("client", "embed", "notebook")}

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[\w./]+)";\n', re.M)


def embed_script() -> str:
    """The custom element that puts the page into a lesson, as one classic script."""
    picture = placeholder(evaluate(scenario()))
    inside = _with_imports("contract/embed.mjs", set()).replace("{picture}", picture)
    return f'(() => {{\n"use strict";\n{inside}}})();\n'


def notebook_module() -> str:
    """The notebook's side of the page, as one module."""
    return _with_imports("contract/notebook.mjs", set())


def _with_imports(name: str, there: set[str]) -> str:
    """A module in which each import of names is the module itself, unless it is there already."""

    def imported(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[1]))
        if path in there:
            return ""
        there.add(path)
        return re.sub("^export ", "", _with_imports(path, there), flags=re.M)

    return _IMPORT.sub(imported, _source(name))


def _source(name: str) -> str:
    return contract_module() if name == "built/contract.mjs" else assets.read_text(name)
