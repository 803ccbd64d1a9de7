"""Forward passes: what one is asked to do, and how long that takes on each GPU."""

from __future__ import annotations

from dataclasses import dataclass

from calc.formulas import decode, moe, parallel, roofline
from calc.primitives import total, where
from calc.quantity import Value
from calc.report import Pass, Weights
from calc.scenario import Scenario


@dataclass(frozen=True)
class Work:
    """What goes into one forward pass, on each GPU. Works add up: they share the weights."""

    n_tokens: Value
    kv_bytes: Value
    attention_flops: Value

    def __add__(self, other: Work) -> Work:
        """Both in one pass, such as a piece of a prompt beside a decode batch."""
        return Work(
            self.n_tokens + other.n_tokens,
            self.kv_bytes + other.kv_bytes,
            self.attention_flops + other.attention_flops,
        )


@dataclass(frozen=True)
class Rates:
    """What a GPU reaches per second in a phase, under the scenario's assumptions."""

    bytes_per_s: Value
    linear_flops_per_s: Value
    attention_flops_per_s: Value


def step_work(scenario: Scenario, batch: Value, kv_bytes: Value, context_len: Value) -> Work:
    """What goes into a decode step: one token of each sequence, which meets what it reads.

    Parameters
    ----------
    scenario : Scenario
    batch : quantity
        Of it, what goes through the layers together.
    kv_bytes : quantity
        Of it, what a step reads on each GPU.
    context_len : quantity

    Returns
    -------
    Work
        [tokens], [B], [FLOP]

    Notes
    -----
    B_pass tokens; the attention of each, summed over the kinds of layers, divided by tp.

    References
    ----------
    The serving lesson, section 1.
    """
    per_token = total(
        [
            decode.attention_flops_per_token(each, context_len)
            for each in scenario.model.kinds.values()
        ]
    )
    attention_flops = batch * per_token / scenario.parallelism.tensor_parallel
    return Work(batch, kv_bytes, scenario.assumptions.attention_counted * attention_flops)


def verify_work(scenario: Scenario, step: Work) -> Work:
    """What goes into the pass that checks drafted tokens.

    Parameters
    ----------
    scenario : Scenario
    step : Work
        Of a plain decode step.

    Returns
    -------
    Work
        [tokens], [B], [FLOP]

    Notes
    -----
    k + 1 times the tokens and their attention; those of a sequence share one read of its cache.

    References
    ----------
    Leviathan, Kalman, Matias, 2023 (arXiv:2211.17192), section 3.
    """
    n_verified = scenario.speculation.n_drafted + 1
    return Work(step.n_tokens * n_verified, step.kv_bytes, step.attention_flops * n_verified)


def rates(scenario: Scenario, peak_flops_per_s: Value, efficiency: Value) -> Rates:
    """What a GPU reaches per second in a phase.

    Parameters
    ----------
    scenario : Scenario
    peak_flops_per_s : quantity
    efficiency : scalar or array
        Share of the peak that this phase reaches. [ratio]

    Returns
    -------
    Rates
        [B/s], [FLOP/s]

    Notes
    -----
    BW · mbu; peak · mfu; attention always multiplies at 16 bit. One share for a whole
    pass: real kernels reach different parts of the peak, small batches a smaller one.

    References
    ----------
    docs/arithmetic.md, "How far from the ceiling".
    """
    gpu, assumptions = scenario.gpu, scenario.assumptions
    return Rates(
        bytes_per_s=gpu.hbm_bytes_per_s * assumptions.bandwidth_efficiency,
        linear_flops_per_s=peak_flops_per_s * efficiency,
        attention_flops_per_s=gpu.peak_16bit_flops_per_s * efficiency,
    )


def n_multiplied(scenario: Scenario, n_copied_params: Value) -> Value:
    """Parameters that each token is multiplied with, on all GPUs that share a layer.

    Parameters
    ----------
    scenario : Scenario
    n_copied_params : quantity

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    The active ones, and what is copied of them; without an input embedding of its own, unless the
    lesson's 2·N is assumed: a look-up multiplies nothing.

    References
    ----------
    The serving lesson, section 1.
    """
    model = scenario.model
    n_multiplied = where(
        scenario.assumptions.input_table_read < 1,
        model.n_active - model.n_input_table,
        model.n_active,
    )
    return n_multiplied + n_copied_params


def weight_bytes_read(scenario: Scenario, weights: Weights, idle_fraction: Value) -> Value:
    """Weights that each GPU reads in a pass.

    Parameters
    ----------
    scenario : Scenario
    weights : Weights
    idle_fraction : quantity
        Of this pass.

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    (W − (W_E · idle + W_in + W_img)) / tp, of a data-parallel group; a pass goes through all
    stages. A dense model reads everything, once per pass. An MoE model is read like its active
    parameters only at batch 1: larger batches touch more experts. A copy of an expert counts as
    touched as often as the expert. Of an input table of its own a pass reads rows, not the table,
    unless the lesson's 2·N is assumed; of what encodes images nothing, as a pass is over tokens.

    References
    ----------
    The serving lesson, section 5 (whose "only the active ones" is the limit of batch 1);
    `moe.idle_fraction`.
    """
    unread_bytes = weights.group_expert_bytes * idle_fraction + weights.unread_table_bytes
    read_bytes = weights.group_weight_bytes - (unread_bytes + weights.tower_bytes)
    return read_bytes / scenario.parallelism.tensor_parallel


def overhead_s(scenario: Scenario) -> Value:
    """Time of a pass that is neither memory nor arithmetic nor communication.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    same shape
        [s]

    Notes
    -----
    L·(t_L + t_E) + t_host, t_E with experts only: each layer launches its kernels, and they
    start and end with idle memory. GPUs that share a layer do not shorten that. Every layer
    of a model with experts counts as having them; a few have none.

    References
    ----------
    docs/model.md, "The estimate".
    """
    model, assumptions = scenario.model, scenario.assumptions
    expert_s = where(model.n_experts > 0, assumptions.expert_overhead_s, 0.0)
    return model.n_layers * (assumptions.layer_overhead_s + expert_s) + assumptions.step_overhead_s


def forward_pass(scenario: Scenario, weights: Weights, rates: Rates, work: Work) -> Pass:
    """One pass over some work: the larger of moving the bytes and doing the arithmetic.

    Parameters
    ----------
    scenario : Scenario
    weights : Weights
    rates : Rates
    work : Work

    Returns
    -------
    Pass
        [B], [FLOP], [s]

    Notes
    -----
    The weights are read once per pass, whatever the tokens; the cache once per sequence; each
    token multiplies the active weights. (The serving lesson's widget text multiplies the
    weights by the batch as well; with that, batching could not raise throughput.)
    Activations and the new keys and values are left out: smaller by orders of magnitude.
    Memory and arithmetic overlap as `roofline.overlapped_s` has it; communication and
    overhead overlap with nothing.

    References
    ----------
    Williams, Waterman, Patterson, Roofline, CACM 2009; the inference-economics lesson,
    module 2.
    """
    model, assumptions, sharing = scenario.model, scenario.assumptions, scenario.parallelism
    # All groups send their tokens to the same experts.
    n_sent = work.n_tokens * sharing.data_parallel
    idle_fraction = moe.idle_fraction(model.n_experts, model.n_experts_per_token, n_sent)
    weight_bytes = weight_bytes_read(scenario, weights, idle_fraction)
    total_bytes = weight_bytes + work.kv_bytes
    all_flops = decode.linear_flops(n_multiplied(scenario, weights.n_copied_params), work.n_tokens)
    linear_flops = all_flops / sharing.tensor_parallel
    flops = linear_flops + work.attention_flops

    weight_s, kv_s = weight_bytes / rates.bytes_per_s, work.kv_bytes / rates.bytes_per_s
    memory_s = total_bytes / rates.bytes_per_s
    linear_s = linear_flops / rates.linear_flops_per_s
    attention_s = work.attention_flops / rates.attention_flops_per_s
    compute_s = linear_s + attention_s
    talk_s = parallel.communication_s(
        sharing,
        model,
        work.n_tokens,
        scenario.gpu.link_bytes_per_s,
        parallel.latency_s(
            scenario.gpu.link_bytes_per_s,
            assumptions.allreduce_latency_s,
            assumptions.pcie_allreduce_latency_s,
        ),
    )
    communication_s = where(assumptions.communication_counted > 0, talk_s, 0.0)
    lost_s = overhead_s(scenario)
    overlapped_s = roofline.overlapped_s(
        memory_s, compute_s, weight_s, kv_s, linear_s, attention_s, assumptions.operator_overlap
    )
    return Pass(
        idle_fraction=idle_fraction,
        weight_bytes_per_pass=weight_bytes,
        kv_bytes_per_pass=work.kv_bytes,
        total_bytes=total_bytes,
        linear_flops=linear_flops,
        attention_flops=work.attention_flops,
        flops=flops,
        flops_per_byte=flops / total_bytes,
        weight_s=weight_s,
        kv_s=kv_s,
        memory_s=memory_s,
        linear_s=linear_s,
        attention_s=attention_s,
        compute_s=compute_s,
        communication_s=communication_s,
        overhead_s=lost_s,
        total_s=overlapped_s + communication_s + lost_s,
        bound=roofline.bound(memory_s, compute_s, communication_s, lost_s),
    )
