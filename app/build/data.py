"""What the page knows besides the arithmetic: inputs, controls, its own keys, units, colours."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from app import theme
from app.contract import page_keys
from app.controls import CONTROLS
from calc.architecture.sizes import USUAL_HEADS, gqa_stops
from calc.inputs import ASSUMPTION_KEYS, INPUTS, MODEL_KEYS, Choice, Inputs, Number
from calc.presets.assumptions import MBU_BAND, RESERVE_BAND_BYTES
from calc.presets.hardware import gpu_rows
from calc.presets.models import OWN_MODELS, model_rows
from calc.rules import RULES
from calc.units import BINARY_UNITS, DISPLAY_UNITS, KIB


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
        "ttft_s",
        "Prefill of one prompt",
        "Time until the first token: the whole prompt in one pass, without a queue.",
    ),
    Readout(
        "decode_flops_per_byte", "Decode", "Arithmetic per byte read while tokens are generated."
    ),
)


def page_data() -> dict[str, Any]:
    """What the page knows besides the arithmetic, by the names that its modules know it by."""
    return {
        "defaults": Inputs().as_dict(),
        "inputs": {key: _values(what) for key, what in INPUTS.items()},
        "controls": {key: _display(what) for key, what in INPUTS.items()},
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
        "readouts": [readout.name for readout in READOUTS],
        "units": DISPLAY_UNITS,
        "binary_units": BINARY_UNITS,
        "KiB": KIB,
        "colours": theme.TOKENS,
    }


def _values(what: Number | Choice) -> dict[str, Any]:
    """What an input takes."""
    if isinstance(what, Choice):
        return {"allowed": what.allowed, "options": list(what.table)}
    return {"allowed": what.allowed, "range": what.range, "whole": what.whole}


def _display(what: Number | Choice) -> dict[str, Any]:
    """How a control shows its input."""
    if isinstance(what, Choice):
        return {"label": what.label}
    return {"label": what.label, "unit": what.unit, "stops": what.stops}
