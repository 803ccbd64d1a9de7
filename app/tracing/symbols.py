"""Run formulas on symbols instead of numbers, and see what they do.

A `Symbol` stands for a number. NumPy hands every operation on it to
`__array_ufunc__` or `__array_function__`, so a formula written for arrays builds a
tree of the arithmetic it performs.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

#: NumPy function → name of the operation. What is not here cannot be printed.
OPERATIONS: dict[Any, str] = {
    np.add: "add",
    np.subtract: "subtract",
    np.multiply: "multiply",
    np.divide: "divide",
    np.negative: "negative",
    np.power: "power",
    np.minimum: "minimum",
    np.maximum: "maximum",
    np.floor: "floor",
    np.ceil: "ceil",
    np.sqrt: "sqrt",
    np.log2: "log2",
    np.isnan: "isnan",
    np.equal: "equal",
    np.not_equal: "not_equal",
    np.less: "less",
    np.less_equal: "less_equal",
    np.greater: "greater",
    np.greater_equal: "greater_equal",
    np.where: "where",
}


class TraceError(TypeError):
    """A formula did something that has no single form in the page: names it and its line."""


class Symbol(NDArrayOperatorsMixin):
    """A number that is not known yet: an input, or an operation on other symbols."""

    def __init__(self, operation: str, *arguments: Any) -> None:
        self.operation = operation
        self.arguments = arguments

    @classmethod
    def input(cls, path: str) -> Symbol:
        """A symbol for something the page knows, such as `batch` or `gpu.hbm_bytes`."""
        return cls("input", path)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Symbol:
        if method != "__call__" or kwargs or ufunc not in OPERATIONS:
            _refuse(f"np.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}"))
        if ufunc in (np.multiply, np.divide) and _is_one(inputs[1]):
            unchanged: Symbol = inputs[0]
            return unchanged
        return Symbol(OPERATIONS[ufunc], *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if kwargs or function not in OPERATIONS or len(args) != 3:
            _refuse(f"np.{function.__name__}")
        condition, *branches = args
        if function is np.where and not isinstance(condition, Symbol):
            return branches[0] if condition else branches[1]
        return Symbol(OPERATIONS[function], *args)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{self.operation}({', '.join(map(repr, self.arguments))})"


def _is_one(factor: Any) -> bool:
    return not isinstance(factor, Symbol) and bool(factor == 1)


def _refuse(what: str) -> NoReturn:
    raise TraceError(f"{_formula_line()}: {what} has no single form in the page")


def _formula_line() -> str:
    # The innermost frame that is neither this file nor NumPy: the formula's own line.
    for frame in reversed(traceback.extract_stack()):
        path = Path(frame.filename)
        if path != Path(__file__) and "numpy" not in path.parts:
            return f"{path.parent.name}/{path.name}:{frame.lineno}: {frame.line}"
    return "unknown line"


def _refusal(what: str) -> Callable[..., NoReturn]:
    def refuse(self: Symbol, *_: Any) -> NoReturn:
        _refuse(what)

    return refuse


for _name, _what in {
    "__bool__": "`if`, `and`, `or`, `not`, `min()` or `max()` on a traced value",
    "__float__": "a `math.` function or float() on a traced value",
    "__int__": "int() on a traced value",
    "__index__": "a traced value as an index",
    "__round__": "round() on a traced value",
    "__floor__": "math.floor() on a traced value",
    "__ceil__": "math.ceil() on a traced value",
    "__trunc__": "math.trunc() on a traced value",
    "__iter__": "a loop over a traced value",
    "__len__": "len() of a traced value",
    "__getitem__": "indexing a traced value",
}.items():
    setattr(Symbol, _name, _refusal(_what))
