"""Python calls with anything at all: each ends in a report, or in one sentence.

As a TypeError or a ValueError; test_conversion.py has the kinds of values and their sentences.
"""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from random import Random

import numpy as np
import pytest

from calc import GPUS, Inputs, Report, evaluate, levers, read_config, scenario
from calc.inputs.declaration import Choice
from calc.inputs.table import INPUTS, NUMBERS
from calc.presets.models import OPEN_MODEL
from calc.quantity import numbers
from calc.text import harmless
from tests.helpers.hostile import fuzz
from tests.helpers.typed import TEXTS, misspelt, number

LONGEST = 400

TYPES = [
    *(float, int, str, Decimal, Fraction, bool, complex),
    *(np.int8, np.uint8, np.int32, np.int64, np.float16, np.float32, np.float64, np.longdouble),
]
STRANGE = [
    *(
        None,
        True,
        -1,
        0,
        0.5,
        -0.0,
        1e308,
        5e-324,
        float("nan"),
        float("inf"),
        -(10**401),
        10**5000,
    ),
    *([], [[]], [[1], [1, 2]], {}, {1}, (), object(), b"8", 1j, "8", range(3), len, Inputs, GPUS),
    *(
        np.array([]),
        np.zeros((2, 0)),
        np.array("x"),
        np.datetime64("NaT", "s"),
        np.ma.masked,
        OPEN_MODEL,
    ),
    *(Inputs(), scenario(), GPUS["h100-sxm"], Decimal("NaN"), *TEXTS),
]


def inputs_by_chance(chance: Random):
    keys = chance.sample(list(INPUTS), chance.choice([1, 2, 4, 8]))
    inputs = {key: value(chance, key) for key in keys}
    if chance.random() < 0.02:
        inputs[misspelt(chance, chance.choice(keys))] = 1
    return inputs


@np.errstate(all="ignore")  # a cast may overflow before it gets here
def value(chance: Random, key: str):
    what = INPUTS[key]
    if chance.random() < 0.05:
        return chance.choice(STRANGE)
    if isinstance(what, Choice):
        name = chance.choice(list(what.table))
        return chance.choice([name, name, what.table[name], np.str_(name), misspelt(chance, name)])
    found = number(chance, what)
    if chance.random() < 0.2:
        length = chance.choice([1, 2, 2, 2, 3])
        several = [number(chance, what) for _ in range(length)]
        return chance.choice(
            [
                several,
                np.array(several),
                np.array(several).astype(chance.choice(["float32", "int64"])),
            ]
        )
    try:
        return chance.choice(TYPES)(found)
    except (OverflowError, ValueError):
        return found


def check(call) -> bool:
    """Whether a call ended in a report; else, that it ended in a sentence."""
    try:
        assert isinstance(call(), Report)
    except (TypeError, ValueError) as refused:
        said = str(refused)
        assert 0 < len(said) <= LONGEST, said
        assert said == harmless(said), ascii(said)
        return False
    return True


@pytest.mark.fuzz
def test_calls():
    def attack(chance: Random) -> None:
        inputs = inputs_by_chance(chance)
        taken = check(lambda: evaluate(scenario(**inputs)))
        if not inputs.keys() <= INPUTS.keys():
            return  # the sentence on a wrong keyword of a class is Python's own
        # What people may ask for, formulas can take; but a class does not know what was given.
        strict = check(lambda: evaluate(Inputs(**inputs).validate().scenario()))
        beyond = check(lambda: evaluate(Inputs(**inputs).scenario().validate()))
        assert beyond or not taken
        assert strict or not taken
        assert taken or not strict or Inputs(**inputs).complaint(inputs.keys())
        if chance.random() < 0.1:
            check(lambda: levers(**inputs)[0])

    fuzz(attack, 2000)


@pytest.mark.fuzz
def test_records():
    """Records that are put together by hand: what `validate` lets through, formulas can take."""

    def attack(chance: Random) -> None:
        whole = scenario()
        for _ in range(chance.choice([1, 2, 3])):
            part = chance.choice(
                ["model", "gpu", "workload", "speculation", "assumptions", "precision"]
            )
            record = getattr(whole, part)
            names = list(record.__dataclass_fields__)
            what = {name: each for name, each, _ in numbers(record)}
            name = chance.choice(names)
            bounds = what[name].bounds if name in what else (0, 1)
            low, high = bounds
            new = chance.choice([low, high, (low + high) / 2, low / 2, high * 2, *STRANGE])
            with suppress(TypeError, ValueError):
                whole = replace(whole, **{part: replace(record, **{name: new})})
        check(lambda: evaluate(whole.validate()))

    fuzz(attack, 2000)


def test_every_number_may_be_of_any_type():
    for key, what in NUMBERS.items():
        for kind in (int, np.int8, np.uint8, np.float16, Decimal, Fraction, np.array):
            one = max(1, what.range[0])
            if kind is int or float(one).is_integer():
                assert getattr(Inputs(**{key: kind(one)}), key) == float(kind(one))


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_texts_from_outside_are_harmless_in_every_sentence(text):
    calls = [
        lambda: scenario(gpu=text),
        lambda: scenario(batch=text),
        lambda: scenario(**{text: 1}),
        lambda: read_config(text),
        lambda: read_config({"hidden_size": text}),
        lambda: levers(model=text),
    ]
    for call in calls:
        assert not check(call)


@pytest.mark.parametrize("given", [np.asarray, lambda base: np.broadcast_to(base, (2,))])
def test_what_a_caller_does_with_an_array_afterwards_changes_no_record(given):
    batch = np.array([1.0, 8.0])
    record = scenario(batch=given(batch))
    before = evaluate(record).tokens_per_s
    batch[:] = 64
    assert np.array_equal(evaluate(record).tokens_per_s, before)
    with pytest.raises(ValueError, match="read-only"):
        record.workload.batch[0] = 64


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_record_that_comes_back_is_checked_as_a_new_one(copied):
    inputs = Inputs(batch=np.array([1.0, 8.0]), context=512)
    for record, batch in ((copied(inputs), "batch"), (copied(inputs.scenario()), "workload.batch")):
        with pytest.raises(ValueError, match="read-only"):
            attrgetter(batch)(record)[0] = 64
    assert copied(Inputs()).as_dict() == Inputs().as_dict()
    vars(inputs)["batch"] = np.array([-1.0])
    with pytest.raises(ValueError, match=r"^batch="):
        copied(inputs)
