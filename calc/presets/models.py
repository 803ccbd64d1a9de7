"""Model presets: published configs, read from `data/models.toml`, and the open model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from calc.hf_config.error import ConfigError
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

#: A model's name may be the text of a config.json, which is read by then; so long at most, as
#: addresses have it, too.
MOST_CHARACTERS = 16_000
CONFIG_BEGINS = "{"
NOT_JSON = "The file is not JSON"
TOO_LONG = (
    f"has more than {MOST_CHARACTERS:,} characters: `report --config FILE` reads a longer one"
)


@lru_cache(maxsize=64)
def _read(text: str) -> Model | str:
    """The model that a text describes, or why it is none."""
    if len(text) > MOST_CHARACTERS:
        return TOO_LONG
    try:
        return read_config(text).model
    except ConfigError as problem:
        # What exactly is wrong with JSON each language says in its own words.
        return NOT_JSON if str(problem).startswith(NOT_JSON) else str(problem).rstrip(".")


def refusal_of_config(text: str) -> str:
    """Why a text that begins as a config.json is none; "" where it is one, or begins otherwise.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        Without the full stop.
    """
    found = _read(text) if text.startswith(CONFIG_BEGINS) else ""
    return found if isinstance(found, str) else ""


class _ModelTable(LazyTable[Model]):
    """Models by name; what is none, but the text of a config.json, is read."""

    def __getitem__(self, name: str) -> Model:
        if not name.startswith(CONFIG_BEGINS):
            return super().__getitem__(name)
        found = _read(name)
        if isinstance(found, str):
            raise KeyError(name)
        return found


MODELS: Mapping[str, Model] = _ModelTable(
    lambda: (
        dict.fromkeys(OWN_MODELS, OPEN_MODEL)
        | {id_: read_config(row["config"]).model for id_, row in model_rows().items()}
    )
)
