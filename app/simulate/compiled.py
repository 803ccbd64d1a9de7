"""The replay's loops compiled by Numba, where that is installed: the same functions, unchanged."""

from __future__ import annotations

import inspect
from array import array
from collections.abc import Callable
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from calc import primitives


def numba_is_there() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of flat arrays, and all that it calls, as machine code.

    Parameters
    ----------
    function : callable
        Of `calc.serving`. The first call compiles, for half a minute.

    Returns
    -------
    callable
        Takes the same, and changes the same arrays.
    """
    from numba import njit  # noqa: PLC0415 (nobody else needs it)

    # What formulas are made of asks for types, which Numba has settled by then.
    done: dict[Any, Any] = {
        primitives.where: njit(lambda condition, yes, no: yes if condition else no),
        primitives.maximum: njit(lambda first, second: first if first >= second else second),
        primitives.minimum: njit(lambda first, second: first if first <= second else second),
    }

    def translated(what: Any, names: set[str]) -> Any:
        if not getattr(what, "__module__", getattr(what, "__name__", "")).startswith("calc."):
            return what
        if inspect.ismodule(what):
            module = ModuleType(what.__name__)
            vars(module).update(globals_of(vars(what), names))
            return module
        if inspect.isfunction(what) and what not in done:
            code = what.__code__
            around = globals_of(what.__globals__, {*code.co_names})
            # No array is made in there, so none has to be counted: five times as fast.
            jit = njit(_nrt=False)
            done[what] = jit(FunctionType(code, around | {"__name__": what.__module__}))
        return done.get(what, what) if inspect.isfunction(what) else what

    def globals_of(around: dict[str, Any], names: set[str]) -> dict[str, Any]:
        return {name: translated(around[name], names) for name in names & around.keys()}

    inner = translated(function, set())
    return lambda *arguments: inner(*map(_with_arrays, arguments))


def _with_arrays(value: Any) -> Any:
    """The same record over NumPy's arrays, which share the memory of Python's."""
    if isinstance(value, tuple):
        parts = map(_with_arrays, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return np.frombuffer(value) if isinstance(value, array) else value
