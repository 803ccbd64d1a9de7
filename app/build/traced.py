"""The ES module that computes in the page, traced from `calc`."""

from __future__ import annotations

from app.inputs import Inputs, Number, keys
from app.tracing.module import module
from app.tracing.run import trace_function, trace_report
from calc import Report, scenario
from calc.formulas import decode, roofline
from calc.presets.assumptions import Overlap
from calc.quantity import Quantity, quantities
from calc.rules import contradiction
from calc.scenario import (
    AcceptedTokens,
    Assumptions,
    Gpu,
    KvFormat,
    Model,
    Scenario,
    Speculation,
    WeightFormat,
    Workload,
)

#: Quantities whose formula can be asked for: what is given has none, n_kv comes from g.
_GIVEN = {"n_params", "n_active_params", "hbm_bytes"}
EXPLAINED = (
    "n_kv_heads",
    *(name for name, what in quantities(Report) if not what.detail and name not in _GIVEN),
)

#: What the page computes beside the report.
_FUNCTIONS = (roofline.attainable_flops_per_s, decode.speedup, contradiction)

_RECORDS = {
    "model": Model,
    "acceptance": AcceptedTokens,
    "overlap": Overlap,
    "weights": WeightFormat,
    "kv": KvFormat,
    "gpu": Gpu,
    "assumptions": Assumptions,
}


def traced_module() -> str:
    """The ES module that computes in the page, traced from `calc`."""
    numbers = tuple(key for key in keys() if isinstance(Inputs.param[key], Number))
    report = trace_report(scenario, numbers, _RECORDS)
    functions = [trace_function(f) for f in _FUNCTIONS]
    return module(report, functions, labels(), EXPLAINED)


def labels() -> dict[str, Quantity]:
    """Label, unit and symbol of every quantity that a formula can name."""
    named = {
        key: Quantity(p.label or key, p.unit, p.symbol)
        for key in keys()
        if isinstance(p := Inputs.param[key], Number)
    }
    records = (
        *_RECORDS.values(),
        Model,
        Workload,
        Speculation,
        Scenario,
        Report,
    )
    for record in records:
        named |= dict(quantities(record))
    return named
