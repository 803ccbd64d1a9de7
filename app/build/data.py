"""What the page knows besides the model: controls, keys of the address, units, colours."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from app import theme
from app.build import figures
from app.contract import page_keys
from app.inputs import (
    ASSUMPTION_KEYS,
    HEADS_TO_GQA_STOPS,
    MODEL_KEYS,
    Choice,
    Inputs,
    keys,
)
from calc.presets.assumptions import MBU_BAND, RESERVE_BAND_BYTES
from calc.presets.hardware import gpu_rows
from calc.presets.models import OWN_MODELS, model_rows
from calc.units import BINARY_UNITS, DISPLAY_UNITS, KIB

#: Controls by the heading they stand under, in reading order.
GROUPS: dict[str, tuple[str, ...]] = {
    "Model": ("params_b", "gqa"),
    "Workload": ("context", "batch"),
    "Precision": ("weights", "kv"),
    "Speculation": ("spec_k", "alpha"),
}


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
