"""Facts copied from public sources, and how a case becomes a scenario."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from calc import KV_FORMATS, KvFormat, Model, read_config

GOLDEN = Path(__file__).parents[1] / "golden"

#: What cases call a format of the cache.
KV_BYTES = {"fp16": 2.0} | {name: float(form.bytes_per_kv) for name, form in KV_FORMATS.items()}


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
