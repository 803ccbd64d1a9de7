"""Print a tree as a JavaScript function."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from textwrap import fill
from typing import Any

import numpy as np

from app.tracing.notation import ATOM, Notation, bracketed
from app.tracing.symbols import Symbol
from app.tracing.tree import Tree

_NOTATIONS: dict[str, Notation] = {
    "add": Notation("{} + {}", 4),
    "subtract": Notation("{} - {}", 4),
    "multiply": Notation("{} * {}", 5),
    "divide": Notation("{} / {}", 5),
    "negative": Notation("-{}", 6),
    "power": Notation("pow({}, {})", ATOM),
    "minimum": Notation("min({}, {})", ATOM),
    "maximum": Notation("max({}, {})", ATOM),
    "floor": Notation("floor({})", ATOM),
    "ceil": Notation("ceil({})", ATOM),
    "sqrt": Notation("sqrt({})", ATOM),
    "log2": Notation("log2({})", ATOM),
    "isnan": Notation("isNaN({})", ATOM),
    "equal": Notation("{} === {}", 3),
    "not_equal": Notation("{} !== {}", 3),
    "less": Notation("{} < {}", 3),
    "less_equal": Notation("{} <= {}", 3),
    "greater": Notation("{} > {}", 3),
    "greater_equal": Notation("{} >= {}", 3),
    "where": Notation("({} ? {} : {})", ATOM),
}


#: What gives true or false.
_COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}


def is_number(node: Any) -> bool:
    """Whether a node's value is a number: no word, and not true or false."""
    if not isinstance(node, Symbol):
        return not isinstance(node, str | bool)
    if node.operation == "where":
        return is_number(node.arguments[1])
    return node.operation not in _COMPARISONS


def function(tree: Tree, name: str, made: Callable[[Mapping[str, str]], str] | None = None) -> str:
    """An exported function that computes all outputs of a tree.

    Parameters
    ----------
    tree : Tree
    name : str
        The function's name. One that is the name of an output returns that value.
    made : callable, optional
        What it returns of all outputs: from their names and expressions to an expression; an
        object if not given.

    Returns
    -------
    str
        Source text.
    """
    lines, variables = [], {}
    if tree.choices:
        head = f"export function {name}(inputs) {{"
        own = [each for each in tree.inputs if not tree.is_resolved(each)]
        lines.append(f"  const {{{', '.join(own)}}} = inputs;")
        records = {
            node.arguments[0].partition(".")[0]
            for node in tree.parts()
            if node.operation == "input"
        }
        choices = [choice for choice in tree.choices if choice in records]
        lines += [f"  const {choice} = choices.{choice}[inputs.{choice}];" for choice in choices]
    else:
        head = f"export function {name}({', '.join(tree.inputs)}) {{"
    steps: list[str] = []
    for node in tree.parts():
        if node.operation == "input":
            key = node.arguments[0]
            variables[node] = f"inputs.{key}" if tree.is_resolved(key) else key
        elif node in tree.names or tree.is_shared(node):
            # Of 36 digits, two do.
            step = f"s{np.base_repr(len(variables), 36).lower()}"
            variable = tree.names.get(node, step)
            steps.append(f"{variable} = {_operation(node, variables)}")
            variables[node] = variable
    if steps:
        lines += ["  const", ",\n".join(steps) + ";"]
    values = {key: expression(node, variables) for key, node in tree.outputs.items()}
    if name in values:
        lines.append(f"  return {values[name]};")
    else:
        result = (made or _object)(values | ({"inputs": "inputs"} if tree.choices else {}))
        lines.append(fill(f"  return {result};", 100, subsequent_indent="    "))
    return "\n".join([head, *lines, "}"])


def _object(values: Mapping[str, str]) -> str:
    """An object; what has a dot in its name stands in an object of its own."""
    parts: dict[str, Any] = {}
    for name, value in values.items():
        outer, _, inner = name.partition(".")
        if inner:
            parts.setdefault(outer, {})[inner] = value
        else:
            parts[outer] = value
    texts = {n: _record(n, part) if isinstance(part, dict) else part for n, part in parts.items()}
    pairs = [name if text == name else f"{name}: {text}" for name, text in texts.items()]
    return f"{{{', '.join(pairs)}}}"


def _record(name: str, values: Mapping[str, str]) -> str:
    """An object of a record; where some of it is as it came in by that name, only the others."""
    others = {inner: text for inner, text in values.items() if text != f"{name}.{inner}"}
    if len(others) == len(values):
        return _object(values)
    return f"{{...{name}, {_object(others)[1:]}" if others else name


def expression(node: Any, variables: Mapping[Symbol, str]) -> str:
    """An expression that gives a node's value, out of variables that hold some."""
    if not isinstance(node, Symbol):
        return literal(node)
    return variables[node] if node in variables else _operation(node, variables)


def _operation(node: Symbol, variables: Mapping[Symbol, str]) -> str:
    if _is_given(node):
        _, otherwise, value = node.arguments
        return f"given({expression(value, variables)}, {expression(otherwise, variables)})"
    notation = _NOTATIONS[node.operation]
    arguments = []
    for position, argument in enumerate(node.arguments):
        text = expression(argument, variables)
        atom = not isinstance(argument, Symbol) or argument in variables
        binds = ATOM if atom else _NOTATIONS[argument.operation].binds
        arguments.append(bracketed(node.operation, notation, position, text, binds))
    return notation.pattern.format(*arguments)


def _is_given(node: Symbol) -> bool:
    """Whether a node is `primitives.given`: a value, or another one where it is NaN."""
    condition = node.arguments[0]
    return (
        node.operation == "where"
        and isinstance(condition, Symbol)
        and condition.operation == "isnan"
        and condition.arguments[0] is node.arguments[2]
    )


def literal(value: Any) -> str:
    """A number or a word as JavaScript writes it."""
    if isinstance(value, str):
        return json.dumps(value)
    number = float(value)
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if math.isnan(number):
        return "NaN"
    text = repr(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    return f"({text})" if number < 0 else text
