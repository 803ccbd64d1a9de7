"""Print each quantity's formula: calls that write it as text, in the page."""

from __future__ import annotations

import json
import math
from typing import Any

from app.tracing import javascript
from app.tracing.symbols import Symbol, TraceError
from app.tracing.tree import Tree

#: Stand-ins for nothing in a divisor are no value that a reader should see.
_GUARD = 1e-6


def formula(tree: Tree, name: str) -> str:
    """The formula of one output, down to the other named quantities in it.

    Parameters
    ----------
    tree : Tree
    name : str
        Name of an output that is no input.

    Returns
    -------
    str
        A JavaScript function of the values `q` and of the pieces `$` by name, over the
        functions `w` of `assets/core/words/formula.mjs`. Branches are decided by the values; what
        the text leaves out is decided there.
    """
    return f"(q, $) => {_operation(tree, tree.outputs[name])}"


def _piece(tree: Tree, node: Any) -> str:
    if not isinstance(node, Symbol):
        return f"w.word({json.dumps(_number_text(node), ensure_ascii=False)})"
    if node in tree.names:
        return f"$.{tree.names[node]}"
    if node.operation == "input":
        # A record's field that an output of the same name has replaced.
        return f"w.word({json.dumps(_own(node.arguments[0]))})"
    return _operation(tree, node)


def _operation(tree: Tree, node: Symbol) -> str:
    if node.operation == "where":
        condition, *sides = node.arguments
        if_true, if_false = (_piece(tree, each) for each in sides)
        return f"({javascript.expression(condition, _Values(tree))} ? {if_true} : {if_false})"
    if node.operation == "maximum" and _is_guard(node.arguments[1]):
        return _piece(tree, node.arguments[0])
    return f"w.{node.operation}({', '.join(_piece(tree, each) for each in node.arguments)})"


class _Values(dict[Symbol, str]):
    """Variables of a condition: every named quantity is a property of `q`."""

    def __init__(self, tree: Tree) -> None:
        super().__init__({node: f"q.{name}" for node, name in tree.names.items()})

    def __contains__(self, node: object) -> bool:
        return super().__contains__(node) or (
            isinstance(node, Symbol) and node.operation == "input"
        )

    def __missing__(self, node: Symbol) -> str:
        # Inputs that no output names are found among what was put in.
        name, _, field = node.arguments[0].partition(".")
        return f"choices.{name}[q.inputs.{name}].{field}" if field else f"q.inputs.{name}"


def _own(path: str) -> str:
    record = path.partition(".")[0]
    return f"the {record}'{'' if record.endswith('s') else 's'} own"


def _is_guard(value: Any) -> bool:
    return not isinstance(value, Symbol) and 0 < value < _GUARD


def _number_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    number = float(value)
    if not math.isfinite(number):
        raise TraceError(f"{value} cannot stand in a formula")
    return f"{number:,.0f}" if number == math.floor(number) else f"{number:g}"
