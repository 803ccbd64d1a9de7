"""Print a traced tree of arithmetic: as a JavaScript function, and as formula text."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Any, NamedTuple

from app.tracing.run import Traced
from app.tracing.symbols import Symbol, TraceError


class Form(NamedTuple):
    """How one operation is written: a pattern, and how tightly it binds."""

    pattern: str
    binds: int


_ATOM = 9

_JAVASCRIPT: dict[str, Form] = {
    "add": Form("{} + {}", 4),
    "subtract": Form("{} - {}", 4),
    "multiply": Form("{} * {}", 5),
    "divide": Form("{} / {}", 5),
    "negative": Form("-{}", 6),
    "power": Form("pow({}, {})", _ATOM),
    "minimum": Form("min({}, {})", _ATOM),
    "maximum": Form("max({}, {})", _ATOM),
    "floor": Form("floor({})", _ATOM),
    "ceil": Form("ceil({})", _ATOM),
    "sqrt": Form("sqrt({})", _ATOM),
    "log2": Form("log2({})", _ATOM),
    "isnan": Form("isNaN({})", _ATOM),
    "equal": Form("{} === {}", 3),
    "not_equal": Form("{} !== {}", 3),
    "less": Form("{} < {}", 3),
    "less_equal": Form("{} <= {}", 3),
    "greater": Form("{} > {}", 3),
    "greater_equal": Form("{} >= {}", 3),
    "where": Form("({} ? {} : {})", _ATOM),
}

_TEXT: dict[str, Form] = {
    "add": Form("{} + {}", 4),
    "subtract": Form("{} − {}", 4),
    "multiply": Form("{} · {}", 5),
    "divide": Form("{} / {}", 5),
    "negative": Form("−{}", 6),
    "power": Form("{}^{}", 7),
    "minimum": Form("min({}, {})", _ATOM),
    "maximum": Form("max({}, {})", _ATOM),
    "floor": Form("⌊{}⌋", _ATOM),
    "ceil": Form("⌈{}⌉", _ATOM),
    "sqrt": Form("√({})", _ATOM),
    "log2": Form("log₂({})", _ATOM),
    "isnan": Form("{} is not given", 3),
    "equal": Form("{} = {}", 3),
    "not_equal": Form("{} ≠ {}", 3),
    "less": Form("{} < {}", 3),
    "less_equal": Form("{} ≤ {}", 3),
    "greater": Form("{} > {}", 3),
    "greater_equal": Form("{} ≥ {}", 3),
}

#: Operations whose second argument needs brackets even if it binds equally tightly.
_NOT_ASSOCIATIVE = {"subtract", "divide", "power"}


@dataclass(frozen=True)
class Name:
    """A part of a formula's text: a quantity with a name of its own."""

    name: str


@dataclass(frozen=True, eq=False)
class Branch:
    """A part of a formula's text: one of two, depending on the values."""

    condition: Any
    if_true: tuple[Any, ...]
    if_false: tuple[Any, ...]

    # Comparing symbols with == would build another symbol; equal ones are identical.
    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Branch)
            and self.condition is other.condition
            and self.if_true == other.if_true
            and self.if_false == other.if_false
        )

    def __hash__(self) -> int:
        return hash((id(self.condition), self.if_true, self.if_false))


Part = str | Name | Branch


class Printer:
    """Prints the trees of one `Traced`: each shared or named part once, by its name."""

    def __init__(self, traced: Traced) -> None:
        self._traced = traced
        self._interned: dict[Any, Symbol] = {}
        self._of: dict[int, Symbol] = {}
        self._uses: dict[Symbol, int] = {}
        self.outputs = {name: self._intern(node) for name, node in traced.outputs.items()}
        self.names: dict[Symbol, str] = {}
        for name, node in self.outputs.items():
            if isinstance(node, Symbol):
                self.names.setdefault(node, name.replace(".", "_"))

    def _intern(self, node: Any) -> Any:
        """The same tree with equal parts made identical, so that each is printed once."""
        if not isinstance(node, Symbol):
            return node
        if id(node) not in self._of:
            arguments = tuple(self._intern(argument) for argument in node.arguments)
            key = (node.operation, *(a if isinstance(a, Symbol) else repr(a) for a in arguments))
            if key not in self._interned:
                self._interned[key] = Symbol(node.operation, *arguments)
                for argument in arguments:
                    if isinstance(argument, Symbol):
                        self._uses[argument] = self._uses.get(argument, 0) + 1
            self._of[id(node)] = self._interned[key]
        return self._of[id(node)]

    def javascript(self, function: str) -> str:
        """An exported JavaScript function that computes all outputs."""
        traced, lines, variables = self._traced, [], {}
        if traced.choices:
            head = f"export function {function}(inputs) {{"
            own = [name for name in traced.inputs if not self._is_resolved(name)]
            lines.append(f"  const {{{', '.join(own)}}} = inputs;")
            asked = {
                n.arguments[0].partition(".")[0] for n in self._needed() if n.operation == "input"
            }
            used = [choice for choice in traced.choices if choice in asked]
            lines += [f"  const {choice} = choices.{choice}[inputs.{choice}];" for choice in used]
        else:
            head = f"export function {function}({', '.join(traced.inputs)}) {{"
        steps: list[str] = []
        for node in self._needed():
            if node.operation == "input":
                name = node.arguments[0]
                variables[node] = f"inputs.{name}" if self._is_resolved(name) else name
            elif node in self.names or self._uses.get(node, 0) > 1:
                name = self.names.get(node, f"s{len(variables)}")
                steps.append(f"  {name} = {self._expression(node, variables)}")
                variables[node] = name
        if steps:
            lines += ["  const", ",\n".join(steps) + ";"]
        values = {name: self._value(node, variables) for name, node in self.outputs.items()}
        if function in values:
            lines.append(f"  return {values[function]};")
        else:
            result = _object(values | ({"inputs": "inputs"} if traced.choices else {}))
            lines.append(fill(f"  return {result};", 100, subsequent_indent="    "))
        return "\n".join([head, *lines, "}"])

    def formula(self, name: str) -> tuple[Part, ...]:
        """The parts of one output's formula; it stops at every other named quantity.

        Parameters
        ----------
        name : str
            Name of an output.

        Returns
        -------
        tuple of str, Name or Branch
            Empty when the output is an input of the scenario and has no formula.
        """
        node = self.outputs[name]
        if not isinstance(node, Symbol) or node.operation == "input":
            return ()
        return tuple(self._merged(self._parts(node)))

    def template(self, name: str) -> str:
        """The formula as a JavaScript function of the values q and of the names' texts $."""
        parts = self.formula(name)
        shared: dict[Branch, str] = {}
        lines = []
        for branch in _repeated(parts):
            choice = self._choice(branch, shared)
            shared[branch] = f"part_{len(shared)}"
            lines.append(f"const {shared[branch]} = () => {choice}; ")
        text = self._template(parts, shared)
        return f"(q, $) => {{ {''.join(lines)}return {text}; }}" if lines else f"(q, $) => {text}"

    def _is_resolved(self, name: str) -> bool:
        """Whether an input's name is also that of a quantity which is not the input itself."""
        node = self.outputs.get(name)
        own = isinstance(node, Symbol) and node.operation == "input"
        return name in self._traced.inputs and name in self.outputs and not own

    def _needed(self) -> Iterator[Symbol]:
        seen: set[Symbol] = set()

        def visit(node: Any) -> Iterator[Symbol]:
            if isinstance(node, Symbol) and node not in seen:
                seen.add(node)
                for argument in node.arguments:
                    yield from visit(argument)
                yield node

        for output in self.outputs.values():
            yield from visit(output)

    def _value(self, node: Any, variables: Mapping[Symbol, str]) -> str:
        if not isinstance(node, Symbol):
            return _literal(node)
        return variables[node] if node in variables else self._expression(node, variables)

    def _expression(self, node: Symbol, variables: Mapping[Symbol, str]) -> str:
        if _is_given(node):
            _, otherwise, value = node.arguments
            return f"given({self._value(value, variables)}, {self._value(otherwise, variables)})"
        form = _JAVASCRIPT[node.operation]
        arguments = []
        for position, argument in enumerate(node.arguments):
            text = self._value(argument, variables)
            atom = not isinstance(argument, Symbol) or argument in variables
            binds = _ATOM if atom else _JAVASCRIPT[argument.operation].binds
            arguments.append(_bracketed(node.operation, form, position, text, binds))
        return form.pattern.format(*arguments)

    def _parts(self, node: Symbol) -> list[Part]:
        if node.operation == "where":
            condition, *branches = node.arguments
            return [Branch(condition, *(tuple(self._merged(self._operand(b))) for b in branches))]
        parts: list[Part] = []
        literals = _TEXT[node.operation].pattern.split("{}")
        for position, argument in enumerate(node.arguments):
            parts += [literals[position], *self._fitted(argument, node.operation, position)]
        return [*parts, literals[-1]]

    def _fitted(self, argument: Any, operation: str, position: int) -> list[Part]:
        """An argument in the brackets it needs; of a branch, each side in its own."""
        inner = not isinstance(argument, Symbol) or self._is_name(argument)
        if not inner and argument.operation == "where":
            condition, *sides = argument.arguments
            fitted = (self._fitted(side, operation, position) for side in sides)
            return [Branch(condition, *(tuple(self._merged(each)) for each in fitted))]
        binds = _ATOM if inner else _TEXT[argument.operation].binds
        left, right = _bracketed(operation, _TEXT[operation], position, "{}", binds).split("{}")
        return [left, *self._operand(argument), right]

    def _is_name(self, node: Symbol) -> bool:
        return node in self.names or node.operation == "input"

    def _operand(self, node: Any) -> list[Part]:
        if not isinstance(node, Symbol):
            return [_number_text(node)]
        if node in self.names:
            return [Name(self.names[node])]
        if node.operation == "input":
            # A record's field that an output of the same name has replaced.
            return [f"the {node.arguments[0].partition('.')[0]}'s own"]
        return self._parts(node)

    @staticmethod
    def _merged(parts: list[Part]) -> Iterator[Part]:
        text = ""
        for part in parts:
            if isinstance(part, str):
                text += part
                continue
            if text:
                yield text
            yield part
            text = ""
        if text:
            yield text

    def _template(self, parts: tuple[Part, ...], shared: Mapping[Branch, str]) -> str:
        """Parts as a JavaScript expression that gives their text."""
        if len(parts) == 1 and isinstance(parts[0], Name):
            return f"$.{parts[0].name}"
        if len(parts) == 1 and isinstance(parts[0], Branch):
            return self._choice(parts[0], shared)
        pieces = []
        for part in parts:
            if isinstance(part, Name):
                pieces.append(f"${{$.{part.name}}}")
            elif isinstance(part, Branch):
                pieces.append(f"${{{self._choice(part, shared)}}}")
            else:
                pieces.append(part)
        return f"`{''.join(pieces)}`"

    def _choice(self, branch: Branch, shared: Mapping[Branch, str]) -> str:
        if branch in shared:
            return f"{shared[branch]}()"
        condition = self._value(branch.condition, _Values(self))
        sides = (self._template(side, shared) for side in (branch.if_true, branch.if_false))
        return f"{condition} ? {next(sides)} : {next(sides)}"


def _repeated(parts: tuple[Part, ...]) -> list[Branch]:
    """Branches that stand in a formula more than once, inner ones first."""
    count: dict[Branch, int] = {}

    def visit(inner: tuple[Part, ...]) -> None:
        for part in inner:
            if isinstance(part, Branch):
                if part not in count:
                    visit(part.if_true)
                    visit(part.if_false)
                count[part] = count.get(part, 0) + 1

    visit(parts)
    return [branch for branch, n in count.items() if n > 1]


class _Values(dict[Symbol, str]):
    """Variables of a template: every named quantity is a property of `q`."""

    def __init__(self, printer: Printer) -> None:
        super().__init__({node: f"q.{name}" for node, name in printer.names.items()})

    def __contains__(self, node: object) -> bool:
        return super().__contains__(node) or (
            isinstance(node, Symbol) and node.operation == "input"
        )

    def __missing__(self, node: Symbol) -> str:
        # Inputs that no output names are found among what was put in.
        name, _, field = node.arguments[0].partition(".")
        return f"choices.{name}[q.inputs.{name}].{field}" if field else f"q.inputs.{name}"


def formula_text(
    parts: tuple[Part, ...],
    show: Callable[[str], str],
    holds: Callable[[Any], bool] | None = None,
) -> str:
    """A formula as plain text, with both sides of a branch or the one that holds.

    Parameters
    ----------
    parts : tuple
        From `Printer.formula`.
    show : callable
        Turns the name of a quantity into text.
    holds : callable, optional
        Tells whether a branch's condition is true.

    Returns
    -------
    str
    """
    pieces = []
    for part in parts:
        if isinstance(part, Name):
            pieces.append(show(part.name))
        elif isinstance(part, Branch) and holds is not None:
            side = part.if_true if holds(part.condition) else part.if_false
            pieces.append(formula_text(side, show, holds))
        elif isinstance(part, Branch):
            pieces.append(
                f"({formula_text(part.if_true, show)} or {formula_text(part.if_false, show)})"
            )
        else:
            pieces.append(part)
    return "".join(pieces)


def _object(values: Mapping[str, str]) -> str:
    """A JavaScript object; what has a dot in its name stands in an object of its own."""
    parts: dict[str, Any] = {}
    for name, value in values.items():
        outer, _, inner = name.partition(".")
        if inner:
            parts.setdefault(outer, {})[inner] = value
        else:
            parts[outer] = value
    texts = {n: _object(part) if isinstance(part, dict) else part for n, part in parts.items()}
    pairs = [name if text == name else f"{name}: {text}" for name, text in texts.items()]
    return f"{{{', '.join(pairs)}}}"


def _is_given(node: Symbol) -> bool:
    """Whether a node is `quantity.given`: a value, or another one where it is NaN."""
    condition = node.arguments[0]
    return (
        node.operation == "where"
        and isinstance(condition, Symbol)
        and condition.operation == "isnan"
        and condition.arguments[0] is node.arguments[2]
    )


def _bracketed(operation: str, form: Form, position: int, text: str, binds: int) -> str:
    if form.binds == _ATOM:
        return text
    loose = binds < form.binds
    ambiguous = binds == form.binds and position == 1 and operation in _NOT_ASSOCIATIVE
    # In floating point a + (b + c) is not (a + b) + c: keep the written order.
    reordered = binds == form.binds and position == 1 and operation in {"add", "multiply"}
    first_power = operation == "power" and position == 0 and binds == form.binds
    return f"({text})" if loose or ambiguous or reordered or first_power else text


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    number = float(value)
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if math.isnan(number):
        return "NaN"
    text = repr(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    return f"({text})" if number < 0 else text


def _number_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    number = float(value)
    if not math.isfinite(number):
        raise TraceError(f"{value} cannot stand in a formula")
    return f"{number:,.0f}" if number == math.floor(number) else f"{number:g}"
