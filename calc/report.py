"""What comes out: every quantity of one scenario, each with unit, label and symbol."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from calc.quantity import Flag, Value, Word, quantity


@dataclass(frozen=True)
class Report:
    """The result of `evaluate`. All SI. A ceiling, not a measurement."""

    n_params: Value = quantity("parameters", symbol="N")
    n_active_params: Value = quantity("active parameters", symbol="N_active")

    weight_bytes: Value = quantity("weights", unit="B", symbol="W")
    kv_bytes_per_token: Value = quantity("KV cache per token", unit="B", symbol="KV_token")
    kv_bytes_per_sequence: Value = quantity("KV cache per sequence", unit="B", symbol="KV_seq")
    kv_bytes: Value = quantity("KV cache in all", unit="B", symbol="KV")
    draft_share: Value = quantity("draft model's share in use", symbol="s")
    draft_bytes: Value = quantity("draft model", unit="B", symbol="draft")
    hbm_bytes: Value = quantity("HBM capacity", unit="B", symbol="HBM")
    hbm_used_bytes: Value = quantity("HBM asked for", unit="B", symbol="used")
    hbm_used_fraction: Value = quantity("share of HBM asked for", symbol="used/HBM")
    hbm_free_bytes: Value = quantity("HBM left", unit="B", symbol="free")
    hbm_over_bytes: Value = quantity("HBM missing", unit="B", symbol="over")
    fits: Flag = quantity("it fits", symbol="fits")
    max_batch: Value = quantity("most sequences that fit", symbol="B_max")

    peak_flops_per_s: Value = quantity("dense peak", unit="FLOP/s", symbol="peak")
    ridge_flops_per_byte: Value = quantity("ridge point", unit="FLOP/B", symbol="ridge")

    decode_bytes: Value = quantity("bytes read per step", unit="B", symbol="bytes")
    decode_flops: Value = quantity("FLOPs per step", unit="FLOP", symbol="FLOPs")
    decode_flops_per_byte: Value = quantity("decode intensity", unit="FLOP/B", symbol="I_decode")
    decode_times_from_ridge: Value = quantity("decode's distance from the ridge", symbol="d_decode")
    weight_read_s: Value = quantity("reading weights", unit="s", symbol="t_W")
    kv_read_s: Value = quantity("reading the KV cache", unit="s", symbol="t_KV")
    kv_read_fraction: Value = quantity("KV cache's share of the bytes read", symbol="KV/bytes")
    memory_s: Value = quantity("memory time", unit="s", symbol="t_mem")
    compute_s: Value = quantity("compute time", unit="s", symbol="t_comp")
    step_s: Value = quantity("one decode step", unit="s", symbol="t_step")
    bound: Word = quantity("what binds decode", symbol="bound")
    plain_tokens_per_s: Value = quantity(
        "all users together, no speculation", unit="tokens/s", symbol="rate_plain"
    )
    plain_tokens_per_s_per_user: Value = quantity(
        "one user, no speculation", unit="tokens/s", symbol="rate_user_plain"
    )

    spec_tokens_per_pass: Value = quantity("tokens per pass", unit="tokens", symbol="E")
    draft_s: Value = quantity("drafting", unit="s", symbol="t_draft")
    verify_compute_s: Value = quantity("arithmetic of the verify pass", unit="s", symbol="t_vcomp")
    verify_s: Value = quantity("verifying", unit="s", symbol="t_verify")
    verify_bound: Word = quantity("what binds the verify pass", symbol="bound_verify")
    verify_flops_per_byte: Value = quantity(
        "intensity of the verify pass", unit="FLOP/B", symbol="I_verify"
    )
    cycle_s: Value = quantity("draft and verify", unit="s", symbol="t_cycle")
    spec_speedup: Value = quantity("speed-up by speculation", symbol="speed-up")

    tokens_per_s: Value = quantity("all users together", unit="tokens/s", symbol="rate")
    tokens_per_s_per_user: Value = quantity("one user", unit="tokens/s", symbol="rate_user")
    tpot_s: Value = quantity("time per output token", unit="s", symbol="TPOT")

    prefill_flops: Value = quantity("FLOPs of one prefill", unit="FLOP", symbol="FLOPs_prefill")
    prefill_flops_per_byte: Value = quantity("prefill intensity", unit="FLOP/B", symbol="I_prefill")
    prefill_times_from_ridge: Value = quantity(
        "prefill's distance from the ridge", symbol="d_prefill"
    )
    prefill_bound: Word = quantity("what binds prefill", symbol="bound_prefill")
    ttft_s: Value = quantity("time to first token", unit="s", symbol="TTFT")

    served_tokens_per_s: Value = quantity(
        "output rate with prefill charged", unit="tokens/s", symbol="rate_served"
    )
    usd_per_million_output_tokens: Value = quantity(
        "price of a million output tokens", unit="USD", symbol="USD/M"
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
    return numbers.item() if numbers.ndim == 0 else value
