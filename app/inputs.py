"""Inputs from what a reader typed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from app.errors import InputError
from calc.inputs.declaration import Choice
from calc.inputs.table import INPUTS, Inputs, refusal, unknown


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


def parsed(text: str) -> float:
    """The number that a typed text means, or NaN; the page's `parsed` says the same.

    Commas only where thousands are grouped; no sign, as no input is negative.
    """
    plain = text.strip(_BLANKS)
    return float(plain.replace(",", "")) if _NUMBER.fullmatch(plain) else math.nan


#: What JavaScript's `trim` takes away, and the grammar of a number.
_BLANKS = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_NUMBER = re.compile(
    r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?|([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?",
    re.IGNORECASE,
)


def _value(key: str, text: str) -> float | str:
    if key not in INPUTS:
        raise InputError(unknown(key))
    what = INPUTS[key]
    if isinstance(what, Choice):
        if text in what.table:
            return text
    else:
        value = parsed(text)
        if not math.isnan(value) and what.takes(value):
            return value
    raise InputError(refusal(key, text))
