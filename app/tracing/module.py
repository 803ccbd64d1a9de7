"""The ES module that computes in the page, put together from traced functions."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from app.tracing.printer import Printer
from app.tracing.run import Traced
from calc.quantity import Quantity


def module(
    report: Traced,
    functions: list[Traced],
    choices: Mapping[str, Mapping[str, Any]],
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
    choices : mapping
        Choice → name → record of numbers, exported as data.
    labels : mapping of str to Quantity
        Exported as `quantities`.
    explained : collection of str
        Quantities whose formula can be asked for, exported as `formulas`.

    Returns
    -------
    str
        Source text. Exports `choices`, `quantities`, `formulas`, `evaluate` and the functions.
    """
    printer = Printer(report)
    records = {
        choice: {name: _record(record) for name, record in table.items()}
        for choice, table in choices.items()
    }
    names = {name: [what.label, what.unit, what.symbol] for name, what in labels.items()}
    formulas = [f"  {name}: {printer.template(name)}," for name in explained]
    return "\n".join(
        [
            "// Traced from calc, the one place where the arithmetic is written.",
            f"export const choices = {json.dumps(records, indent=1)};",
            f"export const quantities = {json.dumps(names, ensure_ascii=False, indent=0)};",
            "export const formulas = {",
            *formulas,
            "};",
            printer.javascript("evaluate"),
            *(Printer(f).javascript(next(iter(f.outputs))) for f in functions),
            "",
        ]
    )


def _record(record: Any) -> dict[str, float]:
    return {f.name: float(getattr(record, f.name)) for f in fields(record)}
