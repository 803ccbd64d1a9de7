"""The ES modules that compute in the page: traced functions, and the records they look up."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from app.tracing.printer import Printer
from app.tracing.run import Traced
from calc.quantity import Quantity

#: What traced functions call.
NAMES = (
    "const {ceil, floor, log2, max, min, pow, sqrt} = Math;",
    "const given = (value, otherwise) => (isNaN(value) ? otherwise : value);",
)


def module(
    report: Traced,
    functions: list[Traced],
    labels: Mapping[str, Quantity],
    explained: Collection[str],
) -> str:
    """The ES module that computes in the page.

    Parameters
    ----------
    report : Traced
        Printed as `evaluate(inputs)`.
    functions : list of Traced
        Printed under their own names.
    labels : mapping of str to Quantity
        Exported as `quantities`.
    explained : collection of str
        Quantities whose formula can be asked for, exported as `formulas`.

    Returns
    -------
    str
        Source text. Exports `quantities`, `formulas`, `evaluate` and the functions; imports
        the choices from `presets.mjs`.
    """
    printer = Printer(report)
    names = [
        f" {name}: {json.dumps([what.label, what.unit, what.symbol], ensure_ascii=False)},"
        for name, what in labels.items()
    ]
    formulas = [f" {name}: {printer.template(name)}," for name in explained]
    return "\n".join(
        [
            "// Traced from calc, the one place where the arithmetic is written.",
            'import {choices} from "./presets.mjs";',
            *NAMES,
            "export const quantities = {",
            *names,
            "};",
            "const shown = ([name, text]) => [name, (q, show) =>",
            "  text(q, new Proxy({}, {get: (_, name) => show(name)}))];",
            "export const formulas = Object.fromEntries(Object.entries({",
            *formulas,
            "}).map(shown));",
            printer.javascript("evaluate"),
            *(Printer(f).javascript(next(iter(f.outputs))) for f in functions),
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


def _table(records: Mapping[str, Any]) -> str:
    """Records of one type as their field names, once, and a row of numbers each."""
    names = [f.name for f in fields(next(iter(records.values())))]
    rows = [
        f"    {json.dumps(id_)}:[{','.join(_number(getattr(record, name)) for name in names)}],"
        for id_, record in records.items()
    ]
    return "\n".join([f"table({json.dumps(names)}, {{", *rows, "  })"])


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    short = f"{value:g}"
    return short if float(short) == value else json.dumps(value)
