"""The page in a notebook cell, as an object whose `scenario` follows the sliders."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, NoReturn

import param
from panel.custom import JSComponent

from app.build.clients import notebook_module
from app.build.export import single_file
from calc import Inputs, Report, evaluate
from calc.inputs.declaration import is_open
from calc.inputs.table import INPUTS, refusal, unknown


class _FrozenInputs(dict[str, Any]):
    """Inputs that are set as a whole: changed in place, nobody would hear of it."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError('set all of it: widget.scenario = widget.scenario | {"batch": 64}')

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = _refuse

    def __ior__(self, others: Any) -> Any:  # type: ignore[misc]
        """Others, for the setting that `|=` ends in."""
        return self | others

    def __reduce__(self) -> Any:
        """Copied and packed as what it is made of."""
        return type(self), (dict(self),)


class _Scenario(param.Dict):  # type: ignore[type-arg]
    """All inputs by name, none of which the page would refuse; the lesson's where not set."""

    def __set__(self, obj: Any, val: Any) -> None:
        super().__set__(
            obj, _FrozenInputs(_inputs(val).as_dict()) if isinstance(val, dict) else val
        )


def _inputs(scenario: Mapping[str, Any]) -> Inputs:
    """The inputs that a scenario describes, as a page can show them: each one number or name.

    None is not given, where the model or the set of assumptions then decides.
    """
    for key, value in scenario.items():
        if key not in INPUTS:
            raise ValueError(unknown(str(key)))
        is_missing = value is None and not is_open(INPUTS[key].default)
        if is_missing or isinstance(value, bool):
            raise ValueError(refusal(key, str(value)))
    inputs = Inputs(**{key: value for key, value in scenario.items() if value is not None})
    for key, value in vars(inputs).items():
        if not isinstance(value, float | str):
            raise TypeError(f"{key} must be one number or name: a page shows one scenario")
    return inputs.validate()


class Widget(JSComponent):  # type: ignore[misc]
    """Display it in a cell, move its sliders, read its `scenario` and `report`.

    To set `scenario` says all of it: an input that is left out is as in the lesson's default,
    not as it was. `widget.scenario | {"batch": 64}` changes one and keeps the others.

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

    scenario = _Scenario(default={}, doc="All inputs by name; the lesson's where not set.")
    page = param.String(default="", doc="The whole page, shown in a frame: gzip in base64.")

    def __init__(self, **inputs: Any) -> None:
        settings = {name: inputs.pop(name) for name in list(inputs) if name not in INPUTS}
        for name in {"scenario", "page"} & settings.keys():
            raise TypeError(f"{name} is made here: give inputs, such as batch=64")
        settings.setdefault("sizing_mode", "stretch_width")
        # Packed, because a notebook writes it into a script element of its own.
        page = b64encode(gzip.compress(single_file().encode(), mtime=0)).decode()
        Widget._esm = notebook_module()  # not at import, which reads no files
        super().__init__(scenario=inputs, page=page, **settings)

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
        for key in ("name", "scenario", "page"):
            settings.pop(key, None)
        return type(self)(*objects, **settings | self.scenario | changes)

    @property
    def report(self) -> Report:
        """Every quantity of the present scenario."""
        return evaluate(_inputs(self.scenario).scenario())
