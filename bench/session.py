"""The same page as a Panel session with a Python callback: what the widget is compared with."""

from __future__ import annotations

import sys

import panel as pn

from app.build import figures
from app.build.data import GROUPS
from app.build.widgets import widget
from app.inputs import Inputs
from calc import evaluate


def slider() -> pn.Column:
    """One control of one student: its value travels to the server and the number back."""
    inputs = Inputs()
    return pn.Column(widget(inputs, "params_b"), readout(inputs, "params_b"))


def page() -> pn.Column:
    """All controls, a readout that follows each of them, and all charts, of one student."""
    inputs = Inputs()
    keys = [key for group in GROUPS.values() for key in group]
    charts = (
        figures.throughput(inputs.param["batch"].range),
        figures.roofline(),
        figures.step_time(),
    )
    controls = [widget(inputs, key) for key in keys]
    return pn.Column(*controls, readout(inputs, *keys), *map(pn.pane.Bokeh, charts))


def readout(inputs: Inputs, *keys: str) -> pn.pane.HTML:
    """The throughput in Python, anew whenever one of these inputs moves."""

    def text(*values: object) -> str:
        del values  # the inputs have them already; naming them makes Panel call us
        return f"<output>{evaluate(inputs.scenario()).tokens_per_s:,.3f}</output>"

    return pn.pane.HTML(pn.bind(text, *(inputs.param[key] for key in keys)))


if __name__ == "__main__":
    shown = {"slider": slider, "page": page}[sys.argv[2]]
    pn.serve(shown, port=int(sys.argv[1]), show=False, threaded=False)
