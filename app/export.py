"""The page as files: a folder for any static file server, nothing from elsewhere.

All assets stand in one folder named after the hash of its contents, so that they can
be cached for ever while `index.html` is looked up anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import bokeh
import panel

from app import assets
from app.page import page

#: Address prefixes in Panel's document → the installed package whose `dist` holds the same files.
_REMOTE = {
    re.compile(r"https://cdn\.holoviz\.org/panel-material-ui/v[^/]+/"): "panel_material_ui",
    re.compile(r"https://cdn\.holoviz\.org/panel/[^/]+/dist/"): "panel",
}

#: Properties that name files which are never fetched. Of the import map only the fact that
#: it speaks of Material counts: with it, styles go into each control's own shadow root.
_LEFT_OUT: dict[str, Any] = {
    "css_bundle": None,
    "importmap": {
        "type": "map",
        "entries": [["imports", {"type": "map", "entries": [["@mui/material/", "{assets}/"]]}]],
    },
}


def libraries() -> dict[str, bytes]:
    """The browser libraries that the page loads, in order, from the installed packages."""
    static = Path(bokeh.__file__).parent / "server" / "static" / "js"
    names = ["bokeh.min.js", "bokeh-widgets.min.js"]
    # Panel 1.9's bundle is linked against Bokeh's tables; 1.10's is not.
    if tuple(map(int, panel.__version__.split(".")[:2])) < (1, 10):
        names.append("bokeh-tables.min.js")
    scripts = {name: (static / name).read_bytes() for name in names}
    return scripts | {
        "panel.min.js": (Path(panel.__file__).parent / "dist/panel.min.js").read_bytes()
    }


def localized(documents: str) -> tuple[str, dict[str, bytes]]:
    """Panel's documents with every remote address turned into a local asset.

    Parameters
    ----------
    documents : str
        JSON as Bokeh serialises it.

    Returns
    -------
    str
        The same with `{assets}/name` for each remote file.
    dict of str to bytes
        The files by name.
    """
    found: dict[str, bytes] = {}

    def local(value: Any) -> Any:
        if isinstance(value, dict) and value.get("type") == "set":
            # Python's order of a set differs from run to run; the files should not.
            return value | {"entries": sorted(value["entries"])}
        if isinstance(value, dict):
            return {k: _LEFT_OUT[k] if k in _LEFT_OUT else local(v) for k, v in value.items()}
        if isinstance(value, list):
            return [local(each) for each in value]
        if isinstance(value, str) and value.startswith("https://"):
            return _local_address(value, found)
        return value

    return json.dumps(local(json.loads(documents)), separators=(",", ":")), found


def _local_address(address: str, found: dict[str, bytes]) -> str:
    for prefix, package in _REMOTE.items():
        if match := prefix.match(address):
            path = address[match.end() :].partition("?")[0]
            name = path.rsplit("/", 1)[-1]
            found[name] = files(package).joinpath("dist", path).read_bytes()
            return "{assets}/" + name
    raise ValueError(f"the page refers to {address}, which is not among the installed packages")


@cache
def exported() -> dict[str, bytes]:
    """Every file of the page by its path in the folder."""
    built = page()
    documents, bundles = localized(built.documents)
    scripts = libraries()
    own = {
        "model.mjs": built.model,
        "data.mjs": built.data,
        "documents.json": documents,
        "tokens.css": built.tokens,
        **{
            name: assets.read_text(name)
            for suffix in (".mjs", ".css", ".svg")
            for name in assets.names(suffix)
        },
    }
    contents = {name: text.encode() for name, text in own.items()} | scripts | bundles
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(name.encode() + b"\0" + contents[name])
    folder = f"assets-{digest.hexdigest()[:12]}"
    preloads = [f'<link rel="preload" as="script" href="{{assets}}/{name}">' for name in scripts]
    preloads += [
        f'<link rel="modulepreload" href="{{assets}}/{name}">'
        for name in bundles
        if name.endswith(".js")
    ]
    html = built.html.replace("{preloads}", "\n".join(preloads)).replace("{assets}", folder)
    return {"index.html": html.encode()} | {f"{folder}/{n}": c for n, c in contents.items()}


def export(directory: Path) -> None:
    """Write the page into a folder that any static file server can serve.

    Parameters
    ----------
    directory : Path
        Made if it is not there; files of the same names are replaced.
    """
    for path, content in exported().items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
