"""Random inputs within the ranges and names of the table."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from calc.architecture.sizes import gqa_stops, usual_architecture
from calc.inputs.declaration import Choice
from calc.inputs.table import INPUTS


def value_of(key: str) -> st.SearchStrategy[Any]:
    """Any value that an input takes."""
    what = INPUTS[key]
    if isinstance(what, Choice):
        return st.sampled_from(sorted(what.table))
    low, high = what.range
    if what.whole:
        return st.integers(low, high).map(float)
    return st.floats(low, high).filter(lambda value: bool(what.takes(value)))


def group_for(params_b: float) -> st.SearchStrategy[float]:
    """Any group size that divides the heads of the usual model of this size."""
    heads = int(usual_architecture(params_b * 1e9)[1])
    return st.sampled_from(gqa_stops(heads)).map(float)
