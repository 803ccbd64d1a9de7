"""Tensor parallelism: what each of n GPUs holds, and what they have to tell each other."""

from __future__ import annotations

from calc.primitives import where
from calc.quantity import Value
from calc.units import GB

#: A link that is slower, one way, is PCIe: its messages pass the host. [B/s]
SLOWEST_OWN_LINK_BYTES_PER_S = 100 * GB

#: Activations that are summed up over GPUs are 16 bit wide. [B]
ACTIVATION_BYTES = 2.0


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


def communication_s(
    n_gpus: Value,
    n_layers: Value,
    d_model: Value,
    n_tokens: Value,
    link_bytes_per_s: Value,
    latency_s: Value,
) -> Value:
    """Time that tensor-parallel GPUs spend adding up their partial results.

    Parameters
    ----------
    n_gpus : quantity
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
    2·L·(t_lat + 2·(n − 1)/n · tokens·d·2 B / link): one all-reduce after attention and
    one after the MLP, as a ring, of 16-bit activations. Nothing is overlapped with
    compute; one-shot kernels beat a ring while messages are small, so the bandwidth
    part is pessimistic at batch 1.

    References
    ----------
    Shoeybi et al., Megatron-LM, 2019 (arXiv:1909.08053), section 3.
    """
    ring_bytes = 2 * (n_gpus - 1) / n_gpus * n_tokens * d_model * ACTIVATION_BYTES
    each_s = latency_s + ring_bytes / link_bytes_per_s
    return where(n_gpus > 1, 2 * n_layers * each_s, 0.0)
