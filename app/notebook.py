"""The page in a notebook cell, as an object whose `scenario` follows the sliders."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import param
from panel.custom import JSComponent

from app.build.clients import notebook_module
from app.build.export import single_file
from calc import Inputs, Report, evaluate
from calc.inputs import INPUTS, unknown


class _Scenario(param.Dict):  # type: ignore[type-arg]
    """Inputs by name, none of which the page would refuse."""

    def _validate(self, val: Any) -> None:
        super()._validate(val)  # type: ignore[no-untyped-call]
        # The empty default is validated at import, which reads no files.
        if val:
            _inputs(val)


def _inputs(scenario: Mapping[str, Any]) -> Inputs:
    """The inputs that a scenario of the page describes: None is not given."""
    for key in scenario:
        if key not in INPUTS:
            raise ValueError(unknown(str(key)))
    return Inputs(**{key: each for key, each in scenario.items() if each is not None}).validate()


class Widget(JSComponent):  # type: ignore[misc]
    """Display it in a cell, move its sliders, read its `scenario` and `report`.

    Parameters
    ----------
    **inputs
        Inputs that differ from the lesson's default, such as `batch=64`.

    Raises
    ------
    ValueError
        Names the input and its range, also where `scenario` is set. What was there stays.
    TypeError
        It is no input, and no setting of Panel's.
    """

    scenario = _Scenario(default={}, doc="All inputs by name; set it to move the sliders.")
    page = param.String(default="", doc="The whole page, shown in a frame: gzip in base64.")

    def __init__(self, **inputs: Any) -> None:
        settings = {name: inputs.pop(name) for name in list(inputs) if name not in INPUTS}
        for name in {"scenario", "page"} & settings.keys():
            raise TypeError(f"{name} is made here: give inputs, such as batch=64")
        scenario = Inputs(**inputs).validate().as_dict()
        settings.setdefault("sizing_mode", "stretch_width")
        # Packed, because a notebook writes it into a script element of its own.
        page = b64encode(gzip.compress(single_file().encode(), mtime=0)).decode()
        Widget._esm = notebook_module()  # not at import, which reads no files
        super().__init__(scenario=scenario, page=page, **settings)

    @property
    def report(self) -> Report:
        """Every quantity of the present scenario."""
        return evaluate(_inputs(self.scenario).scenario())
