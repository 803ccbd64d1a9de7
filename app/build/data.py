"""What the page knows besides the model: controls, keys of the address, units, colours."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from app import theme
from app.contract import page_keys
from app.controls import CONTROLS
from calc.architecture.sizes import USUAL_HEADS, gqa_stops
from calc.inputs import ASSUMPTION_KEYS, INPUTS, MODEL_KEYS, Choice, Inputs
from calc.presets.assumptions import MBU_BAND, RESERVE_BAND_BYTES
from calc.presets.hardware import gpu_rows
from calc.presets.models import OWN_MODELS, model_rows
from calc.rules import RULES
from calc.units import BINARY_UNITS, DISPLAY_UNITS, KIB


def page_data() -> dict[str, Any]:
    """What the page knows besides the model: controls, units, colours."""
    return {
        "defaults": Inputs().as_dict(),
        "controls": {key: _control(key) for key in INPUTS},
        "page_keys": {name: asdict(key) for name, key in page_keys(list(CONTROLS)).items()},
        "gqa_stops": {heads: gqa_stops(heads) for heads in USUAL_HEADS},
        "rules": {name: asdict(rule) for name, rule in RULES.items()},
        "names": {
            choice: {id_: row["name"] for id_, row in rows.items()}
            for choice, rows in {"gpu": gpu_rows(), "model": model_rows()}.items()
        },
        "own_models": OWN_MODELS,
        "assumption_keys": ASSUMPTION_KEYS,
        "model_keys": MODEL_KEYS,
        "bands": {"mbu": MBU_BAND, "reserve": RESERVE_BAND_BYTES},
        "units": DISPLAY_UNITS,
        "binary_units": BINARY_UNITS,
        "KiB": KIB,
        "colours": theme.TOKENS,
    }


def _control(key: str) -> dict[str, Any]:
    """One input as the page knows it."""
    what = INPUTS[key]
    known = {"label": what.label, "allowed": what.allowed}
    if isinstance(what, Choice):
        return known | {"options": list(what.table)}
    return known | {
        "unit": what.unit,
        "range": what.range,
        "whole": what.whole,
        "stops": what.stops,
    }
