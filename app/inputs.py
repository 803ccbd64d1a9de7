"""Inputs from what a reader typed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from app.errors import InputError
from calc.inputs.declaration import Choice, Number
from calc.inputs.table import INPUTS, Inputs, refusal, unknown
from calc.serving.inputs import SERVING_INPUTS, ServingInputs
from calc.text import parsed


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


def serving_from_texts(texts: Mapping[str, str]) -> ServingInputs:
    """Inputs of serving from typed texts.

    Parameters
    ----------
    texts : mapping of str to str
        Key → what was typed.

    Raises
    ------
    InputError
        Names the first key or value that is not allowed, and what is.
    """
    return ServingInputs(**{key: _value(key, text, SERVING_INPUTS) for key, text in texts.items()})


def _value(key: str, text: str, table: Mapping[str, Number | Choice] = INPUTS) -> Any:
    if key not in table and key in SERVING_INPUTS:
        raise InputError(
            f"{key}: an input of the replay, which `decode-arithmetic simulate` takes, and the "
            "page's view `lab`; leave this key out here"
        )
    if key not in table:
        raise InputError(unknown(key, table))
    what = table[key]
    if isinstance(what, Choice):
        if text in what.table:
            return text
    else:
        value = parsed(text, what.unit)
        if not math.isnan(value) and what.takes(value):
            return value
    raise InputError(refusal(key, text, table))
