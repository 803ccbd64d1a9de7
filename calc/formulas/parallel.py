"""Tensor parallelism: what each of n GPUs holds, and what they have to tell each other."""

from __future__ import annotations

import numpy as np

from calc.choose import where
from calc.quantity import Value

#: Activations that are summed up over GPUs are 16 bit wide. [B]
ACTIVATION_BYTES = 2.0


def per_gpu(amount: Value, n_gpus: Value) -> Value:
    """One GPU's part of something that all share evenly.

    Parameters
    ----------
    amount : scalar or array
        Of all GPUs together, in any unit. [any]
    n_gpus : scalar or array
        Tensor-parallel degree. [count]

    Returns
    -------
    same shape
        [any]

    Notes
    -----
    amount / n. Holds for weights and for arithmetic, as long as heads and widths divide
    by n; not for the KV cache, see `kv_share`.

    References
    ----------
    Shoeybi et al., Megatron-LM, 2019 (arXiv:1909.08053), section 3.
    """
    return where(n_gpus > 1, amount / n_gpus, amount)


def kv_share(n_kv_heads: Value, n_gpus: Value) -> Value:
    """Share of the KV cache that each GPU holds.

    Parameters
    ----------
    n_kv_heads : scalar or array
        Key/value heads; 1 for a latent (MLA), which cannot be split. [count]
    n_gpus : scalar or array
        Tensor-parallel degree. [count]

    Returns
    -------
    same shape
        Between 1/n and 1. [ratio]

    Notes
    -----
    ⌈n_kv / n⌉ / n_kv: whole heads only. Beyond n = n_kv the heads are copied and a GPU's
    cache stops shrinking; an MLA latent is copied to every GPU. Not with context
    parallelism (DCP), which splits the tokens instead.

    References
    ----------
    vLLM and SGLang: max(1, n_kv / n) heads per rank; sglang pull request 19086.
    """
    return where(n_gpus > 1, np.ceil(n_kv_heads / n_gpus) / n_kv_heads, 1.0)


def communication_s(
    n_gpus: Value,
    n_layers: Value,
    d_model: Value,
    n_tokens: Value,
    link_bytes_per_s: Value,
    allreduce_latency_s: Value,
) -> Value:
    """Time that tensor-parallel GPUs spend adding up their partial results.

    Parameters
    ----------
    n_gpus : scalar or array
        Tensor-parallel degree. [count]
    n_layers : scalar or array
        [count]
    d_model : scalar or array
        Width of the activations. [count]
    n_tokens : scalar or array
        Tokens in the pass. [tokens]
    link_bytes_per_s : scalar or array
        Each way. [B/s]
    allreduce_latency_s : scalar or array
        Of one all-reduce, however small. [s]

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
    each_s = allreduce_latency_s + ring_bytes / link_bytes_per_s
    return where(n_gpus > 1, 2 * n_layers * each_s, 0.0)
