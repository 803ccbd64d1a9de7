"""The quantities that `calc` declares: the fields of the scenario's records and of the report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from calc import Report, Scenario
from calc.quantity import Quantity
from calc.report import Pass


def records(record: type = Scenario) -> list[type]:
    """The scenario's records, each before the one that it is in, without repetition."""
    kinds: dict[type, None] = {}
    for hint in get_type_hints(record).values():
        if isinstance(hint, type) and is_dataclass(hint):
            kinds |= dict.fromkeys(records(hint))
    return [*kinds, record]


def sections() -> list[type]:
    """The report's sections, in the order in which it has them; then the pass that they show."""
    return [*reversed(Report.__bases__), Pass]


def own_quantities(record: Any) -> Iterator[tuple[str, Quantity]]:
    """Name and quantity of each field that a record itself declares."""
    for each in fields(record):
        if what := each.metadata.get("quantity"):
            yield each.name, what


def declared() -> dict[str, list[Quantity]]:
    """By name, what the fields of this name hold: a model has layers, and so has each kind."""
    quantities: dict[str, list[Quantity]] = {}
    for record in (*records(), *sections()):
        for name, what in own_quantities(record):
            quantities.setdefault(name, []).append(what)
    return quantities
