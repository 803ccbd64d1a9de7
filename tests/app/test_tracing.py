from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from app.build.traced import EXPLAINED, labels, traced_module
from app.tracing.printer import Printer, formula_text
from app.tracing.run import Traced, trace_function, trace_report
from app.tracing.symbols import OPERATIONS, Symbol, TraceError
from calc.inputs import CHOICES, INPUTS

NUMPY = {name: function for function, name in OPERATIONS.items()}


def at_the_default(node):
    """What a traced tree gives for the lesson's default inputs."""
    if not isinstance(node, Symbol):
        return node
    if node.operation == "input":
        choice, _, field = node.arguments[0].partition(".")
        value = INPUTS[choice].default
        return getattr(CHOICES[choice].table[value], field) if field else value
    with np.errstate(invalid="ignore", divide="ignore"):
        return NUMPY[node.operation](*map(at_the_default, node.arguments))


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer(trace_report())


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

    text = Printer(trace_function(difference)).javascript("difference")
    assert "a - (b - c) + (a + (b + c)) / (b / c) - pow(-a, 2)" in text


def test_a_shared_part_is_computed_once():
    def twice(a, b):
        return (a + b) * (a + b)

    text = Printer(trace_function(twice)).javascript("twice")
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

    text = Printer(trace_function(sums)).javascript("sums")
    assert text.splitlines() == [
        "export function sums(pair, more) {",
        "  const",
        "  pair_first = pair.first + more,",
        "  total = pair.first + pair.second;",
        "  return {pair: {first: pair_first, second: pair.second}, total};",
        "}",
    ]


def test_choices_become_conditionals():
    def chosen(a):
        return np.where(a >= 2, np.minimum(a, 5), "none")

    text = Printer(trace_function(chosen)).javascript("chosen")
    assert '(a >= 2 ? min(a, 5) : "none")' in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kv_bytes_per_token", "2 · L · n_kv · d_head · b_kv"),
        ("n_kv_heads", "h / g"),
        ("weight_bytes", "N · b_w"),
        ("kv_bytes", "B · KV_seq"),
        ("hbm_used_bytes", "reserve + W + KV + draft"),
        ("max_batch", "max(0, ⌊(HBM − reserve − W · (1 + s)) / (KV_seq · (1 + s))⌋)"),
        ("decode_bytes", "W + KV"),
        ("decode_flops", "2 · N_active · B"),
        ("memory_s", "bytes / BW"),
        ("compute_s", "FLOPs / peak"),
        ("step_s", "max(t_mem, t_comp)"),
        ("plain_tokens_per_s", "B / t_step"),
        ("tokens_per_s", "B · E / t_cycle"),
        ("cycle_s", "t_draft + t_verify"),
        ("draft_s", "k · c · t_step"),
        ("spec_tokens_per_pass", "(1 − α^(k + 1)) / (1 − α)"),
        ("prefill_flops_per_byte", "FLOPs_prefill / W"),
        ("peak_flops_per_s", "peak_16"),
        ("fits", "used ≤ HBM"),
    ],
)
def test_formula_text_is_the_lesson_s(printer, name, text):
    symbols = labels()
    shown = formula_text(
        printer.formula(name), lambda each: symbols[each].symbol, lambda c: bool(at_the_default(c))
    )
    assert shown == text


def test_formula_text_shows_both_sides_where_the_values_are_open(printer):
    symbols = labels()
    shown = formula_text(printer.formula("draft_share"), lambda each: symbols[each].symbol)
    assert shown == "(c or 0)"


def test_every_name_in_a_formula_has_a_label(printer):
    symbols = labels()
    for name in EXPLAINED:
        formula_text(printer.formula(name), lambda each: symbols[each].symbol)
        assert name in symbols


def test_inputs_have_no_formula(printer):
    assert printer.formula("batch") == ()


def test_module_is_small_and_always_the_same():
    text = traced_module()
    assert len(text.encode()) < 60_000
    assert text == traced_module()


def test_a_tree_of_its_own_numbers():
    traced = Traced(("a",), (), {"b": Symbol.input("a") * -2.5 + math.inf})
    assert "b = a * (-2.5) + Infinity" in Printer(traced).javascript("evaluate")
