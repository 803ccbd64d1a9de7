"""What the page loads of Bokeh, Panel and Material, from the installed packages."""

from __future__ import annotations

import json
import re
import warnings
from importlib.resources import files
from pathlib import Path
from typing import Any

import bokeh
import panel

from app.build.bundles import Bundle

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


def scripts(documents: str) -> dict[str, bytes]:
    """The libraries' scripts by name, in the order in which the page loads them.

    Parameters
    ----------
    documents : str
        JSON as Bokeh serialises it: what the page has of Bokeh.

    Returns
    -------
    dict of str to bytes
        Only what the page needs of them; all of them, with a warning, where their form is
        none that can be cut.
    """
    bokeh_js = Path(bokeh.__file__).parent / "server" / "static" / "js"
    panel_js = Path(panel.__file__).parent / "dist"
    names = ("bokeh.min.js", "bokeh-widgets.min.js", "bokeh-tables.min.js")
    whole = {name: (bokeh_js / name).read_text("utf-8") for name in names}
    whole["panel.min.js"] = (panel_js / "panel.min.js").read_text("utf-8")
    try:
        texts = _cut(whole, _models(json.loads(documents)))
    except (KeyError, ValueError) as problem:
        warnings.warn(f"Bokeh and Panel are shipped whole: {problem}", stacklevel=2)
        texts = whole
    return {name: text.encode() for name, text in texts.items()}


def _models(value: Any) -> set[str]:
    """The names of all models in a document."""
    if isinstance(value, list):
        return set().union(*map(_models, value))
    if not isinstance(value, dict):
        return set()
    own = {value["name"]} if value.get("type") == "object" and "name" in value else set()
    return own.union(*map(_models, value.values()))


def _cut(whole: dict[str, str], models: set[str]) -> dict[str, str]:
    """Of Bokeh these models; of Panel the one that the page has; of others what that asks for.

    What it asks for differs between versions of Panel.
    """
    bundles = {name: Bundle.parse(text) for name, text in whole.items()}
    first, *others, last = bundles
    cuts = {last: bundles[last].only([], register=[_COMPONENT])}
    for name in others:
        if names := bundles[name].knows(cuts[last].asks_elsewhere()):
            cuts[name] = bundles[name].only(names)
    requests = set().union(*(bundle.asks_elsewhere() for bundle in cuts.values()))
    main = bundles[first]
    cuts[first] = main.only(
        main.knows(requests),
        register=[
            module
            for model in sorted(models)
            for module in main.with_class(model)
            if module.startswith("models/")
        ],
        export=["index"],
    )
    return {name: cuts[name].text() for name in whole if name in cuts}


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
