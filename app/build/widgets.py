"""The controls: Panel's Material widgets, and all that is known of their insides."""

from __future__ import annotations

from typing import Any

import panel_material_ui as pmu
import param

from app import theme
from app.controls import CONTROLS
from calc.presets.formats import KV_FORMATS, WEIGHT_FORMATS

#: What the page wants differently from Material, in each control's own shadow root. A style
#: sheet and not `sx`, which would be worked out anew at every move of a handle; the class
#: names stand twice to outweigh Material's own rules.
_CONTROL_CSS = """
:host { display: block; }
.MuiFormLabel-root, .MuiTouchRipple-root { display: none; }
.MuiSlider-root.MuiSlider-root { width: 100%; margin: 0; touch-action: pan-y; }
.MuiSlider-rail.MuiSlider-rail { background: var(--control-line); }
.MuiSlider-track.MuiSlider-track { transition: none; }
.MuiSlider-thumb.MuiSlider-thumb { width: 18px; height: 18px; box-shadow: none; transition: none; }
.MuiSlider-thumb.MuiSlider-thumb::before { box-shadow: none; }
.MuiSlider-thumb.Mui-focusVisible.Mui-focusVisible, .MuiToggleButton-root.Mui-focusVisible {
  outline: 3px solid var(--accent); outline-offset: 3px; z-index: 1; }
.MuiToggleButtonGroup-root.MuiToggleButtonGroup-root { display: grid; gap: 4px;
  grid-template-columns: repeat(4, minmax(0, 1fr)); }
.MuiToggleButton-root.MuiToggleButton-root { color: var(--ink); padding: 0; min-height: 34px;
  margin: 0 !important; border: 1px solid var(--control-line) !important;
  border-radius: 6px !important; }
.MuiToggleButton-root.Mui-selected.Mui-selected { background: var(--accent);
  color: var(--on-accent); font-weight: 650; }
/* What is beyond the first row is shown where the page says so, and where it is chosen. */
.MuiToggleButton-root.MuiToggleButton-root:nth-child(n + 5):not(.Mui-selected) {
  display: var(--beyond, inline-flex); }
@media (pointer: coarse) {
  .MuiSlider-thumb.MuiSlider-thumb { width: 26px; height: 26px; }
  .MuiToggleButton-root.MuiToggleButton-root { min-height: 44px; }
}
"""

#: Longer names take two columns. [characters]
_ONE_COLUMN = 8

_LONG_NAMES_CSS = "".join(
    f'.MuiToggleButton-root[value="{name}"] {{ grid-column: span 2; }}\n'
    for name in WEIGHT_FORMATS | KV_FORMATS
    if len(name) > _ONE_COLUMN
)


#: The widget of each of Panel's kinds, and what it is set to.
_WIDGETS: dict[str, tuple[Any, dict[str, Any]]] = {
    "slider": (pmu.DiscreteSlider, {"show_value": False, "tooltips": False}),
    "buttons": (pmu.RadioButtonGroup, {}),
}


def widgets(inputs: param.Parameterized) -> dict[str, Any]:
    """The widgets of `panel_inputs`, by input, bound to them."""
    controls = {}
    for key in [key for key in inputs.param if key != "name"]:
        widget, settings = _WIDGETS[CONTROLS[key]]
        parameter = inputs.param[key]
        controls[key] = widget.from_param(
            parameter,
            label=parameter.label,
            description="",
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=[_CONTROL_CSS + _LONG_NAMES_CSS],
            theme_config=theme.material(),
            **settings,
        )
    return controls
