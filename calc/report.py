"""What comes out: every quantity of one scenario, each with unit, label and symbol."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Self

import numpy as np

from calc.quantity import Flag, Value, Word, quantities, quantity


@dataclass(frozen=True)
class Pass:
    """One forward pass on each GPU, of which sections of the report show what they need.

    What it reads and multiplies, and how long that takes. A section names its fields by `of_pass`.
    """

    idle_fraction: Value = quantity("share of experts that are idle", symbol="idle", neutral=1)
    weight_bytes_per_pass: Value = quantity("weights read", unit="B", symbol="W_read")
    kv_bytes_per_pass: Value = quantity("cache read or written", unit="B", symbol="KV")
    total_bytes: Value = quantity("bytes", unit="B", symbol="bytes")
    linear_flops: Value = quantity("FLOPs of the matrices", unit="FLOP", symbol="FLOPs_lin")
    attention_flops: Value = quantity(
        "FLOPs of attention", unit="FLOP", symbol="FLOPs_att", neutral=0
    )
    flops: Value = quantity("FLOPs", unit="FLOP", symbol="FLOPs")
    flops_per_byte: Value = quantity("intensity", unit="FLOP/B", symbol="I")
    weight_s: Value = quantity("reading weights", unit="s", symbol="t_W")
    kv_s: Value = quantity("reading the KV cache", unit="s", symbol="t_KV")
    memory_s: Value = quantity("memory time", unit="s", symbol="t_mem")
    linear_s: Value = quantity("arithmetic of the matrices", unit="s", symbol="t_lin", detail=True)
    attention_s: Value = quantity(
        "arithmetic of attention", unit="s", symbol="t_att", neutral=0, detail=True
    )
    compute_s: Value = quantity("compute time", unit="s", symbol="t_comp")
    communication_s: Value = quantity("communication", unit="s", symbol="t_comm", neutral=0)
    overhead_s: Value = quantity("overhead", unit="s", symbol="t_over", neutral=0)
    total_s: Value = quantity("the whole pass", unit="s", symbol="t")
    bound: Word = quantity("what binds", symbol="bound")


def of_pass(name: str, label: str = "", **words: Any) -> Any:
    """Declare a dataclass field that is a quantity of a pass.

    Parameters
    ----------
    name : str
        One of the fields of `Pass`.
    label : str
        What it is called of this pass; as `Pass` has it unless given.
    **words : optional
        Other fields of `Quantity` that differ from those of `Pass`.

    Returns
    -------
    dataclasses.Field
    """
    what = dict(quantities(Pass))[name]
    own = replace(what, label=label or what.label, **words)
    return field(metadata={"quantity": own, "of_pass": name})


class _PassSection:
    """A section that shows quantities of a pass by names of its own."""

    @classmethod
    def showing(cls, one: Pass, **others: Any) -> Self:
        """The section of a pass, with its fields that are no quantity of one."""
        return cls(**{name: getattr(one, source) for name, source in _sources(cls)}, **others)  # type: ignore[arg-type]


@cache
def _sources(section: type) -> tuple[tuple[str, str], ...]:
    """Name of a field, and of the quantity of a pass that it is."""
    metadata = {each.name: each.metadata for each in fields(section)}
    return tuple((n, each["of_pass"]) for n, each in metadata.items() if "of_pass" in each)


@dataclass(frozen=True)
class Shares:
    """How GPUs share the layers and the sequences; of one group that shares all, nothing to say."""

    stage_fraction: Value = quantity(
        "share of the layers on each GPU", symbol="stage", neutral=1, detail=True
    )
    batch_per_gpu: Value = quantity(
        "sequences of which each GPU holds a part", symbol="B_gpu", same_as="batch", detail=True
    )
    batch_per_pass: Value = quantity(
        "sequences that go through the layers together", symbol="B_pass", same_as="batch"
    )
    stage_imbalance: Value = quantity(
        "time of a step by the fullest stage, of what all layers take",
        symbol="imbalance",
        neutral=1,
        detail=True,
    )
    batches_at_once: Value = quantity(
        "batches that are on their way at once", symbol="B/B_pass", neutral=1, detail=True
    )


@dataclass(frozen=True)
class Weights:
    """What the model weighs."""

    n_params: Value = quantity("parameters", symbol="N")
    n_active_params: Value = quantity("active parameters", symbol="N_active", same_as="n_params")
    n_copied_params: Value = quantity("copies of parameters", symbol="N_copy", neutral=0)
    weight_bytes: Value = quantity("weights", unit="B", symbol="W")
    copied_weight_bytes: Value = quantity("copies of weights", unit="B", symbol="W_copy", neutral=0)
    tower_bytes: Value = quantity("what encodes images", unit="B", symbol="W_img", neutral=0)
    weight_bytes_per_gpu: Value = quantity(
        "weights on each GPU", unit="B", symbol="W_gpu", same_as="weight_bytes"
    )
    expert_bytes: Value = quantity(
        "weights of all routed experts", unit="B", symbol="W_E", neutral=0
    )
    group_expert_bytes: Value = quantity(
        "routed experts on the GPUs of a group",
        unit="B",
        symbol="W_E,group",
        neutral=0,
        same_as="expert_bytes",
        detail=True,
    )
    group_weight_bytes: Value = quantity(
        "weights on the GPUs of a group",
        unit="B",
        symbol="W_group",
        same_as="weight_bytes",
    )
    unread_table_bytes: Value = quantity(
        "input embedding: rows are looked up, the rest is not read",
        unit="B",
        symbol="W_in",
        neutral=0,
    )


@dataclass(frozen=True)
class Cache:
    """What sequences keep, as arithmetic has it and as a paged engine sets it aside."""

    full_bytes_per_token: Value = quantity(
        "kept for good per token",
        unit="B",
        symbol="KV_full",
        neutral=0,
        same_as="kv_bytes_per_token",
        detail=True,
    )
    window_bytes_per_token: Value = quantity(
        "KV cache per token inside the window", unit="B", symbol="KV_win", neutral=0
    )
    index_bytes_per_token: Value = quantity(
        "keys by which sparse attention picks, per token", unit="B", symbol="KV_idx", neutral=0
    )
    hca_bytes_per_token: Value = quantity(
        "kept by heavily compressed layers, per token", unit="B", symbol="KV_hca", neutral=0
    )
    state_bytes_per_sequence: Value = quantity(
        "recurrent state per sequence", unit="B", symbol="state_seq", neutral=0
    )
    kv_bytes_per_token: Value = quantity("KV cache per token", unit="B", symbol="KV_token")
    kv_bytes_per_sequence: Value = quantity("KV cache per sequence", unit="B", symbol="KV_seq")
    kv_bytes: Value = quantity("KV cache in all", unit="B", symbol="KV")
    kv_share: Value = quantity("share of the KV heads on each GPU", symbol="share_KV", neutral=1)
    full_bytes_per_token_per_gpu: Value = quantity(
        "kept for good per token, on each GPU",
        unit="B",
        symbol="KV_full,gpu",
        neutral=0,
        same_as="full_bytes_per_token",
        detail=True,
    )
    window_bytes_per_token_per_gpu: Value = quantity(
        "kept in the window per token, on each GPU",
        unit="B",
        symbol="KV_win,gpu",
        neutral=0,
        same_as="window_bytes_per_token",
        detail=True,
    )
    index_bytes_per_token_per_gpu: Value = quantity(
        "keys by which sparse attention picks, per token, on each GPU",
        unit="B",
        symbol="KV_idx,gpu",
        neutral=0,
        same_as="index_bytes_per_token",
        detail=True,
    )
    hca_bytes_per_token_per_gpu: Value = quantity(
        "kept by heavily compressed layers, per token, on each GPU",
        unit="B",
        symbol="KV_hca,gpu",
        neutral=0,
        same_as="hca_bytes_per_token",
        detail=True,
    )
    state_bytes_per_gpu: Value = quantity(
        "recurrent state on each GPU",
        unit="B",
        symbol="state_gpu",
        neutral=0,
        same_as="state_bytes_per_sequence",
        detail=True,
    )
    kv_bytes_per_sequence_per_gpu: Value = quantity(
        "KV cache per sequence on each GPU",
        unit="B",
        symbol="KV_seq,gpu",
        same_as="kv_bytes_per_sequence",
    )
    kv_bytes_per_gpu: Value = quantity(
        "KV cache on each GPU", unit="B", symbol="KV_gpu", same_as="kv_bytes"
    )
    kv_read_bytes_per_gpu: Value = quantity(
        "KV cache that a step reads on each GPU",
        unit="B",
        symbol="KV_read",
        same_as="kv_bytes_per_gpu",
        detail=True,
    )
    page_bytes: Value = quantity("page of one layer", unit="B", symbol="page", detail=True)
    group_layers: Value = quantity("layers that share a block", symbol="L_group", detail=True)
    block_bytes: Value = quantity("block of a paged engine", unit="B", symbol="block", detail=True)
    blocks_per_sequence: Value = quantity("blocks per sequence", symbol="blocks", detail=True)
    held_blocks_per_sequence: Value = quantity(
        "blocks that a sequence holds", symbol="blocks_held", detail=True
    )
    kv_reserved_bytes_per_sequence: Value = quantity(
        "set aside per sequence by a paged engine", unit="B", symbol="KV_paged"
    )
    kv_held_bytes_per_sequence: Value = quantity(
        "held by a paged engine per sequence that decodes", unit="B", symbol="KV_held"
    )


@dataclass(frozen=True)
class Memory:
    """What fills the HBM of each GPU, and what still fits."""

    draft_share: Value = quantity("draft model's share in use", symbol="s")
    draft_bytes: Value = quantity("draft model", unit="B", symbol="draft")
    reserved_bytes: Value = quantity("reserve", unit="B", symbol="reserve")
    hbm_bytes: Value = quantity("HBM capacity", unit="B", symbol="HBM")
    hbm_limit_bytes: Value = quantity(
        "HBM that may be used", unit="B", symbol="limit", same_as="hbm_bytes"
    )
    hbm_used_bytes: Value = quantity("HBM asked for", unit="B", symbol="used")
    hbm_used_fraction: Value = quantity("share of the usable HBM asked for", symbol="used/usable")
    hbm_free_bytes: Value = quantity("HBM left", unit="B", symbol="free")
    hbm_over_bytes: Value = quantity("HBM missing", unit="B", symbol="over")
    fits: Flag = quantity("it fits", symbol="fits")
    max_batch: Value = quantity("most sequences that fit", symbol="B_max")
    paged_max_batch: Value = quantity(
        "most sequences that decode at once in a paged engine", symbol="B_paged"
    )
    logged_concurrency: Value = quantity("concurrency that a paged engine prints", symbol="B_log")
    kv_room_bytes: Value = quantity("room for each sequence's cache", unit="B", symbol="room")
    context_len_inside: Value = quantity(
        "longest context if no window were full", unit="tokens", symbol="T_in", detail=True
    )
    max_context_len: Value = quantity(
        "longest context that fits this batch", unit="tokens", symbol="T_max"
    )
    even_context_len: Value = quantity(
        "longest context at which the weights outweigh the cache",
        unit="tokens",
        symbol="T_even",
        detail=True,
    )


@dataclass(frozen=True)
class Chip:
    """What the chip does with the weight format."""

    chip_math_bits: Value = quantity("width in which the chip multiplies", symbol="bits_chip")
    math_falls_back: Flag = quantity("the chip lacks the format's own rate", symbol="falls back")
    peak_flops_per_s: Value = quantity("dense peak", unit="FLOP/s", symbol="peak")
    ridge_flops_per_byte: Value = quantity("ridge point", unit="FLOP/B", symbol="ridge")


@dataclass(frozen=True)
class Step(_PassSection):
    """One decode step: every sequence in flight gets one more token."""

    idle_fraction: Value = of_pass("idle_fraction", "share of experts that are idle in a step")
    experts_touched: Value = quantity("experts read per layer and step", symbol="E_read", neutral=0)
    weight_bytes_read: Value = of_pass(
        "weight_bytes_per_pass", "weights read per step", same_as="weight_bytes_per_gpu"
    )
    decode_bytes: Value = of_pass("total_bytes", "bytes read per step")
    linear_flops: Value = of_pass("linear_flops", same_as="decode_flops")
    attention_flops: Value = of_pass("attention_flops")
    decode_flops: Value = of_pass("flops", "FLOPs per step")
    decode_flops_per_byte: Value = of_pass("flops_per_byte", "decode intensity", symbol="I_decode")
    decode_times_from_ridge: Value = quantity("decode's distance from the ridge", symbol="d_decode")
    weight_read_s: Value = of_pass("weight_s")
    kv_read_s: Value = of_pass("kv_s")
    kv_read_fraction: Value = quantity("KV cache's share of the bytes read", symbol="KV/bytes")
    memory_s: Value = of_pass("memory_s")
    compute_s: Value = of_pass("compute_s")
    linear_s: Value = of_pass("linear_s")
    attention_s: Value = of_pass("attention_s")
    communication_s: Value = of_pass("communication_s")
    overhead_s: Value = of_pass("overhead_s")
    step_s: Value = of_pass("total_s", "one decode step", symbol="t_step")
    bound: Word = of_pass("bound", "what binds decode")
    plain_tokens_per_s: Value = quantity(
        "all users together, no speculation", unit="tokens/s", symbol="rate_plain"
    )
    plain_tokens_per_s_per_user: Value = quantity(
        "one user, no speculation", unit="tokens/s", symbol="rate_user_plain"
    )


@dataclass(frozen=True)
class Cycle(_PassSection):
    """What speculation makes of it; without, a cycle is one plain step of one token."""

    measured_tokens_per_pass: Value = quantity(
        "measured tokens per pass", unit="tokens", symbol="τ_k", detail=True
    )
    spec_tokens_per_pass: Value = quantity("tokens per pass", unit="tokens", symbol="τ")
    draft_s: Value = quantity("drafting", unit="s", symbol="t_draft")
    verify_weight_bytes: Value = of_pass(
        "weight_bytes_per_pass",
        "weights read by the verify pass",
        symbol="W_verify",
        same_as="weight_bytes_read",
        detail=True,
    )
    verify_bytes: Value = of_pass(
        "total_bytes", "bytes read by the verify pass", symbol="bytes_verify"
    )
    verify_linear_flops: Value = of_pass(
        "linear_flops",
        "FLOPs of the matrices in the verify pass",
        symbol="FLOPs_vlin",
        same_as="verify_flops",
    )
    verify_attention_flops: Value = of_pass(
        "attention_flops", "FLOPs of attention in the verify pass", symbol="FLOPs_vatt", detail=True
    )
    verify_flops: Value = of_pass("flops", "FLOPs of the verify pass", symbol="FLOPs_verify")
    verify_weight_read_s: Value = of_pass(
        "weight_s", "reading weights in the verify pass", symbol="t_vW", detail=True
    )
    verify_memory_s: Value = of_pass("memory_s", "memory time of the verify pass", symbol="t_vmem")
    verify_compute_s: Value = of_pass(
        "compute_s", "arithmetic of the verify pass", symbol="t_vcomp"
    )
    verify_linear_s: Value = of_pass(
        "linear_s", "arithmetic of the matrices in the verify pass", symbol="t_vlin"
    )
    verify_attention_s: Value = of_pass(
        "attention_s", "arithmetic of attention in the verify pass", symbol="t_vatt"
    )
    verify_communication_s: Value = of_pass(
        "communication_s", "communication of the verify pass", symbol="t_vcomm", detail=True
    )
    verify_s: Value = of_pass("total_s", "verifying", symbol="t_verify")
    verify_bound: Word = of_pass("bound", "what binds the verify pass", symbol="bound_verify")
    verify_flops_per_byte: Value = of_pass(
        "flops_per_byte", "intensity of the verify pass", symbol="I_verify"
    )
    verify_times_from_ridge: Value = quantity(
        "the verify pass' distance from the ridge", symbol="d_verify"
    )
    cycle_s: Value = quantity("draft and verify", unit="s", symbol="t_cycle")
    spec_speedup: Value = quantity("speed-up by speculation", symbol="speed-up")
    tokens_per_s: Value = quantity("all users together", unit="tokens/s", symbol="rate")
    tokens_per_s_per_user: Value = quantity("one user", unit="tokens/s", symbol="rate_user")
    tokens_per_s_per_gpu: Value = quantity("each GPU", unit="tokens/s", symbol="rate_gpu")
    tpot_s: Value = quantity("time per output token", unit="s", symbol="TPOT")


@dataclass(frozen=True)
class Prefill(_PassSection):
    """One prompt in one pass."""

    computed_prompt_len: Value = quantity(
        "prompt tokens that are not cached", unit="tokens", symbol="P'"
    )
    prefill_linear_flops: Value = quantity(
        "FLOPs of the matrices in one prefill",
        unit="FLOP",
        symbol="FLOPs_plin",
        same_as="prefill_flops",
    )
    prefill_attention_flops: Value = quantity(
        "FLOPs of attention in one prefill",
        unit="FLOP",
        symbol="FLOPs_patt",
        neutral=0,
        detail=True,
    )
    prefill_flops: Value = quantity("FLOPs of one prefill", unit="FLOP", symbol="FLOPs_prefill")
    prefill_bytes: Value = of_pass(
        "total_bytes",
        "bytes of one prefill",
        symbol="bytes_prefill",
        same_as="weight_bytes_per_gpu",
    )
    prefill_flops_per_byte: Value = quantity("prefill intensity", unit="FLOP/B", symbol="I_prefill")
    prefill_times_from_ridge: Value = quantity(
        "prefill's distance from the ridge", symbol="d_prefill"
    )
    prefill_written_bytes: Value = of_pass(
        "kv_bytes_per_pass",
        "cache that prefill writes",
        symbol="KV_written",
        neutral=0,
        detail=True,
    )
    prefill_weight_read_s: Value = of_pass(
        "weight_s", "reading weights in prefill", symbol="t_pW", detail=True
    )
    prefill_write_s: Value = of_pass(
        "kv_s", "writing the cache", symbol="t_write", neutral=0, detail=True
    )
    prefill_linear_s: Value = of_pass(
        "linear_s", "arithmetic of the matrices in prefill", symbol="t_plin"
    )
    prefill_attention_s: Value = of_pass(
        "attention_s", "arithmetic of attention in prefill", symbol="t_patt"
    )
    prefill_memory_s: Value = of_pass("memory_s", "memory time of prefill", symbol="t_pmem")
    prefill_compute_s: Value = of_pass("compute_s", "compute time of prefill", symbol="t_pcomp")
    prefill_communication_s: Value = of_pass(
        "communication_s", "communication of prefill", symbol="t_pcomm", detail=True
    )
    prefill_bound: Word = of_pass("bound", "what binds prefill", symbol="bound_prefill")
    ttft_s: Value = of_pass("total_s", "time to first token", symbol="TTFT")
    prefill_tokens_per_s: Value = quantity(
        "prompt tokens while prefilling", unit="tokens/s", symbol="rate_prefill"
    )
    host_load_s: Value = quantity(
        "loading the cached prefix, from host memory", unit="s", symbol="t_load"
    )


@dataclass(frozen=True)
class Request(_PassSection):
    """A whole request: its own prefill, and its share of steps at its mean context."""

    mean_context_len: Value = quantity(
        "tokens in cache over a request, on average", unit="tokens", symbol="T_mean"
    )
    request_kv_bytes: Value = of_pass(
        "kv_bytes_per_pass", "KV cache at the mean context", symbol="KV_req", detail=True
    )
    request_kv_read_s: Value = of_pass(
        "kv_s", "reading the cache at the mean context", symbol="t_KV,req", detail=True
    )
    request_attention_s: Value = of_pass(
        "attention_s", "arithmetic of attention at the mean context", symbol="t_att,req"
    )
    request_compute_s: Value = of_pass(
        "compute_s", "compute time at the mean context", symbol="t_comp,req", detail=True
    )
    request_step_s: Value = of_pass(
        "total_s", "one decode step at the request's mean context", symbol="t_step,req", detail=True
    )
    request_draft_s: Value = quantity(
        "drafting at the mean context", unit="s", symbol="t_draft,req", detail=True
    )
    request_verify_s: Value = quantity(
        "verifying at the mean context", unit="s", symbol="t_verify,req", detail=True
    )
    request_tpot_s: Value = quantity(
        "time per output token at the request's mean context", unit="s", symbol="TPOT_req"
    )
    request_s: Value = quantity(
        "one request from start to end, never waiting", unit="s", symbol="t_request"
    )
    prefill_fraction: Value = quantity(
        "prefill's share of the GPU time of a request", symbol="t_prefill/t"
    )
    served_tokens_per_s: Value = quantity(
        "output rate with prefill charged", unit="tokens/s", symbol="rate_served"
    )
    served_input_tokens_per_s: Value = quantity(
        "input rate beside it", unit="tokens/s", symbol="rate_in"
    )


@dataclass(frozen=True)
class Cost:
    """What tokens cost at the price of all GPUs."""

    usd_per_hour_in_all: Value = quantity("price of all GPUs", unit="USD/h", symbol="price_all")
    usd_per_million_output_tokens: Value = quantity(
        "price of a million output tokens", unit="USD", symbol="USD/M"
    )
    usd_per_million_input_tokens: Value = quantity(
        "price of a million input tokens", unit="USD", symbol="USD/M_in"
    )
    request_usd: Value = quantity(
        "price of one request, its prompt and its output", unit="USD", symbol="USD/req"
    )
    output_tokens_per_usd: Value = quantity(
        "output tokens per dollar", unit="tokens/USD", symbol="out/USD"
    )
    input_tokens_per_usd: Value = quantity(
        "input tokens per dollar", unit="tokens/USD", symbol="in/USD"
    )


# Dataclasses take the fields of the last base first: read the sections from right to left.
@dataclass(frozen=True)
class Report(Cost, Request, Prefill, Cycle, Step, Chip, Memory, Cache, Weights, Shares):
    """The result of `evaluate`, all sections in one. SI. A ceiling or an estimate.

    Fields marked as details are steps in between: computed and named like the others, but
    nothing that a reader would look up.

    Of several GPUs, what is stored, read and multiplied per step is one GPU's share; weights,
    cache, rates and prices are of all of them together.
    """

    @classmethod
    def of(cls, *sections: Any) -> Report:
        """The report of these sections, one of each.

        Parameters
        ----------
        *sections
            Instances of its bases.

        Returns
        -------
        Report
        """
        return cls(**{name: value for each in sections for name, value in vars(each).items()})

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, as plain Python values where they are scalars: the report as JSON.

        Returns
        -------
        dict
            float, bool or str per field; arrays stay arrays. Whole counts stay float.
        """
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}

    def unlimited(self) -> frozenset[str]:
        """The quantities of which there are as many as one likes: tokens, where nothing is paid.

        Returns
        -------
        frozenset of str
            Names of fields; their values are finite only to be computed with.
        """
        is_free = np.all(np.asarray(self.usd_per_hour_in_all) == 0)
        return frozenset(
            name for name, what in quantities(Report) if is_free and what.unit == "tokens/USD"
        )


def _plain(value: Any) -> Any:
    numbers = np.asarray(value)
    if numbers.ndim:
        return value
    return float(numbers) if numbers.dtype.kind in "iuf" else numbers.item()
