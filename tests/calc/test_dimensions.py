"""Every result has the dimension that its field states: the formulas, run on quantities."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pint
import pytest

from calc import Report, evaluate, scenario
from calc.formulas import cost, decode, kv, paging, parallel
from calc.quantity import quantities

REGISTRY = pint.UnitRegistry()
REGISTRY.define("stored_byte = [information]")
REGISTRY.define("FLOP = [arithmetic]")
REGISTRY.define("USD = [money]")

#: Tokens and sequences are counts, and counts have no dimension.
NAMES = {"B": "stored_byte", "s": "s", "h": "hour", "FLOP": "FLOP", "USD": "USD", "tokens": ""}


def unit(text: str) -> pint.Unit:
    numerator, _, denominator = text.partition("/")
    over = REGISTRY.parse_units(NAMES[denominator] if denominator else "")
    return REGISTRY.parse_units(NAMES.get(numerator, "")) / over


def with_units(record):
    """The same record with every number that has a unit turned into a quantity."""
    units = {name: what.unit for name, what in quantities(record)}
    changed = {}
    for each in fields(record):
        value = getattr(record, each.name)
        if is_dataclass(value):
            changed[each.name] = with_units(value)
        else:
            changed[each.name] = REGISTRY.Quantity(np.array(float(value)), unit(units[each.name]))
    return replace(record, **changed)


def in_quantities(monkeypatch, inputs):
    """The report of a scenario whose numbers, and the formulas' constants, carry units."""
    quantity = REGISTRY.Quantity
    monkeypatch.setattr(kv, "SMALLEST_CACHE", quantity(1e-9, "stored_byte"))
    monkeypatch.setattr(paging, "SMALLEST_PAGE", quantity(1.0, "stored_byte"))
    monkeypatch.setattr(paging, "PAGE_STEP_BYTES", quantity(576.0, "stored_byte"))
    monkeypatch.setattr(paging, "STATE_BLOCK_BYTES", quantity(32768.0, "stored_byte"))
    monkeypatch.setattr(decode, "MULTIPLY_ADD", quantity(2.0, "FLOP"))
    monkeypatch.setattr(parallel, "SLOWEST_OWN_LINK_BYTES_PER_S", quantity(1e11, "stored_byte/s"))
    monkeypatch.setattr(parallel, "ACTIVATION_BYTES", quantity(2.0, "stored_byte"))
    monkeypatch.setattr(cost, "SECONDS_PER_HOUR", quantity(3600.0, "s/hour"))
    monkeypatch.setattr(cost, "FREE", quantity(1e-30, "USD"))
    return evaluate(with_units(scenario(**inputs)))


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"assumptions": "engine", "gpus": 4.0, "spec_k": 4.0, "prefix_hit": 0.5},
        {"assumptions": "engine", "model": "deepseek-v3", "gpus": 8.0, "weights": "fp8"},
        {"assumptions": "engine", "model": "gemma-3-27b", "weights": "int4"},
        {"assumptions": "engine", "model": "qwen3.5-27b", "gpus": 2.0, "spec_k": 2.0},
        {"assumptions": "engine", "model": "deepseek-v4-flash", "gpus": 8.0, "weights": "mxfp4"},
        {
            "model": "gpt-oss-120b",
            "weights": "mxfp4",
            "real_checkpoint": 1.0,
            "overlap": "operator",
        },
    ],
    ids=lambda inputs: "-".join(map(str, inputs.values())) or "default",
)
def test_results_have_the_dimension_of_their_unit(inputs, monkeypatch):
    plain = evaluate(scenario(**inputs))
    report = in_quantities(monkeypatch, inputs)
    for name, what in quantities(Report):
        value = getattr(report, name)
        if np.asarray(getattr(plain, name)).dtype.kind in "Ub":
            continue
        expected = unit(what.unit) if what.unit else REGISTRY.dimensionless
        found = REGISTRY.Quantity(value)
        # An amount that is exactly 0 has lost its unit on the way: 0 of anything is 0.
        if found.dimensionless and float(found.magnitude) == 0:
            continue
        assert found.is_compatible_with(expected), f"{name}: {found.units}, not {expected}"
        assert float(found.to(expected).magnitude) == pytest.approx(float(getattr(plain, name)))


def test_a_wrong_formula_would_be_noticed(monkeypatch):
    monkeypatch.setattr(kv, "bytes_per_sequence", lambda *_: 1.0)
    with pytest.raises(pint.DimensionalityError):
        in_quantities(monkeypatch, {})
