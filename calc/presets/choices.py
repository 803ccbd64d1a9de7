"""Every input that names a record, with the table it is looked up in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calc.presets.acceptances import ACCEPTANCES
from calc.presets.assumptions import ASSUMPTIONS, OVERLAPS
from calc.presets.formats import KV_FORMATS, WEIGHT_FORMATS
from calc.presets.hardware import GPUS
from calc.presets.models import MODELS

#: Choice → its named records, under the names that the command line and the page use.
CHOICES: dict[str, Mapping[str, Any]] = {
    "model": MODELS,
    "weights": WEIGHT_FORMATS,
    "kv": KV_FORMATS,
    "acceptance": ACCEPTANCES,
    "gpu": GPUS,
    "assumptions": ASSUMPTIONS,
    "overlap": OVERLAPS,
}
