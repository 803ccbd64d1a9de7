"""The controls of the page: which inputs have one, of which kind, and where."""

from __future__ import annotations

from typing import Any

import param

from calc.inputs.declaration import Choice
from calc.inputs.table import ASSUMPTION_KEYS, CARD_KEYS, INPUTS

#: The form beside the results: inputs in reading order, and the kind of control of each.
FORM: dict[str, str] = {
    "params_b": "slider",
    "gqa": "slider",
    "context": "slider",
    "batch": "slider",
    "weights": "buttons",
    "kv": "buttons",
    "spec_k": "slider",
    "alpha": "slider",
}

#: Names that are in sight, a row of them; the others are a press away.
IN_SIGHT = {"weights": ("bf16", "fp8", "int8", "int4"), "kv": ("bf16", "fp8", "int8", "int4")}

#: The scenario bar: parts of the page, with the controls of each.
BAR: dict[str, dict[str, str]] = {
    "model": {"model": "select"},
    "hardware": {
        "gpus": "entry",
        "gpu": "select",
        **dict.fromkeys(CARD_KEYS, "entry"),
        "usd_per_gpu_hour": "entry",
    },
    "request": {"prompt": "entry", "output": "entry"},
    "assumptions": {"assumptions": "switch"},
}

#: What the explorer asks of one request, each an entry.
REQUEST = dict.fromkeys(
    ("prompt", "output", "prefix_hit", "host_link_gb_per_s", "usd_per_gpu_hour"), "entry"
)

#: What the explorer's assumptions can be changed by.
ASSUMED = {key: "switch" if isinstance(INPUTS[key], Choice) else "entry" for key in ASSUMPTION_KEYS}

#: All inputs that can be set on the page.
CONTROLS = (
    FORM | {key: kind for keys in BAR.values() for key, kind in keys.items()} | REQUEST | ASSUMED
)

#: Kinds of controls that are Panel's widgets; others are the page's own.
PANEL_KINDS = ("slider", "buttons")


def headings() -> dict[str, list[str]]:
    """The controls of the form under the headings that they stand under."""
    groups: dict[str, list[str]] = {}
    for key in FORM:
        groups.setdefault(INPUTS[key].group, []).append(key)
    return groups


def panel_inputs() -> param.Parameterized:
    """The inputs with a widget of Panel's, each one of its stops or names."""
    keys = [key for key, kind in CONTROLS.items() if kind in PANEL_KINDS]
    return param.parameterized_class("PanelInputs", {key: _selector(key) for key in keys})()


def _selector(key: str) -> param.Parameter[Any]:
    what = INPUTS[key]
    options: dict[str, Any]
    if isinstance(what, Choice):
        options = {name: name for name in (*IN_SIGHT.get(key, ()), *what.table)}
    elif what.stops:
        options = {f"{stop:,}": stop for stop in what.stops}
    else:
        raise ValueError(f"{key}: a slider needs `stops` in its declaration; an entry needs none")
    return param.Selector(default=what.default, objects=options, label=what.label, doc=what.doc)
