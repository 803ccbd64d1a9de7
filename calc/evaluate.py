"""From a scenario to a report: the decode arithmetic, top to bottom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from calc.choose import maximum, where
from calc.formulas import (
    cost,
    decode,
    memory,
    moe,
    parallel,
    prefill,
    request,
    roofline,
    speculation,
)
from calc.formulas.footprint import (
    Footprint,
    footprint,
    kv_bytes_on_gpu,
    kv_bytes_per_sequence,
    paged,
    weight_bytes_read,
)
from calc.formulas.passes import Chip, Pass, chip, forward_pass
from calc.quantity import Value
from calc.report import Report
from calc.scenario import Scenario


def evaluate(scenario: Scenario) -> Report:
    """Every quantity of one scenario, under its assumptions.

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
    time = max(bytes / bandwidth, FLOPs / peak) for each pass. Under the lesson's
    assumptions a ceiling: no kernel inefficiency, no communication, no scheduling,
    perfectly full batches. Under `engine` an estimate with stated efficiencies.

    References
    ----------
    The serving lesson, sections 1, 2, 4 and 5.
    """
    model, gpu, assumed = scenario.model, scenario.gpu, scenario.assumptions
    work, spec, n_gpus = scenario.workload, scenario.speculation, scenario.n_gpus
    stored, rates = footprint(scenario), chip(scenario)
    pages = paged(scenario, stored)

    # What must be in HBM, on each GPU
    sequence_bytes = kv_bytes_on_gpu(scenario, stored, work.context_len)
    kv_bytes = work.batch * sequence_bytes
    here = _named_on_one_gpu(scenario, stored, sequence_bytes)
    draft_share = speculation.draft_share(spec.n_drafted, spec.draft_cost)
    draft_bytes = draft_share * here.weight_bytes + draft_share * here.kv_bytes
    hbm_used_bytes = assumed.reserve_bytes + here.weight_bytes + here.kv_bytes + draft_bytes

    room_bytes = memory.kv_room_bytes(
        here.limit_bytes,
        here.weight_bytes,
        work.batch,
        draft_share,
        assumed.reserve_bytes,
    )

    # What one decode step moves and multiplies, on each GPU
    n_multiplied = where(
        assumed.input_table_read < 1, model.n_active - model.n_input_table, model.n_active
    )
    idle_fraction = moe.idle_fraction(model.n_experts, model.n_experts_per_token, work.batch)
    weight_bytes = weight_bytes_read(scenario, stored, idle_fraction)
    partly_read = stored.expert_bytes + stored.unread_table_bytes > 0
    decode_bytes = decode.decode_bytes(
        where(partly_read, weight_bytes, here.weight_bytes), here.kv_bytes
    )
    linear_flops = parallel.per_gpu(decode.linear_flops(n_multiplied, work.batch), n_gpus)
    attention_flops = _attention_flops(scenario, work.context_len)
    decode_flops = _sum_if_counted(scenario, linear_flops, attention_flops)
    decode_flops_per_byte = decode_flops / decode_bytes
    ridge_flops_per_byte = roofline.ridge_flops_per_byte(
        rates.peak_flops_per_s, gpu.hbm_bytes_per_s
    )

    # How long it takes
    linear_s = linear_flops / rates.decode_flops_per_s
    attention_s = attention_flops / rates.decode_attention_flops_per_s
    compute_s = where(
        assumed.attention_counted > 0,
        linear_s + attention_s,
        decode_flops / rates.decode_flops_per_s,
    )
    step = forward_pass(
        scenario,
        rates,
        weight_bytes,
        kv_bytes,
        decode_bytes,
        linear_s,
        attention_s,
        compute_s,
        work.batch,
    )
    plain_tokens_per_s = work.batch / step.total_s

    # What speculation makes of it (k = 0: a cycle is one plain step of one token)
    n_verified = spec.n_drafted + 1
    measured_tokens = speculation.measured_tokens_per_pass(spec.n_drafted, spec.accepted)
    spec_tokens_per_pass = speculation.tokens_per_pass(
        spec.n_drafted, spec.acceptance, measured_tokens
    )
    verify_weight_bytes = weight_bytes_read(scenario, stored, np.power(idle_fraction, n_verified))
    verify_bytes = decode.decode_bytes(verify_weight_bytes, kv_bytes)
    verify = forward_pass(
        scenario,
        rates,
        verify_weight_bytes,
        kv_bytes,
        verify_bytes,
        n_verified * linear_s,
        n_verified * attention_s,
        n_verified * compute_s,
        n_verified * work.batch,
    )
    draft_s = speculation.draft_s(spec.n_drafted, spec.draft_cost, step.total_s)
    cycle_s = draft_s + verify.total_s
    tokens_per_s = work.batch * spec_tokens_per_pass / cycle_s

    # Prefill of one prompt
    prompt = _prompt(scenario, stored, rates, n_multiplied)

    # A whole request: its own prefill, and its share of steps at its mean context
    mean_context_len = request.mean_context_len(work.prompt_len, work.output_len)
    request_kv_bytes = work.batch * kv_bytes_on_gpu(scenario, stored, mean_context_len)
    request_attention_s = (
        _attention_flops(scenario, mean_context_len) / rates.decode_attention_flops_per_s
    )
    request_compute_s = _sum_if_counted(scenario, linear_s, request_attention_s)
    request_step = forward_pass(
        scenario,
        rates,
        weight_bytes,
        request_kv_bytes,
        decode.decode_bytes(weight_bytes, request_kv_bytes),
        linear_s,
        request_attention_s,
        request_compute_s,
        work.batch,
    )
    request_verify = forward_pass(
        scenario,
        rates,
        verify_weight_bytes,
        request_kv_bytes,
        decode.decode_bytes(verify_weight_bytes, request_kv_bytes),
        n_verified * linear_s,
        n_verified * request_attention_s,
        n_verified * request_compute_s,
        n_verified * work.batch,
    )
    request_draft_s = speculation.draft_s(spec.n_drafted, spec.draft_cost, request_step.total_s)
    request_tpot_s = (request_draft_s + request_verify.total_s) / spec_tokens_per_pass
    served_tokens_per_s = request.served_tokens_per_s(
        work.output_len, prompt.times.total_s, request_tpot_s, work.batch
    )
    served_input = served_tokens_per_s * work.prompt_len / work.output_len
    usd_per_hour = where(n_gpus > 1, gpu.usd_per_hour * n_gpus, gpu.usd_per_hour)
    usd_per_million_output = cost.usd_per_million_tokens(usd_per_hour, served_tokens_per_s)
    usd_per_million_input = cost.usd_per_million_tokens(usd_per_hour, served_input)

    return Report(
        n_params=model.n_params,
        n_active_params=model.n_active,
        weight_bytes=stored.weight_bytes,
        weight_bytes_per_gpu=stored.weight_bytes_on_gpu,
        expert_bytes=stored.expert_bytes,
        unread_table_bytes=stored.unread_table_bytes,
        window_bytes_per_token=stored.window_bytes_per_token,
        state_bytes_per_sequence=stored.state_bytes,
        kv_bytes_per_token=stored.kv_bytes_per_token,
        kv_bytes_per_sequence=here.whole_sequence_bytes,
        kv_bytes=here.whole_kv_bytes,
        kv_share=stored.kv_share,
        full_bytes_per_token_per_gpu=stored.full_on_gpu,
        window_bytes_per_token_per_gpu=stored.window_on_gpu,
        state_bytes_per_gpu=stored.state_on_gpu,
        kv_bytes_per_sequence_per_gpu=sequence_bytes,
        kv_bytes_per_gpu=kv_bytes,
        page_bytes=pages.page_bytes,
        group_layers=pages.group_layers,
        blocks_per_sequence=pages.blocks_per_sequence,
        kv_reserved_bytes_per_sequence=pages.bytes_per_sequence,
        draft_share=draft_share,
        draft_bytes=draft_bytes,
        reserved_bytes=assumed.reserve_bytes,
        hbm_bytes=stored.hbm_bytes,
        hbm_limit_bytes=stored.hbm_limit_bytes,
        hbm_used_bytes=hbm_used_bytes,
        hbm_used_fraction=hbm_used_bytes / here.limit_bytes,
        hbm_free_bytes=maximum(0.0, here.limit_bytes - hbm_used_bytes),
        hbm_over_bytes=maximum(0.0, hbm_used_bytes - here.limit_bytes),
        fits=hbm_used_bytes <= here.limit_bytes,
        max_batch=memory.max_batch(
            here.limit_bytes,
            here.weight_bytes,
            here.sequence_bytes,
            draft_share,
            assumed.reserve_bytes,
        ),
        kv_room_bytes=room_bytes,
        max_context_len=memory.max_context_len(
            room_bytes,
            stored.full_on_gpu,
            stored.window_on_gpu,
            model.window_len,
            stored.state_on_gpu,
        ),
        chip_math_bits=rates.math_bits,
        math_falls_back=rates.math_bits > scenario.precision.weights.math_bits,
        peak_flops_per_s=rates.peak_flops_per_s,
        ridge_flops_per_byte=ridge_flops_per_byte,
        idle_fraction=idle_fraction,
        experts_touched=moe.experts_touched(model.n_experts, idle_fraction),
        weight_bytes_read=weight_bytes,
        decode_bytes=decode_bytes,
        attention_flops=attention_flops,
        decode_flops=decode_flops,
        decode_flops_per_byte=decode_flops_per_byte,
        decode_times_from_ridge=roofline.times_from_ridge(
            decode_flops_per_byte, ridge_flops_per_byte
        ),
        weight_read_s=step.weight_s,
        kv_read_s=step.kv_s,
        kv_read_fraction=here.kv_bytes / decode_bytes,
        memory_s=step.memory_s,
        compute_s=step.compute_s,
        linear_s=linear_s,
        attention_s=attention_s,
        communication_s=step.communication_s,
        step_s=step.total_s,
        bound=step.bound,
        plain_tokens_per_s=plain_tokens_per_s,
        plain_tokens_per_s_per_user=1 / step.total_s,
        measured_tokens_per_pass=measured_tokens,
        spec_tokens_per_pass=spec_tokens_per_pass,
        draft_s=draft_s,
        verify_weight_bytes=verify_weight_bytes,
        verify_bytes=verify_bytes,
        verify_weight_read_s=verify.weight_s,
        verify_memory_s=verify.memory_s,
        verify_compute_s=verify.compute_s,
        verify_communication_s=verify.communication_s,
        verify_s=verify.total_s,
        verify_bound=verify.bound,
        verify_flops_per_byte=n_verified * (decode_flops / verify_bytes),
        cycle_s=cycle_s,
        spec_speedup=decode.speedup(tokens_per_s, plain_tokens_per_s),
        tokens_per_s=tokens_per_s,
        tokens_per_s_per_user=spec_tokens_per_pass / cycle_s,
        tokens_per_s_per_gpu=parallel.per_gpu(tokens_per_s, n_gpus),
        tpot_s=cycle_s / spec_tokens_per_pass,
        computed_prompt_len=prompt.computed_len,
        prefill_attention_flops=prompt.attention_flops,
        prefill_flops=prompt.flops,
        prefill_bytes=prompt.total_bytes,
        prefill_flops_per_byte=prompt.flops_per_byte,
        prefill_times_from_ridge=roofline.times_from_ridge(
            prompt.flops_per_byte, ridge_flops_per_byte
        ),
        prefill_written_bytes=prompt.written_bytes,
        prefill_weight_read_s=prompt.times.weight_s,
        prefill_write_s=prompt.times.kv_s,
        prefill_linear_s=prompt.times.linear_s,
        prefill_attention_s=prompt.times.attention_s,
        prefill_memory_s=prompt.times.memory_s,
        prefill_compute_s=prompt.times.compute_s,
        prefill_communication_s=prompt.times.communication_s,
        prefill_bound=prompt.times.bound,
        ttft_s=prompt.times.total_s,
        prefill_tokens_per_s=work.prompt_len / prompt.times.total_s,
        mean_context_len=mean_context_len,
        request_kv_bytes=request_kv_bytes,
        request_kv_read_s=request_step.kv_s,
        request_attention_s=request_attention_s,
        request_compute_s=request_compute_s,
        request_step_s=request_step.total_s,
        request_draft_s=request_draft_s,
        request_verify_s=request_verify.total_s,
        request_tpot_s=request_tpot_s,
        request_s=prompt.times.total_s + (work.output_len - 1) * request_tpot_s,
        served_tokens_per_s=served_tokens_per_s,
        served_input_tokens_per_s=served_input,
        usd_per_hour_in_all=usd_per_hour,
        usd_per_million_output_tokens=usd_per_million_output,
        usd_per_million_input_tokens=usd_per_million_input,
        output_tokens_per_usd=cost.tokens_per_usd(usd_per_million_output),
        input_tokens_per_usd=cost.tokens_per_usd(usd_per_million_input),
    )


def _attention_flops(scenario: Scenario, context_len: Value) -> Value:
    """Attention's FLOPs of one decode step on each GPU, if they are counted."""
    model = scenario.model
    per_token = decode.attention_flops_per_token(
        model.n_full_layers,
        model.decode_attention_width,
        context_len,
        model.n_window_layers,
        model.window_attention_width,
        model.window_len,
    )
    flops = parallel.per_gpu(scenario.workload.batch * per_token, scenario.n_gpus)
    return scenario.assumptions.attention_counted * flops


def _sum_if_counted(scenario: Scenario, linear: Value, attention: Value) -> Value:
    # Equal to the sum; keeps "+ 0" out of the formulas while attention is left out.
    return where(scenario.assumptions.attention_counted > 0, linear + attention, linear)


class _Here(NamedTuple):
    """What one GPU holds, under the name of the whole where there is one GPU only."""

    whole_sequence_bytes: Value
    whole_kv_bytes: Value
    weight_bytes: Value
    sequence_bytes: Value
    kv_bytes: Value
    limit_bytes: Value


def _named_on_one_gpu(scenario: Scenario, stored: Footprint, sequence_bytes: Value) -> _Here:
    batch, several = scenario.workload.batch, scenario.n_gpus > 1
    whole = kv_bytes_per_sequence(scenario, stored, scenario.workload.context_len)
    usable = scenario.assumptions.usable_fraction
    return _Here(
        whole_sequence_bytes=whole,
        whole_kv_bytes=batch * whole,
        weight_bytes=where(several, stored.weight_bytes_on_gpu, stored.weight_bytes),
        sequence_bytes=where(several, sequence_bytes, whole),
        kv_bytes=where(several, batch * sequence_bytes, batch * whole),
        limit_bytes=where(usable < 1, stored.hbm_limit_bytes, stored.hbm_bytes),
    )


class _Prompt(NamedTuple):
    """One prompt's prefill."""

    computed_len: Value
    attention_flops: Value
    flops: Value
    flops_per_byte: Value
    weight_bytes: Value
    written_bytes: Value
    total_bytes: Value
    times: Pass


def _prompt(scenario: Scenario, stored: Footprint, rates: Chip, n_multiplied: Value) -> _Prompt:
    model, assumed, work = scenario.model, scenario.assumptions, scenario.workload
    n_gpus = scenario.n_gpus
    computed_len = prefill.computed_len(work.prompt_len, work.prefix_hit)
    linear_flops = decode.linear_flops(n_multiplied, computed_len)
    attention_flops = assumed.attention_counted * prefill.attention_flops(
        model.n_full_layers,
        model.prefill_attention_width,
        work.prompt_len,
        computed_len,
        model.n_window_layers,
        model.window_attention_width,
        model.window_len,
    )
    flops = _sum_if_counted(scenario, linear_flops, attention_flops)
    idle_fraction = moe.idle_fraction(model.n_experts, model.n_experts_per_token, computed_len)
    weight_bytes = weight_bytes_read(scenario, stored, idle_fraction)
    written_bytes = assumed.kv_write_counted * prefill.written_bytes(
        computed_len, stored.full_on_gpu, stored.window_on_gpu, stored.state_on_gpu
    )
    total_bytes = where(assumed.kv_write_counted > 0, weight_bytes + written_bytes, weight_bytes)
    linear_s = parallel.per_gpu(linear_flops, n_gpus) / rates.prefill_flops_per_s
    attention_s = parallel.per_gpu(attention_flops, n_gpus) / rates.prefill_attention_flops_per_s
    times = forward_pass(
        scenario,
        rates,
        weight_bytes,
        written_bytes,
        total_bytes,
        linear_s,
        attention_s,
        _sum_if_counted(scenario, linear_s, attention_s),
        computed_len,
    )
    by_part = prefill.prefill_flops_per_byte(parallel.per_gpu(flops, n_gpus), total_bytes)
    by_whole = prefill.prefill_flops_per_byte(flops, stored.weight_bytes)
    all_read = stored.expert_bytes + stored.unread_table_bytes == 0
    flops_per_byte = where(
        assumed.kv_write_counted > 0, by_part, where(all_read, by_whole, by_part)
    )
    return _Prompt(
        computed_len,
        attention_flops,
        flops,
        flops_per_byte,
        weight_bytes,
        written_bytes,
        total_bytes,
        times,
    )
