"""Random inputs within the ranges and names of the table."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from calc.architecture.ladder import architecture, gqa_stops
from calc.inputs import INPUTS, Choice


def value_of(key: str) -> st.SearchStrategy[Any]:
    """Any value that an input takes."""
    what = INPUTS[key]
    if isinstance(what, Choice):
        return st.sampled_from(sorted(what.table))
    low, high = what.range
    return st.integers(low, high).map(float) if what.whole else st.floats(low, high)


def group_for(params_b: float) -> st.SearchStrategy[float]:
    """Any group size that divides the heads of the ladder's model of this size."""
    heads = int(architecture(params_b * 1e9)[1])
    return st.sampled_from(gqa_stops(heads)).map(float)
