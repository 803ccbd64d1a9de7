"""The controls of the page: which inputs have one, of which kind, and as Panel takes them."""

from __future__ import annotations

from typing import Any

import param

from calc.inputs import INPUTS, Choice

#: Inputs that can be set on the page, in reading order, and the kind of control of each.
CONTROLS: dict[str, str] = {
    "params_b": "slider",
    "gqa": "slider",
    "context": "slider",
    "batch": "slider",
    "weights": "choice",
    "kv": "choice",
    "spec_k": "slider",
    "alpha": "slider",
}


def headings() -> dict[str, list[str]]:
    """The controls under the headings that they stand under."""
    groups: dict[str, list[str]] = {}
    for key in CONTROLS:
        groups.setdefault(INPUTS[key].group, []).append(key)
    return groups


def panel_inputs() -> param.Parameterized:
    """The inputs that have a control, each one of its stops or names: what Panel binds to."""
    return param.parameterized_class("PanelInputs", {key: _selector(key) for key in CONTROLS})()


def _selector(key: str) -> param.Parameter[Any]:
    what = INPUTS[key]
    options: dict[str, Any]
    if isinstance(what, Choice):
        options = {name: name for name in what.table}
    else:
        options = {f"{stop:,}": stop for stop in what.stops}
    return param.Selector(default=what.default, objects=options, label=what.label, doc=what.doc)
