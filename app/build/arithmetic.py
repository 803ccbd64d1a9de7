"""The page's arithmetic: the ES modules that compute and write formulas, traced from `calc`."""

from __future__ import annotations

from functools import cache

from app.lab import blocks_per_request
from app.tracing.module import arithmetic, formulas
from app.tracing.trace import Trace, trace_function, trace_report, trace_rules
from calc import Report
from calc.architecture import attention
from calc.formulas import decode, roofline
from calc.inputs.table import CHOICES, NUMBERS
from calc.quantity import Quantity, quantities
from calc.rules import shares_evenly
from calc.scenario import MAIN_KIND, Parallelism, Speculation, Workload

#: Quantities whose formula can be asked for: inputs have none, n_kv comes from g.
_INPUTS = {"n_params", "n_active_params", "hbm_bytes"}
EXPLAINED = (
    f"{MAIN_KIND}_n_kv_heads",
    *(name for name, what in quantities(Report) if not what.detail and name not in _INPUTS),
)

#: What the page computes beside the report and the rules.
_FUNCTIONS = (
    roofline.attainable_flops_per_s,
    roofline.reached_flops_per_s,
    roofline.reached_ridge_flops_per_byte,
    decode.speedup,
    attention.group_size,
    shares_evenly,
    blocks_per_request,
)


@cache
def _report() -> Trace:
    return trace_report()


def arithmetic_module() -> str:
    """The ES module that computes in the page."""
    traces = [trace_rules(), *(trace_function(each) for each in _FUNCTIONS)]
    return arithmetic(_report(), traces, labels())


def formulas_module() -> str:
    """The ES module that writes the formulas."""
    return formulas(_report(), labels(), EXPLAINED)


def labels() -> dict[str, Quantity]:
    """Label, unit and symbol of every quantity that a formula can name."""
    records = [choice.record for choice in CHOICES.values()]
    declared: dict[str, Quantity] = {}
    for record in (*records, Workload, Speculation, Parallelism, Report):
        declared |= dict(quantities(record))
    numbers = {
        key: Quantity(each.label, each.unit, each.symbol or declared[each.sets[0]].symbol)
        for key, each in NUMBERS.items()
    }
    return numbers | declared
