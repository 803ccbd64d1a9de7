"""The one way in which reading a config.json ends without a model."""

from __future__ import annotations

from typing import Any


class ConfigError(ValueError):
    """A config.json that says too little, or nonsense: one sentence that names the field."""


def short(value: Any) -> str:
    """A value as it can stand in a sentence.

    Parameters
    ----------
    value : any
        From a file, of any size.

    Returns
    -------
    str
        One line of at most 60 characters.
    """
    text = repr(value) if not isinstance(value, str) else value
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "…"
