"""The page in a notebook cell, as an object whose `scenario` follows the sliders."""

from __future__ import annotations

import gzip
from base64 import b64encode
from typing import Any

import param
from panel.custom import JSComponent

from app import assets
from app.build.export import single_file
from app.inputs import Inputs, keys
from calc import Report, evaluate


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

    _esm = assets.path("notebook.mjs")

    def __init__(self, **inputs: Any) -> None:
        settings = {name: inputs.pop(name) for name in list(inputs) if name not in keys()}
        checked = Inputs(**inputs)  # type: ignore[no-untyped-call]
        checked.scenario()
        scenario = {key: getattr(checked, key) for key in keys()}
        settings.setdefault("sizing_mode", "stretch_width")
        # Packed, because a notebook writes it into a script element of its own.
        page = b64encode(gzip.compress(single_file().encode(), mtime=0)).decode()
        super().__init__(scenario=scenario, page=page, **settings)

    @property
    def report(self) -> Report:
        """Every quantity of the present scenario."""
        return evaluate(Inputs(**self.scenario).scenario())  # type: ignore[no-untyped-call]
