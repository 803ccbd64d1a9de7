"""Patterns of module names, as quantisers write them: globs and regular expressions.

They come from outside, so they are run without going back: all ways through a pattern at once,
each character of a name once. No pattern takes longer than its length times that of the name.
What is not understood (looking ahead, references) is said, not skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

#: No pattern of a real file comes near these. [characters], [states]
LONGEST_PATTERN = 300
MOST_STATES = 2_000

#: Repeated at most so often by a number.
MOST_REPEATS = 40

Test = Callable[[str], bool]
State = frozenset[int]

_CLASSES: dict[str, Test] = {
    "d": str.isdigit,
    "w": lambda each: each.isalnum() or each == "_",
    "s": str.isspace,
    "D": lambda each: not each.isdigit(),
    "W": lambda each: not (each.isalnum() or each == "_"),
    "S": lambda each: not each.isspace(),
}
_START, _END = "start", "end"


class PatternError(ValueError):
    """A pattern that is not understood."""


class Pattern:
    """A compiled pattern: `start`, then `step` by step through a name, then `holds`.

    As in Python's `re.match`, a pattern holds as soon as a beginning of the name has it.
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_PATTERN:
            raise PatternError
        self._text, self._at = text, 0
        #: Of each state: what it asks of a character and where it then leads, and where it leads
        #: without one, some at the start or the end of a name only.
        self._moves: list[tuple[Test, int] | None] = []
        self._free: list[list[tuple[str, int]]] = []
        self._done = self._state()
        first, last = self._either()
        if self._at < len(text):
            raise PatternError
        self._free[last].append(("", self._done))
        self._moves[self._done] = (lambda _: True, self._done)
        self._steps: dict[tuple[State, str], State] = {}
        self.start = self._closed({first}, _START)

    def step(self, states: State, text: str) -> State:
        """The states after some characters of a name."""
        for each in text:
            key = (states, each)
            if (after := self._steps.get(key)) is None:
                reached = {
                    move[1] for state in states if (move := self._moves[state]) and move[0](each)
                }
                after = self._steps[key] = self._closed(reached, "")
            states = after
        return states

    def is_done(self, states: State) -> bool:
        """Whether a name that began like this has the pattern, however it goes on."""
        return self._done in states

    def holds(self, states: State) -> bool:
        """Whether a name that ends here has the pattern."""
        return self._done in self._closed(states, _END)

    def matches(self, name: str) -> bool:
        """Whether a whole name has the pattern."""
        return self.holds(self.step(self.start, name))

    def _closed(self, states: set[int] | State, place: str) -> State:
        """All states that are reached without another character."""
        reached, open_ones = set(states), list(states)
        while open_ones:
            for where, target in self._free[open_ones.pop()]:
                if where in ("", place) and target not in reached:
                    reached.add(target)
                    open_ones.append(target)
        return frozenset(reached)

    # --- reading: each part gives its first and its last state ---

    def _state(self) -> int:
        if len(self._free) >= MOST_STATES:
            raise PatternError
        self._moves.append(None)
        self._free.append([])
        return len(self._free) - 1

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        self._at += 1
        if self._at > len(self._text):
            raise PatternError
        return self._text[self._at - 1]

    def _either(self) -> tuple[int, int]:
        first, last = self._state(), self._state()
        while True:
            begin, end = self._sequence()
            self._free[first].append(("", begin))
            self._free[end].append(("", last))
            if self._next() != "|":
                return first, last
            self._take()

    def _sequence(self) -> tuple[int, int]:
        first = last = self._state()
        while self._next() not in ("", "|", ")"):
            begin, end = self._repeated()
            self._free[last].append(("", begin))
            last = end
        return first, last

    def _repeated(self) -> tuple[int, int]:
        before = self._at
        part = self._one()
        least, most = self._times()
        if (least, most) == (1, 1):
            return part
        first = last = self._state()
        for n in range(max(least, 1) if most is None else most):
            if n:
                self._at, stay = before, self._at
                part = self._one()
                self._at = stay
            if n >= least:
                self._free[last].append(("", end := self._state()))
                self._free[part[1]].append(("", end))
                self._free[last].append(("", part[0]))
                last = end
                continue
            self._free[last].append(("", part[0]))
            last = part[1]
        if most is None:
            self._free[part[1]].append(("", part[0]))
        return first, last

    def _times(self) -> tuple[int, int | None]:
        """How often a part stands at least and at most; None = as often as it likes."""
        counted = re.compile(r"\{(\d{1,2})(,?)(\d{0,2})\}").match(self._text, self._at)
        if counted:
            self._at = counted.end()
            least = int(counted[1])
            times = (least, int(counted[3]) if counted[3] else None if counted[2] else least)
            if max(times[0], times[1] or 0) > MOST_REPEATS or times[1] == 0:
                raise PatternError
        else:
            signs: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
            if self._next() not in signs or not self._next():
                return 1, 1
            times = signs[self._take()]
        if self._next() == "?":
            # Whether it takes few or many first makes no difference here.
            self._take()
        if self._next() and self._next() in "*+?{":
            raise PatternError
        return times

    def _one(self) -> tuple[int, int]:
        letter = self._take()
        if letter in "*+?{)":
            raise PatternError
        if letter == "(":
            return self._group()
        if letter in "^$":
            return self._place(_START if letter == "^" else _END)
        if letter == ".":
            return self._moving(lambda _: True)
        inner = {"[": self._class, "\\": self._escaped}.get(letter)
        return self._moving(inner() if inner else letter.__eq__)

    def _group(self) -> tuple[int, int]:
        if self._next() == "?":
            self._take()
            if self._take() != ":":
                raise PatternError
        part = self._either()
        if self._take() != ")":
            raise PatternError
        return part

    def _place(self, place: str) -> tuple[int, int]:
        first, last = self._state(), self._state()
        self._free[first].append((place, last))
        return first, last

    def _moving(self, test: Test) -> tuple[int, int]:
        first, last = self._state(), self._state()
        self._moves[first] = (test, last)
        return first, last

    def _escaped(self) -> Test:
        letter = self._take()
        if letter in _CLASSES:
            return _CLASSES[letter]
        if letter.isalnum():
            raise PatternError
        return letter.__eq__

    def _class(self) -> Test:
        """What stands in square brackets."""
        is_other = self._next() == "^"
        if is_other:
            self._take()
        tests: list[Test] = []
        while (letter := self._take()) != "]" or not tests:
            if letter == "\\":
                tests.append(self._escaped())
            elif self._next() == "-" and self._text[self._at + 1 : self._at + 2] not in ("", "]"):
                self._take()
                low, high = letter, self._take()
                tests.append(partial(_is_between, low, high))
            else:
                tests.append(letter.__eq__)
        return lambda each: any(test(each) for test in tests) != is_other


def _is_between(low: str, high: str, letter: str) -> bool:
    return low <= letter <= high


def glob(text: str) -> Pattern:
    """A pattern with *, ? and classes in brackets; what is inside of a module has it, too.

    Parameters
    ----------
    text : str

    Returns
    -------
    Pattern

    Raises
    ------
    PatternError
        It is too long.

    Notes
    -----
    Each * is any text, ? a character, [!…] one that is not in brackets.

    References
    ----------
    `fnmatch` of Python, by which ModelOpt and Quark match.
    """
    parts = re.split(r"(\*+|\?|\[[^\[\]]+\])", text[: LONGEST_PATTERN + 1])
    written = "".join(_of_glob(part) for part in parts)
    return Pattern(rf"{written}(\..*)?$")


def _of_glob(part: str) -> str:
    """A part of a glob as a regular expression."""
    if part.startswith("*"):
        return ".*"
    if part == "?":
        return "."
    if part.startswith("[") and part.endswith("]"):
        inside = part[1:-1].replace("\\", r"\\")
        return f"[^{inside[1:]}]" if inside.startswith("!") else f"[{inside}]"
    return re.escape(part)
