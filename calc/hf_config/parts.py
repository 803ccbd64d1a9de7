"""Parts of an architecture: how many layers are of which kind, their heads, and their MLPs.

As all of `derive`: arithmetic on numbers or symbols. NaN is "not stated"; conditions are 1 or 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from calc.hf_config.family import Family
from calc.hf_config.fields import Fields
from calc.hf_config.layers import Blocks, Layers
from calc.primitives import floor, given, is_given, maximum, minimum, where
from calc.quantity import Value


@dataclass
class Kinds:
    """Layers by kind, and what says so."""

    has_list: Value
    has_places: Value
    has_blocks: Value
    kinds_open: Value
    plain_state: Value
    has_state: Value
    has_period: Value
    may_slide: Value
    periodic: Value
    slides: Value
    all_slide: Value
    shares_cache: Value
    compresses: Value
    n_csa: Value
    n_hca: Value
    n_periodic: Value
    n_full: Value
    n_window: Value
    n_state: Value
    n_rest: Value


def kinds(f: Fields, layers: Layers, blocks: Blocks, family: Family) -> Kinds:
    """Layers by kind: a list says them, or places, or a period, or all are alike.

    Parameters
    ----------
    f : Fields
        Completed.
    layers, blocks : Layers, Blocks
        What lists add up to.
    family : Family

    Returns
    -------
    Kinds

    Notes
    -----
    What a period leaves over slides, or keeps a state where the family has one.

    References
    ----------
    `modeling_*.py` of Hugging Face transformers.
    """
    has_list = is_given(layers.n_attention)
    has_places = (1 - has_list) * is_given(f.n_full_placed)
    all_alike = maximum(family.only_state, family.state_beside)
    kinds_open = (1 - has_list) * (1 - has_places) * (1 - all_alike)
    plain_state = family.delta + family.mamba + family.kda
    has_state = plain_state + family.selective + family.conv + family.lightning
    has_period = where(f.full_every > 0, 1.0, 0.0)
    may_slide = kinds_open * where(f.window_len > 0, 1.0, 0.0)
    periodic = kinds_open * has_period * maximum(has_state, may_slide * f.uses_window)
    slides = may_slide * f.uses_window * (1 - has_period)
    all_slide = slides * (1 - family.window_ignored)

    period = maximum(f.full_every, 1.0)
    n_over = f.n_layers - floor(f.n_layers / period) * period
    n_periodic = n_in_step(0.0, f.n_layers - 1, period, f.full_offset) + family.rest_full * n_over
    n_alike = where(all_slide > 0, minimum(f.n_before_window, f.n_layers), f.n_layers)
    n_full = where(periodic > 0, n_periodic, n_alike * (1 - family.only_state))
    n_full = where(has_places > 0, f.n_full_placed, n_full)
    n_full = where(has_list > 0, layers.n_full, n_full)
    n_rest = f.n_layers - n_full
    rest_keeps_state = maximum(periodic, maximum(has_places, family.only_state)) * has_state
    # What is compressed has a window beside it.
    n_csa, n_hca = given(layers.n_csa, 0.0), given(layers.n_hca, 0.0)
    n_sliding = layers.n_window + n_csa + n_hca
    n_window = where(has_list > 0, n_sliding, n_rest * (1 - rest_keeps_state))
    n_state = where(has_list > 0, layers.n_state, n_rest * rest_keeps_state)
    n_state = where(family.state_beside > 0, f.n_layers, n_state)

    has_blocks = is_given(blocks.n_blocks)
    return Kinds(
        has_list=has_list,
        has_places=has_places,
        has_blocks=has_blocks,
        kinds_open=kinds_open,
        plain_state=plain_state,
        has_state=has_state,
        has_period=has_period,
        may_slide=may_slide,
        periodic=periodic,
        slides=slides,
        all_slide=all_slide,
        shares_cache=where(f.n_sharing_cache > 0, has_list, 0.0),
        compresses=where(n_csa + n_hca > 0, 1.0, 0.0),
        n_csa=n_csa,
        n_hca=n_hca,
        n_periodic=n_periodic,
        n_full=where(has_blocks > 0, blocks.n_full, n_full) * family.sublayers,
        n_window=n_window,
        n_state=n_state,
        n_rest=n_rest,
    )


@dataclass
class Heads:
    """Heads of the layers that attend: one size for all, and numbers of all layers together."""

    latent: Value
    global_heads: Value
    old_decoder: Value
    one_kv_head: Value
    attends: Value
    differ: Value
    d_head: Value
    n_kv_heads: Value
    full_heads: Value
    full_kv_heads: Value


def heads(f: Fields, layers: Layers, blocks: Blocks, family: Family, k: Kinds) -> Heads:
    """Heads: a latent, or plain ones, of which Gemma 4 has others in full layers.

    Parameters
    ----------
    f : Fields
        Completed.
    layers, blocks : Layers, Blocks
        What lists add up to.
    family : Family
    k : Kinds

    Returns
    -------
    Heads

    Notes
    -----
    h · L heads in all, unless a list or blocks say each layer's.

    References
    ----------
    `modeling_*.py` of Hugging Face transformers.
    """
    latent = where(f.kv_rank > 0, f.uses_latent, 0.0)
    plain = 1 - latent
    global_heads = where(f.d_global_head > 0, plain, 0.0)
    old_decoder = family.two_decoders * (1 - f.new_decoder)
    d_head = where(global_heads > 0, f.d_global_head, f.d_head)
    n_kv_heads = where(global_heads > 0, f.n_global_kv_heads, f.n_kv_heads)
    n_kv_heads = where(k.has_blocks > 0, maximum(blocks.n_least_kv_heads, 1.0), n_kv_heads)
    full_kv_heads = given(layers.full_kv_heads, k.n_full * n_kv_heads)
    full_kv_heads = where(k.has_blocks > 0, blocks.full_kv_heads, full_kv_heads)
    return Heads(
        latent=latent,
        global_heads=global_heads,
        old_decoder=old_decoder,
        one_kv_head=old_decoder * f.multi_query,
        attends=where(k.n_full + k.n_window > 0, 1.0, 0.0),
        differ=where(full_kv_heads != k.n_full * n_kv_heads, plain, 0.0),
        d_head=where(latent > 0, f.d_nope + f.d_rope, d_head),
        n_kv_heads=n_kv_heads,
        full_heads=given(layers.full_heads, k.n_full * f.n_heads),
        full_kv_heads=full_kv_heads,
    )


@dataclass
class Mlps:
    """MLPs and experts, and what says which layers have them."""

    has_list: Value
    experts: Value
    moe: Value
    other_moe: Value
    shared_is_mlp: Value
    needs_width: Value
    n_moe: Value
    n_dense: Value
    d_dense: Value
    dense_width: Value
    shared_width: Value
    mlp_matrices: Value
    n_experts_per_token: Value


def mlps(f: Fields, layers: Layers, blocks: Blocks, family: Family, k: Kinds) -> Mlps:
    """MLPs: experts in the layers of a list, or in every so many from a first to a last one.

    Parameters
    ----------
    f : Fields
        Completed.
    layers, blocks : Layers, Blocks
        What lists add up to.
    family : Family
    k : Kinds

    Returns
    -------
    Mlps

    Notes
    -----
    Of k experts per token E / (E + Z) have weights, where Z have none.

    References
    ----------
    `modeling_*.py` of Hugging Face transformers; LongCat-Flash, 2025 (arXiv:2509.01322), on
    experts without weights.
    """
    alike = 1 - k.has_blocks
    experts = where(f.n_experts > 0, alike, 0.0)
    moe = experts * f.has_moe_block
    has_list = is_given(layers.n_mlp)

    first, last = minimum(f.n_first_dense, f.n_layers), minimum(f.n_before_dense, f.n_layers - 1)
    n_moe = n_in_step(first, last, maximum(f.moe_every, 1.0), f.moe_offset)
    n_moe = given(f.n_moe_placed, maximum(n_moe - f.n_mlp_only, 0.0))
    other_moe = where(n_moe != layers.n_moe, has_list, 0.0)
    n_moe = where(family.moe_beside_mlp > 0, f.n_layers, n_moe)
    n_moe = moe * where(has_list > 0, layers.n_moe, n_moe)
    n_dense = f.n_layers - n_moe * (1 - family.moe_beside_mlp)
    n_dense = where(has_list > 0, layers.n_dense, n_dense * (1 - family.no_mlps))

    shared_is_mlp = family.shared_is_mlp * (1 - moe)
    d_dense = where(shared_is_mlp > 0, f.shared_width, f.d_inner)
    d_dense = where(moe > 0, f.d_dense, d_dense)
    n_doubled = where(k.shares_cache > 0, f.double_wide * f.n_sharing_cache, 0.0)
    n_widths = n_dense * family.sublayers + n_doubled
    dense_width = given(layers.dense_width, d_dense * n_widths)
    n_wide = where(family.shared_width_each > 0, maximum(f.n_shared, 1.0), 1.0)
    shared_width = where(f.shared_width > 0, f.shared_width * n_wide, f.n_shared * f.d_expert)
    # An expert without weights is as likely as any.
    share = f.n_experts / maximum(f.n_experts + f.n_zero_experts, 1.0)
    return Mlps(
        has_list=has_list,
        experts=experts,
        moe=moe,
        other_moe=other_moe,
        shared_is_mlp=shared_is_mlp,
        needs_width=where(moe > 0, where(n_dense > 0, 1.0, 0.0), alike * (1 - family.no_mlps)),
        n_moe=n_moe,
        n_dense=n_dense,
        d_dense=d_dense,
        dense_width=where(k.has_blocks > 0, blocks.dense_width, dense_width),
        shared_width=where(moe > 0, shared_width, 0.0),
        mlp_matrices=where(family.unknown > 0, f.matrices, family.mlp_matrices),
        n_experts_per_token=where(moe > 0, f.n_experts_per_token * share, 0.0),
    )


def n_in_step(first: Value, last: Value, period: Value, offset: Value) -> Value:
    """How many layers from a first to a last are a period apart, from an offset on.

    Parameters
    ----------
    first, last, period, offset : scalar, array or symbol
        Numbers of layers, from 0 on. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    ⌊(last − offset) / period⌋ less as many before the first.

    References
    ----------
    Jamba, 2024 (arXiv:2403.19887), for periods with an offset.
    """
    n_before = floor((first - 1 - offset) / period)
    return maximum(floor((last - offset) / period) - n_before, 0.0)
