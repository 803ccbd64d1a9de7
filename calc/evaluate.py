"""From a scenario to a report: the decode arithmetic, top to bottom."""

from __future__ import annotations

import numpy as np

from calc import decode, memory, prefill, request, roofline, speculation
from calc.report import Report
from calc.specs import Scenario


def evaluate(scenario: Scenario) -> Report:
    """Every quantity of one scenario, under the ideal roofline.

    Parameters
    ----------
    scenario : Scenario
        Numbers, arrays that broadcast, or symbols. Not validated here: call
        `scenario.validate()` first where the numbers come from outside.

    Returns
    -------
    Report
        SI values in the broadcast shape of the inputs.

    Notes
    -----
    time = max(bytes / bandwidth, FLOPs / peak) for each pass. A ceiling: no kernel
    inefficiency, no communication, no scheduling, perfectly full batches.

    References
    ----------
    The serving lesson, sections 1, 2, 4 and 5.
    """
    model, gpu, precision = scenario.model, scenario.gpu, scenario.precision
    work, spec = scenario.workload, scenario.speculation
    reserve_bytes = scenario.assumptions.reserve_bytes

    # What must be in HBM
    weight_bytes = memory.weight_bytes(model.n_params, precision.weights.bytes_per_weight)
    kv_bytes_per_token = memory.kv_bytes_per_token(
        model.n_layers, model.n_kv_heads, model.d_head, precision.kv.bytes_per_kv
    )
    kv_bytes_per_sequence = memory.kv_bytes_per_sequence(kv_bytes_per_token, work.context_len)
    kv_bytes = work.batch * kv_bytes_per_sequence
    draft_share = speculation.draft_share(spec.n_drafted, spec.draft_cost)
    draft_bytes = draft_share * weight_bytes + draft_share * kv_bytes
    hbm_used_bytes = reserve_bytes + weight_bytes + kv_bytes + draft_bytes
    max_batch = memory.max_batch(
        gpu.hbm_bytes, weight_bytes, kv_bytes_per_sequence, draft_share, reserve_bytes
    )

    # What one decode step costs
    peak_flops_per_s = roofline.peak_flops_per_s(
        precision.weights.math_bits, gpu.peak_16bit_flops_per_s, gpu.peak_8bit_flops_per_s
    )
    ridge_flops_per_byte = roofline.ridge_flops_per_byte(peak_flops_per_s, gpu.hbm_bytes_per_s)
    decode_bytes = decode.decode_bytes(weight_bytes, kv_bytes)
    decode_flops = decode.decode_flops(model.n_params, work.batch)
    decode_flops_per_byte = decode_flops / decode_bytes
    memory_s = decode_bytes / gpu.hbm_bytes_per_s
    compute_s = decode_flops / peak_flops_per_s
    step_s = np.maximum(memory_s, compute_s)
    plain_tokens_per_s = work.batch / step_s

    # What speculation makes of it (k = 0: a cycle is one plain step of one token)
    spec_tokens_per_pass = speculation.tokens_per_pass(spec.n_drafted, spec.acceptance)
    draft_s = speculation.draft_s(spec.n_drafted, spec.draft_cost, step_s)
    verify_compute_s = (spec.n_drafted + 1) * compute_s
    verify_s = speculation.verify_s(spec.n_drafted, memory_s, compute_s)
    cycle_s = draft_s + verify_s
    tokens_per_s = work.batch * spec_tokens_per_pass / cycle_s

    # Prefill, and a whole request
    prefill_flops = prefill.prefill_flops(model.n_params, work.prompt_len)
    prefill_flops_per_byte = prefill.prefill_flops_per_byte(prefill_flops, weight_bytes)
    prefill_memory_s = weight_bytes / gpu.hbm_bytes_per_s
    prefill_compute_s = prefill_flops / peak_flops_per_s
    ttft_s = np.maximum(prefill_memory_s, prefill_compute_s)
    request_kv_bytes = work.batch * memory.kv_bytes_per_sequence(
        kv_bytes_per_token, request.mean_context_len(work.prompt_len, work.output_len)
    )
    request_memory_s = decode.decode_bytes(weight_bytes, request_kv_bytes) / gpu.hbm_bytes_per_s
    request_step_s = np.maximum(request_memory_s, compute_s)
    request_cycle_s = speculation.draft_s(
        spec.n_drafted, spec.draft_cost, request_step_s
    ) + speculation.verify_s(spec.n_drafted, request_memory_s, compute_s)
    served_tokens_per_s = request.served_tokens_per_s(
        work.output_len, ttft_s, request_cycle_s / spec_tokens_per_pass, work.batch
    )

    return Report(
        n_params=model.n_params,
        n_active_params=model.n_params,
        weight_bytes=weight_bytes,
        kv_bytes_per_token=kv_bytes_per_token,
        kv_bytes_per_sequence=kv_bytes_per_sequence,
        kv_bytes=kv_bytes,
        draft_share=draft_share,
        draft_bytes=draft_bytes,
        hbm_bytes=gpu.hbm_bytes,
        hbm_used_bytes=hbm_used_bytes,
        hbm_used_fraction=hbm_used_bytes / gpu.hbm_bytes,
        hbm_free_bytes=np.maximum(0.0, gpu.hbm_bytes - hbm_used_bytes),
        hbm_over_bytes=np.maximum(0.0, hbm_used_bytes - gpu.hbm_bytes),
        fits=hbm_used_bytes <= gpu.hbm_bytes,
        max_batch=max_batch,
        peak_flops_per_s=peak_flops_per_s,
        ridge_flops_per_byte=ridge_flops_per_byte,
        decode_bytes=decode_bytes,
        decode_flops=decode_flops,
        decode_flops_per_byte=decode_flops_per_byte,
        decode_times_from_ridge=roofline.times_from_ridge(
            decode_flops_per_byte, ridge_flops_per_byte
        ),
        weight_read_s=weight_bytes / gpu.hbm_bytes_per_s,
        kv_read_s=kv_bytes / gpu.hbm_bytes_per_s,
        kv_read_fraction=kv_bytes / decode_bytes,
        memory_s=memory_s,
        compute_s=compute_s,
        step_s=step_s,
        bound=roofline.bound(memory_s, compute_s),
        plain_tokens_per_s=plain_tokens_per_s,
        plain_tokens_per_s_per_user=1 / step_s,
        spec_tokens_per_pass=spec_tokens_per_pass,
        draft_s=draft_s,
        verify_compute_s=verify_compute_s,
        verify_s=verify_s,
        verify_bound=roofline.bound(memory_s, verify_compute_s),
        verify_flops_per_byte=(spec.n_drafted + 1) * decode_flops_per_byte,
        cycle_s=cycle_s,
        spec_speedup=decode.speedup(tokens_per_s, plain_tokens_per_s),
        tokens_per_s=tokens_per_s,
        tokens_per_s_per_user=spec_tokens_per_pass / cycle_s,
        tpot_s=cycle_s / spec_tokens_per_pass,
        prefill_flops=prefill_flops,
        prefill_flops_per_byte=prefill_flops_per_byte,
        prefill_times_from_ridge=roofline.times_from_ridge(
            prefill_flops_per_byte, ridge_flops_per_byte
        ),
        prefill_bound=roofline.bound(prefill_memory_s, prefill_compute_s),
        ttft_s=ttft_s,
        served_tokens_per_s=served_tokens_per_s,
        usd_per_million_output_tokens=request.usd_per_million_output_tokens(
            gpu.usd_per_hour, served_tokens_per_s
        ),
    )
