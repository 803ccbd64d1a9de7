"""Facts copied from public sources, and how a case becomes a scenario."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from calc import KvFormat, Model, read_config

GOLDEN = Path(__file__).parents[1] / "golden"

#: Bytes per cached element; q8_0 and q4_0 are llama.cpp's blocks of 32 with one fp16 scale.
KV_BYTES = {
    "bf16": 2.0,
    "fp16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "int4": 0.5,
    "q8_0": 34 / 32,
    "q4_0": 18 / 32,
}


@cache
def records(name: str) -> list[dict[str, Any]]:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["records"]


@cache
def configs() -> dict[str, dict[str, Any]]:
    return {each["id"]: each["config"] for each in records("models")}


@cache
def model(name: str) -> Model:
    return read_config(configs()[name]).model


def with_full(model: Model, **changes: float) -> Model:
    """The model with other layers that keep everything."""
    return replace(model, full=replace(model.full, **changes))


def kv_format(name: str) -> KvFormat:
    return KvFormat(KV_BYTES[name])
