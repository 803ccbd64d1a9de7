"""How several GPUs share a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from calc.inputs.declaration import OPEN, number
from calc.primitives import given
from calc.quantity import Value
from calc.scenario import Parallelism

#: So many GPUs serve a model at most.
MOST_GPUS = 64


def _ways(default: float, sets: str, *, label: str, doc: str, **words: Any) -> Any:
    """Declare one way of sharing, over some of the GPUs."""
    return number(
        "Parallelism",
        default,
        (1, MOST_GPUS),
        whole=True,
        sets=(sets,),
        label=label,
        doc=doc,
        **words,
    )


@dataclass(frozen=True, kw_only=True)
class ParallelismInputs:
    """What the GPUs share out: matrices, experts, sequences, layers, tokens."""

    tp: Value = _ways(
        OPEN,
        "tensor_parallel",
        label="Tensor parallelism",
        doc="GPUs that share each layer; gpus / dp / pp unless given. They have to divide the "
        "query heads, and the KV heads or to be a multiple of them.",
    )
    dp: Value = _ways(
        1.0,
        "data_parallel",
        label="Data parallelism",
        doc="Groups of tp GPUs with sequences of their own. Experts are shared by all of them; "
        "everything else each group holds.",
    )
    pp: Value = _ways(
        1.0,
        "pipeline_parallel",
        label="Pipeline parallelism",
        doc="Stages of layers, one after the other, each on its own GPUs.",
    )
    ep: Value = _ways(
        1.0,
        "expert_parallel",
        label="Expert parallelism",
        doc="GPUs over which whole experts are shared out, of the tp · dp; 1 = each expert is cut "
        "into pieces for all of them.",
    )
    dcp: Value = _ways(
        1.0,
        "context_parallel",
        label="Context parallelism",
        doc="GPUs that split the tokens of a cache of which each would hold a copy (decode "
        "context parallelism).",
    )
    redundant_experts: Value = number(
        "Parallelism",
        0.0,
        (0, 4096),
        whole=True,
        sets=("n_redundant_experts",),
        label="Redundant experts",
        doc="Copies of busy experts, per layer, beside the model's own.",
    )

    def sharing(self, n_gpus: Value) -> Parallelism:
        """How so many GPUs share the model."""
        return Parallelism(
            n_gpus=n_gpus,
            tensor_parallel=given(self.tp, n_gpus / (self.dp * self.pp)),
            data_parallel=self.dp,
            pipeline_parallel=self.pp,
            expert_parallel=self.ep,
            context_parallel=self.dcp,
            n_redundant_experts=self.redundant_experts,
        )
