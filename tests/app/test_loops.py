"""Functions with loops are printed as they are, and what has no exact form is refused."""

from __future__ import annotations

import json
import subprocess
from math import sqrt
from typing import NamedTuple

import pytest

from app.tracing.loops import LoopError, module
from app.tracing.module import NAMES
from calc.formulas import roofline
from calc.primitives import where
from calc.serving.arrays import Floats, arrays, longer, zeros
from tests.helpers.node import node

LIMIT = 7.5


class Pair(NamedTuple):
    left: Floats
    right: Floats


def _doubled(value: float) -> float:
    return 2 * value


def everything(n: int, share: float) -> Pair:
    """Every word that may be said, once at least."""
    pair = arrays(Pair, n)
    for place in range(n):
        pair.left[place] = _doubled(place) - (share + place) % 3 + sqrt(place) / 7
        if not place > 3 and (place == 2 or share < 0.5 <= LIMIT):
            continue
        elif place >= 8:
            break
        pair.right[place] = max(min(pair.left[place], LIMIT), -1.0)
    rest, quotient = float(n), 0
    while rest >= 3:
        rest -= 3
        quotient += n // 3
    for place in range(2, -1, -1):
        pair.left[place] += int(rest + 0.9) * (1.0 if quotient else 0.5)
    other, many = zeros(1), where(share > 0.5, 1.0, 2.0)
    other[0] = roofline.overlapped_s(many, 2.0, 3.0, 4.0, 5.0, 6.0, operator_overlap=1.0)
    pair = longer(Pair, pair, n + 1)
    return Pair(left=pair.left, right=other)


def run(text: str, call: str):
    script = "\n".join([*NAMES, text, f"console.log(JSON.stringify({call}))"])
    command = [node(), "--input-type=module", "-"]
    found = subprocess.run(command, input=script.encode(), capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode()
    return json.loads(found.stdout)


@pytest.mark.parametrize(("n", "share"), [(12, 0.3), (12, 0.9), (3, 0.1)])
def test_the_printed_function_does_the_same(n, share):
    there = run(module([everything]), f"everything({n}, {share})")
    here = everything(n, share)
    assert [list(there[name].values()) for name in Pair._fields] == [list(each) for each in here]


def unknown_call(value: float) -> float:
    return round(value)


def power(value: float) -> float:
    return value**2


def negative_place(values: Floats) -> float:
    return values[-1]


def shadowed(value: float) -> float:
    overlapped_s = value
    return roofline.overlapped_s(overlapped_s, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)


def swapped(first: float, second: float) -> float:
    first, second = second, first
    return first - second


def listed(values: Floats) -> float:
    return sum([value for value in values])


def three(value: float) -> float:
    return min(value, 1.0, 2.0)


def left_out(value: float) -> float:
    return roofline.overlapped_s(value, 1.0)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "function", [unknown_call, power, negative_place, shadowed, swapped, listed, three, left_out]
)
def test_what_has_no_exact_form_is_refused(function):
    with pytest.raises(LoopError, match=rf"test_loops\.{function.__name__}, line \d+: "):
        module([function])
