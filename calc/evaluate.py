"""From a scenario to a report: the decode arithmetic, section by section."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial

from calc.conversion import check_record
from calc.formulas import (
    cost,
    decode,
    kv,
    memory,
    moe,
    paging,
    parallel,
    passes,
    prefill,
    request,
    roofline,
    speculation,
)
from calc.formulas.kv import KindCache
from calc.formulas.passes import Work
from calc.primitives import maximum, total, where
from calc.quantity import Value
from calc.report import (
    Cache,
    Chip,
    Cost,
    Cycle,
    Memory,
    Pass,
    Prefill,
    Report,
    Request,
    Shares,
    Step,
    Weights,
)
from calc.scenario import Scenario


def evaluate(scenario: Scenario) -> Report:
    """Every quantity of one scenario, under its assumptions.

    Parameters
    ----------
    scenario : Scenario
        Numbers, arrays that broadcast, or symbols. Not validated here: `calc.scenario` asks
        every rule, and so does `validate` of one that was put together by hand.

    Returns
    -------
    Report
        SI values in the broadcast shape of the inputs.

    Raises
    ------
    TypeError
        It is no scenario.

    Notes
    -----
    time = max(bytes / bandwidth, FLOPs / peak) for each pass. Under the lesson's
    assumptions a ceiling: no kernel inefficiency, no communication, no scheduling,
    perfectly full batches. Under `engine` an estimate with stated efficiencies.

    References
    ----------
    The serving lesson, sections 1, 2, 4 and 5.
    """
    check_record("scenario", scenario, Scenario)
    bytes_per_kv = scenario.precision.kv.bytes_per_kv
    caches = {
        name: kv.kind_cache(each, bytes_per_kv) for name, each in scenario.model.kinds.items()
    }
    shares = _shares(scenario)
    tp, dcp = scenario.parallelism.tensor_parallel, scenario.parallelism.context_parallel
    unsplit = {
        name: kv.kind_cache_on_gpu(each, tp, shares.stage_fraction) for name, each in caches.items()
    }
    caches_on_gpu = {name: kv.split_tokens(each, dcp) for name, each in unsplit.items()}
    on_gpu = list(caches_on_gpu.values())

    # What must be in HBM, on each GPU
    weights = _weights(scenario, shares)
    cache = _cache(scenario, shares, caches, unsplit, caches_on_gpu)
    hbm = _memory(scenario, shares, weights, cache, on_gpu)

    # What one decode step reads and multiplies, how long that takes, and what speculation
    # makes of it
    chip = _chip(scenario)
    efficiency = scenario.assumptions.decode_efficiency
    rates = passes.rates(scenario, chip.peak_flops_per_s, efficiency)
    decode_pass = partial(_decode_pass, scenario, shares, weights, rates)
    batch, context_len = shares.batch_per_pass, scenario.workload.context_len
    work = passes.step_work(scenario, batch, cache.kv_read_bytes_per_gpu, context_len)
    step = _step(scenario, chip, decode_pass(work))
    cycle = _cycle(scenario, chip, step, decode_pass(passes.verify_work(scenario, work)))

    # A prompt, a whole request, and what that costs
    prompt = _prefill(scenario, shares, weights, chip, on_gpu)
    whole = _request(scenario, shares, cycle, prompt, on_gpu, decode_pass)
    price = _cost(scenario, whole)
    return Report.of(shares, weights, cache, hbm, chip, step, cycle, prompt, whole, price)


def _shares(scenario: Scenario) -> Shares:
    sharing, batch = scenario.parallelism, scenario.workload.batch
    batch_per_gpu = parallel.batch_per_gpu(batch, sharing.data_parallel)
    batch_per_pass = parallel.batch_per_pass(batch_per_gpu, sharing.pipeline_parallel)
    stage_fraction = parallel.stage_fraction(scenario.model.n_layers, sharing.pipeline_parallel)
    return Shares(
        stage_fraction=stage_fraction,
        batch_per_gpu=batch_per_gpu,
        batch_per_pass=batch_per_pass,
        stage_imbalance=parallel.stage_imbalance(
            batch_per_gpu, stage_fraction, sharing.pipeline_parallel
        ),
        batches_at_once=batch / batch_per_pass,
    )


def _weights(scenario: Scenario, shares: Shares) -> Weights:
    model, weight_format = scenario.model, scenario.precision.weights
    sharing = scenario.parallelism
    width, scale = weight_format.bytes_per_weight, weight_format.scale_bytes_per_weight
    real = scenario.assumptions.real_checkpoint
    wide = weight_format.wide_bytes_per_weight
    tower_bytes = memory.unquantised_bytes(model.n_tower, width, wide, real)
    weight_bytes = tower_bytes + memory.weight_bytes(
        model.n_params, width, scale, model.n_16bit, wide, real
    )
    expert_bytes = memory.quantised_bytes(model.n_expert_params, width, scale, real)
    group_expert_bytes = parallel.group_expert_bytes(
        expert_bytes,
        model.n_experts,
        sharing.n_redundant_experts,
        sharing.expert_parallel,
        sharing.data_parallel,
    )
    n_copied = where(real > 0, parallel.n_copied_params(model, sharing.tensor_parallel), 0.0)
    n_copied_16bit = model.n_whole_16bit * (sharing.tensor_parallel - 1)
    copied_bytes = memory.weight_bytes(n_copied, width, scale, n_copied_16bit, wide, real)
    group_bytes = parallel.group_weight_bytes(
        weight_bytes, expert_bytes, group_expert_bytes, copied_bytes
    )
    return Weights(
        n_params=model.n_params,
        n_active_params=model.n_active,
        n_copied_params=n_copied,
        copied_weight_bytes=copied_bytes,
        tower_bytes=tower_bytes,
        weight_bytes=weight_bytes,
        weight_bytes_per_gpu=group_bytes / sharing.tensor_parallel * shares.stage_fraction,
        expert_bytes=expert_bytes,
        group_expert_bytes=group_expert_bytes,
        group_weight_bytes=group_bytes,
        unread_table_bytes=where(
            scenario.assumptions.input_table_read < 1,
            memory.unquantised_bytes(model.n_input_table, width, wide, real),
            0.0,
        ),
    )


def _cache(
    scenario: Scenario,
    shares: Shares,
    by_kind: Mapping[str, KindCache],
    unsplit: Mapping[str, KindCache],
    by_kind_on_gpu: Mapping[str, KindCache],
) -> Cache:
    model, workload, sharing = scenario.model, scenario.workload, scenario.parallelism
    stage = shares.stage_fraction
    caches, on_gpu = list(by_kind.values()), list(by_kind_on_gpu.values())
    sequence_bytes = kv.bytes_per_sequence(caches, workload.context_len)
    sequence_bytes_on_gpu = kv.bytes_per_sequence(on_gpu, workload.context_len)
    # Beside heavily compressed layers a block is another thing.
    pooled = [each for name, each in by_kind_on_gpu.items() if name != "hca"]
    group_layers = paging.group_layers([each.kind for each in pooled])
    # Pages have room for as many tokens of a GPU, whichever tokens of a sequence these are.
    page_bytes = paging.page_bytes([each for name, each in unsplit.items() if name != "hca"], stage)
    window_groups = paging.window_groups(model.window, (model.full, model.hca))
    compressed_bytes = paging.compressed_block_bytes(
        unsplit["window"],
        window_groups,
        [unsplit[name] for name in ("full", "index", "hca")],
        stage,
    )

    def n_blocks(tokens_in_flight: Value) -> Value:
        """Blocks of a sequence, as room is set aside for it."""
        in_groups = [
            paging.blocks_per_sequence(
                each,
                group_layers,
                page_bytes,
                workload.context_len,
                tokens_in_flight,
                scenario.speculation.n_drafted,
                stage,
            )
            for each in pooled
        ]
        compressed = paging.compressed_blocks(
            model.window,
            window_groups,
            (model.full, model.hca),
            compressed_bytes,
            workload.context_len,
            tokens_in_flight,
            sharing.context_parallel,
            stage,
        )
        return where(compressed_bytes > 0, compressed, total(in_groups))

    n_reserved = n_blocks(
        paging.tokens_in_flight(
            scenario.assumptions.batched_tokens,
            scenario.assumptions.batches_in_flight,
            sharing.pipeline_parallel,
        )
    )
    n_held = n_blocks(1.0)
    block_bytes = where(compressed_bytes > 0, compressed_bytes, page_bytes * group_layers * stage)
    return Cache(
        full_bytes_per_token=by_kind["full"].bytes_per_token,
        window_bytes_per_token=by_kind["window"].bytes_per_token,
        index_bytes_per_token=by_kind["index"].bytes_per_token,
        hca_bytes_per_token=by_kind["hca"].bytes_per_token,
        state_bytes_per_sequence=total([each.state_bytes for each in caches]),
        kv_bytes_per_token=total(
            [kv.bytes_per_next_token(each, workload.context_len) for each in caches]
        ),
        kv_bytes_per_sequence=sequence_bytes,
        kv_bytes=workload.batch * sequence_bytes,
        kv_share=kv.share_on_gpu(model.main, sharing.tensor_parallel, sharing.context_parallel),
        full_bytes_per_token_per_gpu=by_kind_on_gpu["full"].bytes_per_token,
        window_bytes_per_token_per_gpu=by_kind_on_gpu["window"].bytes_per_token,
        index_bytes_per_token_per_gpu=by_kind_on_gpu["index"].bytes_per_token,
        hca_bytes_per_token_per_gpu=by_kind_on_gpu["hca"].bytes_per_token,
        state_bytes_per_gpu=total([each.state_bytes for each in on_gpu]),
        kv_bytes_per_sequence_per_gpu=sequence_bytes_on_gpu,
        kv_bytes_per_gpu=shares.batch_per_gpu * sequence_bytes_on_gpu,
        kv_read_bytes_per_gpu=shares.batch_per_pass
        * kv.read_bytes_per_sequence(on_gpu, workload.context_len)
        / stage,
        page_bytes=page_bytes,
        group_layers=group_layers,
        block_bytes=block_bytes,
        blocks_per_sequence=n_reserved,
        held_blocks_per_sequence=n_held,
        kv_reserved_bytes_per_sequence=n_reserved * block_bytes,
        kv_held_bytes_per_sequence=n_held * block_bytes,
    )


def _memory(
    scenario: Scenario,
    shares: Shares,
    weights: Weights,
    cache: Cache,
    on_gpu: Collection[KindCache],
) -> Memory:
    gpu, spec, assumptions = scenario.gpu, scenario.speculation, scenario.assumptions
    hbm_bytes = where(
        assumptions.reported_capacity > 0, gpu.hbm_reported_bytes, gpu.hbm_marketed_bytes
    )
    limit_bytes = hbm_bytes * assumptions.usable_fraction
    draft_share = speculation.draft_share(spec.n_drafted, spec.draft_cost)
    draft_bytes = draft_share * weights.weight_bytes_per_gpu + draft_share * cache.kv_bytes_per_gpu
    used_bytes = (
        assumptions.reserve_bytes
        + weights.weight_bytes_per_gpu
        + cache.kv_bytes_per_gpu
        + draft_bytes
    )
    room_bytes = memory.kv_room_bytes(
        limit_bytes,
        weights.weight_bytes_per_gpu,
        shares.batch_per_gpu,
        draft_share,
        assumptions.reserve_bytes,
    )
    max_batch = memory.max_batch(
        limit_bytes,
        weights.weight_bytes_per_gpu,
        cache.kv_bytes_per_sequence_per_gpu,
        draft_share,
        assumptions.reserve_bytes,
        scenario.parallelism.data_parallel,
    )
    paged_max_batch = memory.max_batch(
        limit_bytes,
        weights.weight_bytes_per_gpu,
        cache.kv_held_bytes_per_sequence,
        draft_share,
        assumptions.reserve_bytes,
        scenario.parallelism.data_parallel,
    )
    inside_len = kv.context_len_inside(on_gpu, room_bytes)
    even_bytes = weights.weight_bytes_per_gpu / shares.batch_per_gpu
    even_inside_len = kv.context_len_inside(on_gpu, even_bytes)
    return Memory(
        draft_share=draft_share,
        draft_bytes=draft_bytes,
        reserved_bytes=assumptions.reserve_bytes,
        hbm_bytes=hbm_bytes,
        hbm_limit_bytes=limit_bytes,
        hbm_used_bytes=used_bytes,
        hbm_used_fraction=used_bytes / limit_bytes,
        hbm_free_bytes=maximum(0.0, limit_bytes - used_bytes),
        hbm_over_bytes=maximum(0.0, used_bytes - limit_bytes),
        # Not `used <= limit`: rounded in another order, at the very edge it may say another thing.
        fits=scenario.workload.batch <= max_batch,
        max_batch=max_batch,
        paged_max_batch=paged_max_batch,
        logged_concurrency=room_bytes
        * shares.batch_per_gpu
        / cache.kv_reserved_bytes_per_sequence
        * scenario.parallelism.data_parallel,
        kv_room_bytes=room_bytes,
        context_len_inside=inside_len,
        max_context_len=kv.max_context_len(on_gpu, room_bytes, inside_len),
        even_context_len=kv.max_context_len(on_gpu, even_bytes, even_inside_len),
    )


def _chip(scenario: Scenario) -> Chip:
    gpu, weights = scenario.gpu, scenario.precision.weights
    peak_8bit = roofline.format_8bit_flops_per_s(
        weights.integer_math, gpu.peak_8bit_flops_per_s, gpu.peak_int8_flops_per_s
    )
    bits = roofline.chip_math_bits(weights.math_bits, peak_8bit, gpu.peak_4bit_flops_per_s)
    peak = roofline.peak_flops_per_s(
        bits, gpu.peak_16bit_flops_per_s, peak_8bit, gpu.peak_4bit_flops_per_s
    )
    return Chip(
        chip_math_bits=bits,
        math_falls_back=bits > weights.math_bits,
        peak_flops_per_s=peak,
        ridge_flops_per_byte=roofline.ridge_flops_per_byte(peak, gpu.hbm_bytes_per_s),
    )


def _decode_pass(
    scenario: Scenario, shares: Shares, weights: Weights, rates: passes.Rates, work: Work
) -> Pass:
    """A pass that comes round again: it waits for the fullest stage, as a prompt alone does not."""
    alone = passes.forward_pass(scenario, weights, rates, work)
    return replace(alone, total_s=alone.total_s * shares.stage_imbalance)


def _step(scenario: Scenario, chip: Chip, step: Pass) -> Step:
    return Step.showing(
        step,
        experts_touched=moe.experts_touched(scenario.model.n_experts, step.idle_fraction),
        decode_times_from_ridge=roofline.times_from_ridge(
            step.flops_per_byte, chip.ridge_flops_per_byte
        ),
        kv_read_fraction=step.kv_bytes_per_pass / step.total_bytes,
        plain_tokens_per_s=scenario.workload.batch / step.total_s,
        plain_tokens_per_s_per_user=1 / step.total_s,
    )


def _cycle(scenario: Scenario, chip: Chip, step: Step, verify: Pass) -> Cycle:
    spec, batch = scenario.speculation, scenario.workload.batch
    measured_tokens = speculation.measured_tokens_per_pass(spec.n_drafted, spec.accepted_tokens)
    tokens_per_pass = speculation.tokens_per_pass(spec.n_drafted, spec.acceptance, measured_tokens)
    draft_s = speculation.draft_s(spec.n_drafted, spec.draft_cost, step.step_s)
    cycle_s = draft_s + verify.total_s
    tokens_per_s = batch * tokens_per_pass / cycle_s
    return Cycle.showing(
        verify,
        measured_tokens_per_pass=measured_tokens,
        spec_tokens_per_pass=tokens_per_pass,
        draft_s=draft_s,
        verify_times_from_ridge=roofline.times_from_ridge(
            verify.flops_per_byte, chip.ridge_flops_per_byte
        ),
        cycle_s=cycle_s,
        spec_speedup=decode.speedup(tokens_per_s, step.plain_tokens_per_s),
        tokens_per_s=tokens_per_s,
        tokens_per_s_per_user=tokens_per_pass / cycle_s,
        tokens_per_s_per_gpu=tokens_per_s / scenario.parallelism.n_gpus,
        tpot_s=cycle_s / tokens_per_pass,
    )


def _prefill(
    scenario: Scenario,
    shares: Shares,
    weights: Weights,
    chip: Chip,
    on_gpu: Collection[KindCache],
) -> Prefill:
    workload, assumptions = scenario.workload, scenario.assumptions
    tp = scenario.parallelism.tensor_parallel
    prompt_len = workload.prompt_len
    computed_prompt_len = prefill.computed_prompt_len(prompt_len, workload.prefix_hit)
    linear_flops = decode.linear_flops(
        passes.n_multiplied(scenario, weights.n_copied_params), computed_prompt_len
    )
    attention_flops = assumptions.attention_counted * total(
        [
            prefill.attention_flops(each, prompt_len, computed_prompt_len)
            for each in scenario.model.kinds.values()
        ]
    )
    flops = linear_flops + attention_flops
    written_bytes = (
        assumptions.kv_write_counted
        * prefill.written_bytes(
            computed_prompt_len,
            total([each.bytes_per_token for each in on_gpu]),
            total([each.state_bytes for each in on_gpu]),
        )
        / shares.stage_fraction
    )
    rates = passes.rates(scenario, chip.peak_flops_per_s, assumptions.prefill_efficiency)
    work = Work(computed_prompt_len, written_bytes, attention_flops / tp)
    prompt = passes.forward_pass(scenario, weights, rates, work)
    flops_per_byte = prefill.prefill_flops_per_byte(flops / tp, prompt.total_bytes)
    return Prefill.showing(
        prompt,
        computed_prompt_len=computed_prompt_len,
        prefill_linear_flops=linear_flops,
        prefill_attention_flops=attention_flops,
        prefill_flops=flops,
        prefill_flops_per_byte=flops_per_byte,
        prefill_times_from_ridge=roofline.times_from_ridge(
            flops_per_byte, chip.ridge_flops_per_byte
        ),
        prefill_tokens_per_s=prompt_len / prompt.total_s,
        host_load_s=prefill.host_load_s(
            on_gpu, prompt_len - computed_prompt_len, scenario.gpu.host_link_bytes_per_s
        ),
    )


def _request(
    scenario: Scenario,
    shares: Shares,
    cycle: Cycle,
    prompt: Prefill,
    on_gpu: Collection[KindCache],
    decode_pass: Callable[[Work], Pass],
) -> Request:
    workload, spec = scenario.workload, scenario.speculation
    context_len = request.mean_context_len(workload.prompt_len, workload.output_len)
    batch = shares.batch_per_pass
    sequence_bytes = kv.read_bytes_per_sequence(on_gpu, context_len)
    kv_bytes = batch * sequence_bytes / shares.stage_fraction
    work = passes.step_work(scenario, batch, kv_bytes, context_len)
    step, verify = decode_pass(work), decode_pass(passes.verify_work(scenario, work))
    draft_s = speculation.draft_s(spec.n_drafted, spec.draft_cost, step.total_s)
    tpot_s = (draft_s + verify.total_s) / cycle.spec_tokens_per_pass
    # Prefills follow each other through the stages, and wait for the fullest likewise.
    prefill_s = prompt.ttft_s * shares.stage_imbalance
    output_tokens_per_s = request.served_tokens_per_s(
        workload.output_len, prefill_s, tpot_s, batch, shares.batches_at_once
    )
    return Request.showing(
        step,
        mean_context_len=context_len,
        request_draft_s=draft_s,
        request_verify_s=verify.total_s,
        request_tpot_s=tpot_s,
        request_s=prompt.ttft_s + (workload.output_len - 1) * tpot_s,
        prefill_fraction=request.prefill_fraction(prefill_s, workload.output_len, tpot_s, batch),
        served_tokens_per_s=output_tokens_per_s,
        served_input_tokens_per_s=output_tokens_per_s * workload.prompt_len / workload.output_len,
    )


def _cost(scenario: Scenario, whole: Request) -> Cost:
    usd_per_hour = scenario.gpu.usd_per_hour * scenario.parallelism.n_gpus
    per_output = cost.usd_per_million_tokens(usd_per_hour, whole.served_tokens_per_s)
    per_input = cost.usd_per_million_tokens(usd_per_hour, whole.served_input_tokens_per_s)
    return Cost(
        usd_per_hour_in_all=usd_per_hour,
        usd_per_million_output_tokens=per_output,
        usd_per_million_input_tokens=per_input,
        request_usd=cost.request_usd(per_output, scenario.workload.output_len),
        output_tokens_per_usd=cost.tokens_per_usd(per_output),
        input_tokens_per_usd=cost.tokens_per_usd(per_input),
    )
