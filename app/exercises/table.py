"""A table of a TOML file: gives its fields, and notes what is wrong with them."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

from app.exercises.record import SetUp
from app.exercises.replays import POLICY, beside, complaint, is_replayed
from app.lab import OF_ONE
from calc.inputs.declaration import Choice
from calc.inputs.table import INPUTS, refusal, unknown
from calc.text import shortened, suggestion

_ID = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
_IDS = "a-z and 0-9, with single dashes between them"
_LONGEST_ID = 60

#: Numbers are no smaller, and no nearer to each other: they are written with six digits.
_LEAST, _APART = 1e-12, 1 + 1e-5

#: What is no character to be read: not a tab, nor the end of a line.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

_LARGEST = sys.float_info.max

#: What a set-up takes: inputs of the scenario, and of a replay.
_INPUTS = INPUTS | OF_ONE

#: More names than these are not listed in a sentence.
_MOST_LISTED = 12


class Table:
    """One table: what is missing or wrong is noted, and given as something empty.

    So reading goes on, and all mistakes of a file are told at once.
    """

    def __init__(self, place: str, data: Mapping[str, Any], mistakes: list[str]) -> None:
        self._place, self._data, self._mistakes = place, data, mistakes
        self._known: list[str] = []
        self._n_before = len(mistakes)

    @property
    def is_right(self) -> bool:
        """Whether nothing was wrong since it was opened."""
        return len(self._mistakes) == self._n_before

    def mistake(self, field: str, sentence: str) -> None:
        """Note what is wrong with a field."""
        self._mistakes.append(": ".join(filter(None, [self._place, field, sentence])))

    def refuse(self, field: str, value: object, allowed: str, names: Collection[str] = ()) -> None:
        """Note that a field does not take its value."""
        hint = suggestion(value, names) if isinstance(value, str) else ""
        self.mistake(f"{field}={shortened(value)}", f"{hint}allowed is {allowed}")

    def text(self, field: str, *, needed: bool = False, most: int = 2000) -> str:
        """A text."""
        allowed = f"a text of 1 to {most:,} characters"
        value = self._take(field, needed, allowed)
        if value is None:
            return ""
        if _is_text(value) and len(value.strip()) <= most:
            return str(value.strip())
        self.refuse(field, value, allowed)
        return ""

    def texts(self, field: str) -> tuple[str, ...]:
        """A list of texts."""
        values = self._take(field, False)
        if values is None:
            return ()
        if isinstance(values, list) and all(map(_is_text, values)):
            return tuple(each.strip() for each in values)
        self.refuse(field, values, "a list of texts")
        return ()

    def id(self, otherwise: str = "", *, needed: bool = True) -> str:
        """The name by which others know it."""
        value = self._take("id", needed, _IDS)
        if value is None:
            return otherwise
        if isinstance(value, str) and len(value) <= _LONGEST_ID and _ID.fullmatch(value):
            return value
        self.refuse("id", value, _IDS)
        return ""

    def name(self, field: str, allowed: Collection[str], *, needed: bool = True) -> str:
        """One of some names."""
        words = f"one of {', '.join(allowed)}"
        if len(allowed) > _MOST_LISTED:
            words = f"a name such as {next(iter(allowed))}"
        value = self._take(field, needed, words)
        if value is None:
            return ""
        if isinstance(value, str) and value in allowed:
            return value
        self.refuse(field, value, words, allowed)
        return ""

    def names(self, field: str, allowed: Collection[str]) -> tuple[str, ...]:
        """Some of some names."""
        values = self._take(field, False)
        if values is None:
            return ()
        for each in values if isinstance(values, list) else [values]:
            if not isinstance(values, list) or each not in list(allowed):
                self.refuse(field, each, f"a list of some of {', '.join(allowed)}", allowed)
        return tuple(map(str, values)) if isinstance(values, list) else ()

    def flag(self, field: str) -> bool:
        """Whether it is set."""
        value = self._take(field, False)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.refuse(field, value, "true or false")
        return False

    def number(
        self, field: str, low: float, high: float, *, needed: bool = False, whole: bool = False
    ) -> float | None:
        """A number in a range."""
        allowed = f"a {'whole ' if whole else ''}number from {low:g} to {high:g}"
        value = self._take(field, needed, allowed)
        if value is None:
            return None
        if _is_number(value) and low <= value <= high and not (whole and value % 1):
            return float(value)
        self.refuse(field, value, allowed)
        return None

    def numbers(self, field: str) -> tuple[float, ...]:
        """Some numbers above 0, ascending, so far apart that they are written differently."""
        values = self._take(field, False)
        if values is None:
            return ()
        if isinstance(values, list) and len(values) > 1 and all(map(_is_number, values)):
            numbers = tuple(map(float, values))
            if all(one * _APART < other for one, other in pairwise((_LEAST, *numbers))):
                return numbers
        self.refuse(field, values, "two or more numbers above 0, ascending")
        return ()

    def inputs(self, field: str, *, on: SetUp | None = None, needed: bool = False) -> SetUp:
        """Inputs, as in the address: those that can be; none where they do not go together.

        Other inputs may be set already, `on` which these are.
        """
        allowed = "inputs, such as { batch = 64 }"
        value = self._take(field, needed, allowed)
        if value is None:
            return {}
        if not isinstance(value, dict) or (needed and not value):
            self.refuse(field, value, allowed)
            return {}
        inputs: dict[str, float | str] = {}
        for key, each in value.items():
            if refusal := _input_refusal(key, each):
                self.mistake(field, refusal)
                if key == POLICY:  # what else is wrong is said of a replay
                    inputs[key] = str(OF_ONE[key].default)
            else:
                inputs[key] = each if isinstance(each, str) else float(each)
        after = {**(on or {}), **inputs}
        if on is not None and not is_replayed(on) and is_replayed(after):
            self.mistake(field, f"{POLICY}: only what `setup` gives a policy is replayed")
            return {}
        refusal = complaint(after, after)
        if not refusal and on is not None and is_replayed(on):
            refusal = complaint(beside(on, after), after)
        if refusal:
            self.mistake(field, refusal)
            return {key: inputs[key] for key in inputs if key == POLICY}
        return inputs

    def table(self, field: str, *, needed: bool = False) -> Table | None:
        """The table of a field."""
        value = self._take(field, needed, f"a table, [{field}]")
        if value is None:
            return None
        if isinstance(value, dict):
            return self.inside(field, value)
        self.refuse(field, value, f"a table, [{field}]")
        return None

    def tables(self, field: str, *, needed: bool = False) -> Iterator[Table]:
        """The tables of a field, each told by its id or its number."""
        values = self._take(field, needed, f"tables, [[{field}]]")
        if values is None:
            return
        are_tables = isinstance(values, list) and all(isinstance(each, dict) for each in values)
        if not are_tables or (needed and not values):
            self.refuse(field, values, f"tables, [[{field}]]")
            return
        for number, each in enumerate(values, 1):
            id_ = each.get("id")
            name = id_ if isinstance(id_, str) and id_ else str(number)
            yield self.inside(f"{field} {shortened(name)}", each)

    def inside(self, name: str, data: Mapping[str, Any]) -> Table:
        """A table in this one."""
        place = f"{self._place}: {name}" if self._place else name
        return Table(place, data, self._mistakes)

    def fields(self) -> list[str]:
        """The fields that it has."""
        return list(self._data)

    def check_ids(self, noun: str, ids: list[str]) -> None:
        """Note the ids that more than one of its tables have."""
        for id_, count in Counter(filter(None, ids)).items():
            if count > 1:
                self.mistake(f"{noun} {id_}", f"its id is given {count} times: each has its own")

    def finish(self) -> None:
        """Note the fields that nobody has asked for."""
        for field in self._data:
            if field not in self._known:
                hint = suggestion(field, self._known)
                there = ", ".join(self._known)
                self.mistake(shortened(field), f"there is no such field; {hint}there are {there}")

    def _take(self, field: str, needed: bool, allowed: str = "") -> Any:
        self._known.append(field)
        if needed and field not in self._data:
            self.mistake(field, f"it is missing; allowed is {allowed}")
        return self._data.get(field)


def _input_refusal(key: str, value: Any) -> str:
    """What is said to an input that cannot be; "" to one that can."""
    if key not in _INPUTS:
        return unknown(key, _INPUTS)
    what = _INPUTS[key]
    if isinstance(what, Choice):
        takes = isinstance(value, str) and value in what.table
        if takes and value not in {*what.table}:
            return f"{key}: an exercise takes one by its name"
        return "" if takes else refusal(key, shortened(value), _INPUTS)
    if _is_number(value) and what.takes(float(value)):
        return ""
    # Else a number as a text would seem to be one that is allowed.
    text = f'"{shortened(value)}"' if isinstance(value, str) else shortened(value)
    return refusal(key, text, _INPUTS)


def _is_text(value: Any) -> bool:
    """Whether a value is a text of which all can be shown: it has no control characters."""
    return isinstance(value, str) and bool(value.strip()) and not _CONTROL.search(value)


def _is_number(value: Any) -> bool:
    """Whether it is one that a float holds: TOML knows nan, inf and whole numbers of any length."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST
