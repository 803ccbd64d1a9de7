"""The page in a notebook cell, as an object whose `scenario` follows the sliders."""

from __future__ import annotations

import gzip
from base64 import b64encode
from typing import Any

import param
from panel.custom import JSComponent

from app.build.clients import notebook_module
from app.build.export import single_file
from calc import Inputs, Report, evaluate
from calc.inputs import INPUTS


class Widget(JSComponent):  # type: ignore[misc]
    """Display it in a cell, move its sliders, read its `scenario` and `report`.

    Parameters
    ----------
    **inputs
        Inputs that differ from the lesson's default, such as `batch=64`.

    Raises
    ------
    ValueError
        Names the input and its range.
    """

    scenario = param.Dict(default={}, doc="All inputs by name; set it to move the sliders.")
    page = param.String(default="", doc="The whole page, shown in a frame: gzip in base64.")

    def __init__(self, **inputs: Any) -> None:
        settings = {name: inputs.pop(name) for name in list(inputs) if name not in INPUTS}
        scenario = Inputs(**inputs).validate().as_dict()
        settings.setdefault("sizing_mode", "stretch_width")
        # Packed, because a notebook writes it into a script element of its own.
        page = b64encode(gzip.compress(single_file().encode(), mtime=0)).decode()
        Widget._esm = notebook_module()  # not at import, which reads no files
        super().__init__(scenario=scenario, page=page, **settings)

    @property
    def report(self) -> Report:
        """Every quantity of the present scenario."""
        inputs = {key: value for key, value in self.scenario.items() if value is not None}
        return evaluate(Inputs(**inputs).scenario())
