"""Inputs from what a reader typed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from app.errors import InputError
from calc.inputs import INPUTS, Choice, Inputs, refusal


def from_texts(texts: Mapping[str, str]) -> Inputs:
    """Inputs from typed texts, such as the command line's.

    Parameters
    ----------
    texts : mapping of str to str
        Input → what was typed.

    Raises
    ------
    InputError
        Names the first key or value that is not allowed, and what is; or says what does not
        go together.
    """
    values: dict[str, Any] = {key: _value(key, text) for key, text in texts.items()}
    inputs = Inputs(**values)
    if complaint := inputs.complaint(texts):
        raise InputError(complaint)
    return inputs


def _value(key: str, text: str) -> float | str:
    if key not in INPUTS:
        keys = ", ".join(INPUTS)
        raise InputError(f"{key}: unknown key; {_suggestion(key, INPUTS)}allowed are {keys}")
    what = INPUTS[key]
    if isinstance(what, Choice):
        if text in what.table:
            return text
        raise InputError(refusal(key, text, _suggestion(text, what.table)))
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value) or not what.takes(value):
        raise InputError(refusal(key, text))
    return value


def _suggestion(text: str, names: Iterable[str]) -> str:
    """What somebody may have meant, as a question; nothing where no name is close."""
    close = get_close_matches(text, names, n=3, cutoff=0.7)
    return f"did you mean {' or '.join(close)}? " if close else ""
