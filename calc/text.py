"""Texts from outside: as they can stand in a sentence, and the numbers that they mean."""

from __future__ import annotations

import math
import re
import reprlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from calc.units import TYPED_SUFFIXES

#: Characters that a terminal or a page may act upon: controls, marks of direction, halves of
#: pairs, and what ends a line.
_ACTIVE = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])

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
_SOMETHING = re.compile("[0.,]*[1-9]")


#: From this likeness on a name may have been meant; so many are offered.
_LIKE = 0.5
_OFFERED = 3


def harmless(text: str) -> str:
    """A text without characters that a terminal or a page may act upon.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        With a blank for each such character.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if unicodedata.category(each) in _ACTIVE else each for each in text)


def shortened(value: object, most: int = 40) -> str:
    """A value from outside as it can stand in a sentence: one line, harmless and short.

    Parameters
    ----------
    value : any
        A text as it is, anything else as Python writes it.
    most : int
        Characters that fit. [count]

    Returns
    -------
    str
        Cut where it is longer; the page's `shortened` says the same.
    """
    try:
        text = value if isinstance(value, str) else reprlib.repr(value)
    except Exception:
        # It has thousands of digits, or cannot show itself.
        text = f"a value of type {type(value).__name__}"
    start = harmless(text[: most + 1])
    return f"{start[: most - 1]}…" if len(start) > most else start


def quoted(value: object) -> str:
    """A value from outside that is of the wrong type, or unlike another one.

    Parameters
    ----------
    value : any

    Returns
    -------
    str
        Short and harmless; a text in quotes, so that the text "true" is not taken for true.
    """
    return shortened(repr(value[:99]) if isinstance(value, str) else value)


def suggestion(text: str, names: Iterable[str]) -> str:
    """What somebody may have meant, as a question.

    Parameters
    ----------
    text : str
        What was written.
    names : iterable of str
        What could have been.

    Returns
    -------
    str
        With a blank behind it; nothing where no name is close.

    Notes
    -----
    Names are meant that begin with what was written; if none does, those that share half of their
    pairs of letters (Dice's coefficient). The page's `suggestion` says the same.
    """
    start = shortened(text).lower()
    likeness = {name: _likeness(_pairs(start), _pairs(name)) for name in names}
    begun = [name for name in likeness if len(start) > 1 and name.lower().startswith(start)]
    like = begun or [name for name in likeness if likeness[name] >= _LIKE]
    close = sorted(like, key=lambda name: -likeness[name])
    return f"did you mean {' or '.join(close[:_OFFERED])}? " if close else ""


def _pairs(text: str) -> Counter[tuple[str, str]]:
    return Counter(pairwise(text.lower()))


def _likeness(one: Counter[tuple[str, str]], other: Counter[tuple[str, str]]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def either(numbers: Sequence[int]) -> str:
    """Numbers of which one is meant, in words.

    Parameters
    ----------
    numbers : sequence of int
        At least one.

    Returns
    -------
    str
        1, 2 or 4.
    """
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


def typed(value: float) -> str:
    """A number as one would type it; the page writes it alike.

    Parameters
    ----------
    value : float

    Returns
    -------
    str
        2000, 2.5, 1e+300.
    """
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e21 else str(value)


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

    Returns
    -------
    float
    """
    plain = text.strip(_BLANKS)
    size = TYPED_SUFFIXES.get(unit, {}).get(plain[-1:].upper())
    digits = plain[:-1] if size else plain
    if not _NUMBER.fullmatch(digits):
        return math.nan
    value = (size or 1) * float(digits.replace(",", "" if _GROUPED.match(digits) else "."))
    is_nothing = not value and not _SOMETHING.match(digits)
    return value if math.isfinite(value) and (value or is_nothing) else math.nan
