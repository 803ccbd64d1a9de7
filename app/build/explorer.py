"""What the explorer alone knows, as an ES module: it comes with the view, and not before."""

from __future__ import annotations

import json
from dataclasses import asdict, fields

from app.explorer import COMPARED, CONTEXTS, SWEPT
from app.tracing.module import functions
from app.tracing.trace import trace_function
from calc import LEVERS, Report
from calc.formulas import cost, routing
from calc.studies.fit import GPU_COUNTS

#: What many GPUs and requests come to, and requests that are routed.
_FUNCTIONS = (
    *(cost.month_usd, cost.n_replicas),
    *(routing.cheap_fraction, routing.worse_fraction, routing.routed_usd),
    *(routing.error_odds, routing.easy_error_at, routing.most_hard_error),
)


def explorer_module() -> str:
    """The ES module that the explorer's studies import.

    Returns
    -------
    str
        Source text. Exports `month_usd`, `n_replicas`, and the formulas of routing; `levers`;
        `gpu_counts` and `contexts` of the study of what fits; `swept`, the inputs of a sweep;
        `compared`, what quantities that stand side by side are called; and `reported`, the names of
        what `report --json` prints.
    """
    knows = {
        "levers": [asdict(lever) for lever in LEVERS],
        "gpu_counts": GPU_COUNTS,
        "contexts": CONTEXTS,
        "swept": SWEPT,
        "compared": COMPARED,
        "reported": [each.name for each in fields(Report)],
    }
    texts = (json.dumps(what, ensure_ascii=False) for what in knows.values())
    lines = (f"export const {name} = {text};\n" for name, text in zip(knows, texts, strict=True))
    return functions([trace_function(each) for each in _FUNCTIONS]) + "".join(lines)
