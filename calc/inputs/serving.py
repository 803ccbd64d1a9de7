"""What is served, how it is stored, and how it is decoded."""

from __future__ import annotations

from dataclasses import dataclass

from calc.inputs.declaration import OPEN, choice, doubling_stops, number, record_of
from calc.presets.acceptances import ACCEPTANCES
from calc.presets.formats import KV_FORMATS, WEIGHT_FORMATS
from calc.quantity import Value
from calc.scenario import AcceptedTokens, KvFormat, Precision, WeightFormat


@dataclass(frozen=True, kw_only=True)
class WorkloadInputs:
    """The sequences in flight."""

    context: Value = number(
        "Workload",
        8192.0,
        (1, 2**20),
        whole=True,
        stops=doubling_stops(512, 2**20),
        unit="tokens",
        sets=("context_len",),
        label="Context, T",
        doc="Tokens that each sequence holds in its KV cache.",
    )
    batch: Value = number(
        "Workload",
        8.0,
        (1, 1024),
        whole=True,
        stops=doubling_stops(1, 1024),
        unit="sequences",
        sets=("batch",),
        label="Batch, B",
        doc="Sequences in flight: they all get one token per decode step.",
    )


@dataclass(frozen=True, kw_only=True)
class PrecisionInputs:
    """The number formats."""

    weights: str | WeightFormat = choice(
        "Precision",
        "bf16",
        WEIGHT_FORMATS,
        label="Weights",
        doc="Number format of the weights. fp8 and int8 also multiply at the 8-bit rate; "
        "int4 is weight-only and multiplies in bf16.",
    )
    kv: str | KvFormat = choice(
        "Precision",
        "bf16",
        KV_FORMATS,
        label="KV cache",
        doc="Number format of the cached keys and values; fp8_ds_mla is for DeepSeek's MLA alone, "
        "fp8_ds_v4 for DeepSeek-V4.",
    )

    def precision_record(self) -> Precision:
        """Both number formats."""
        return Precision(record_of(WEIGHT_FORMATS, self.weights), record_of(KV_FORMATS, self.kv))


@dataclass(frozen=True, kw_only=True)
class SpeculationInputs:
    """Speculative decoding."""

    spec_k: Value = number(
        "Speculation",
        0.0,
        (0, 8),
        whole=True,
        stops=tuple(range(9)),
        unit="tokens",
        sets=("n_drafted",),
        label="Drafted tokens, k",
        doc="Speculative decoding: tokens that a small draft model proposes for each "
        "pass of the big one. 0 switches it off.",
    )
    alpha: Value = number(
        "Speculation",
        0.7,
        (0, 1),
        stops=tuple(step / 100 for step in range(101)),
        sets=("acceptance",),
        only={"acceptance": "constant"},
        unless={"spec_k": 0},
        label="Acceptance, α",
        doc="Chance that the big model accepts a drafted token.",
    )
    draft_cost: Value = number(
        "Speculation",
        0.05,
        (0, 1),
        sets=("draft_cost",),
        unless={"spec_k": 0},
        label="Draft size",
        doc="Size and step time of the draft model as a share of the big one.",
    )
    acceptance: str | AcceptedTokens = choice(
        "Speculation",
        "constant",
        ACCEPTANCES,
        unless={"spec_k": 0},
        label="Measured acceptance",
        doc="Measured tokens per pass instead of a constant acceptance.",
    )


@dataclass(frozen=True, kw_only=True)
class RequestInputs:
    """One request, from its first token to its last."""

    prompt: Value = number(
        "Request",
        OPEN,
        (1, 2**20),
        whole=True,
        unit="tokens",
        sets=("prompt_len",),
        label="Prompt",
        doc="Prompt of one request; as long as the context unless given.",
    )
    output: Value = number(
        "Request",
        500.0,
        (1, 2**20),
        whole=True,
        unit="tokens",
        sets=("output_len",),
        label="Output",
        doc="Output of one request.",
    )
    prefix_hit: Value = number(
        "Request",
        0.0,
        (0, 1),
        sets=("prefix_hit",),
        label="Cached prefix",
        doc="Share of the prompt that is in the cache already.",
    )
