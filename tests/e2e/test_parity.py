"""Python and the module in the page give the same numbers, to the last bit where they can."""

from __future__ import annotations

import base64
import json
from dataclasses import fields
from typing import Any

import numpy as np

from app.tracing.symbols import Symbol
from app.tracing.trace import trace_report
from app.tracing.tree import Tree
from calc import Inputs, Report, evaluate
from calc.architecture.sizes import gqa_stops, usual_architecture
from calc.inputs.declaration import Choice
from calc.inputs.table import CHOICES, INPUTS, NUMBERS
from calc.quantity import record_of_arrays
from calc.rules import RULES
from tests.helpers.strategies import SHARING
from tests.helpers.widget import Widget

ROWS = 20_000

#: Few experts, or few layers, and GPUs enough for more: too rare by chance.
RARE = ("ep_of_experts", "stages_of_layers")


def inputs_of(node: Any) -> set[str]:
    """The inputs that a traced number is made of."""
    if not isinstance(node, Symbol):
        return set()
    if node.operation == "input":
        return {node.arguments[0]}
    return set().union(*map(inputs_of, node.arguments))


def with_power_of(name: str) -> set[str]:
    """The outputs that hold a power whose base is made of an input.

    JavaScript's power may differ from C's in the last bits; all else is the same.
    """
    tree, holding = Tree(trace_report()), set()
    for part in tree.parts():
        within = any(id(argument) in holding for argument in part.arguments)
        if within or (part.operation == "power" and name in inputs_of(part.arguments[0])):
            holding.add(id(part))
    return {output for output, node in tree.outputs.items() if id(node) in holding}


def random_inputs(rows: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(20261129)
    inputs = {}
    for key, what in INPUTS.items():
        if isinstance(what, Choice):
            # Half of the rows are the open model, which follows the other inputs.
            names = random.choice(list(what.table), rows)
            inputs[key] = np.where(random.random(rows) < 0.5, what.default, names)
            continue
        low, high = what.range
        # Half over the stops, half anywhere between the bounds, by magnitude where it spans some.
        if low > 0:
            anywhere = np.exp(random.uniform(np.log(low), np.log(high), rows))
        else:
            anywhere = random.uniform(low, high, rows)
        if what.whole:
            anywhere = np.round(anywhere)
        stops = random.choice(what.stops, rows) if what.stops else anywhere
        inputs[key] = np.where(random.random(rows) < 0.5, stops, anywhere).astype(float)
        if np.isnan(what.default):
            inputs[key] = np.where(random.random(rows) < 0.5, np.nan, inputs[key])
    heads = usual_architecture(inputs["params_b"] * 1e9)[1]
    inputs["gqa"] = np.array([random.choice(gqa_stops(int(h))) for h in heads], float)
    # Most rows share in one way at most, over a power of two; any way at all goes into formulas.
    for key in SHARING:
        inputs[key] = np.where(random.random(rows) < 0.8, INPUTS[key].default, inputs[key])
    doubled = 2.0 ** random.integers(0, 6, rows)
    inputs["gpus"] = np.where(random.random(rows) < 0.8, doubled, inputs["gpus"])
    inputs["alpha"][:100] = 1.0
    inputs["top_k"] = np.minimum(inputs["top_k"], inputs["experts"])
    return inputs


def with_records(inputs: dict[str, np.ndarray]) -> dict[str, object]:
    """The same with a record of columns for each choice."""
    records = {
        key: record_of_arrays([choice.table[name] for name in inputs[key]])
        for key, choice in CHOICES.items()
    }
    return inputs | records


def in_python(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    # Some rows have a model or a card of their own: then they also give what nothing takes.
    built = Inputs(**with_records(inputs)).scenario()
    report = evaluate(built)
    results = built.leaves() | {f.name: getattr(report, f.name) for f in fields(Report)}
    return {name: np.broadcast_to(value, ROWS) for name, value in results.items()}


def in_the_page(widget: Widget, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    columns = {key: column.tolist() for key, column in inputs.items()}
    texts = widget.page.evaluate(
        """async text => {
          const {modules} = await pageModules();
          const {evaluate, quantities} = modules["built/arithmetic.mjs"];
          const columns = JSON.parse(text);
          const keys = Object.keys(columns), rows = columns[keys[0]].length, results = {};
          for (let row = 0; row < rows; row++) {
            const inputs = Object.fromEntries(keys.map(key => [key, columns[key][row] ?? NaN]));
            const report = evaluate(inputs);
            for (const name in quantities) {
              results[name] ??= new Float64Array(rows);
              const word = ["memory", "compute", "comms", "overhead"].indexOf(report[name]);
              results[name][row] = word < 0 ? Number(report[name]) : word;
            }
          }
          return Object.fromEntries(Object.entries(results).map(([name, column]) => {
            let bytes = "";
            for (const byte of new Uint8Array(column.buffer)) bytes += String.fromCharCode(byte);
            return [name, btoa(bytes)];
          }));
        }""",
        json.dumps(columns).replace("NaN", "null"),
    )
    return {name: np.frombuffer(base64.b64decode(text)) for name, text in texts.items()}


def test_python_and_page_break_the_same_rules(widget: Widget) -> None:
    inputs = random_inputs(ROWS)
    random = np.random.default_rng(20261130)
    # One input of each row is a little beside what it takes, or anywhere; what no formula can
    # take (a negative size) comes past no door of Python's, so far as to be asked about.
    for row, key in enumerate(random.choice(list(NUMBERS), ROWS)):
        low, high = NUMBERS[key].range
        beside = random.choice([low - 1, high + 1, low + 0.5, high, random.normal()])
        inputs[key][row] = beside if NUMBERS[key].suits(beside) else high + 1
    counts = {name: random.integers(0, 2, ROWS).astype(float) for name in ("n_own", "n_own_card")}
    with np.errstate(all="ignore"):
        python = np.broadcast_to(Inputs(**with_records(inputs)).broken(**counts), ROWS)
    columns = {key: column.tolist() for key, column in (inputs | counts).items()}
    page = widget.page.evaluate(
        """async text => {
          const {modules} = await pageModules();
          const {broken} = modules["built/arithmetic.mjs"];
          const columns = JSON.parse(text), keys = Object.keys(columns);
          return columns.n_own.map((_, row) =>
            broken(Object.fromEntries(keys.map(key => [key, columns[key][row] ?? NaN]))));
        }""",
        json.dumps(columns).replace("NaN", "null"),
    )
    np.testing.assert_array_equal(page, python)
    broken = set(page)
    assert {
        "",
        "own_keys",
        "own_card_keys",
        "group_of_heads",
        "kv_heads_of_heads",
        *(name for name, rule in RULES.items() if "gpus" in rule.keys and name not in RARE),
        *NUMBERS,
    } <= broken


def test_python_and_page_agree_bit_for_bit(widget: Widget) -> None:
    inputs = random_inputs(ROWS)
    python, page = in_python(inputs), in_the_page(widget, inputs)
    assert python.keys() <= page.keys()
    assert len(python) > 60
    experts = python["n_experts"] > 0
    assert 0.2 < experts.mean() < 0.8
    of_accepted, of_idle = with_power_of("alpha"), with_power_of("experts")
    assert "tokens_per_s" in of_accepted & of_idle
    assert "max_batch" not in of_accepted | of_idle
    for name, expected in python.items():
        if expected.dtype.kind == "U":
            words = ["memory", "compute", "comms", "overhead"]
            expected = np.vectorize(words.index)(expected)  # noqa: PLW2901
        found, expected = page[name], expected.astype(float)  # noqa: PLW2901
        exact = ~(experts & (name in of_idle)) & (name not in of_accepted)
        np.testing.assert_array_equal(found[exact], expected[exact], err_msg=name)
        np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=name)
