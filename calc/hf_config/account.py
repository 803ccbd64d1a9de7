"""What became of each field of a config.json, by the conditions and remarks of `derive`.

The steps know no field and no family by name, as those of `numbers`:

4. A field that counts (`When`) is used; one that is wrong, or NaN even after `derive`, ends the
   reading; where the file has none, it may have to be said what stands in for it.
5. Each remark that is not 0 is made. The first problem ends the reading.
6. What is there, was not used and may be a size, is ignored.
"""

from __future__ import annotations

import math
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calc.hf_config.derive import Derivation
from calc.hf_config.error import ConfigError
from calc.hf_config.fields import BLOCK_FORMS, FORMS, NO_SIZE, Form
from calc.hf_config.layers import BLOCK_PARTS, BLOCKS
from calc.hf_config.numbers import Config, Numbers
from calc.hf_config.remarks import SENTENCES
from calc.text import shortened

_BLOCK_NAMES = [name for form in BLOCK_FORMS.values() for name in form.names]
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
    used, defaults = set(numbers.lists), []
    when, after = vars(derivation.when), vars(derivation.fields)
    for name, form in FORMS.items():
        if when[form.when] > 0:
            if name in numbers.wrong:
                raise ConfigError(numbers.wrong[name])
            if name in numbers.at:
                used.add(numbers.at[name])
            elif math.isnan(after[name]):
                raise ConfigError(f"{form.label} is missing.")
            elif when[form.mention] > 0:
                defaults.append(_default(form, after[name]))
    remarks = _remarks(numbers, derivation)
    if remarks["problem"]:
        raise ConfigError(remarks["problem"][0])
    return Account(
        used=tuple(sorted(used)),
        derived=(*remarks["derived"], *defaults),
        ignored=tuple(_ignored(config, used)),
        guesses=tuple(remarks["guess"]),
    )


def _default(form: Form, value: float) -> str:
    """What is said of a value that stands in for a missing one."""
    text = form.words[value > 0] if form.holds == "switch" else f"{value:.0f}"
    return form.sentence.format(label=form.label, value=text)


def _remarks(numbers: Numbers, derivation: Derivation) -> dict[str, list[str]]:
    remarks: dict[str, list[str]] = {"problem": [], "derived": [], "guess": []}
    # Of two numbers with one name, the field's is meant.
    records = (derivation.fields, derivation.architecture, numbers.layers, numbers.blocks)
    values = ChainMap(*map(vars, records))
    for name, flag in vars(derivation.remarks).items():
        if flag > 0:
            sentence = SENTENCES[name]
            remarks[sentence.kind].append(_filled(sentence.text, values, numbers.words))
    return remarks


def _filled(text: str, values: Mapping[str, float], words: Mapping[str, str]) -> str:
    """A sentence with its words, `{words.name}`, and numbers, `{name}` or `{name:,}`."""

    def value(match: re.Match[str]) -> str:
        is_word, name, thousands = match.groups("")
        return words[name] if is_word else f"{values[name]:{thousands}.0f}"

    return _PLACE.sub(value, text)


def _ignored(config: Config, used: set[str]) -> Iterator[str]:
    """Fields that were not used and might say something about sizes."""
    read = used | {f"{config.path}{BLOCKS}.{name}" for name in _BLOCK_NAMES}
    roots = read | {path.rpartition(".")[0] for path in read} | {config.path.rstrip(".")}
    places = {"": config.whole, config.path: config.part}
    told = [f"{place}{name}" for place, part in places.items() for name in part]
    # Inside of an object that was entered, what is null or false is not there.
    told += [
        f"{place}{name}"
        for place, part in _entered(config, used)
        for name, value in part.items()
        if value not in (None, False)
    ]
    for path in dict.fromkeys(told):
        if path.rpartition(".")[2] not in NO_SIZE and path not in roots:
            yield shortened(path)


def _entered(config: Config, used: set[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Objects of which a member was used, those of blocks too, and where they are."""
    blocks = f"{config.path}{BLOCKS}"
    if blocks in used:
        for block in config.part[BLOCKS]:
            yield f"{blocks}.", block
            for part in BLOCK_PARTS:
                yield f"{blocks}.{part}.", block[part]
    names = {path.removeprefix(config.path).partition(".")[0] for path in used}
    for name in sorted(names):
        if isinstance(inner := config.part.get(name), Mapping):
            yield f"{config.path}{name}.", inner
