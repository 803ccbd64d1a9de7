"""What comes out: every quantity of one scenario, each with unit, label and symbol."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from calc.quantity import Flag, Value, Word, quantity


@dataclass(frozen=True)
class Report:
    """The result of `evaluate`. All SI. A ceiling or an estimate, not a measurement.

    Fields marked as details are steps in between: computed and named like the others, but
    nothing that a reader would look up.

    Of several tensor-parallel GPUs, what is stored, read and multiplied per step is one
    GPU's share; weights, cache, rates and prices are of all of them together.
    """

    n_params: Value = quantity("parameters", symbol="N")
    n_active_params: Value = quantity("active parameters", symbol="N_active")

    weight_bytes: Value = quantity("weights", unit="B", symbol="W")
    weight_bytes_per_gpu: Value = quantity("weights on each GPU", unit="B", symbol="W_gpu")
    expert_bytes: Value = quantity("weights of all routed experts", unit="B", symbol="W_E")
    unread_table_bytes: Value = quantity(
        "input embedding that is not read as a whole", unit="B", symbol="W_in"
    )
    window_bytes_per_token: Value = quantity(
        "KV cache per token inside the window", unit="B", symbol="KV_win"
    )
    state_bytes_per_sequence: Value = quantity(
        "recurrent state per sequence", unit="B", symbol="state_seq"
    )
    kv_bytes_per_token: Value = quantity("KV cache per token", unit="B", symbol="KV_token")
    kv_bytes_per_sequence: Value = quantity("KV cache per sequence", unit="B", symbol="KV_seq")
    kv_bytes: Value = quantity("KV cache in all", unit="B", symbol="KV")
    kv_share: Value = quantity("share of the KV heads on each GPU", symbol="share_KV")
    full_bytes_per_token_per_gpu: Value = quantity(
        "kept for good per token, on each GPU", unit="B", symbol="KV_full,gpu", detail=True
    )
    window_bytes_per_token_per_gpu: Value = quantity(
        "kept in the window per token, on each GPU", unit="B", symbol="KV_win,gpu", detail=True
    )
    state_bytes_per_gpu: Value = quantity(
        "recurrent state on each GPU", unit="B", symbol="state_gpu", detail=True
    )
    kv_bytes_per_sequence_per_gpu: Value = quantity(
        "KV cache per sequence on each GPU", unit="B", symbol="KV_seq,gpu"
    )
    kv_bytes_per_gpu: Value = quantity("KV cache on each GPU", unit="B", symbol="KV_gpu")
    page_bytes: Value = quantity("page of one layer", unit="B", symbol="page", detail=True)
    group_layers: Value = quantity("layers that share a block", symbol="L_group", detail=True)
    blocks_per_sequence: Value = quantity("blocks per sequence", symbol="blocks", detail=True)
    kv_reserved_bytes_per_sequence: Value = quantity(
        "set aside per sequence by a paged engine", unit="B", symbol="KV_paged"
    )
    draft_share: Value = quantity("draft model's share in use", symbol="s")
    draft_bytes: Value = quantity("draft model", unit="B", symbol="draft")
    reserved_bytes: Value = quantity("reserve", unit="B", symbol="reserve")
    hbm_bytes: Value = quantity("HBM capacity", unit="B", symbol="HBM")
    hbm_limit_bytes: Value = quantity("HBM that may be used", unit="B", symbol="limit")
    hbm_used_bytes: Value = quantity("HBM asked for", unit="B", symbol="used")
    hbm_used_fraction: Value = quantity("share of the usable HBM asked for", symbol="used/usable")
    hbm_free_bytes: Value = quantity("HBM left", unit="B", symbol="free")
    hbm_over_bytes: Value = quantity("HBM missing", unit="B", symbol="over")
    fits: Flag = quantity("it fits", symbol="fits")
    max_batch: Value = quantity("most sequences that fit", symbol="B_max")
    kv_room_bytes: Value = quantity("room for each sequence's cache", unit="B", symbol="room")
    max_context_len: Value = quantity(
        "longest context that fits this batch", unit="tokens", symbol="T_max"
    )

    chip_math_bits: Value = quantity("width in which the chip multiplies", symbol="bits_chip")
    math_falls_back: Flag = quantity("the chip lacks the format's own rate", symbol="falls back")
    peak_flops_per_s: Value = quantity("dense peak", unit="FLOP/s", symbol="peak")
    ridge_flops_per_byte: Value = quantity("ridge point", unit="FLOP/B", symbol="ridge")

    idle_fraction: Value = quantity("share of experts that are idle in a step", symbol="idle")
    experts_touched: Value = quantity("experts read per layer and step", symbol="E_read")
    weight_bytes_read: Value = quantity("weights read per step", unit="B", symbol="W_read")
    decode_bytes: Value = quantity("bytes read per step", unit="B", symbol="bytes")
    attention_flops: Value = quantity("FLOPs of attention", unit="FLOP", symbol="FLOPs_att")
    decode_flops: Value = quantity("FLOPs per step", unit="FLOP", symbol="FLOPs")
    decode_flops_per_byte: Value = quantity("decode intensity", unit="FLOP/B", symbol="I_decode")
    decode_times_from_ridge: Value = quantity("decode's distance from the ridge", symbol="d_decode")
    weight_read_s: Value = quantity("reading weights", unit="s", symbol="t_W")
    kv_read_s: Value = quantity("reading the KV cache", unit="s", symbol="t_KV")
    kv_read_fraction: Value = quantity("KV cache's share of the bytes read", symbol="KV/bytes")
    memory_s: Value = quantity("memory time", unit="s", symbol="t_mem")
    compute_s: Value = quantity("compute time", unit="s", symbol="t_comp")
    linear_s: Value = quantity("arithmetic of the matrices", unit="s", symbol="t_lin", detail=True)
    attention_s: Value = quantity("arithmetic of attention", unit="s", symbol="t_att", detail=True)
    communication_s: Value = quantity("communication", unit="s", symbol="t_comm")
    step_s: Value = quantity("one decode step", unit="s", symbol="t_step")
    bound: Word = quantity("what binds decode", symbol="bound")
    plain_tokens_per_s: Value = quantity(
        "all users together, no speculation", unit="tokens/s", symbol="rate_plain"
    )
    plain_tokens_per_s_per_user: Value = quantity(
        "one user, no speculation", unit="tokens/s", symbol="rate_user_plain"
    )

    measured_tokens_per_pass: Value = quantity(
        "measured tokens per pass", unit="tokens", symbol="E_k", detail=True
    )
    spec_tokens_per_pass: Value = quantity("tokens per pass", unit="tokens", symbol="E")
    draft_s: Value = quantity("drafting", unit="s", symbol="t_draft")
    verify_weight_bytes: Value = quantity(
        "weights read by the verify pass", unit="B", symbol="W_verify", detail=True
    )
    verify_bytes: Value = quantity("bytes read by the verify pass", unit="B", symbol="bytes_verify")
    verify_weight_read_s: Value = quantity(
        "reading weights in the verify pass", unit="s", symbol="t_vW", detail=True
    )
    verify_memory_s: Value = quantity("memory time of the verify pass", unit="s", symbol="t_vmem")
    verify_compute_s: Value = quantity("arithmetic of the verify pass", unit="s", symbol="t_vcomp")
    verify_communication_s: Value = quantity(
        "communication of the verify pass", unit="s", symbol="t_vcomm", detail=True
    )
    verify_s: Value = quantity("verifying", unit="s", symbol="t_verify")
    verify_bound: Word = quantity("what binds the verify pass", symbol="bound_verify")
    verify_flops_per_byte: Value = quantity(
        "intensity of the verify pass", unit="FLOP/B", symbol="I_verify"
    )
    cycle_s: Value = quantity("draft and verify", unit="s", symbol="t_cycle")
    spec_speedup: Value = quantity("speed-up by speculation", symbol="speed-up")

    tokens_per_s: Value = quantity("all users together", unit="tokens/s", symbol="rate")
    tokens_per_s_per_user: Value = quantity("one user", unit="tokens/s", symbol="rate_user")
    tokens_per_s_per_gpu: Value = quantity("each GPU", unit="tokens/s", symbol="rate_gpu")
    tpot_s: Value = quantity("time per output token", unit="s", symbol="TPOT")

    computed_prompt_len: Value = quantity(
        "prompt tokens that are not cached", unit="tokens", symbol="P'"
    )
    prefill_attention_flops: Value = quantity(
        "FLOPs of attention in one prefill", unit="FLOP", symbol="FLOPs_patt", detail=True
    )
    prefill_flops: Value = quantity("FLOPs of one prefill", unit="FLOP", symbol="FLOPs_prefill")
    prefill_bytes: Value = quantity("bytes of one prefill", unit="B", symbol="bytes_prefill")
    prefill_flops_per_byte: Value = quantity("prefill intensity", unit="FLOP/B", symbol="I_prefill")
    prefill_times_from_ridge: Value = quantity(
        "prefill's distance from the ridge", symbol="d_prefill"
    )
    prefill_written_bytes: Value = quantity(
        "cache that prefill writes", unit="B", symbol="KV_written", detail=True
    )
    prefill_weight_read_s: Value = quantity(
        "reading weights in prefill", unit="s", symbol="t_pW", detail=True
    )
    prefill_write_s: Value = quantity("writing the cache", unit="s", symbol="t_write", detail=True)
    prefill_linear_s: Value = quantity(
        "arithmetic of the matrices in prefill", unit="s", symbol="t_plin", detail=True
    )
    prefill_attention_s: Value = quantity(
        "arithmetic of attention in prefill", unit="s", symbol="t_patt", detail=True
    )
    prefill_memory_s: Value = quantity("memory time of prefill", unit="s", symbol="t_pmem")
    prefill_compute_s: Value = quantity("compute time of prefill", unit="s", symbol="t_pcomp")
    prefill_communication_s: Value = quantity(
        "communication of prefill", unit="s", symbol="t_pcomm", detail=True
    )
    prefill_bound: Word = quantity("what binds prefill", symbol="bound_prefill")
    ttft_s: Value = quantity("time to first token", unit="s", symbol="TTFT")
    prefill_tokens_per_s: Value = quantity(
        "prompt tokens while prefilling", unit="tokens/s", symbol="rate_prefill"
    )

    mean_context_len: Value = quantity(
        "tokens in cache over a request, on average", unit="tokens", symbol="T_mean"
    )
    request_kv_bytes: Value = quantity(
        "KV cache at the mean context", unit="B", symbol="KV_req", detail=True
    )
    request_kv_read_s: Value = quantity(
        "reading the cache at the mean context", unit="s", symbol="t_KV,req", detail=True
    )
    request_attention_s: Value = quantity(
        "arithmetic of attention at the mean context", unit="s", symbol="t_att,req", detail=True
    )
    request_compute_s: Value = quantity(
        "compute time at the mean context", unit="s", symbol="t_comp,req", detail=True
    )
    request_step_s: Value = quantity(
        "one decode step at the request's mean context", unit="s", symbol="t_step,req", detail=True
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
    served_tokens_per_s: Value = quantity(
        "output rate with prefill charged", unit="tokens/s", symbol="rate_served"
    )
    served_input_tokens_per_s: Value = quantity(
        "input rate beside it", unit="tokens/s", symbol="rate_in"
    )
    usd_per_hour_in_all: Value = quantity("price of all GPUs", unit="USD/h", symbol="price_all")
    usd_per_million_output_tokens: Value = quantity(
        "price of a million output tokens", unit="USD", symbol="USD/M"
    )
    usd_per_million_input_tokens: Value = quantity(
        "price of a million input tokens", unit="USD", symbol="USD/M_in"
    )
    output_tokens_per_usd: Value = quantity(
        "output tokens per dollar", unit="tokens/USD", symbol="out/USD"
    )
    input_tokens_per_usd: Value = quantity(
        "input tokens per dollar", unit="tokens/USD", symbol="in/USD"
    )

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, as plain Python values where they are scalars.

        Returns
        -------
        dict
            float, bool or str per field; arrays stay arrays. Whole counts stay float.

        Notes
        -----
        No formula; the JSON of `decode-arithmetic report` is this.
        """
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}


def _plain(value: Any) -> Any:
    numbers = np.asarray(value)
    if numbers.ndim:
        return value
    return float(numbers) if numbers.dtype.kind in "iuf" else numbers.item()
