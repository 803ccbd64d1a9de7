"""Functions with loops as JavaScript: printed from their source, which plain Python runs as it is.

What has loops cannot be traced. It is written in few words instead, so few that each has one
JavaScript form with the same bits: + − · / and comparisons, `min`, `max`, `sqrt`, arrays by place,
fields of records; `%` and `int` of what is not negative. Any other word is refused by name and
line, while the page is built.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Callable, Iterable, Iterator
from textwrap import dedent, indent
from types import ModuleType
from typing import Any

from app.tracing.javascript import literal
from calc import primitives
from calc.serving import arrays

#: What the printed functions stand on: records of arrays, each record type a list of its fields.
PRELUDE = """
const {trunc} = Math;
export const zeros = n => new Float64Array(n);
export const arrays = (record, n) => Object.fromEntries(record.map(name => [name, zeros(n)]));
const longer = (record, short, n) => {
  const long = arrays(record, n);
  for (const name of record) long[name].set(short[name]);
  return long;
};
""".lstrip()

#: Calls that have a form of their own, by what is called.
_CALLS: dict[Any, str] = {
    len: "{}.length",
    math.sqrt: "sqrt({})",
    int: "trunc({})",
    float: "{}",
    min: "min({}, {})",
    max: "max({}, {})",
    primitives.minimum: "min({}, {})",
    primitives.maximum: "max({}, {})",
    primitives.where: "({} ? {} : {})",
    arrays.zeros: "zeros({})",
    arrays.arrays: "arrays({}, {})",
    arrays.longer: "longer({}, {}, {})",
}

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
_COMPARED = {
    ast.Eq: "===",
    ast.NotEq: "!==",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}


class LoopError(Exception):
    """A function says something that has no JavaScript form with the same bits."""


def module(roots: Iterable[Any]) -> str:
    """Functions, and all that they call, as the text of an ES module.

    Parameters
    ----------
    roots : iterable of callable
        Functions and record types.

    Returns
    -------
    str
        Source text, which needs `module.NAMES` before it. What has no underscore before its name is
        exported: functions, constants, and record types as lists of the names of their fields.

    Raises
    ------
    LoopError
        A function says something that cannot be printed.
    """
    found: dict[str, Any] = {}
    texts: dict[str, str] = {}
    queue: list[tuple[str, Any]] = [(each.__name__, each) for each in roots]
    while queue:
        name, what = queue.pop()
        if name in found:
            if found[name] is not what and found[name] != what:
                raise LoopError(f"{name} means two things")
            continue
        found[name] = what
        if inspect.isfunction(what):
            printer = _Printer(what)
            texts[name] = printer.text()
            queue += printer.uses.items()
    constants = [_constant(name, what) for name, what in sorted(found.items()) if name not in texts]
    return "\n".join([PRELUDE, *constants, "", *(texts[name] for name in sorted(texts))]) + "\n"


def _constant(name: str, what: Any) -> str:
    value = _fields(what) if _is_record(what) else literal(what)
    return f"{_export(name)}const {name} = {value};"


def _fields(record: Any) -> str:
    return f"[{', '.join(repr(name) for name in record._fields)}]".replace("'", '"')


def _export(name: str) -> str:
    return "" if name.startswith("_") else "export "


def _is_record(what: Any) -> bool:
    return isinstance(what, type) and hasattr(what, "_fields")


class _Printer:
    """One function, and what of its module it uses."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.uses: dict[str, Any] = {}
        lines, self.first_line = inspect.getsourcelines(function)
        (self.tree,) = ast.parse(dedent("".join(lines))).body
        assert isinstance(self.tree, ast.FunctionDef)
        self.parameters = [each.arg for each in self.tree.args.args]
        self.globals = inspect.getmodule(function).__dict__

    def text(self) -> str:
        assert isinstance(self.tree, ast.FunctionDef)
        name = self.tree.name
        body = list(self.block(self.tree.body))
        local = [each for each in dict.fromkeys(self._assigned()) if each not in self.parameters]
        head = [f"let {', '.join(local)};"] if local else []
        inner = indent("\n".join([*head, *body]), "  ")
        return f"{_export(name)}function {name}({', '.join(self.parameters)}) {{\n{inner}\n}}"

    def _assigned(self) -> Iterator[str]:
        """Names that are given a value, but for those that a loop declares by itself."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id

    def block(self, statements: list[ast.stmt]) -> Iterator[str]:
        for each in statements:
            yield from self.statement(each)

    def statement(self, node: ast.stmt) -> Iterator[str]:  # noqa: PLR0912
        match node:
            case ast.Expr(ast.Constant(str())):
                return
            case ast.Expr(ast.Call() as call):
                yield f"{self.expression(call)};"
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                yield from self._assignments(node, targets, values)
            case ast.Assign([target], value) | ast.AnnAssign(target, _, ast.expr() as value):
                yield f"{self.expression(target)} = {self.expression(value)};"
            case ast.AugAssign(target, operator, value) if type(operator) in _BINARY:
                sign = _BINARY[type(operator)]
                yield f"{self.expression(target)} {sign}= {self.expression(value)};"
            case ast.Return(ast.expr() as value):
                yield f"return {self.expression(value)};"
            case ast.Return():
                yield "return;"
            case ast.Break():
                yield "break;"
            case ast.Continue():
                yield "continue;"
            case ast.If(test, body, orelse):
                yield f"if ({self.expression(test)}) {{"
                yield from self._indented(body)
                if orelse:
                    yield "} else {"
                    yield from self._indented(orelse)
                yield "}"
            case ast.While(test, body, []):
                yield f"while ({self.expression(test)}) {{"
                yield from self._indented(body)
                yield "}"
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds, []), body, []):
                yield self._loop(node, name, bounds)
                yield from self._indented(body)
                yield "}"
            case _:
                raise self.error(node)

    def _indented(self, statements: list[ast.stmt]) -> Iterator[str]:
        return (f"  {line}" for each in self.block(statements) for line in each.split("\n"))

    def _assignments(
        self, node: ast.stmt, targets: list[ast.expr], values: list[ast.expr]
    ) -> Iterator[str]:
        """Several at once, one after the other: so none may need what one before it changed."""
        changed: set[str] = set()
        for target, value in zip(targets, values, strict=True):
            if changed & {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}:
                raise self.error(node)
            changed |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
            yield f"{self.expression(target)} = {self.expression(value)};"

    def _loop(self, node: ast.stmt, name: str, bounds: list[ast.expr]) -> str:
        match bounds:
            case [stop]:
                start, sign, step = "0", "<", "++"
            case [first, stop, ast.UnaryOp(ast.USub(), ast.Constant(1))]:
                start, sign, step = self.expression(first), ">", "--"
            case _:
                raise self.error(node)
        return f"for ({name} = {start}; {name} {sign} {self.expression(stop)}; {name}{step}) {{"

    def expression(self, node: ast.expr) -> str:  # noqa: PLR0911, PLR0912
        match node:
            case ast.Constant(bool(value)):
                return "true" if value else "false"
            case ast.Constant(int() | float() as value):
                return literal(value)
            case ast.Name(name):
                return self._name(node, name)
            case ast.Attribute(ast.Name(name), attribute) if isinstance(
                self._global(name), ModuleType
            ):
                return self._use(node, attribute, getattr(self._global(name), attribute))
            case ast.Attribute(value, attribute):
                return f"{self.expression(value)}.{attribute}"
            case ast.Subscript(value, place) if not isinstance(place, ast.UnaryOp):
                return f"{self.expression(value)}[{self.expression(place)}]"
            case ast.BinOp(left, ast.FloorDiv(), right):
                return f"floor({self.expression(left)} / {self.expression(right)})"
            case ast.BinOp(left, operator, right) if type(operator) in _BINARY:
                return self._binary(left, _BINARY[type(operator)], right)
            case ast.UnaryOp(ast.USub(), value):
                return f"-{self._bracketed(value)}"
            case ast.UnaryOp(ast.Not(), value):
                return f"!{self._bracketed(value)}"
            case ast.BoolOp(operator, values):
                sign = " && " if isinstance(operator, ast.And) else " || "
                return sign.join(map(self._bracketed, values))
            case ast.Compare(left, operators, others):
                return self._comparison(node, [left, *others], operators)
            case ast.IfExp(test, yes, no):
                words = map(self.expression, (test, yes, no))
                return "({} ? {} : {})".format(*words)
            case ast.Call(called, arguments, keywords):
                return self._call(node, called, arguments, keywords)
        raise self.error(node)

    def _name(self, node: ast.expr, name: str) -> str:
        if name in self.parameters or name in set(self._assigned()):
            return name
        return self._use(node, name, self._global(name))

    def _global(self, name: str) -> Any:
        return None if name in self.parameters else self.globals.get(name)

    def _use(self, node: ast.expr, name: str, what: Any) -> str:
        """A function, a constant or a record type of a module."""
        if not (inspect.isfunction(what) or _is_record(what) or isinstance(what, int | float)):
            raise self.error(node)
        if name in self.parameters or name in self._assigned():
            raise self.error(node)
        self.uses[name] = what
        return name

    def _bracketed(self, node: ast.expr) -> str:
        text = self.expression(node)
        loose = isinstance(node, ast.BinOp | ast.BoolOp | ast.Compare)
        return f"({text})" if loose else text

    def _binary(self, left: ast.expr, sign: str, right: ast.expr) -> str:
        def bracketed(node: ast.expr, least: int) -> str:
            text = self.expression(node)
            if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
                return text if _BINDS[_BINARY[type(node.op)]] >= least else f"({text})"
            loose = isinstance(node, ast.BoolOp | ast.Compare | ast.UnaryOp)
            return f"({text})" if loose else text

        binds = _BINDS[sign]
        return f"{bracketed(left, binds)} {sign} {bracketed(right, binds + 1)}"

    def _comparison(
        self, node: ast.expr, values: list[ast.expr], operators: list[ast.cmpop]
    ) -> str:
        """One comparison, or several of what has no effect but its value."""
        if len(values) > 2 and any(isinstance(each, ast.Call) for each in values):
            raise self.error(node)
        parts = []
        for left, operator, right in zip(values[:-1], operators, values[1:], strict=True):
            if type(operator) not in _COMPARED:
                raise self.error(node)
            sign = _COMPARED[type(operator)]
            parts.append(f"{self._bracketed(left)} {sign} {self._bracketed(right)}")
        return " && ".join(f"({part})" if len(parts) > 1 else part for part in parts)

    def _call(
        self,
        node: ast.expr,
        called: ast.expr,
        arguments: list[ast.expr],
        keywords: list[ast.keyword],
    ) -> str:
        what = self._called(called)
        if what is float and ast.unparse(arguments[0]) == "'nan'":
            return "NaN"
        values = [self.expression(each) for each in arguments]
        if what in _CALLS:
            if _CALLS[what].count("{}") != len(values):
                raise self.error(node)
            return _CALLS[what].format(*values)
        names = list(inspect.signature(what).parameters)
        given = dict(zip(names, values, strict=False))
        given |= {each.arg: self.expression(each.value) for each in keywords if each.arg}
        if list(given) != names:
            raise self.error(node)
        if _is_record(what):
            return f"{{{', '.join(f'{name}: {given[name]}' for name in names)}}}"
        return f"{self.expression(called)}({', '.join(given.values())})"

    def _called(self, called: ast.expr) -> Any:
        match called:
            case ast.Name(name):
                what = self._global(name) or getattr(builtins, name, None)
            case ast.Attribute(ast.Name(name), attribute):
                what = getattr(self._global(name), attribute, None)
            case _:
                what = None
        if what not in _CALLS and not inspect.isfunction(what) and not _is_record(what):
            raise self.error(called)
        return what

    def error(self, node: ast.AST) -> LoopError:
        line = self.first_line + getattr(node, "lineno", 1) - 1
        where = f"{self.function.__module__}.{self.function.__name__}, line {line}"
        return LoopError(f"{where}: {ast.unparse(node)} has no JavaScript form with the same bits")
