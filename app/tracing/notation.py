"""How operations are written, and which of their arguments need brackets."""

from __future__ import annotations

from typing import NamedTuple

#: Binds more tightly than any operation: a name, a number, a call.
ATOM = 9


class Notation(NamedTuple):
    """How one operation is written: a pattern, and how tightly it binds."""

    pattern: str
    binds: int


#: Operations whose second argument needs brackets even if it binds equally tightly. In
#: floating point a + (b + c) is not (a + b) + c: the written order is kept.
_SECOND_IN_BRACKETS = {"add", "multiply", "subtract", "divide", "power"}


def bracketed(operation: str, notation: Notation, position: int, text: str, binds: int) -> str:
    """An argument's text, in brackets where the operation would tear it apart.

    Parameters
    ----------
    operation : str
        Whose argument it is.
    notation : Notation
        How that operation is written.
    position : int
        Which argument; 0 is the first.
    text : str
        The argument's text.
    binds : int
        How tightly the argument itself binds.
    """
    if notation.binds == ATOM:
        return text
    equally = binds == notation.binds
    second = equally and position == 1 and operation in _SECOND_IN_BRACKETS
    power = equally and position == 0 and operation == "power"
    return f"({text})" if binds < notation.binds or second or power else text
