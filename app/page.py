"""The page: our own skeleton, Panel's controls, Bokeh's figures, the traced module.

Everything here is built once, when the page is exported. In the browser
`assets/page.mjs` takes over.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
import panel_material_ui as pmu
from bokeh.document import Document
from bokeh.embed.util import standalone_docs_json_and_render_items
from jinja2 import Environment, StrictUndefined

from app import figures, theme
from app.address import page_keys
from app.assets import read_text
from app.scenario import (
    ASSUMPTION_KEYS,
    HEADS_TO_GQA_STOPS,
    MODEL_KEYS,
    Choice,
    Inputs,
    Number,
    keys,
)
from app.tracing.module import module, presets
from app.tracing.run import trace_function, trace_report
from calc import Report, decode, roofline, scenario, specs
from calc.contradiction import contradiction
from calc.presets import (
    CHOICES,
    MBU_BAND,
    OWN_MODELS,
    RESERVE_BAND_BYTES,
    Overlap,
    gpu_rows,
    model_rows,
)
from calc.quantity import Quantity, quantities
from calc.units import BINARY_UNITS, DISPLAY_UNITS, KIB

#: Controls by the heading they stand under, in reading order.
GROUPS: dict[str, tuple[str, ...]] = {
    "Model": ("params_b", "gqa"),
    "Workload": ("context", "batch"),
    "Precision": ("weights", "kv"),
    "Speculation": ("spec_k", "alpha"),
}


@dataclass(frozen=True)
class Readout:
    """A big number: the report's field, its title, and what it means in one sentence."""

    name: str
    title: str
    meaning: str


READOUTS = (
    Readout("kv_bytes_per_token", "KV cache per token", "What one more token of context costs."),
    Readout("tokens_per_s", "All users together", "Tokens per second summed over the whole batch."),
    Readout("tokens_per_s_per_user", "One user", "Tokens per second that a single reader sees."),
    Readout("kv_bytes", "KV cache in all", "Keys and values of every sequence in flight."),
    Readout(
        "prefill_flops_per_byte",
        "Prefill",
        "Arithmetic per byte of weights read while the prompt is processed.",
    ),
    Readout(
        "decode_flops_per_byte", "Decode", "Arithmetic per byte read while tokens are generated."
    ),
)

#: Charts by name: the tab's title, and what the axes show.
TABS = {
    "throughput": ("Throughput", "tokens per second over batch (sequences in flight)"),
    "roofline": (
        "Roofline",
        "attainable TFLOP/s over arithmetic intensity (FLOP per byte read)",
    ),
    "steptime": ("Step time", "milliseconds"),
}

#: Quantities whose formula can be asked for: what is given has none, n_kv comes from g.
_GIVEN = {"n_params", "n_active_params", "hbm_bytes"}
EXPLAINED = (
    "n_kv_heads",
    *(name for name, what in quantities(Report) if not what.detail and name not in _GIVEN),
)

#: What the page computes beside the report.
_FUNCTIONS = (roofline.attainable_flops_per_s, decode.speedup, contradiction)

_RECORDS = {
    "model": specs.Model,
    "acceptance": specs.AcceptedTokens,
    "overlap": Overlap,
    "weights": specs.WeightFormat,
    "kv": specs.KvFormat,
    "gpu": specs.Gpu,
    "assumptions": specs.Assumptions,
}

#: What the page wants differently from Material, in each control's own shadow root. A style
#: sheet and not `sx`, which would be worked out anew at every move of a handle; the class
#: names stand twice to outweigh Material's own rules.
_CONTROL_CSS = """
:host { display: block; }
.MuiFormLabel-root, .MuiTouchRipple-root { display: none; }
.MuiSlider-root.MuiSlider-root { width: 100%; margin: 0; }
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
@media (pointer: coarse) {
  .MuiSlider-thumb.MuiSlider-thumb { width: 26px; height: 26px; }
  .MuiToggleButton-root.MuiToggleButton-root { min-height: 44px; }
}
"""


def widget(inputs: Inputs, key: str) -> Any:
    """The Material control of one input."""
    parameter = inputs.param[key]
    settings = {
        "label": parameter.label,
        "description": "",
        "sizing_mode": "stretch_width",
        "margin": 0,
        "stylesheets": [_CONTROL_CSS],
        "theme_config": theme.material(),
    }
    if isinstance(parameter, Choice):
        return pmu.RadioButtonGroup.from_param(parameter, **settings)
    return pmu.DiscreteSlider.from_param(parameter, show_value=False, tooltips=False, **settings)


@dataclass(frozen=True)
class Page:
    """The built page: HTML, and everything the browser loads beside it."""

    html: str
    model: str
    presets: str
    data: str
    documents: str
    tokens: str


@cache
def page() -> Page:
    """Build the page.

    Returns
    -------
    Page
        `html` has places for its `{head}`, the names of its `{scripts}` and its `{blocks}` of
        data, to be filled in by the exporter.
    """
    inputs = Inputs()  # type: ignore[no-untyped-call]
    controls = {key: widget(inputs, key).get_root() for group in GROUPS.values() for key in group}
    charts = {
        "throughput": figures.throughput(inputs.param["batch"].range),
        "roofline": figures.roofline(),
        "steptime": figures.step_time(),
    }
    # Two documents: the Material controls restyle every figure of their own document.
    documents = {"controls": embedded(controls), "figures": embedded(charts)}
    environment = Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True)
    html = environment.from_string(read_text("page.html")).render(
        groups=GROUPS, inputs=inputs.param, readouts=READOUTS, tabs=TABS
    )
    return Page(
        html=html,
        model=traced_module(),
        presets=presets(CHOICES),
        data=f"export default {json.dumps(page_data(), ensure_ascii=False)};\n",
        documents=json.dumps(documents),
        tokens=theme.style_sheet(),
    )


def embedded(roots: dict[str, Any]) -> dict[str, Any]:
    """A Bokeh document of these roots, and where each goes: what `embed_items` takes.

    Parameters
    ----------
    roots : dict of str to Bokeh model
        Each is named `root_…` and goes into the element with id `place-…`.

    Returns
    -------
    dict
        `json` and `roots`. Our own ids instead of Bokeh's random ones: the same page
        gives the same files.
    """
    document = Document()
    for name, root in roots.items():
        root.name = f"root_{name}"
        document.add_root(root)
    (serialized,) = standalone_docs_json_and_render_items(document)[0].values()
    serialized["defs"] = _used_definitions(serialized)
    return {"json": serialized, "roots": {root.id: f"place-{name}" for name, root in roots.items()}}


def _used_definitions(serialized: Any) -> list[Any]:
    # Bokeh writes out every model class that Panel has made, one of them under a random name.
    used, left = [], list(serialized.get("defs") or [])
    text = json.dumps(serialized["roots"])
    while found := [each for each in left if f'"{each["name"]}"' in text]:
        used += found
        left = [each for each in left if each not in found]
        text = json.dumps(found)
    return [each for each in serialized.get("defs") or [] if each in used]


def traced_module() -> str:
    """The ES module that computes in the page, traced from `calc`."""
    numbers = tuple(key for key in keys() if isinstance(Inputs.param[key], Number))
    report = trace_report(scenario, numbers, _RECORDS)
    functions = [trace_function(f) for f in _FUNCTIONS]
    return module(report, functions, labels(), EXPLAINED)


def labels() -> dict[str, Quantity]:
    """Label, unit and symbol of every quantity that a formula can name."""
    named = {
        key: Quantity(p.label or key, p.unit, p.symbol)
        for key in keys()
        if isinstance(p := Inputs.param[key], Number)
    }
    records = (
        *_RECORDS.values(),
        specs.Model,
        specs.Workload,
        specs.Speculation,
        specs.Scenario,
        Report,
    )
    for record in records:
        named |= dict(quantities(record))
    return named


def shown_keys() -> list[str]:
    """The inputs that have a control, in reading order."""
    return [key for group in GROUPS.values() for key in group]


def batch_curve() -> list[float]:
    """Where the throughput curves are evaluated: two points per doubling of the batch."""
    low, high = Inputs.param["batch"].range
    points = 2 * round(math.log2(high / low)) + 1
    return [float(each) for each in np.geomspace(low, high, points)]


def page_data() -> dict[str, Any]:
    """What the page knows besides the model: controls, units, colours."""
    defaults = Inputs().param.values()  # type: ignore[no-untyped-call]
    controls = {}
    for key in keys():
        parameter = Inputs.param[key]
        if isinstance(parameter, Choice):
            controls[key] = {"label": parameter.label or key, "options": parameter.objects}
        else:
            controls[key] = {
                "label": parameter.label or key,
                "unit": parameter.unit,
                "range": parameter.range,
                "whole": parameter.whole,
                "stops": parameter.stops,
                "allowed": parameter.allowed,
            }
    return {
        "defaults": {key: defaults[key] for key in keys()},
        "controls": controls,
        "shown": shown_keys(),
        "page_keys": {name: asdict(key) for name, key in page_keys(shown_keys()).items()},
        "gqa_stops": HEADS_TO_GQA_STOPS,
        "gpu_names": {id_: row["name"] for id_, row in gpu_rows().items()},
        "model_names": {id_: row["name"] for id_, row in model_rows().items()},
        "own_models": OWN_MODELS,
        "assumption_keys": ASSUMPTION_KEYS,
        "model_keys": MODEL_KEYS,
        "bands": {"mbu": MBU_BAND, "reserve": RESERVE_BAND_BYTES},
        "batch_curve": batch_curve(),
        "roofline": {"x": figures.ROOFLINE_INTENSITY, "y": figures.ROOFLINE_FLOPS_PER_S},
        "units": DISPLAY_UNITS,
        "binary_units": BINARY_UNITS,
        "KiB": KIB,
        "colours": theme.TOKENS,
    }
