"""GPUs that share a model: which part each holds, and what they have to tell each other."""

from __future__ import annotations

import numpy as np

from calc.primitives import divisor, maximum, minimum, total, where
from calc.quantity import Value
from calc.scenario import Model, Parallelism
from calc.units import GB

#: A link that is slower, one way, is PCIe: its messages pass the host. [B/s]
SLOWEST_OWN_LINK_BYTES_PER_S = 100 * GB

#: Activations that GPUs tell each other are 16 bit wide. [B]
ACTIVATION_BYTES = 2.0

#: An exchange with experts reaches this share of the link, and waits so many all-reduces' latency:
#: `exchange_s`.
EXCHANGE_EFFICIENCY = 0.66
EXCHANGE_LATENCIES = 2.5


def stage_fraction(n_layers: Value, pipeline_parallel: Value) -> Value:
    """Share of the layers that the fullest stage of a pipeline has.

    Parameters
    ----------
    n_layers : quantity
        Of all kinds.
    pipeline_parallel : quantity

    Returns
    -------
    same shape
        [ratio]

    Notes
    -----
    ⌈L / pp⌉ / L, of weights and caches alike. The tables lie in the first and last stage only;
    the kinds of layers are taken to be spread evenly.

    References
    ----------
    vLLM, `get_pp_indices` in `vllm/distributed/utils.py`.
    """
    return np.ceil(n_layers / pipeline_parallel) / n_layers


def batch_per_gpu(batch: Value, data_parallel: Value) -> Value:
    """Sequences whose cache a GPU has a part of: those of its data-parallel group.

    Parameters
    ----------
    batch, data_parallel : quantity

    Returns
    -------
    same shape
        A whole number, of the fullest group. [count]

    Notes
    -----
    ⌈B / dp⌉.

    References
    ----------
    Closed form.
    """
    return where(data_parallel > 1, np.ceil(batch / data_parallel), batch)


def batch_per_pass(batch_per_gpu: Value, pipeline_parallel: Value) -> Value:
    """Sequences that go through the layers together.

    Parameters
    ----------
    batch_per_gpu, pipeline_parallel : quantity

    Returns
    -------
    same shape
        A whole number. [count]

    Notes
    -----
    ⌈B_gpu / pp⌉: a pipeline is full with a batch in each stage. A step is then one pass through all
    stages, in which each stage reads its weights pp times: throughput, not waiting, gains. How long
    it waits for stages that are fuller than others, `stage_imbalance` has.

    References
    ----------
    Huang et al., GPipe, 2018 (arXiv:1811.06965), section 2.
    """
    return where(pipeline_parallel > 1, np.ceil(batch_per_gpu / pipeline_parallel), batch_per_gpu)


def stage_imbalance(batch_per_gpu: Value, stage_fraction: Value, pipeline_parallel: Value) -> Value:
    """Time of a step that waits for the fullest stage, as a multiple of its pass through all.

    Parameters
    ----------
    batch_per_gpu, stage_fraction, pipeline_parallel : quantity

    Returns
    -------
    same shape
        1 with one stage, or with stages of equal size. [ratio]

    Notes
    -----
    max(1, min(B_gpu, pp) · stage): the fullest stage has all batches on their way to serve, one
    after the other, before the first of them comes round again. With few, none has to wait. A
    message between stages counts as part of a stage's time.

    References
    ----------
    Huang et al., GPipe, 2018 (arXiv:1811.06965), section 2.
    """
    n_batches = minimum(batch_per_gpu, pipeline_parallel)
    return where(pipeline_parallel > 1, maximum(1.0, n_batches * stage_fraction), 1.0)


def group_expert_bytes(
    expert_bytes: Value,
    n_experts: Value,
    n_redundant_experts: Value,
    expert_parallel: Value,
    data_parallel: Value,
) -> Value:
    """Routed experts that the GPUs of one data-parallel group hold.

    Parameters
    ----------
    expert_bytes : quantity
        Of all experts, once.
    n_experts, n_redundant_experts, expert_parallel, data_parallel : quantity

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    W_E · ⌈(E + R) / ep⌉ · ep / (E · dp): whole experts are shared out over ep GPUs, and all groups
    share one set of them.

    References
    ----------
    DeepSeek-V3, 2024 (arXiv:2412.19437), section 3.4; sglang issue 6017 (105.6 GiB of DeepSeek-R1
    on each of 8 GPUs, with 32 redundant experts).
    """
    n_kept = np.ceil((n_experts + n_redundant_experts) / expert_parallel) * expert_parallel
    shared = expert_bytes * (n_kept / divisor(n_experts))
    return where(n_experts > 0, shared, expert_bytes) / data_parallel


def n_copied_params(model: Model, tensor_parallel: Value) -> Value:
    """Parameters that GPUs which share a layer hold more than once, beyond the first copy.

    Parameters
    ----------
    model : Model
    tensor_parallel : quantity

    Returns
    -------
    same shape
        0 on one GPU. [count]

    Notes
    -----
    (tp − 1) · N_whole + Σ d · L · w · (tp · ⌈n_kv / tp⌉ − n_kv) / n_kv, over full attention and
    windows: what makes their keys and values is copied as these are, once tp is above n_kv, and a
    latent's projection always. Each GPU reads its copies and multiplies with them. Left out: norms
    of heads, and what a layer with a constant state has whole.

    References
    ----------
    vLLM: `ReplicatedLinear` and `disable_tp` in `vllm/models/deepseek_v4/attention.py` and in
    `vllm/model_executor/models/deepseek_v2.py`; `QKVParallelLinear` for KV heads.
    """
    projections = [
        model.d_model
        * kind.entry_width
        * (tensor_parallel * np.ceil(kind.n_kv_heads / tensor_parallel) - kind.n_kv_heads)
        / kind.n_kv_heads
        for kind in (model.full, model.window)
    ]
    return model.n_whole * (tensor_parallel - 1) + total(projections)


def group_weight_bytes(
    weight_bytes: Value, expert_bytes: Value, group_expert_bytes: Value, copied_bytes: Value
) -> Value:
    """Weights that the GPUs of one data-parallel group hold.

    Parameters
    ----------
    weight_bytes, expert_bytes, group_expert_bytes : quantity
    copied_bytes : scalar or array
        What they hold more than once, beyond the first copy. [B]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    W − (W_E − W_E,group) + W_copy: each group holds all but the routed experts, and of these its
    part.

    References
    ----------
    DeepSeek-V3, 2024 (arXiv:2412.19437), section 3.4.
    """
    return weight_bytes - (expert_bytes - group_expert_bytes) + copied_bytes


def latency_s(
    link_bytes_per_s: Value, allreduce_latency_s: Value, pcie_allreduce_latency_s: Value
) -> Value:
    """Latency of one all-reduce, by the kind of link.

    Parameters
    ----------
    link_bytes_per_s, allreduce_latency_s, pcie_allreduce_latency_s : quantity

    Returns
    -------
    same shape
        [s]

    Notes
    -----
    That of PCIe below 100 GB/s one way, which no PCIe of today exceeds and every link that
    GPUs have to themselves does. It does not grow with the GPUs here, as it does a little.

    References
    ----------
    docs/model.md, "The estimate".
    """
    return where(
        link_bytes_per_s < SLOWEST_OWN_LINK_BYTES_PER_S,
        pcie_allreduce_latency_s,
        allreduce_latency_s,
    )


def allreduces_s(
    tensor_parallel: Value,
    n_layers: Value,
    d_model: Value,
    n_tokens: Value,
    link_bytes_per_s: Value,
    latency_s: Value,
) -> Value:
    """Time that tensor-parallel GPUs spend adding up their partial results.

    Parameters
    ----------
    tensor_parallel : quantity
    n_layers : quantity
        Of all kinds.
    d_model : quantity
    n_tokens : scalar or array
        Tokens in the pass. [tokens]
    link_bytes_per_s : quantity
    latency_s : scalar or array
        Of one all-reduce. [s]

    Returns
    -------
    same shape
        0 on one GPU. [s]

    Notes
    -----
    2·L·(t_lat + 2·(tp − 1)/tp · tokens·d·2 B / link): one all-reduce after attention and
    one after the MLP, as a ring, of 16-bit activations. Nothing is overlapped with
    compute; one-shot kernels beat a ring while messages are small, so the bandwidth
    part is pessimistic at batch 1. Context parallelism adds small messages, left out.

    References
    ----------
    Shoeybi et al., Megatron-LM, 2019 (arXiv:1909.08053), section 3.
    """
    ring_bytes = 2 * (tensor_parallel - 1) / tensor_parallel * n_tokens * d_model * ACTIVATION_BYTES
    each_s = latency_s + ring_bytes / link_bytes_per_s
    return where(tensor_parallel > 1, 2 * n_layers * each_s, 0.0)


def exchange_s(
    sharing: Parallelism,
    model: Model,
    n_tokens: Value,
    link_bytes_per_s: Value,
    latency_s: Value,
) -> Value:
    """Time in which data-parallel GPUs send tokens to their experts, and get them back.

    Parameters
    ----------
    sharing : Parallelism
    model : Model
    n_tokens : scalar or array
        Tokens in the pass, of one group. [tokens]
    link_bytes_per_s : quantity
    latency_s : scalar or array
        Of one all-reduce. [s]

    Returns
    -------
    same shape
        0 without data parallelism or experts. [s]

    Notes
    -----
    2·L·(2.5·t_lat + (n − 1)/n · tokens/tp·k·d·2 B / (0.66·link)), n = tp · dp. Both constants are a
    line through DeepEP's measured times at 8 to 128 tokens per GPU, hidden size 7,168, 8 experts:
    H100 and H200, 8 GPUs, within a third. Across nodes it takes two to four times as long; skewed
    routing is left out.

    References
    ----------
    NVIDIA aiconfigurator, DeepEP tables of h100, h200 and b200 at commit 095f58a5, as read second
    hand.
    """
    tp, n_sharing = sharing.tensor_parallel, sharing.tensor_parallel * sharing.data_parallel
    n_sent = n_tokens / tp * model.n_experts_per_token
    sent_bytes = (n_sharing - 1) / n_sharing * n_sent * model.d_model * ACTIVATION_BYTES
    each_s = EXCHANGE_LATENCIES * latency_s + sent_bytes / (EXCHANGE_EFFICIENCY * link_bytes_per_s)
    exchanges = where(model.n_experts > 0, 2 * model.n_layers * each_s, 0.0)
    return where(sharing.data_parallel > 1, exchanges, 0.0)


def sends_s(
    pipeline_parallel: Value,
    d_model: Value,
    n_tokens: Value,
    link_bytes_per_s: Value,
    latency_s: Value,
) -> Value:
    """Time in which the stages of a pipeline hand on their results.

    Parameters
    ----------
    pipeline_parallel, d_model : quantity
    n_tokens : scalar or array
        Tokens in the pass. [tokens]
    link_bytes_per_s : quantity
    latency_s : scalar or array
        Of one message, as of an all-reduce. [s]

    Returns
    -------
    same shape
        0 with one stage. [s]

    Notes
    -----
    (pp − 1)·(t_lat + tokens·d·2 B / link).

    References
    ----------
    Closed form.
    """
    each_s = latency_s + n_tokens * d_model * ACTIVATION_BYTES / link_bytes_per_s
    return where(pipeline_parallel > 1, (pipeline_parallel - 1) * each_s, 0.0)


def communication_s(
    sharing: Parallelism,
    model: Model,
    n_tokens: Value,
    link_bytes_per_s: Value,
    latency_s: Value,
) -> Value:
    """Time of a pass in which GPUs tell each other something.

    Parameters
    ----------
    sharing : Parallelism
    model : Model
    n_tokens : scalar or array
        Tokens in the pass, of one group. [tokens]
    link_bytes_per_s : quantity
    latency_s : scalar or array
        Of one all-reduce. [s]

    Returns
    -------
    same shape
        [s]

    Notes
    -----
    All-reduces, exchanges with experts and sends from stage to stage, one after the other.

    References
    ----------
    `allreduces_s`, `exchange_s`, `sends_s`.
    """
    width = model.d_model
    return (
        allreduces_s(
            *(sharing.tensor_parallel, model.n_layers, width),
            *(n_tokens, link_bytes_per_s, latency_s),
        )
        + exchange_s(sharing, model, n_tokens, link_bytes_per_s, latency_s)
        + sends_s(sharing.pipeline_parallel, width, n_tokens, link_bytes_per_s, latency_s)
    )
