"""From the handful of inputs that people set to a full scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from calc.architecture.ladder import architecture
from calc.choose import given, minimum
from calc.formulas.moe import n_expert_params
from calc.presets.acceptances import ACCEPTANCES
from calc.presets.assumptions import ASSUMPTIONS, OVERLAPS, Overlap
from calc.presets.formats import KV_FORMATS, WEIGHT_FORMATS
from calc.presets.hardware import GPUS
from calc.presets.models import MODELS
from calc.quantity import Value
from calc.scenario import (
    AcceptedTokens,
    Assumptions,
    Gpu,
    KvFormat,
    Model,
    Precision,
    Scenario,
    Speculation,
    WeightFormat,
    Workload,
)
from calc.units import BILLION, GB, MICROSECOND, MILLISECOND

_Record = TypeVar("_Record")

_NAN = float("nan")


def scenario(
    *,
    model: str | Model = "7b-class",
    params_b: Value = 7.0,
    active_b: Value = _NAN,
    layers: Value = _NAN,
    heads: Value = _NAN,
    kv_heads: Value = _NAN,
    d_head: Value = _NAN,
    d_model: Value = _NAN,
    vocab: Value = 32000.0,
    experts: Value = 0.0,
    top_k: Value = 0.0,
    gqa: Value = 4.0,
    context: Value = 8192.0,
    batch: Value = 8.0,
    weights: str | WeightFormat = "bf16",
    kv: str | KvFormat = "bf16",
    spec_k: Value = 0.0,
    alpha: Value = 0.7,
    draft_cost: Value = 0.05,
    acceptance: str | AcceptedTokens = "constant",
    gpu: str | Gpu = "h100-80gb-lesson",
    gpus: Value = 1.0,
    bandwidth_factor: Value = 1.0,
    peak_factor: Value = 1.0,
    prompt: Value = _NAN,
    output: Value = 500.0,
    prefix_hit: Value = 0.0,
    usd_per_gpu_hour: Value = 3.0,
    assumptions: str | Assumptions = "lesson",
    mbu: Value = _NAN,
    mfu: Value = _NAN,
    mfu_prefill: Value = _NAN,
    mfu_decode: Value = _NAN,
    usable: Value = _NAN,
    reserve_gb: Value = _NAN,
    overlap: str | Overlap = "assumed",
    attention: Value = _NAN,
    kv_write: Value = _NAN,
    input_table: Value = _NAN,
    driver_capacity: Value = _NAN,
    real_checkpoint: Value = _NAN,
    communication: Value = _NAN,
    allreduce_us: Value = _NAN,
    step_overhead_ms: Value = _NAN,
    batched_tokens: Value = _NAN,
) -> Scenario:
    """The scenario that these inputs describe; without arguments, the lesson's default.

    Parameters
    ----------
    model : str or Model
        A key of `MODELS`, or an own model. "7b-class" and "custom" follow the next
        eleven inputs; any other model is fixed and leaves them unused.
    params_b : scalar or array
        Parameters in billions; the architecture follows the ladder. [1e9]
    active_b : scalar or array
        Active parameters of an MoE model; NaN = all. Needs `experts`. [1e9]
    layers, heads, kv_heads, d_head, d_model : scalar or array
        Architecture; NaN = as the ladder has it, `kv_heads` as `gqa` has it. [count]
    vocab : scalar or array
        Rows of the embedding table. [count]
    experts, top_k : scalar or array
        Routed experts per layer, and per token; 0 = dense. [count]
    gqa : scalar or array
        Query heads per KV head; must divide the query heads. [count]
    context : scalar or array
        Tokens that each sequence holds in its cache. [tokens]
    batch : scalar or array
        Sequences in flight. [count]
    weights : str or WeightFormat
        A key of `WEIGHT_FORMATS`, or an own format.
    kv : str or KvFormat
        A key of `KV_FORMATS`, or an own format.
    spec_k : scalar or array
        Drafted tokens per pass; 0 = no speculation. [count]
    alpha : scalar or array
        Acceptance per drafted token. [ratio]
    draft_cost : scalar or array
        Size of the draft model as a share of the target. [ratio]
    acceptance : str or AcceptedTokens
        A key of `ACCEPTANCES`: measured tokens per pass instead of a constant alpha.
    gpu : str or Gpu
        A key of `GPUS`, or an own card.
    gpus : scalar or array
        Tensor-parallel degree. [count]
    bandwidth_factor, peak_factor : scalar or array
        What if the card had so many times its bandwidth, or its peaks? [ratio]
    prompt : scalar or array
        Prompt of one request; NaN = as long as `context`. [tokens]
    output : scalar or array
        Output of one request. [tokens]
    prefix_hit : scalar or array
        Share of the prompt that is cached already. [ratio]
    usd_per_gpu_hour : scalar or array
        Price. [USD/h]
    assumptions : str or Assumptions
        A key of `ASSUMPTIONS`, or an own set. Each input below changes one of its
        fields; NaN = as the set has it.
    mbu : scalar or array
        Share of HBM bandwidth reached. [ratio]
    mfu, mfu_prefill, mfu_decode : scalar or array
        Share of the peak reached: in both phases, or in one of them. [ratio]
    usable : scalar or array
        Share of HBM that may be used. [ratio]
    reserve_gb : scalar or array
        Kept free on each GPU. [1e9 B]
    overlap : str or Overlap
        A key of `OVERLAPS`.
    attention, kv_write : scalar or array
        1 = count attention's FLOPs; the cache that prefill writes. [0 or 1]
    input_table : scalar or array
        1 = every step reads all of an input embedding that is its own table. [0 or 1]
    driver_capacity, real_checkpoint : scalar or array
        1 = HBM as the driver reports it; scales and 16-bit tables of quantised
        checkpoints. [0 or 1]
    communication : scalar or array
        1 = count tensor-parallel all-reduces. [0 or 1]
    allreduce_us : scalar or array
        Latency of one all-reduce. [1e-6 s]
    step_overhead_ms : scalar or array
        Time per step that is neither memory nor arithmetic. [ms]
    batched_tokens : scalar or array
        Most tokens that an engine brings in per step: what a window reserves. [tokens]

    Returns
    -------
    Scenario
        Not yet validated: call `.validate()` on it.

    Raises
    ------
    KeyError
        A name that is not in its table.

    Notes
    -----
    N = params_b · 1e9; layers, heads and head size from `ladder.architecture`;
    n_kv = h / g. With `active_b`, the experts hold (N − N_active)·E/(E − k).

    References
    ----------
    The serving lesson, section 7.
    """
    card = _named(GPUS, gpu)
    assumed = _named(ASSUMPTIONS, assumptions)
    return Scenario(
        model=_model(
            _named(MODELS, model),
            params_b,
            active_b,
            layers,
            heads,
            kv_heads,
            d_head,
            d_model,
            vocab,
            experts,
            top_k,
            gqa,
        ),
        gpu=replace(
            card,
            usd_per_hour=usd_per_gpu_hour,
            hbm_bytes_per_s=_times(card.hbm_bytes_per_s, bandwidth_factor),
            peak_16bit_flops_per_s=_times(card.peak_16bit_flops_per_s, peak_factor),
            peak_8bit_flops_per_s=_times(card.peak_8bit_flops_per_s, peak_factor),
            peak_int8_flops_per_s=_times(card.peak_int8_flops_per_s, peak_factor),
            peak_4bit_flops_per_s=_times(card.peak_4bit_flops_per_s, peak_factor),
        ),
        precision=Precision(_named(WEIGHT_FORMATS, weights), _named(KV_FORMATS, kv)),
        workload=Workload(context, batch, given(prompt, context), output, prefix_hit),
        speculation=Speculation(spec_k, alpha, draft_cost, _named(ACCEPTANCES, acceptance)),
        assumptions=replace(
            assumed,
            bandwidth_efficiency=given(mbu, assumed.bandwidth_efficiency),
            decode_efficiency=given(mfu_decode, given(mfu, assumed.decode_efficiency)),
            prefill_efficiency=given(mfu_prefill, given(mfu, assumed.prefill_efficiency)),
            usable_fraction=given(usable, assumed.usable_fraction),
            reserve_bytes=given(reserve_gb * GB, assumed.reserve_bytes),
            operator_overlap=given(_named(OVERLAPS, overlap).operator, assumed.operator_overlap),
            attention_counted=given(attention, assumed.attention_counted),
            kv_write_counted=given(kv_write, assumed.kv_write_counted),
            input_table_read=given(input_table, assumed.input_table_read),
            reported_capacity=given(driver_capacity, assumed.reported_capacity),
            real_checkpoint=given(real_checkpoint, assumed.real_checkpoint),
            communication_counted=given(communication, assumed.communication_counted),
            allreduce_latency_s=given(allreduce_us * MICROSECOND, assumed.allreduce_latency_s),
            step_overhead_s=given(step_overhead_ms * MILLISECOND, assumed.step_overhead_s),
            batched_tokens=given(batched_tokens, assumed.batched_tokens),
        ),
        n_gpus=gpus,
    )


def _times(value: Value, factor: Value) -> Value:
    # Leaves "· 1" out of the page's formulas.
    return value if isinstance(factor, int | float) and factor == 1 else value * factor


def _model(
    record: Model,
    params_b: Value,
    active_b: Value,
    layers: Value,
    heads: Value,
    kv_heads: Value,
    d_head: Value,
    d_model: Value,
    vocab: Value,
    experts: Value,
    top_k: Value,
    gqa: Value,
) -> Model:
    """The record itself; where it is open, the inputs; where they are, the ladder."""
    billions = params_b * BILLION
    usual_layers, usual_heads, usual_d_head = architecture(billions)
    n_params = given(record.n_params, billions)
    n_layers = given(record.n_layers, given(layers, usual_layers))
    n_heads = given(record.n_heads, given(heads, usual_heads))
    head = given(record.d_head, given(d_head, usual_d_head))
    width = given(record.d_model, given(d_model, n_heads * head))
    n_active = given(record.n_active, given(active_b * BILLION, n_params))
    n_experts = given(record.n_experts, experts)
    per_token = given(record.n_experts_per_token, top_k)
    # A table larger than a quarter of the model would not be that model's.
    table = given(record.n_input_table, minimum(vocab * width, n_params / 4))
    return Model(
        n_params=n_params,
        n_layers=n_layers,
        n_heads=n_heads,
        n_kv_heads=given(record.n_kv_heads, given(kv_heads, n_heads / gqa)),
        d_head=head,
        d_model=width,
        n_active=n_active,
        n_input_table=table,
        n_16bit=given(record.n_16bit, 2 * table),
        n_experts=n_experts,
        n_experts_per_token=per_token,
        n_expert_params=given(
            record.n_expert_params, n_expert_params(n_params, n_active, n_experts, per_token)
        ),
        n_full_layers=given(record.n_full_layers, n_layers),
        cache_width=given(record.cache_width, 0.0),
        n_window_layers=given(record.n_window_layers, 0.0),
        window_len=given(record.window_len, 0.0),
        n_window_kv_heads=given(record.n_window_kv_heads, 1.0),
        window_cache_width=given(record.window_cache_width, 0.0),
        n_state_layers=given(record.n_state_layers, 0.0),
        state_bytes=given(record.state_bytes, 0.0),
        decode_attention_width=given(record.decode_attention_width, 2 * n_heads * head),
        prefill_attention_width=given(record.prefill_attention_width, 2 * n_heads * head),
        window_attention_width=given(record.window_attention_width, 0.0),
    )


def _named(table: Mapping[str, _Record], choice: str | _Record) -> _Record:
    return table[choice] if isinstance(choice, str) else choice
