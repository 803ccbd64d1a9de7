"""The ES modules that compute in the page: traced functions, and the records they look up."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from typing import Any

from app.tracing import javascript
from app.tracing.formulas import formula
from app.tracing.trace import Trace
from app.tracing.tree import Tree
from calc.quantity import Quantity, Value, numbers, quantities

#: A report's numbers stand in one array, which holds no objects: made with a field for each of
#: its three hundred, it takes three times as long.
REPORT = """\
class Report {
  constructor(numbers, others) { this.numbers = numbers; this.others = others; }
}
const shows = (name, get) => Object.defineProperty(Report.prototype, name, {enumerable: true, get});
for (const name of others) shows(name, function () { return this.others[name]; });
Object.keys(quantities).filter(name => !others.includes(name)).forEach((name, i) =>
  shows(name, function () { return this.numbers[i]; }));"""

#: What traced functions call.
NAMES = (
    "const {ceil, floor, log2, max, min, pow, sqrt} = Math;",
    "const given = (value, otherwise) => (isNaN(value) ? otherwise : value);",
)


def arithmetic(report: Trace, functions: list[Trace], labels: Mapping[str, Quantity]) -> str:
    """The ES module that computes in the page.

    Parameters
    ----------
    report : Trace
        Printed as `evaluate(inputs)`, which returns a `Report`.
    functions : list of Trace
        Printed under their own names.
    labels : mapping of str to Quantity
        Exported as `quantities`.

    Returns
    -------
    str
        Source text. Exports `quantities`, `evaluate` and the functions; imports the choices
        from `presets.mjs`.
    """
    names = [
        f"{name}:{_compact([what.label, what.unit, what.symbol])},"
        for name, what in labels.items()
        if name in report.outputs
    ]
    tree = Tree(report)
    counted = [n for n in labels if n in tree.outputs and javascript.is_number(tree.outputs[n])]
    others = [name for name in (*tree.outputs, "inputs") if name not in counted]

    def made(values: Mapping[str, str]) -> str:
        numbers = ", ".join(values[name] for name in counted)
        return f"new Report([{numbers}], {{{', '.join(others)}}})"

    return "\n".join(
        [
            "// Traced from calc, the one place where the arithmetic is written.",
            'import {choices} from "./presets.mjs";',
            *NAMES,
            "export const quantities = {",
            *names,
            "};",
            f"const others = {json.dumps(others)};",
            REPORT,
            javascript.function(tree, "evaluate", made),
            *map(_function, functions),
            "",
        ]
    )


def functions(traces: list[Trace]) -> str:
    """An ES module of plain functions.

    Parameters
    ----------
    traces : list of Trace
        Printed under their own names.

    Returns
    -------
    str
        Source text.
    """
    return "\n".join(["// Traced from calc.", *NAMES, *map(_function, traces), ""])


def _function(trace: Trace) -> str:
    return javascript.function(Tree(trace), trace.name)


def formulas(report: Trace, labels: Mapping[str, Quantity], names: Collection[str]) -> str:
    """The ES module that writes the formulas of a report.

    Parameters
    ----------
    report : Trace
    labels : mapping of str to Quantity
        Says of each quantity where a formula leaves it out.
    names : collection of str
        Quantities whose formula can be asked for.

    Returns
    -------
    str
        Source text. Exports `written`: from the pieces of core/words/formula.mjs to the formulas
        by name, functions of a report's values and of a function that shows a name.
    """
    tree = Tree(report)
    steps = [name for name, what in labels.items() if what.detail]
    declarations = {
        name: {
            key: value
            for key, value in (("neutral", what.neutral), ("same_as", what.same_as))
            if value not in (None, "")
        }
        for name, what in labels.items()
    }
    return "\n".join(
        [
            "// Traced from calc: what each quantity is made of; core/words/formula.mjs writes it.",
            'import {choices} from "./presets.mjs";',
            *NAMES,
            f"const declarations = {json.dumps({n: d for n, d in declarations.items() if d})};",
            "export const written = w => w.formulaTexts({",
            *(f" {name}: {formula(tree, name)}," for name in names),
            "}, {",
            *(f" {name}: {formula(tree, name)}," for name in steps),
            "}, declarations);",
            "",
        ]
    )


def presets(choices: Mapping[str, Mapping[str, Any]]) -> str:
    """The ES module of the records that a choice stands for.

    Parameters
    ----------
    choices : mapping
        Choice → name → record of numbers.

    Returns
    -------
    str
        Source text. Exports `choices`.
    """
    return "\n".join(
        [
            "// The presets of calc, as numbers: field names once, then a row for each record.",
            "const record = (names, row) => Object.fromEntries(names.map((n, i) => [n, row[i]]));",
            "const table = (names, rows) => Object.fromEntries(",
            "  Object.entries(rows).map(([name, row]) => [name, record(names, row)]));",
            "export const choices = {",
            *(f"  {choice}: {_table(table)}," for choice, table in choices.items()),
            "};",
            "",
        ]
    )


def _compact(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _table(records: Mapping[str, Any]) -> str:
    """Records of one type as the names of their numbers, once, and a row each."""
    names = [name for name, _ in quantities(next(iter(records.values())))]
    rows = [
        f"    {json.dumps(id_)}:[{','.join(_number(value) for _, _, value in numbers(record))}],"
        for id_, record in records.items()
    ]
    return "\n".join([f"table({json.dumps(names)}, {{", *rows, "  })"])


def _number(value: Value) -> str:
    value = float(value)
    if math.isnan(value):
        return "NaN"
    short = f"{value:g}"
    return short if float(short) == value else json.dumps(value)
