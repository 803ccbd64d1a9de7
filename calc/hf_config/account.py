"""What became of each field of a config.json, by the conditions that `derive` found.

These steps, which follow those of `numbers`, know no family by name, and of fields only
`model_type`: what they need stands in the tables.

4. A field that counts is used; one that is wrong, or NaN even after `derive`, ends the reading,
   and so does one that is stated against a condition that holds; where the file has none, it may
   have to be said what stands in for it.
5. Of each condition that holds the remark is made. The first problem ends the reading.
6. What is there, was not used and may say something, is ignored; where its name speaks of what
   layers are, or of a size that its value can be, or is a switch that denies what is counted, it
   ends the reading.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calc.hf_config.conditions import REMARKS
from calc.hf_config.derive import Derivation
from calc.hf_config.error import ConfigError
from calc.hf_config.fields import (
    ADDED,
    ADDING,
    BESIDE_SWITCHED,
    BLOCK_FORMS,
    FORMS,
    LEAST_SIZE,
    LEFT_OUT,
    MISSING,
    NO_SIZE,
    SILENCING,
    SIZED,
    SPEAKING,
    SWITCHED,
    SWITCHES,
    Form,
)
from calc.hf_config.layers import BLOCK_PARTS, BLOCKS
from calc.hf_config.numbers import Config, Numbers
from calc.text import shortened

_BLOCK_NAMES = [name for form in BLOCK_FORMS.values() for name in form.names]
_KNOWN = LEFT_OUT | {name for form in FORMS.values() for name in form.names}
_PLACE = re.compile(r"\{(words\.)?(\w+)(?::(,))?\}")


@dataclass(frozen=True)
class Account:
    """What became of a config's fields."""

    used: tuple[str, ...]
    derived: tuple[str, ...]
    ignored: tuple[str, ...]
    guesses: tuple[str, ...]


def account(config: Config, numbers: Numbers, derivation: Derivation) -> Account:
    """What became of a config's fields.

    Parameters
    ----------
    config : Config
    numbers : Numbers
        Its numbers.
    derivation : Derivation
        What follows from them.

    Returns
    -------
    Account

    Raises
    ------
    ConfigError
        A field that counts is missing or wrong, or a remark is a problem.
    """
    # Of two numbers with one name, the later one is meant.
    values: dict[str, float] = vars(numbers.family) | vars(numbers.blocks) | vars(numbers.layers)
    values |= vars(derivation.architecture) | vars(derivation.holds) | vars(derivation.fields)
    values |= vars(derivation.beside)

    def holds(condition: str) -> bool:
        name = condition.removeprefix("not ")
        return (values[name] > 0) == (name == condition)

    used, defaults = set(numbers.lists), []
    for name, form in FORMS.items():
        counts, path = holds(form.when), numbers.at.get(name)
        if counts and name in numbers.wrong:
            raise ConfigError(numbers.wrong[name])
        place = path if vars(numbers.fields)[name] > form.silent else None
        if place := place or numbers.outside.get(name):
            for condition, why in form.against.items():
                if holds(condition):
                    reason = _filled(why, values, numbers.words)
                    raise ConfigError(f"{place} is stated, but {reason}.")
        if path and counts:
            used.add(path)
        elif counts and math.isnan(values[name]):
            # Inside a wrapper files name a model, whose sizes no file here has.
            has_name = config.path and "model_type" in config.part
            family = numbers.words["family"]
            why = f", and model_type {family} alone is no size" if has_name else ""
            raise ConfigError(f"{config.path}{form.label} is missing{why}.")
        elif counts and name in numbers.of_class:
            value = numbers.of_class[name]
            sentence = _default(form, value, MISSING)
            defaults.append(f"{sentence}, as {numbers.words[name]} has it")
        elif counts and holds(form.mention):
            defaults.append(_default(form, values[name], form.sentence))
    remarks: dict[str, list[str]] = {"problem": [], "derived": [], "guess": []}
    for name, remark in REMARKS.items():
        if holds(name):
            remarks[remark.kind].append(_filled(remark.text, values, numbers.words))
    if remarks["problem"]:
        raise ConfigError(remarks["problem"][0])
    return Account(
        used=tuple(sorted(used)),
        derived=(*remarks["derived"], *defaults),
        ignored=tuple(_ignored(config, used, holds)),
        guesses=(*remarks["guess"], *_added(config, used)),
    )


def _default(form: Form, value: float, sentence: str) -> str:
    """What is said of a value that stands in for a missing one."""
    text = form.words[value > 0] if form.holds == "switch" else f"{value:.0f}"
    return sentence.format(label=form.label, value=text)


def _filled(text: str, values: Mapping[str, float], words: Mapping[str, str]) -> str:
    """A sentence with its words, `{words.name}`, and numbers, `{name}` or `{name:,}`."""

    def value(match: re.Match[str]) -> str:
        is_word, name, thousands = match.groups("")
        return words[name] if is_word else f"{values[name]:{thousands}.0f}"

    return _PLACE.sub(value, text)


def _ignored(config: Config, used: set[str], holds: Callable[[str], bool]) -> Iterator[str]:
    """Fields that were not used and might say something about sizes."""
    paths = used | {f"{config.path}{BLOCKS}.{name}" for name in _BLOCK_NAMES}
    roots = paths | {path.rpartition(".")[0] for path in paths} | _above(config.path)
    places = {**dict(config.around), config.path: config.part}
    values = {
        f"{place}{name}": value for place, part in places.items() for name, value in part.items()
    }
    # Inside of an object that was entered, what is null or false is not there.
    values |= {
        f"{place}{name}": value
        for place, part in _entered(config, used)
        for name, value in part.items()
        if value not in (None, False)
    }
    for path, value in values.items():
        if path.rpartition(".")[2] in NO_SIZE or path in roots:
            continue
        own_path = path.removeprefix(config.path)
        is_sized = _speaks(own_path, SIZED) and _has_size(value)
        if path.startswith(config.path) and (is_sized or (value and _speaks(own_path, SPEAKING))):
            raise ConfigError(f"{shortened(path)} is not understood, and may say what layers are.")
        if value is False and path.startswith(config.path) and any(map(holds, _denied(own_path))):
            raise ConfigError(f"{shortened(path)} is false, but what it denies is stated.")
        yield shortened(path)


def _added(config: Config, used: set[str]) -> Iterator[str]:
    """Switches that are on and add biases or norms, but were not used."""
    for name, value in config.part.items():
        words = {*name.lower().split("_")}
        is_adding = any(each <= words for each in ADDING) and name not in ADDED
        if value is True and is_adding and f"{config.path}{name}" not in used:
            yield f"{shortened(config.path + name)} is true, and what it adds is not counted"


def _above(path: str) -> set[str]:
    """The wrappers on the way to a path."""
    names = path.rstrip(".").split(".")
    return {".".join(names[:n]) for n in range(1, len(names) + 1)}


def _has_size(value: Any) -> bool:
    """Whether a value is a number that can be a size, or holds one."""
    inside = [value]
    while inside:
        match inside.pop():
            case bool():
                pass
            case int() | float() as number if number >= LEAST_SIZE:
                return True
            case list() as entries:
                inside += entries
            case Mapping() as members:
                inside += members.values()
    return False


def _speaks(path: str, of: frozenset[str]) -> bool:
    """Whether a field that is not known speaks of something, or stands where that is said."""
    words = {*re.split("[._]", path.lower())}
    is_known = path.rpartition(".")[2] in _KNOWN
    return not is_known and bool(words & of) and not words & SILENCING


def _denied(path: str) -> Iterator[str]:
    """The conditions that a switch that is not known denies, where it is off."""
    name = path.rpartition(".")[2]
    words = name.lower().split("_")
    beside = {*words} - SWITCHED.keys()
    is_switch = words[0] in SWITCHES and not beside & SILENCING
    if name not in _KNOWN and (is_switch or beside <= BESIDE_SWITCHED):
        yield from (SWITCHED[word] for word in words if word in SWITCHED)


def _entered(config: Config, used: set[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Objects of which a member was used, those of blocks too, and where they are."""
    blocks = f"{config.path}{BLOCKS}"
    if blocks in used:
        for block in config.part[BLOCKS]:
            yield f"{blocks}.", block
            for part in BLOCK_PARTS:
                yield f"{blocks}.{part}.", block[part]
    inside = {path.removeprefix(config.path).partition(".") for path in used}
    names = {name for name, _, member in inside if member}
    for name in sorted(names):
        if isinstance(inner := config.part.get(name), Mapping):
            yield f"{config.path}{name}.", inner
