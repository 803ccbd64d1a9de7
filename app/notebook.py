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
from calc.inputs.table import INPUTS, unknown


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
    return _single(Inputs(**_given(scenario)))


def _given(scenario: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in scenario.items() if value is not None}


def _single(inputs: Inputs) -> Inputs:
    """These inputs, as a page can show them: each one number or one name."""
    for key, value in vars(inputs).items():
        if not isinstance(value, float | str):
            raise TypeError(f"{key} must be one number or name: a page shows one scenario")
    return inputs.validate()


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
        It is no input, and no setting of Panel's; or an array, as a page shows one scenario.
    """

    scenario = _Scenario(default={}, doc="All inputs by name; set it to move the sliders.")
    page = param.String(default="", doc="The whole page, shown in a frame: gzip in base64.")

    def __init__(self, **inputs: Any) -> None:
        settings = {name: inputs.pop(name) for name in list(inputs) if name not in INPUTS}
        for name in {"scenario", "page"} & settings.keys():
            raise TypeError(f"{name} is made here: give inputs, such as batch=64")
        scenario = _single(Inputs(**inputs)).as_dict()
        settings.setdefault("sizing_mode", "stretch_width")
        # Packed, because a notebook writes it into a script element of its own.
        page = b64encode(gzip.compress(single_file().encode(), mtime=0)).decode()
        Widget._esm = notebook_module()  # not at import, which reads no files
        super().__init__(scenario=scenario, page=page, **settings)

    def clone(self, *objects: Any, **changes: Any) -> Widget:
        """Another one, with the same scenario and settings but for those that are given.

        Parameters
        ----------
        *objects
            None, as in every pane of Panel's.
        **changes
            Inputs, or settings of Panel's.

        Returns
        -------
        Widget
            It follows sliders of its own.
        """
        settings = self.param.values(onlychanged=True)
        for made in ("name", "scenario", "page"):
            settings.pop(made, None)
        return type(self)(*objects, **settings | _given(self.scenario) | changes)

    @property
    def report(self) -> Report:
        """Every quantity of the present scenario."""
        return evaluate(_inputs(self.scenario).scenario())
