"""The KV cache: what each kind of layer keeps, of a token and of a sequence."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from calc.primitives import maximum, minimum, total, where
from calc.quantity import Value
from calc.scenario import ALL_TOKENS, LONGEST_CONTEXT, LayerKind

#: Stands in for a cache that does not grow. [B/token]
SMALLEST_CACHE = 1e-9


@dataclass(frozen=True)
class KindCache:
    """What all layers of a kind keep: of each token, and of a sequence whatever its length."""

    kind: LayerKind
    bytes_per_token: Value
    state_bytes: Value


def kind_cache(kind: LayerKind, bytes_per_kv: Value) -> KindCache:
    """What all layers of a kind keep, on all GPUs together.

    Parameters
    ----------
    kind : LayerKind
    bytes_per_kv : quantity

    Returns
    -------
    KindCache
        [B/token], [B]

    Notes
    -----
    2 · L · n_kv · d_head · b_kv / r: one key and one value for each r tokens. Holds for MHA,
    GQA and MQA. A kind with a width of its own keeps L · w · b_kv / r: MLA keeps one latent
    and one rotary key, kv_lora_rank + qk_rope_head_dim, once. Also right for chunked
    attention (Llama 4), which never keeps more than one chunk. Linear and recurrent layers
    keep L · state. Index keys have a format of their own, b_own instead of b_kv.

    References
    ----------
    Ainslie et al., GQA, 2023 (arXiv:2305.13245); DeepSeek-V2, 2024 (arXiv:2405.04434),
    section 2.1; Beltagy et al., Longformer, 2020 (arXiv:2004.05150), section 3; the serving
    lesson, section 2.
    """
    element_bytes = where(kind.element_bytes > 0, kind.element_bytes, bytes_per_kv)
    bytes_per_token = kind.entry_width * element_bytes / kind.tokens_per_entry
    return KindCache(kind, bytes_per_token, kind.n_layers * kind.state_bytes)


def share_on_gpu(kind: LayerKind, tensor_parallel: Value, context_parallel: Value) -> Value:
    """Share of a layer's KV cache that each of the GPUs holds which share the layer.

    Parameters
    ----------
    kind : LayerKind
        Its KV heads are 1 for a latent (MLA), which cannot be split.
    tensor_parallel, context_parallel : quantity

    Returns
    -------
    same shape
        Between 1/tp and 1. [ratio]

    Notes
    -----
    ⌈n_kv / tp⌉ / n_kv / dcp: whole heads only. Beyond tp = n_kv the heads are copied and a GPU's
    cache stops shrinking; an MLA latent is copied to every GPU. Context parallelism (DCP) splits
    the tokens of such copies; those of a window it does not.

    References
    ----------
    vLLM and SGLang: max(1, n_kv / tp) heads per rank; sglang pull request 19086. vLLM's article on
    decode context parallelism, 2026-08-07.
    """
    return heads_share(kind, tensor_parallel) / _ways_split(kind, context_parallel)


def _ways_split(kind: LayerKind, context_parallel: Value) -> Value:
    """GPUs over which context parallelism splits the tokens of a kind of layers."""
    return where(kind.kept_len < ALL_TOKENS, 1.0, context_parallel)


def heads_share(kind: LayerKind, tensor_parallel: Value) -> Value:
    """Share of a layer's KV heads that each of the GPUs has which share the layer.

    Parameters
    ----------
    kind : LayerKind
    tensor_parallel : quantity

    Returns
    -------
    same shape
        Between 1/tp and 1. [ratio]

    Notes
    -----
    ⌈n_kv / tp⌉ / n_kv.

    References
    ----------
    As of `share_on_gpu`.
    """
    return np.ceil(kind.n_kv_heads / tensor_parallel) / kind.n_kv_heads


def kind_cache_on_gpu(cache: KindCache, tensor_parallel: Value, stage_fraction: Value) -> KindCache:
    """What all layers of a kind that a GPU has keep on it, of all tokens.

    Parameters
    ----------
    cache : KindCache
        On all GPUs together.
    tensor_parallel, stage_fraction : quantity

    Returns
    -------
    KindCache
        [B/token], [B]

    Notes
    -----
    KV · share of the heads · stage; states are cut by their heads, of which there are many:
    state / tp · stage. A state beside a cache, as a compressor has one, goes by the cache's heads.

    References
    ----------
    `heads_share`; vLLM, `vllm/models/deepseek_v4/compressor.py` (states on each rank).
    """
    share = heads_share(cache.kind, tensor_parallel)
    state_bytes = where(
        cache.bytes_per_token > 0,
        cache.state_bytes * share,
        cache.state_bytes / tensor_parallel,
    )
    return KindCache(
        cache.kind,
        cache.bytes_per_token * share * stage_fraction,
        state_bytes * stage_fraction,
    )


def split_tokens(cache: KindCache, context_parallel: Value) -> KindCache:
    """What a GPU keeps of which others have the other tokens.

    Parameters
    ----------
    cache : KindCache
        On one GPU, of all tokens.
    context_parallel : quantity

    Returns
    -------
    KindCache
        [B/token] of the whole sequence, [B]

    Notes
    -----
    KV / dcp, but for windows. States are whole on each GPU.

    References
    ----------
    As of `share_on_gpu`.
    """
    split = cache.bytes_per_token / _ways_split(cache.kind, context_parallel)
    return replace(cache, bytes_per_token=split)


def n_entries_read(kind: LayerKind, context_len: Value) -> Value:
    """Entries of a sequence that a layer reads for one new token, and attends to.

    Parameters
    ----------
    kind : LayerKind
    context_len : quantity

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    min(min(T, kept) / r, top): a window forgets all but its last tokens; a compressed cache
    has one entry for r of them, and of a begun one a part; sparse attention reads the best.

    References
    ----------
    Beltagy et al., Longformer, 2020 (arXiv:2004.05150), section 3; DeepSeek-V3.2-Exp, 2025,
    section 2 (top k of all entries).
    """
    n_kept = minimum(context_len, kind.kept_len) / kind.tokens_per_entry
    return minimum(n_kept, kind.most_entries_read)


def bytes_per_next_token(cache: KindCache, context_len: Value) -> Value:
    """Bytes that one more token adds to a sequence's cache at its present length.

    Parameters
    ----------
    cache : KindCache
    context_len : quantity

    Returns
    -------
    same shape
        [B/token]

    Notes
    -----
    KV while T < kept, else 0: a full window drops a token for each that it takes.

    References
    ----------
    Closed form.
    """
    return where(context_len < cache.kind.kept_len, cache.bytes_per_token, 0.0)


def bytes_per_sequence(caches: Collection[KindCache], context_len: Value) -> Value:
    """KV cache and state that one sequence holds.

    Parameters
    ----------
    caches : collection of KindCache
    context_len : quantity

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    min(T, kept) · KV + state, summed over the kinds. Arithmetic, not what a paged engine
    sets aside: see `paging`.

    References
    ----------
    The serving lesson, section 2.
    """
    return total(
        [
            minimum(context_len, each.kind.kept_len) * each.bytes_per_token + each.state_bytes
            for each in caches
        ]
    )


def read_bytes_per_sequence(caches: Collection[KindCache], context_len: Value) -> Value:
    """KV cache and state of one sequence that a step reads.

    Parameters
    ----------
    caches : collection of KindCache
    context_len : quantity

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    n_read · KV · r + state / r, summed over the kinds: all that is kept, but where attention is
    sparse. The keys by which it picks are a kind of their own, and are all read. Rows of which an
    entry is made of r tokens are read when it is made: one step in r, averaged.

    References
    ----------
    The serving lesson, section 2; DeepSeek-V3.2-Exp, 2025, section 2; vLLM,
    `vllm/models/deepseek_v4/compressor.py`.
    """
    return total(
        [
            n_entries_read(each.kind, context_len)
            * each.bytes_per_token
            * each.kind.tokens_per_entry
            + each.state_bytes / each.kind.tokens_per_entry
            for each in caches
        ]
    )


def context_len_inside(caches: Collection[KindCache], kv_room_bytes: Value) -> Value:
    """Longest context whose cache would fit into a room if no window were ever full.

    Parameters
    ----------
    caches : collection of KindCache
    kv_room_bytes : quantity

    Returns
    -------
    same shape
        Not a whole number. [tokens]

    Notes
    -----
    (room − state) / KV: each token costs the same in all kinds of layers.

    References
    ----------
    Closed form.
    """
    room = maximum(kv_room_bytes - total([each.state_bytes for each in caches]), 0.0)
    return room / maximum(total([each.bytes_per_token for each in caches]), SMALLEST_CACHE)


def max_context_len(
    caches: Collection[KindCache], kv_room_bytes: Value, context_len_inside: Value
) -> Value:
    """Longest context whose cache fits into a room: the inverse of `bytes_per_sequence`.

    Parameters
    ----------
    caches : collection of KindCache
    kv_room_bytes, context_len_inside : quantity

    Returns
    -------
    same shape
        A whole number from 0 to 1e9. [tokens]

    Notes
    -----
    ⌊(room − state − full windows) / KV of the others⌋, a window being full if it is shorter
    than the context that fits without any. Exact if all windows of a model are equally
    long, else too short. A model whose every layer slides or recurs has no longest context:
    the bound is returned.

    References
    ----------
    Closed form; one step of Newton's method, as the cache grows in two straight pieces.
    """
    full: list[Value] = [each.state_bytes for each in caches]
    growing: list[Value] = []
    for each in caches:
        is_full = each.kind.kept_len < context_len_inside
        full.append(where(is_full, each.kind.kept_len * each.bytes_per_token, 0.0))
        growing.append(where(is_full, 0.0, each.bytes_per_token))
    longest = maximum(kv_room_bytes - total(full), 0.0) / maximum(total(growing), SMALLEST_CACHE)
    return np.floor(minimum(longest, LONGEST_CONTEXT))
