"""Prefill: the whole prompt in one parallel pass."""

from __future__ import annotations

from collections.abc import Collection

from calc.formulas import decode, kv
from calc.formulas.kv import KindCache
from calc.primitives import maximum, minimum, where
from calc.quantity import Value
from calc.scenario import LayerKind


def computed_prompt_len(prompt_len: Value, prefix_hit: Value) -> Value:
    """Prompt tokens that are not in the cache already.

    Parameters
    ----------
    prompt_len, prefix_hit : quantity

    Returns
    -------
    same shape
        [tokens]

    Notes
    -----
    max(1, P · (1 − hit)): the last token is always computed. Changes the time to the
    first token and nothing in decode. Engines match whole blocks from the start.

    References
    ----------
    Zheng et al., SGLang, 2023 (arXiv:2312.07104), section 3.
    """
    return maximum(1.0, prompt_len * (1 - prefix_hit))


def attention_flops(kind: LayerKind, prompt_len: Value, computed_prompt_len: Value) -> Value:
    """Arithmetic of attention over a prompt in the layers of a kind.

    Parameters
    ----------
    kind : LayerKind
    prompt_len, computed_prompt_len : quantity
        What is cached of the prompt is met as keys.

    Returns
    -------
    same shape
        [FLOP]

    Notes
    -----
    2 · L · a · (P² − (P − P')²)/2/r: causal, so half of all pairs. Window layers, and sparse
    ones: every computed token meets n_read entries, high by up to half a window each.

    References
    ----------
    Dao, FlashAttention-2, 2023 (arXiv:2307.08691), section 4.1.
    """
    cached_len = prompt_len - computed_prompt_len
    causal = (prompt_len * prompt_len - cached_len * cached_len) / 2
    n_entries = kv.n_entries_read(kind, prompt_len)
    pairs = minimum(computed_prompt_len * n_entries, causal / kind.tokens_per_entry)
    return decode.MULTIPLY_ADD * kind.n_layers * kind.prefill_attention_width * pairs


def written_bytes(computed_prompt_len: Value, bytes_per_token: Value, state_bytes: Value) -> Value:
    """Cache that prefill writes.

    Parameters
    ----------
    computed_prompt_len : quantity
    bytes_per_token : scalar or array
        Of all kinds of layers. [B/token]
    state_bytes : quantity
        Of all kinds of layers.

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    P' · KV + state: window layers too write every token once.

    References
    ----------
    Closed form.
    """
    return computed_prompt_len * bytes_per_token + state_bytes


def host_load_s(caches: Collection[KindCache], cached_len: Value, bytes_per_s: Value) -> Value:
    """Loading the cached prefix of a prompt from host memory, where it lies there.

    Parameters
    ----------
    caches : collection of KindCache
        On one GPU.
    cached_len : scalar or array
        Of the prompt. [tokens]
    bytes_per_s : scalar or array
        Of the GPU's link to the host. [B/s]

    Returns
    -------
    same shape
        [s]

    Notes
    -----
    KV(P − P') / link_host, before the first token; decode is the same. All GPUs load at once, each
    its own share or its copy. Right to 30 %: blocks below 0.5 MB load far slower, and some engines
    load one layer while another computes. 10,000 tokens of Llama 3.1 8B take 26 ms.

    References
    ----------
    vLLM's article on its offloading connector, 2025-12-29.
    """
    load_s = kv.bytes_per_sequence(caches, cached_len) / bytes_per_s
    return where(cached_len > 0, load_s, 0.0)


def prefill_flops_per_byte(prefill_flops: Value, prefill_bytes: Value) -> Value:
    """Arithmetic intensity of prefill.

    Parameters
    ----------
    prefill_flops : quantity
    prefill_bytes : quantity
        Weights once for the whole prompt, and, if counted, the keys and values that it
        writes.

    Returns
    -------
    same shape
        [FLOP/B]

    Notes
    -----
    2·N·P / W, which in bf16 is P itself. The written cache is left out under the
    lesson's assumptions: at the default it would lower the intensity by 7 %.

    References
    ----------
    The serving lesson, section 1.
    """
    return prefill_flops / prefill_bytes
