"""The batching lab's replay as an ES module: its loops printed, its costs traced."""

from __future__ import annotations

import json

from app.totals import TOTALS
from app.tracing import javascript, loops
from app.tracing.module import NAMES
from app.tracing.trace import trace_costs
from app.tracing.tree import Tree
from calc.serving.blocks import cache_bytes
from calc.serving.inputs import (
    ALLOCATORS,
    HOST_LINK_BYTES_PER_S,
    LENGTHS,
    POLICIES,
    PREEMPTIONS,
)
from calc.serving.log import passed_s, passes_within
from calc.serving.replay import Totals, n_good, replay
from calc.serving.requests import Requests, draw, source
from calc.serving.trace_file import (
    BLANKS,
    COLUMNS,
    ENCODINGS,
    LONGEST_LINE,
    OTHER_SEPARATORS,
    QUOTED,
    SAYS,
)

#: What the lab calls, or names when it makes arrays.
_ROOTS = (replay, n_good, passed_s, passes_within, cache_bytes, draw, source, Requests)

#: The numbers that stand for names.
_NAMED = {
    "policies": POLICIES,
    "allocators": ALLOCATORS,
    "preemptions": PREEMPTIONS,
    "lengths": LENGTHS,
}

#: How a trace is read from a file.
_TRACE_FILE = {
    "columns": COLUMNS,
    "longest_line": LONGEST_LINE,
    "encodings": ENCODINGS,
    "blanks": BLANKS,
    "quoted": QUOTED,
    "other_separators": OTHER_SEPARATORS,
    "says": SAYS,
}


def _totals() -> dict[str, tuple[str, str]]:
    """What each total is, and its unit."""
    return {name: TOTALS[name] for name in Totals._fields}


def replay_module() -> str:
    """The ES module that replays requests in the page.

    Returns
    -------
    str
        Source text. Exports `costs(inputs)`, what `calc.serving` exports by its names, and the
        tables of names; imports the choices from `presets.mjs`.
    """
    trace = trace_costs()
    kinds = ", ".join(dict.fromkeys(n.partition(".")[0] for n in trace.outputs if "." in n))
    return "\n".join(
        [
            "// Printed and traced from calc.serving, the one place where the replay is written.",
            'import {choices} from "./presets.mjs";',
            *NAMES,
            loops.module(_ROOTS),
            *(f"export const {name} = {json.dumps(table)};" for name, table in _NAMED.items()),
            f"export const totalQuantities = {json.dumps(_totals())};",
            f"export const HOST_LINK_BYTES_PER_S = {HOST_LINK_BYTES_PER_S:g};",
            f"export const trace_file = {json.dumps(_TRACE_FILE)};",
            javascript.function(Tree(trace), "traced"),
            "export function costs(inputs) {",
            f"  const {{inputs: _, {kinds}, ...rest}} = traced(inputs);",
            f"  return {{...rest, kinds: [{kinds}].filter(kind => kind.n_layers > 0)}};",
            "}",
            "",
        ]
    )
