"""The page as files: a folder for any static file server, or one file; nothing from elsewhere.

In the folder all assets stand in one folder named after the hash of its contents, so that they can
be cached for ever while `index.html` is looked up anew.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import bokeh
import panel

from app import assets
from app.build.bill import bill
from app.build.bundles import Bundle
from app.build.chunks import chunks
from app.build.clients import embed_script
from app.build.licenses import licenses
from app.build.modules import modules
from app.build.page import page
from app.files import write

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


#: The module of Panel's own bundle that the Material controls are made of.
_COMPONENT = "models/react_component"


def libraries() -> dict[str, bytes]:
    """The browser libraries that the page loads, in order, from the installed packages.

    Bokeh as it is; of Panel the one model that the page has; of Bokeh's other bundles what
    that model asks for, which differs between versions of Panel.
    """
    bokeh_js = Path(bokeh.__file__).parent / "server" / "static" / "js"
    panel_js = Path(panel.__file__).parent / "dist"
    component = Bundle.parse((panel_js / "panel.min.js").read_text("utf-8")).only(
        [], registered=[_COMPONENT]
    )
    scripts = {"bokeh.min.js": (bokeh_js / "bokeh.min.js").read_bytes()}
    for name in ("bokeh-widgets.min.js", "bokeh-tables.min.js"):
        bundle = Bundle.parse((bokeh_js / name).read_text("utf-8"))
        if names := sorted(component.asks_elsewhere() & bundle.names.keys()):
            scripts[name] = bundle.only(names).text().encode()
    return scripts | {"panel.min.js": component.text().encode()}


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
    bundles: dict[str, bytes] = {}

    def local(value: Any) -> Any:
        if isinstance(value, dict) and value.get("type") == "set":
            # Python's order of a set differs from run to run; the files should not.
            return value | {"entries": sorted(value["entries"])}
        if isinstance(value, dict):
            return {k: _LEFT_OUT[k] if k in _LEFT_OUT else local(v) for k, v in value.items()}
        if isinstance(value, list):
            return [local(each) for each in value]
        if isinstance(value, str) and value.startswith("https://"):
            return _local_address(value, bundles)
        return value

    return json.dumps(local(json.loads(documents)), separators=(",", ":")), bundles


def _local_address(address: str, bundles: dict[str, bytes]) -> str:
    for prefix, package in _REMOTE.items():
        if match := prefix.match(address):
            path = address[match.end() :].partition("?")[0]
            name = path.rsplit("/", 1)[-1]
            bundles[name] = files(package).joinpath("dist", path).read_bytes()
            return "{assets}/" + name
    raise ValueError(f"the page refers to {address}, which is not among the installed packages")


@dataclass(frozen=True)
class Files:
    """Everything that a page is made of, by name."""

    html: str
    scripts: dict[str, bytes]  # loaded in this order
    modules: dict[str, str]  # the page's own: `boot.mjs`, and views that are asked for later
    styles: dict[str, str]
    others: dict[str, bytes]

    def all(self) -> dict[str, bytes]:
        """All but the HTML, as bytes."""
        texts = self.modules | self.styles
        return {name: text.encode() for name, text in texts.items()} | self.scripts | self.others


@cache
def files_of_page() -> Files:
    """Build the page and gather what belongs to it."""
    built = page()
    documents, bundles = localized(built.documents)
    return Files(
        html=built.html,
        scripts=libraries(),
        modules=chunks(modules(), "boot.mjs", first=["views/widget.mjs"]),
        styles={"page.css": built.style},
        others=bundles
        | {"documents.json": documents.encode(), "icon.svg": assets.read_text("icon.svg").encode()},
    )


#: Files of the folder that no visit to the page itself loads.
NOT_LOADED = ("page.html", "embed.js", "example-lesson.html", "licenses.txt", "bom.json")


@cache
def exported() -> dict[str, bytes]:
    """Every file of the exported folder by its path in it."""
    page_files = files_of_page()
    contents = page_files.all()
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(name.encode() + b"\0" + contents[name])
    folder = f"assets-{digest.hexdigest()[:12]}"
    bundle = next(name for name in page_files.others if name.endswith(".js"))
    head = [
        f'<link rel="icon" href="{folder}/icon.svg" type="image/svg+xml">',
        '<link rel="license" href="licenses.txt">',
        *(f'<link rel="stylesheet" href="{folder}/{name}">' for name in page_files.styles),
        f'<script type="module" src="{folder}/boot.mjs"></script>',
        *(f'<link rel="preload" as="script" href="{folder}/{s}">' for s in page_files.scripts),
        f'<link rel="modulepreload" href="{folder}/{bundle}">',
    ]
    html = filled(page_files.html, head=head, scripts=page_files.scripts, blocks=[])
    beside = {
        "index.html": html,
        "page.html": single_file(),
        "embed.js": embed_script(),
        "example-lesson.html": assets.read_text("example-lesson.html"),
    }
    shipped = {name: text.encode() for name, text in beside.items()} | {
        f"{folder}/{name}": content for name, content in contents.items()
    }
    notices = {"licenses.txt": licenses(contents), "bom.json": bill(shipped)}
    return shipped | {name: text.encode() for name, text in notices.items()}


def single_file() -> str:
    """The page as one HTML file that opens from disk, with everything inside.

    Notes
    -----
    Browsers refuse module files from `file://`. Here the modules are `data:` addresses in
    an import map, and the libraries inert blocks that the page turns into scripts.
    """
    page_files = files_of_page()
    imports = {
        name: "data:text/javascript;base64," + b64encode(from_top(name, source).encode()).decode()
        for name, source in page_files.modules.items()
    }
    icon = b64encode(page_files.others["icon.svg"]).decode()
    head = [
        f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">',
        *(f"<style>{style}</style>" for style in page_files.styles.values()),
        f'<script type="importmap">{json.dumps({"imports": imports})}</script>',
        '<script type="module">import "boot.mjs";</script>',
    ]
    inside = page_files.scripts | page_files.others
    inside["licenses.txt"] = licenses(page_files.all()).encode()
    blocks = [
        f'<script type="text/plain" data-file="{name}">{inert(content.decode())}</script>'
        for name, content in inside.items()
        if not name.endswith(".svg")
    ]
    return filled(page_files.html, head=head, scripts=page_files.scripts, blocks=blocks)


def from_top(name: str, source: str) -> str:
    """A module that names others by their whole paths, instead of from where it stands."""

    def whole(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))
        return f'{match[1]}"{path}"'

    return re.sub(r'\b(from |import\()"(\.[\w./]+)"', whole, source)


def filled(html: str, *, head: list[str], scripts: Iterable[str], blocks: list[str]) -> str:
    """The page's HTML with its three places filled in."""
    places = {"{head}": "\n".join(head), "{scripts}": " ".join(scripts)}
    places["{blocks}"] = "\n".join(blocks)
    return re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], html)


def inert(source: str) -> str:
    """A library's source that cannot end, or begin, a script element of the page."""
    # In JavaScript and JSON these stand only inside strings, where this is the same character.
    return re.sub(r"<(?=/script|script|!--)", r"\\u003c", source, flags=re.IGNORECASE)


def export(target: Path) -> None:
    """Write the page: a folder for any static file server, or one file.

    Parameters
    ----------
    target : Path
        One self-contained file if it ends in `.html`, else a folder, made if it is not
        there. Files of the same names are replaced, once all can be.
    """
    if target.suffix == ".html":
        # A link stays one: what it leads to is replaced.
        place = target.resolve()
        write(place.parent, {place.name: single_file().encode()})
    else:
        write(target, exported())
