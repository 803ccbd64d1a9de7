"""`ServingInputs` take what Python calls a number or a name, and refuse the rest in a sentence."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from calc.serving.inputs import ServingInputs


@pytest.mark.parametrize("value", [4, np.int8(4), np.float32(4), Decimal(4), np.array(4.0)])
def test_any_number_is_one(value):
    assert type(ServingInputs(slots=value).slots) is float
    assert ServingInputs(slots=value).slots == 4.0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"slots": "8"}, "slots must be a number, or an array of numbers, not '8'"),
        ({"slots": None}, "slots must be a number, or an array of numbers, not None"),
        ({"slots": [4, 8]}, "slots must be a number, not array([4., 8.])"),
        ({"requests": float("nan")}, "requests=nan: allowed is a whole number from 1 to 1,000,000"),
        ({"rate": Decimal("-1")}, "rate=-1.0: allowed is a number from 0 to 1,000,000"),
        ({"chunk": 2.5}, "chunk=2.5: allowed is a whole number from 1 to 1,048,576"),
        ({"rate": 10**5000}, "rate must be a number in a float's range"),
        ({"policy": ["static"]}, "policy must be a name, not ['static']"),
        ({"policy": None}, "policy must be a name, not None"),
        ({"policy": "greedy"}, "policy=greedy: allowed is one of static, continuous, chunked"),
    ],
)
def test_what_is_none_is_refused_in_a_sentence(given, says):
    with pytest.raises((TypeError, ValueError)) as refused:
        ServingInputs(**given)
    assert str(refused.value).startswith(says)
