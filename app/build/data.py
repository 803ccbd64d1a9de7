"""What the page knows besides the model: controls, keys of the address, units, colours."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from app import theme
from app.build import figures
from app.contract import page_keys
from app.controls import CONTROLS
from calc.architecture.sizes import USUAL_HEADS, gqa_stops
from calc.inputs import ASSUMPTION_KEYS, INPUTS, MODEL_KEYS, NUMBERS, Choice, Inputs
from calc.presets.assumptions import MBU_BAND, RESERVE_BAND_BYTES
from calc.presets.hardware import gpu_rows
from calc.presets.models import OWN_MODELS, model_rows
from calc.rules import RULES
from calc.units import BINARY_UNITS, DISPLAY_UNITS, KIB


def batch_curve() -> list[float]:
    """Where the throughput curves are evaluated: two points per doubling of the batch."""
    low, high = NUMBERS["batch"].range
    points = 2 * round(math.log2(high / low)) + 1
    return [float(each) for each in np.geomspace(low, high, points)]


def page_data() -> dict[str, Any]:
    """What the page knows besides the model: controls, units, colours."""
    return {
        "defaults": Inputs().as_dict(),
        "controls": {key: _control(key) for key in INPUTS},
        "shown": list(CONTROLS),
        "page_keys": {name: asdict(key) for name, key in page_keys(list(CONTROLS)).items()},
        "gqa_stops": {heads: gqa_stops(heads) for heads in USUAL_HEADS},
        "rules": {name: asdict(rule) for name, rule in RULES.items()},
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


def _control(key: str) -> dict[str, Any]:
    """One input as the page knows it; `kind` where it has a control."""
    what = INPUTS[key]
    known = {"kind": CONTROLS.get(key, ""), "label": what.label}
    if isinstance(what, Choice):
        return known | {"options": list(what.table)}
    return known | {
        "unit": what.unit,
        "range": what.range,
        "whole": what.whole,
        "stops": what.stops,
        "allowed": what.allowed,
    }
