"""The page: our own skeleton, Panel's controls, Bokeh's figures, the traced module.

Everything here is built once, when the page is exported. In the browser
`assets/boot.mjs` takes over.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from bokeh.document import Document
from bokeh.embed.util import standalone_docs_json_and_render_items
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app import explorer, lab, theme
from app.assets import names, path, read_text
from app.build.arithmetic import arithmetic_module, formulas_module
from app.build.data import page_data
from app.build.explorer_figures import explorer_figures
from app.build.figures import CHARTS, meter
from app.build.first_paint import first_paint
from app.build.lab_figures import lab_figures
from app.build.widgets import widgets
from app.contract import FIRST_VIEW, READOUTS
from app.controls import ASSUMED, BAR, CONTROLS, IN_SIGHT, REQUEST, headings, panel_inputs
from app.tracing.module import presets
from calc.inputs.table import CARD_KEYS, CHOICES, INPUTS
from calc.presets.assumptions import ASSUMPTION_NAMES


@dataclass(frozen=True)
class Page:
    """The built page: HTML, and everything the browser loads beside it."""

    html: str
    arithmetic: str
    formulas: str
    presets: str
    data: str
    documents: str
    style: str


@cache
def page() -> Page:
    """Build the page.

    Returns
    -------
    Page
        `html` has places for its `{head}`, the names of its `{scripts}` and its `{blocks}` of
        data, to be filled in by the exporter.
    """
    # Two documents: the Material controls restyle every figure of their own document.
    documents = {"controls": embedded(controls()), "figures": embedded(figures())}
    return Page(
        html=first_paint(templates().get_template("page.html").render()),
        arithmetic=arithmetic_module(),
        formulas=formulas_module(),
        presets=presets({key: choice.table for key, choice in CHOICES.items()}),
        data=f"export default {json.dumps(page_data(), ensure_ascii=False)};\n",
        documents=json.dumps(documents),
        style=style_sheet(),
    )


def style_sheet() -> str:
    """The colours, then the page's own style sheets: its parts' and its first view's come last."""
    parts = [name for name in names(".css") if name.startswith("parts/")]
    sheets = ["page.css", *parts, f"views/{FIRST_VIEW}.css"]
    return theme.style_sheet() + "".join(map(read_text, sheets))


#: What makes the figures of a view that has some of its own.
VIEW_FIGURES: dict[str, Callable[[], dict[str, Any]]] = {
    "lab": lab_figures,
    "explorer": explorer_figures,
}


def face_module(view: str) -> str:
    """A view's own HTML, CSS and figures, for those that are not on the page from the first.

    Parameters
    ----------
    view : str
        Its name, which its files have, too.
    """
    html = templates().get_template(f"views/{view}.html").render()
    face: dict[str, Any] = {"html": html, "css": read_text(f"views/{view}.css")}
    if figures_of := VIEW_FIGURES.get(view):
        places = {f"place-{name}": figure for name, figure in figures_of().items()}
        face["figures"] = embedded(places)
    return "".join(
        f"export const {name} = {json.dumps(text, ensure_ascii=False)};\n"
        for name, text in face.items()
    )


def templates() -> Environment:
    """The HTML of `assets`, with what it is filled with.

    Returns
    -------
    Environment
        Its templates include each other by path. `prefix` begins every id: a page that has a
        part twice sets another one for each.
    """
    environment = Environment(
        loader=FileSystemLoader(path("")),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
    )
    environment.globals |= {
        "headings": headings(),
        "bar": BAR,
        "in_bar": {key for keys in BAR.values() for key in keys},
        "in_sight": IN_SIGHT,
        "names": {key: {name: name for name in choice.table} for key, choice in CHOICES.items()}
        | {"assumptions": ASSUMPTION_NAMES},
        "own": CARD_KEYS,
        "inputs": INPUTS,
        "kinds": CONTROLS,
        "readouts": READOUTS,
        "charts": CHARTS,
        "lab": {
            "fields": lab.FIELDS,
            "shared": lab.SHARED,
            "more": lab.MORE,
            "replays": lab.REPLAYS,
            "limits": lab.LIMITS,
            "charts": lab.CHARTS,
        },
        "studies": explorer.STUDIES,
        "explorer_fields": explorer.FIELDS | explorer.SELECTIONS,
        "request_keys": list(REQUEST),
        "assumed": ASSUMED,
        "prefix": "",
    }
    return environment


def controls(prefix: str = "") -> dict[str, Any]:
    """Panel's controls by the ids of their places; `prefix` as in `templates`."""
    return {
        f"{prefix}place-{key}": widget.get_root() for key, widget in widgets(panel_inputs()).items()
    }


def figures(prefix: str = "") -> dict[str, Any]:
    """Bokeh's figures likewise: the charts and the meter."""
    makers = {name: chart.figure for name, chart in CHARTS.items()} | {"meter": meter}
    return {f"{prefix}place-{name}": figure() for name, figure in makers.items()}


def embedded(roots: dict[str, Any]) -> dict[str, Any]:
    """A Bokeh document of these roots, and where each goes: what `embed_items` takes.

    Parameters
    ----------
    roots : dict of str to Bokeh model
        By the ids of the elements into which they go.

    Returns
    -------
    dict
        `json` and `roots`. Our own names instead of Panel's random ones: the same page
        gives the same files.
    """
    document = Document()
    for place, root in roots.items():
        root.name = place
        document.add_root(root)
    (contents,) = standalone_docs_json_and_render_items(document)[0].values()
    contents["defs"] = _definitions(contents)
    return {"json": contents, "roots": {root.id: place for place, root in roots.items()}}


def _definitions(contents: Any) -> list[Any]:
    # Bokeh writes out every model class that Panel has made, one of them under a random name.
    definitions = {each["name"]: each for each in contents.get("defs") or []}
    names: set[str] = set()
    text = json.dumps(contents["roots"])
    while more := {name for name in definitions.keys() - names if f'"{name}"' in text}:
        names |= more
        text = json.dumps([definitions[name] for name in more])
    return [each for name, each in definitions.items() if name in names]
