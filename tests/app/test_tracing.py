from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from app.build.arithmetic import arithmetic_module
from app.tracing import javascript
from app.tracing.formulas import formula
from app.tracing.symbols import Symbol, TraceError
from app.tracing.trace import Trace, trace_function
from app.tracing.tree import Tree


def _if(x):
    return x if x > 0 else -x


def _both_bounds(x):
    return 0 < x < 1


def _builtin_max(x):
    return max(x, 1)


def _math(x):
    return math.sqrt(x)


def _round(x):
    return round(x)


def _loop(x):
    return sum(each for each in x)


def _unknown_function(x):
    return np.sin(x)


def _reduction(x):
    return np.add.reduce(x)


def _clip(x):
    return np.clip(x, 0, 1)


def _index(x):
    return [1, 2, 3][x]


@pytest.mark.parametrize(
    ("formula", "named"),
    [
        (_if, "`if`"),
        (_both_bounds, "`if`, `and`"),
        (_builtin_max, "`max()`"),
        (_math, "`math.` function"),
        (_round, "round()"),
        (_loop, "a loop"),
        (_unknown_function, "np.sin"),
        (_reduction, "np.add.reduce"),
        (_clip, "np.clip"),
        (_index, "as an index"),
    ],
)
def test_refuses_what_it_cannot_print_and_says_where(formula, named):
    with pytest.raises(TraceError) as caught:
        trace_function(formula)
    message = str(caught.value)
    assert named.replace("`max()`", "max()") in message
    assert message.startswith("app/test_tracing.py:")
    assert "return" in message


def test_prints_javascript_that_keeps_the_order_of_operations():
    def difference(a, b, c):
        return a - (b - c) + (a + (b + c)) / (b / c) - (-a) ** 2

    text = javascript.function(Tree(trace_function(difference)), "difference")
    assert "a - (b - c) + (a + (b + c)) / (b / c) - pow(-a, 2)" in text


def test_a_shared_part_is_computed_once():
    def twice(a, b):
        return (a + b) * (a + b)

    text = javascript.function(Tree(trace_function(twice)), "twice")
    assert text.count("a + b") == 1


@dataclass
class Pair:
    first: float
    second: float


@dataclass
class Sums:
    pair: Pair
    total: float


def test_records_go_in_and_come_out_as_objects():
    def sums(pair: Pair, more: float) -> Sums:
        return Sums(Pair(pair.first + more, pair.second), pair.first + pair.second)

    text = javascript.function(Tree(trace_function(sums)), "sums")
    assert text.splitlines() == [
        "export function sums(pair, more) {",
        "  const",
        "pair_first = pair.first + more,",
        "total = pair.first + pair.second;",
        "  return {pair: {...pair, first: pair_first}, total};",
        "}",
    ]


def test_choices_become_conditionals():
    def chosen(a):
        return np.where(a >= 2, np.minimum(a, 5), "none")

    text = javascript.function(Tree(trace_function(chosen)), "chosen")
    assert '(a >= 2 ? min(a, 5) : "none")' in text


def test_conditions_are_decided_and_the_rest_is_written():
    a = Symbol.input("a")
    trace = Trace(("a",), (), {"a": a, "chosen": np.where(a > 0, 2 * a, 0)})
    text = formula(Tree(trace), "chosen")
    assert text == '(q, $) => (q.a > 0 ? w.multiply(w.word("2"), $.a) : w.word("0"))'


def test_module_is_small_and_always_the_same():
    text = arithmetic_module()
    assert len(text.encode()) <= 70_000
    assert text == arithmetic_module()


def test_a_tree_of_its_own_numbers():
    trace = Trace(("a",), (), {"b": Symbol.input("a") * -2.5 + math.inf})
    assert "b = a * (-2.5) + Infinity" in javascript.function(Tree(trace), "evaluate")
