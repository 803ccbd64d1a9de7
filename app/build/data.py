"""What the page knows besides the arithmetic: inputs, settings, units, colours."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from app import explorer, theme
from app.contract import READOUTS, Setting, settings
from app.controls import CONTROLS
from app.glossary import glossary
from app.lab import (
    FIELDS,
    MOST_BLOCKS,
    MOST_BLOCKS_OF_MANY,
    MOST_BYTES,
    MOST_LINES,
    OF_ONE,
    REPLAYS,
    lab_settings,
)
from calc.architecture.sizes import USUAL_HEADS, gqa_stops
from calc.inputs.declaration import Choice, Number, as_json
from calc.inputs.table import ASSUMPTION_KEYS, CARD_KEYS, INPUTS, MODEL_KEYS, Inputs
from calc.presets.assumptions import ASSUMPTION_NAMES, ENGINE_SPREAD
from calc.presets.formats import KV_FORMAT_MEANINGS, STAND_INS, WEIGHT_FORMAT_MEANINGS
from calc.presets.hardware import OWN_GPU, gpu_rows
from calc.presets.models import OWN_MODELS, model_rows
from calc.rules import RULES
from calc.serving.inputs import OF_DRAWN, USUAL_PROMPT_LEN
from calc.units import BINARY_UNITS, DISPLAY_UNITS, KIB, TYPED_SUFFIXES


def page_data() -> dict[str, Any]:
    """What the page knows besides the arithmetic, by the names that its modules know it by."""
    return {
        "defaults": Inputs().as_dict(),
        "inputs": {key: _input(what) for key, what in INPUTS.items()},
        "settings": {name: asdict(each) for name, each in _settings().items()},
        "gqa_stops": {heads: gqa_stops(heads) for heads in USUAL_HEADS},
        "rules": {name: asdict(rule) for name, rule in RULES.items()},
        "names": {
            "model": OWN_MODELS | _each(model_rows(), "name"),
            "gpu": {OWN_GPU: "Own GPU"} | _each(gpu_rows(), "name"),
            "assumptions": ASSUMPTION_NAMES,
        },
        "meanings": {"weights": WEIGHT_FORMAT_MEANINGS, "kv": KV_FORMAT_MEANINGS},
        "stand_ins": STAND_INS,
        "prices": {id_: usd for id_, (usd, _) in _each(gpu_rows(), "usd_per_hour").items()},
        "own_models": list(OWN_MODELS),
        "own_gpu": OWN_GPU,
        "assumption_keys": ASSUMPTION_KEYS,
        "model_keys": MODEL_KEYS,
        "card_keys": CARD_KEYS,
        "engine_spread": ENGINE_SPREAD,
        "terms": [asdict(term) for term in glossary()],
        "readouts": list(READOUTS),
        "lab": {
            "usual_prompt": USUAL_PROMPT_LEN,
            "drawn": OF_DRAWN,
            "replays": REPLAYS,
            "conditions": {key: _conditions(what) for key, what in OF_ONE.items()},
            "most_lines": MOST_LINES,
            "most_bytes": MOST_BYTES,
            "most_blocks": MOST_BLOCKS,
            "most_blocks_of_many": MOST_BLOCKS_OF_MANY,
        },
        "units": DISPLAY_UNITS,
        "binary_units": BINARY_UNITS,
        "KiB": KIB,
        "typed_suffixes": TYPED_SUFFIXES,
        "colours": theme.TOKENS,
    }


def _settings() -> dict[str, Setting]:
    """Those of the page and of its views."""
    controls = [*CONTROLS, *FIELDS, *explorer.FIELDS, *explorer.SELECTIONS]
    return settings(controls) | lab_settings() | explorer.explorer_settings()


def _each(rows: dict[str, dict[str, Any]], key: str) -> dict[str, Any]:
    """One entry of each row that has it."""
    return {id_: row[key] for id_, row in rows.items() if key in row}


def _conditions(what: Number | Choice) -> dict[str, Any]:
    """With which other inputs one says something."""
    return {"only": as_json(what.only), "unless": as_json(what.unless)}


def _input(what: Number | Choice) -> dict[str, Any]:
    """What an input takes, and how its control shows it."""
    both = {"label": what.label, "allowed": what.allowed} | _conditions(what)
    if isinstance(what, Choice):
        return both | {"options": list(what.table)}
    # Where it is open, what it sets has a value all the same.
    sets = {"sets": what.sets[0], "factor": what.factor}
    return (
        both
        | sets
        | {
            "unit": what.unit,
            "stops": what.stops,
            "range": what.range,
            "whole": what.whole,
        }
    )
