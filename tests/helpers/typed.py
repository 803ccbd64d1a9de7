"""Inputs as people might type them, right and wrong, by chance."""

from __future__ import annotations

from random import Random

from calc.inputs.declaration import Choice, Number
from calc.inputs.table import INPUTS, MODEL_KEYS
from tests.helpers.hostile import kinds

#: Texts that are no numbers, and texts that are nothing.
NO_NUMBERS = [text for kind in kinds("numbers.json").values() for text in kind.get("refuses", [])]
TEXTS = [text for kind in kinds("texts.json").values() for text in kind["texts"]]


def typed(chance: Random) -> dict[str, str]:
    """Some keys and what was typed for each: mostly what they take, so that rules are met, too."""
    most = chance.choice([1, 2, 3, 6, 12])
    keys = chance.sample(list(INPUTS), chance.randint(1, most))
    if chance.random() < 0.3:
        keys = chance.sample(MODEL_KEYS, chance.randint(1, min(most, len(MODEL_KEYS))))
    texts = {key: value(chance, INPUTS[key]) for key in keys}
    if chance.random() < 0.02:
        texts[misspelt(chance, chance.choice(keys))] = "8"
    return texts


def value(chance: Random, what: Number | Choice) -> str:
    if chance.random() < 0.03:
        return chance.choice(NO_NUMBERS + TEXTS)
    if isinstance(what, Choice):
        name = chance.choice(list(what.table))
        return misspelt(chance, name) if chance.random() < 0.1 else name
    return written(chance, number(chance, what))


def number(chance: Random, what: Number) -> float:
    low, high = what.range
    if chance.random() < 0.05:
        return chance.choice([low - 1, low / 2, high + 1, high * 2, high + 0.5, -high, 1e300])
    between = low + (high - low) * chance.random() ** chance.choice([1, 4, 12])
    value = chance.choice([low, high, between, *what.stops])
    return round(value) if what.whole and chance.random() < 0.95 else value


def written(chance: Random, value: float) -> str:
    """A number in one of the ways in which people and programs write them."""
    texts = [repr(value), f"{value:,}", f"{value:e}", f"{value:.3g}", f" {value} ", f"{value:.0f}"]
    return chance.choice(texts)


def misspelt(chance: Random, name: str) -> str:
    at = chance.randrange(len(name) + 1)
    return chance.choice(
        [name[:at] + name[at + 1 :], name.upper(), name + "s", name[:at] + "\x1b" + name[at:]]
    )
