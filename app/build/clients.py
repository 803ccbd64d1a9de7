"""The page's clients: a lesson's `embed.js`, and the module of the notebook's object.

Each is a module of `assets/contract` with all that it imports, for neither a classic script nor
a notebook's cell can import a file beside it.
"""

from __future__ import annotations

from app import assets
from app.build.chunks import chunk
from app.build.placeholder import placeholder
from app.contract import contract_module

#: The modules that are not the page's, but of those around it.
CLIENTS = {f"contract/{name}.mjs" for name in ("client", "embed", "notebook")}


def embed_script() -> str:
    """The custom element that puts the page into a lesson, as one classic script."""
    picture = placeholder()
    inside = _chunk("embed").replace("{picture}", picture)
    return f'(() => {{\n"use strict";\n{inside}}})();\n'


def notebook_module() -> str:
    """The notebook's side of the page, as one module."""
    return _chunk("notebook")


def _chunk(name: str) -> str:
    sources = {path: assets.read_text(path) for path in assets.names(".mjs")}
    sources["built/contract.mjs"] = contract_module()
    return chunk(f"contract/{name}.mjs", sources)
