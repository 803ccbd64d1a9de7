"""What a scenario keeps in HBM: weights and cache, as stored and as each GPU holds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.choose import maximum, where
from calc.formulas import memory, paging, parallel, roofline
from calc.quantity import Value
from calc.scenario import Scenario


@dataclass(frozen=True)
class Footprint:
    """Bytes of one scenario. "On GPU" is one tensor-parallel GPU's part."""

    weight_bytes: Value
    weight_bytes_on_gpu: Value
    expert_bytes: Value
    unread_table_bytes: Value

    kv_bytes_per_token: Value
    full_bytes_per_token: Value
    window_bytes_per_token: Value
    state_bytes: Value

    kv_share: Value
    full_on_gpu: Value
    window_on_gpu: Value
    state_on_gpu: Value

    hbm_bytes: Value
    hbm_limit_bytes: Value


def footprint(scenario: Scenario) -> Footprint:
    """Weights and cache of a scenario, before any batch is chosen.

    Parameters
    ----------
    scenario : Scenario
        Numbers, arrays or symbols.

    Returns
    -------
    Footprint
        [B], [B/token]

    Notes
    -----
    Weights divide by the number of GPUs; cache heads only down to one per GPU; an MLA
    latent not at all; recurrent states are cut by their heads, of which there are many.
    A token counts its window layers only while the context is inside the window.

    References
    ----------
    The serving lesson, section 2; `memory`, `parallel`.
    """
    model, gpu = scenario.model, scenario.gpu
    assumed, precision = scenario.assumptions, scenario.precision
    n_gpus, bytes_per_kv = scenario.n_gpus, precision.kv.bytes_per_kv

    width = precision.weights.bytes_per_weight
    scale, real = precision.weights.scale_bytes_per_weight, assumed.real_checkpoint
    weight_bytes = memory.weight_bytes(model.n_params, width, scale, model.n_16bit, real)
    table_bytes = memory.kept_bytes(model.n_input_table, width, real)
    full = memory.kv_bytes_per_token(
        model.n_full_layers,
        model.n_kv_heads,
        model.d_head,
        bytes_per_kv,
        model.cache_width,
    )
    window = memory.window_bytes_per_token(
        model.n_window_layers, model.window_cache_width, bytes_per_kv
    )
    state_bytes = model.n_state_layers * model.state_bytes
    kv_share = parallel.kv_share(model.n_kv_heads, n_gpus)
    window_share = parallel.kv_share(model.n_window_kv_heads, n_gpus)
    hbm_bytes = where(assumed.reported_capacity > 0, gpu.hbm_reported_bytes, gpu.hbm_marketed_bytes)
    return Footprint(
        weight_bytes=weight_bytes,
        weight_bytes_on_gpu=parallel.per_gpu(weight_bytes, n_gpus),
        expert_bytes=memory.quantised_bytes(model.n_expert_params, width, scale, real),
        unread_table_bytes=where(assumed.input_table_read < 1, table_bytes, 0.0),
        kv_bytes_per_token=where(
            scenario.workload.context_len < model.window_len, full + window, full
        ),
        full_bytes_per_token=full,
        window_bytes_per_token=window,
        state_bytes=state_bytes,
        kv_share=kv_share,
        full_on_gpu=where(n_gpus > 1, full * kv_share, full),
        window_on_gpu=where(n_gpus > 1, window * window_share, window),
        state_on_gpu=parallel.per_gpu(state_bytes, n_gpus),
        hbm_bytes=hbm_bytes,
        hbm_limit_bytes=roofline.reached(hbm_bytes, assumed.usable_fraction),
    )


def weight_bytes_read(scenario: Scenario, stored: Footprint, idle_fraction: Value) -> Value:
    """Weights that each GPU reads in a pass.

    Parameters
    ----------
    scenario : Scenario
    stored : Footprint
    idle_fraction : scalar or array
        Share of the routed experts that no token of the pass is sent to. [ratio]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    W − W_E·idle − table. A dense model reads everything, once per pass. An MoE
    model is read like its active parameters only at batch 1: larger batches touch more
    experts. Of an input table of its own a pass reads rows, not the table, unless the
    lesson's 2·N is assumed.

    References
    ----------
    The serving lesson, section 5 (whose "only the active ones" is the limit of batch 1);
    `moe.idle_fraction`.
    """
    unread_bytes = stored.expert_bytes * idle_fraction + stored.unread_table_bytes
    return where(
        stored.expert_bytes + stored.unread_table_bytes > 0,
        parallel.per_gpu(stored.weight_bytes - unread_bytes, scenario.n_gpus),
        stored.weight_bytes_on_gpu,
    )


def kv_bytes_per_sequence(scenario: Scenario, stored: Footprint, context_len: Value) -> Value:
    """Cache of one sequence, of all GPUs together.

    Parameters
    ----------
    scenario : Scenario
    stored : Footprint
    context_len : scalar or array
        [tokens]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    Copies of heads on several GPUs are not counted here.

    References
    ----------
    `memory.kv_bytes_per_sequence`.
    """
    # Without windows or states a token costs the same everywhere: then the short formula.
    return where(
        stored.window_bytes_per_token + stored.state_bytes > 0,
        memory.kv_bytes_per_sequence(
            stored.full_bytes_per_token,
            context_len,
            stored.window_bytes_per_token,
            scenario.model.window_len,
            stored.state_bytes,
        ),
        context_len * stored.kv_bytes_per_token,
    )


def kv_bytes_on_gpu(scenario: Scenario, stored: Footprint, context_len: Value) -> Value:
    """Cache of one sequence on each GPU.

    Parameters
    ----------
    scenario : Scenario
    stored : Footprint
    context_len : scalar or array
        [tokens]

    Returns
    -------
    same shape
        [B]

    Notes
    -----
    As `memory.kv_bytes_per_sequence`, of one GPU's heads.

    References
    ----------
    `memory.kv_bytes_per_sequence`, `parallel.kv_share`.
    """
    part = memory.kv_bytes_per_sequence(
        stored.full_on_gpu,
        context_len,
        stored.window_on_gpu,
        scenario.model.window_len,
        stored.state_on_gpu,
    )
    whole = kv_bytes_per_sequence(scenario, stored, context_len)
    return where(scenario.n_gpus > 1, part, whole)


@dataclass(frozen=True)
class Paged:
    """How a paged engine cuts up one sequence's cache on each GPU."""

    page_bytes: Value
    group_layers: Value
    blocks_per_sequence: Value
    bytes_per_sequence: Value


def paged(scenario: Scenario, stored: Footprint) -> Paged:
    """What a paged engine sets aside for one sequence on each GPU.

    Parameters
    ----------
    scenario : Scenario
    stored : Footprint

    Returns
    -------
    Paged
        Never less than the arithmetic cache. [B]

    Notes
    -----
    blocks · page · layers per group, as vLLM's block pool counts it. For a plain model
    that is the cache rounded up to 16 tokens; for hybrids it can be several times more.
    SGLang and llama.cpp keep one pool per kind and waste less.

    References
    ----------
    Kwon et al., PagedAttention, 2023 (arXiv:2309.06180); `blocks`.
    """
    model, work = scenario.model, scenario.workload
    full_each = stored.full_on_gpu / maximum(model.n_full_layers, 1.0)
    window_each = stored.window_on_gpu / maximum(model.n_window_layers, 1.0)
    state_each = parallel.per_gpu(model.state_bytes, scenario.n_gpus)
    page_bytes = paging.page_bytes(full_each, window_each, state_each)
    group = paging.group_layers(model.n_full_layers, model.n_window_layers, model.n_state_layers)
    n_window_groups = np.ceil(model.n_window_layers / group)
    in_window = paging.window_tokens(
        work.context_len, model.window_len, scenario.assumptions.batched_tokens
    )
    full_blocks = paging.blocks_per_sequence(
        work.context_len, full_each, page_bytes, np.ceil(model.n_full_layers / group)
    )
    window_blocks = n_window_groups + paging.blocks_per_sequence(
        in_window, window_each, page_bytes, n_window_groups
    )
    state_blocks = np.ceil(model.n_state_layers / group) * paging.state_blocks(
        scenario.speculation.n_drafted
    )
    plain = model.n_window_layers + model.n_state_layers == 0
    n_blocks = where(plain, full_blocks, full_blocks + window_blocks + state_blocks)
    return Paged(page_bytes, group, n_blocks, n_blocks * page_bytes * group)
