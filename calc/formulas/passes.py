"""One forward pass on each GPU: what it moves and multiplies, and how long that takes."""

from __future__ import annotations

from dataclasses import dataclass

from calc.choose import where
from calc.formulas import roofline
from calc.formulas.parallel import communication_s
from calc.quantity import Value, Word
from calc.scenario import Scenario


@dataclass(frozen=True)
class Chip:
    """What a GPU does per second for a scenario: dense peaks, and the reached bandwidth."""

    math_bits: Value
    peak_flops_per_s: Value
    bytes_per_s: Value
    decode_flops_per_s: Value
    prefill_flops_per_s: Value
    decode_attention_flops_per_s: Value
    prefill_attention_flops_per_s: Value


@dataclass(frozen=True)
class Pass:
    """Times of one forward pass."""

    weight_s: Value
    kv_s: Value
    memory_s: Value
    linear_s: Value
    attention_s: Value
    compute_s: Value
    communication_s: Value
    total_s: Value
    bound: Word


def chip(scenario: Scenario) -> Chip:
    """Rates of the scenario's GPU for its weight format.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    Chip
        [FLOP/s], [B/s]

    Notes
    -----
    The peak follows the width in which the format multiplies on this chip; attention
    always multiplies at 16 bit.

    References
    ----------
    `roofline.math_bits`, `roofline.peak_flops_per_s`.
    """
    gpu, weights, assumed = scenario.gpu, scenario.precision.weights, scenario.assumptions
    peak_8bit = roofline.peak_8bit_flops_per_s(
        weights.integer_math, gpu.peak_8bit_flops_per_s, gpu.peak_int8_flops_per_s
    )
    bits = roofline.math_bits(weights.math_bits, peak_8bit, gpu.peak_4bit_flops_per_s)
    peak = roofline.peak_flops_per_s(
        bits, gpu.peak_16bit_flops_per_s, peak_8bit, gpu.peak_4bit_flops_per_s
    )
    decode, prefill = assumed.decode_efficiency, assumed.prefill_efficiency
    return Chip(
        math_bits=bits,
        peak_flops_per_s=peak,
        bytes_per_s=roofline.reached(gpu.hbm_bytes_per_s, assumed.bandwidth_efficiency),
        decode_flops_per_s=roofline.reached(peak, decode),
        prefill_flops_per_s=roofline.reached(peak, prefill),
        decode_attention_flops_per_s=roofline.reached(gpu.peak_16bit_flops_per_s, decode),
        prefill_attention_flops_per_s=roofline.reached(gpu.peak_16bit_flops_per_s, prefill),
    )


def exchange_s(scenario: Scenario, n_tokens: Value) -> Value:
    """All-reduces of one pass over so many tokens, if they are counted.

    Parameters
    ----------
    scenario : Scenario
    n_tokens : scalar or array
        [tokens]

    Returns
    -------
    same shape
        [s]

    Notes
    -----
    0 under the lesson's assumptions.

    References
    ----------
    `parallel.communication_s`.
    """
    model, assumed = scenario.model, scenario.assumptions
    talk_s = communication_s(
        scenario.n_gpus,
        model.n_layers,
        model.d_model,
        n_tokens,
        scenario.gpu.link_bytes_per_s,
        assumed.allreduce_latency_s,
    )
    return where(assumed.communication_counted > 0, talk_s, 0.0)


def forward_pass(
    scenario: Scenario,
    rates: Chip,
    weight_bytes: Value,
    kv_bytes: Value,
    total_bytes: Value,
    linear_s: Value,
    attention_s: Value,
    compute_s: Value,
    n_tokens: Value,
) -> Pass:
    """Times of a pass that reads and multiplies so much.

    Parameters
    ----------
    scenario : Scenario
    rates : Chip
    weight_bytes, kv_bytes, total_bytes : scalar or array
        Moved on each GPU: two parts and their sum. [B]
    linear_s, attention_s, compute_s : scalar or array
        Arithmetic on each GPU: two parts and their sum. [s]
    n_tokens : scalar or array
        Tokens in the pass, for the all-reduces. [tokens]

    Returns
    -------
    Pass
        [s]

    Notes
    -----
    The larger of memory and arithmetic, as `roofline.overlapped_s` has it, then
    communication and overhead, which overlap with nothing.

    References
    ----------
    Williams, Waterman, Patterson, Roofline, CACM 2009.
    """
    assumed = scenario.assumptions
    weight_s, kv_s = weight_bytes / rates.bytes_per_s, kv_bytes / rates.bytes_per_s
    memory_s = total_bytes / rates.bytes_per_s
    talk_s = exchange_s(scenario, n_tokens)
    overlapped_s = roofline.overlapped_s(
        memory_s, compute_s, weight_s, kv_s, linear_s, attention_s, assumed.operator_overlap
    )
    beside_s = talk_s + assumed.step_overhead_s
    return Pass(
        weight_s=weight_s,
        kv_s=kv_s,
        memory_s=memory_s,
        linear_s=linear_s,
        attention_s=attention_s,
        compute_s=compute_s,
        communication_s=talk_s,
        total_s=where(beside_s > 0, overlapped_s + talk_s + assumed.step_overhead_s, overlapped_s),
        bound=roofline.bound(memory_s, compute_s, talk_s),
    )
