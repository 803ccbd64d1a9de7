"""Inputs from what a reader typed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from app.errors import InputError
from calc.inputs.declaration import Choice, Number
from calc.inputs.table import INPUTS, Inputs, refusal, unknown
from calc.serving.inputs import SERVING_INPUTS, ServingInputs
from calc.units import TYPED_SUFFIXES


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


def parsed(text: str, unit: str = "") -> float:
    """The number that a typed text means, or NaN; the page's `parsed` says the same.

    A comma groups thousands, 1,024, where it stands as it does in groups; any other one is a
    decimal comma, 2,5 and 0,125. No sign, as no input is negative; and none that is too large
    or small to compute with.

    Parameters
    ----------
    text : str
    unit : str
        Of tokens there may be 32K.
    """
    plain = text.strip(_BLANKS)
    size = TYPED_SUFFIXES.get(unit, {}).get(plain[-1:].upper())
    digits = plain[:-1] if size else plain
    if not _NUMBER.fullmatch(digits):
        return math.nan
    value = (size or 1) * float(digits.replace(",", "" if _GROUPED.match(digits) else "."))
    is_nothing = not re.search("[1-9]", re.split("e", digits, flags=re.IGNORECASE)[0])
    return value if math.isfinite(value) and (value or is_nothing) else math.nan


#: What JavaScript's `trim` takes away, and the grammar of a number.
_BLANKS = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+(?![0-9])")
_NUMBER = re.compile(
    rf"{_GROUPED.pattern}(\.[0-9]*)?|(0|[1-9][0-9]*(?!,[0-9]{{3}}$)),[0-9]+"
    r"|([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?",
    re.IGNORECASE,
)


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
