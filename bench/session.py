"""The same page as a Panel session with a Python callback: what the widget is compared with."""

from __future__ import annotations

import sys

import panel as pn
import param

from app.build.figures import CHARTS
from app.build.widgets import widgets
from app.controls import FORM, panel_inputs
from calc import evaluate, scenario


def slider() -> pn.Column:
    """One control of one student: its value travels to the server and the number back."""
    inputs = panel_inputs()
    return pn.Column(widgets(inputs)["params_b"], readout(inputs, "params_b"))


def page() -> pn.Column:
    """All controls, a readout that follows each of them, and all charts, of one student."""
    inputs = panel_inputs()
    charts = [chart.figure() for chart in CHARTS.values()]
    return pn.Column(*widgets(inputs).values(), readout(inputs, *FORM), *map(pn.pane.Bokeh, charts))


def readout(inputs: param.Parameterized, *keys: str) -> pn.pane.HTML:
    """The throughput in Python, anew whenever one of these inputs moves."""

    def text(*values: object) -> str:
        inputs = dict(zip(keys, values, strict=True))
        return f"<output>{evaluate(scenario(**inputs)).tokens_per_s:,.3f}</output>"

    return pn.pane.HTML(pn.bind(text, *(inputs.param[key] for key in keys)))


if __name__ == "__main__":
    root = {"slider": slider, "page": page}[sys.argv[2]]
    pn.serve(root, port=int(sys.argv[1]), show=False, threaded=False)
