"""Model presets: published configs, read from `data/models.toml`, and the open model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from calc.hf_config.read import read_config
from calc.presets.table import LazyTable, toml
from calc.scenario import LayerKind, Model

#: Models that follow the reader's parameters and heads, by name; all others have their own.
OWN_MODELS = {"7b-class": "7B class", "custom": "Own model"}


@cache
def model_rows() -> dict[str, dict[str, Any]]:
    """Model presets as they stand in the data file: configs, published counts, sources.

    Returns
    -------
    dict of str to dict
        Id → name, source, `config` in the keys of a config.json, and where known
        `published_params` with its source.
    """
    return toml("models.toml")


_OPEN = float("nan")

#: A model that is not named follows the sliders: what they say is open.
OPEN_MODEL = Model(
    *(_OPEN,) * 10,
    full=LayerKind(
        n_layers=_OPEN,
        n_kv_heads=_OPEN,
        d_head=_OPEN,
        decode_attention_width=_OPEN,
        prefill_attention_width=_OPEN,
    ),
)

MODELS: Mapping[str, Model] = LazyTable(
    lambda: (
        dict.fromkeys(OWN_MODELS, OPEN_MODEL)
        | {id_: read_config(row["config"]).model for id_, row in model_rows().items()}
    )
)
