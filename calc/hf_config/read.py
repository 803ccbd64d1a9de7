"""Read a model's config.json: which fields count, what follows from them, what is a guess."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from calc.architecture import parameters
from calc.architecture.record import Architecture
from calc.hf_config.account import account
from calc.hf_config.derive import derive
from calc.hf_config.error import ConfigError
from calc.hf_config.numbers import language_part, numbers
from calc.hf_config.precision import stated_precision
from calc.scenario import Model
from calc.text import shortened

#: No real config.json comes near this. [B]
LARGEST_FILE = 8 * 2**20


@dataclass(frozen=True)
class Reading:
    """A model, and how it was read; "" is a format of weights or cache that is not stated."""

    model: Model
    architecture: Architecture
    used: tuple[str, ...]
    derived: tuple[str, ...]
    ignored: tuple[str, ...]
    guesses: tuple[str, ...]
    weights: str = ""
    kv: str = ""

    @property
    def certainty(self) -> str:
        """How sure the counts are."""
        return "partly a guess" if self.guesses else "every tensor of the family is known"


def read_config(source: str | bytes | Mapping[str, Any]) -> Reading:
    """The model that a config.json describes.

    Parameters
    ----------
    source : str, bytes or mapping
        The file's content, or the object in it.

    Returns
    -------
    Reading
        With the fields that were used, what was derived and how, what was ignored, and
        what had to be guessed (empty for families that are known to the tensor).

    Raises
    ------
    ConfigError
        Names what is missing, impossible or not readable, in one sentence.
    TypeError
        It is neither of the three.

    Notes
    -----
    Exact to the tensor for the families in `families.toml`. Draft layers are counted where a
    formula is known, but not in the model, and what encodes images beside its parameters; they are
    named.

    References
    ----------
    `modeling_*.py` of Hugging Face transformers.
    """
    config = language_part(_object(source))
    values = numbers(config)
    derivation = derive(values.fields, values.layers, values.blocks, values.family)
    fates = account(config, values, derivation)
    places = {**dict(config.around), config.path: config.part}
    formats = stated_precision(places, values, derivation.fields, derivation.architecture)
    architecture = replace(derivation.architecture, **formats.shares)
    n_tower = derivation.beside.n_tower_params if derivation.holds.tower_counted else 0.0
    model = replace(parameters.model(architecture), n_tower=n_tower)
    return Reading(
        used=(*fates.used, *formats.paths),
        derived=(*fates.derived, *formats.remarks),
        ignored=tuple(each for each in fates.ignored if each not in formats.paths),
        guesses=(*fates.guesses, *formats.guesses),
        weights=formats.weights,
        kv=formats.kv,
        architecture=architecture,
        model=_within_bounds(model),
    )


def _within_bounds(model: Model) -> Model:
    """The model itself; sizes that are possible one by one may make one that is not."""
    for record in (model, *model.kinds.values()):
        for each in fields(record):  # type: ignore[arg-type]
            if what := each.metadata.get("quantity"):
                (low, high), value = what.bounds, getattr(record, each.name)
                if not low <= value <= high:
                    label = what.label[0].upper() + what.label[1:]
                    raise ConfigError(
                        f"{label}: the file makes it {value:.6g}; "
                        f"it must be between {low:g} and {high:g}."
                    )
    return model


def _object(source: str | bytes | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(source, Mapping):
        return source
    if not isinstance(source, str | bytes):
        raise TypeError(f"A config.json is a text, bytes or a mapping, not {shortened(source)}")
    if len(source) > LARGEST_FILE:
        raise ConfigError(
            f"The file is larger than {LARGEST_FILE // 2**20} MiB, as no config.json is."
        )
    try:
        text = source if isinstance(source, str) else source.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("The file is not UTF-8 text.") from None
    try:
        content = json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        raise ConfigError("The file is nested too deeply to be a config.json.") from None
    except json.JSONDecodeError as problem:
        raise ConfigError(
            f"The file is not JSON: {problem.msg} in line {problem.lineno}."
        ) from None
    except ConfigError:
        raise
    except ValueError:
        raise ConfigError("The file holds a number with thousands of digits.") from None
    if not isinstance(content, dict):
        raise ConfigError("The file holds no JSON object, so it is not a config.json.")
    return content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members and members[name] != value:
            raise ConfigError(f"{shortened(name)} stands twice with different values.")
        members[name] = value
    return members
