"""The same controls as a Panel session with a Python callback: what the widget is compared with."""

from __future__ import annotations

import sys

import panel as pn

from app.page import widget
from app.scenario import Inputs
from calc import evaluate


def session() -> pn.Column:
    """One student's session: the slider's value travels to the server and the number back."""
    inputs = Inputs()

    def text(params_b: float) -> str:
        del params_b  # the inputs have it already; naming it makes Panel call us
        return f"<output>{evaluate(inputs.scenario()).tokens_per_s:,.3f}</output>"

    return pn.Column(
        widget(inputs, "params_b"), pn.pane.HTML(pn.bind(text, inputs.param["params_b"]))
    )


if __name__ == "__main__":
    pn.serve(session, port=int(sys.argv[1]), show=False, threaded=False)
