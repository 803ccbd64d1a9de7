"""What a scenario hands the replay: a few numbers, from which the time of every pass follows."""

from __future__ import annotations

from typing import Any, NamedTuple

from calc.evaluate import evaluate
from calc.formulas import decode, kv, parallel, passes, prefill, roofline
from calc.primitives import divisor, where
from calc.scenario import Scenario


class KindCosts(NamedTuple):
    """What layers of a kind read, multiply and keep, on each GPU; named as `LayerKind` names it."""

    n_layers: float
    kept_len: float
    tokens_per_entry: float
    most_entries_read: float
    decode_attention_width: float
    prefill_attention_width: float
    bytes_per_token: float
    state_bytes: float


class Costs(NamedTuple):
    """What the time of a pass and the room for caches follow from, on each GPU, in SI units."""

    kinds: tuple[KindCosts, ...]
    n_gpus: float
    weight_bytes: float
    expert_bytes: float
    unread_table_bytes: float
    idle_share_per_token: float
    n_multiplied: float
    n_layers: float
    d_model: float
    bytes_per_s: float
    decode_linear_flops_per_s: float
    decode_attention_flops_per_s: float
    prefill_linear_flops_per_s: float
    prefill_attention_flops_per_s: float
    link_bytes_per_s: float
    allreduce_latency_s: float
    communication_counted: float
    operator_overlap: float
    attention_counted: float
    kv_write_counted: float
    overhead_s: float
    batched_tokens: float
    prefix_hit: float
    pool_bytes: float


def costs(scenario: Scenario) -> Costs:
    """What a scenario hands the replay.

    Parameters
    ----------
    scenario : Scenario
        Of numbers or symbols. Of its workload only the cached prefix counts; speculation does not.

    Returns
    -------
    Costs
        SI values, on each GPU.

    Notes
    -----
    What `evaluate` puts into a pass. The pool is what reserve and weights leave of the usable HBM.

    References
    ----------
    `passes.forward_pass`.
    """
    report: Any = evaluate(scenario)
    whole: Any = scenario
    model, assumptions = whole.model, whole.assumptions
    peak_flops_per_s = report.peak_flops_per_s
    step: Any = passes.rates(scenario, peak_flops_per_s, assumptions.decode_efficiency)
    prompt: Any = passes.rates(scenario, peak_flops_per_s, assumptions.prefill_efficiency)
    n_multiplied: Any = passes.n_multiplied(scenario, report.n_copied_params)
    allreduce_latency_s: Any = parallel.latency_s(
        whole.gpu.link_bytes_per_s,
        assumptions.allreduce_latency_s,
        assumptions.pcie_allreduce_latency_s,
    )
    sharing, stage_fraction = whole.parallelism, report.stage_fraction
    on_all = [
        kv.kind_cache(each, scenario.precision.kv.bytes_per_kv) for each in model.kinds.values()
    ]
    caches: list[Any] = [
        kv.split_tokens(
            kv.kind_cache_on_gpu(each, sharing.tensor_parallel, stage_fraction),
            sharing.context_parallel,
        )
        for each in on_all
    ]
    return Costs(
        kinds=tuple(
            KindCosts(
                n_layers=each.kind.n_layers,
                kept_len=each.kind.kept_len,
                tokens_per_entry=each.kind.tokens_per_entry,
                most_entries_read=each.kind.most_entries_read,
                decode_attention_width=each.kind.decode_attention_width,
                prefill_attention_width=each.kind.prefill_attention_width,
                bytes_per_token=each.bytes_per_token,
                state_bytes=each.state_bytes,
            )
            for each in caches
            # Of a kind that may or may not have layers, a symbol, nobody can say it here.
            if not isinstance(each.kind.n_layers, float) or each.kind.n_layers > 0
        ),
        n_gpus=whole.parallelism.n_gpus,
        weight_bytes=report.group_weight_bytes,
        expert_bytes=report.group_expert_bytes,
        unread_table_bytes=report.unread_table_bytes + report.tower_bytes,
        idle_share_per_token=1 - model.n_experts_per_token / divisor(model.n_experts),
        n_multiplied=n_multiplied,
        n_layers=model.n_layers,
        d_model=model.d_model,
        bytes_per_s=step.bytes_per_s,
        decode_linear_flops_per_s=step.linear_flops_per_s,
        decode_attention_flops_per_s=step.attention_flops_per_s,
        prefill_linear_flops_per_s=prompt.linear_flops_per_s,
        prefill_attention_flops_per_s=prompt.attention_flops_per_s,
        link_bytes_per_s=whole.gpu.link_bytes_per_s,
        allreduce_latency_s=allreduce_latency_s,
        communication_counted=assumptions.communication_counted,
        operator_overlap=assumptions.operator_overlap,
        attention_counted=assumptions.attention_counted,
        kv_write_counted=assumptions.kv_write_counted,
        overhead_s=report.overhead_s,
        batched_tokens=assumptions.batched_tokens,
        prefix_hit=whole.workload.prefix_hit,
        pool_bytes=report.hbm_limit_bytes - report.reserved_bytes - report.weight_bytes_per_gpu,
    )


def pass_s(
    costs: Costs,
    n_decoding: float,
    n_prefilled: float,
    kv_bytes: float,
    decode_attention_flops: float,
    prefill_attention_flops: float,
) -> float:
    """Time of a pass over some decode rows and some tokens of prompts.

    Parameters
    ----------
    costs : Costs
    n_decoding, n_prefilled : float
        Of each sequence that decodes there is one token. [tokens]
    kv_bytes : quantity
        That is read, and written.
    decode_attention_flops : float
        On each GPU. [FLOP]
    prefill_attention_flops : quantity
        On each GPU.

    Returns
    -------
    float
        [s]

    Notes
    -----
    As `passes.forward_pass` of the works' sum, bit for bit; what decodes multiplies at decode's
    share of the peak, what is prefilled at prefill's. Idle experts by repeated multiplication,
    since powers differ between machines in the last bit.

    References
    ----------
    `passes.forward_pass`.
    """
    n_tokens = n_decoding + n_prefilled
    unread_bytes = costs.unread_table_bytes
    if costs.expert_bytes > 0:
        unread_bytes = costs.expert_bytes * _power(costs.idle_share_per_token, n_tokens)
        unread_bytes += costs.unread_table_bytes
    weight_bytes = (costs.weight_bytes - unread_bytes) / costs.n_gpus
    decoded = decode.linear_flops(costs.n_multiplied, n_decoding) / costs.n_gpus
    prefilled = decode.linear_flops(costs.n_multiplied, n_prefilled) / costs.n_gpus
    linear_s = (
        decoded / costs.decode_linear_flops_per_s + prefilled / costs.prefill_linear_flops_per_s
    )
    attention_s = (
        decode_attention_flops / costs.decode_attention_flops_per_s
        + prefill_attention_flops / costs.prefill_attention_flops_per_s
    )
    talk_s = parallel.allreduces_s(
        costs.n_gpus,
        costs.n_layers,
        costs.d_model,
        n_tokens,
        costs.link_bytes_per_s,
        costs.allreduce_latency_s,
    )
    whole_s = roofline.overlapped_s(
        (weight_bytes + kv_bytes) / costs.bytes_per_s,
        linear_s + attention_s,
        weight_bytes / costs.bytes_per_s,
        kv_bytes / costs.bytes_per_s,
        linear_s,
        attention_s,
        costs.operator_overlap,
    )
    counted_s = where(costs.communication_counted > 0, talk_s, 0.0)
    return float(whole_s + counted_s + costs.overhead_s)


def chunk_attention_flops(costs: Costs, end_len: float, chunk_len: float) -> float:
    """Arithmetic of attention over the last tokens of a prompt, or of its part so far.

    Parameters
    ----------
    costs : Costs
    end_len, chunk_len : float
        Where the chunk ends, and its length. [tokens]

    Returns
    -------
    float
        On each GPU. [FLOP]

    Notes
    -----
    Chunks add up to the whole prompt, but where a window is full.

    References
    ----------
    `prefill.attention_flops`.
    """
    flops = 0.0
    for kind in range(len(costs.kinds)):
        each: Any = costs.kinds[kind]
        flops += float(prefill.attention_flops(each, end_len, chunk_len))
    return costs.attention_counted * flops / costs.n_gpus


def chunk_written_bytes(costs: Costs, chunk_len: float) -> float:
    """Cache that prefilling some tokens of a prompt writes.

    Parameters
    ----------
    costs : Costs
    chunk_len : float
        [tokens]

    Returns
    -------
    float
        On each GPU. [B]

    Notes
    -----
    As `prefill.written_bytes`; what earlier chunks wrote is read again, which is not counted.

    References
    ----------
    `prefill.written_bytes`.
    """
    bytes_per_token, state_bytes = 0.0, 0.0
    for kind in range(len(costs.kinds)):
        bytes_per_token += costs.kinds[kind].bytes_per_token
        state_bytes += costs.kinds[kind].state_bytes
    written = prefill.written_bytes(chunk_len, bytes_per_token, state_bytes)
    return float(costs.kv_write_counted * written)


def computed_len(costs: Costs, prompt_len: float) -> float:
    """Tokens of a prompt that are not in the cache already.

    Parameters
    ----------
    costs : Costs
    prompt_len : quantity

    Returns
    -------
    float
        A whole number. [tokens]

    Notes
    -----
    `prefill.computed_prompt_len`, rounded up, for a hair's breadth above a whole number down.

    References
    ----------
    `prefill.computed_prompt_len`.
    """
    computed = prefill.computed_prompt_len(prompt_len, costs.prefix_hit) - _HAIR
    return float(computed - computed % 1 + 1)


#: What floats may miss a whole number of tokens by.
_HAIR = 1e-6


def _power(base: float, exponent: float) -> float:
    """A power with a whole exponent, by squaring."""
    result = 1.0
    while exponent > 0:
        if exponent % 2 == 1:
            result *= base
            exponent -= 1
        base *= base
        exponent /= 2
    return result
