"""Random inputs within the ranges and names of the table."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from calc import KV_FORMATS, WEIGHT_FORMATS, Model, Parallelism, Precision
from calc.architecture.sizes import gqa_stops, usual_architecture
from calc.inputs.declaration import Choice
from calc.inputs.table import INPUTS
from calc.primitives import divisors
from calc.rules import RULES, broken_in_parallelism, broken_in_precision

#: Inputs that say how GPUs share a model.
SHARING = RULES["gpus_of_factors"].keys

MOST_GPUS = int(INPUTS["gpus"].range[1])


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


def kv_for(model: Model) -> st.SearchStrategy[str]:
    """Any number format that the cache of this model can have."""
    names = [
        name
        for name, form in KV_FORMATS.items()
        if not broken_in_precision(Precision(WEIGHT_FORMATS["bf16"], form), model)
    ]
    return st.sampled_from(names)


@st.composite
def sharing_of(draw: st.DrawFn, model: Model) -> dict[str, float]:
    """Any way in which GPUs can share a model, with up to half of its experts kept twice."""

    def one(numbers: list[int]) -> int:
        return draw(st.sampled_from(numbers))

    tp = one(
        [
            n
            for n in range(1, MOST_GPUS + 1)
            if not broken_in_parallelism(Parallelism(n_gpus=n), model)
        ]
    )
    dp = one(list(range(1, MOST_GPUS // tp + 1)))
    pp = one(list(range(1, min(MOST_GPUS // (tp * dp), int(model.n_layers)) + 1)))
    n_experts = int(model.n_experts)
    ep = one([n for n in divisors(tp * dp) if n <= max(n_experts, 1)])
    copies = max(tp // int(model.main.n_kv_heads), 1)
    sharing = {"gpus": tp * dp * pp, "tp": tp, "dp": dp, "pp": pp, "ep": ep}
    sharing["dcp"] = one(divisors(copies))
    sharing["redundant_experts"] = one(list(range(n_experts // 2 + 1))) if ep > 1 else 0
    return {key: float(value) for key, value in sharing.items()}
