"""The architecture that follows from what a config.json states, and what is to be said of it.

All of it is arithmetic on numbers, so that it runs on symbols: the page reads config files with
the same lines. NaN is "not stated"; conditions are 1 or 0, "and" is a product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from calc.architecture.drafts_and_towers import (
    draft_params,
    merger_tower_params,
    siglip_tower_params,
)
from calc.architecture.parameters import layer_params
from calc.architecture.record import Architecture
from calc.hf_config.conditions import Conditions
from calc.hf_config.family import Family
from calc.hf_config.fields import FORMS, Block, Fields
from calc.hf_config.layers import Blocks, Layers
from calc.hf_config.parts import Heads, Kinds, Mlps, heads, kinds, mlps
from calc.primitives import floor, given, is_given, maximum, minimum, where
from calc.quantity import Value

#: Widths of MLPs that are stated as a multiple are rounded up to this. [count]
WIDTH_STEP = 256
LARGEST_MULTIPLE = 1000

_ARCHITECTURE = Architecture.__dataclass_fields__.keys()

#: Fields that are counted by the same name, and the condition of each.
_COUNTED = {name: form.when for name, form in FORMS.items() if name in _ARCHITECTURE}


@dataclass
class Beside:
    """Parameters of what stands beside the model, and is not counted in it."""

    n_draft_params: Value
    n_tower_params: Value


@dataclass
class Derivation:
    """What follows: the fields with what stands in for missing ones, and all the rest."""

    fields: Fields
    holds: Conditions
    architecture: Architecture
    beside: Beside


class _Grounds(NamedTuple):
    """What conditions and counts follow from; `f` are the fields without gaps."""

    stated: Fields
    f: Fields
    layers: Layers
    blocks: Blocks
    family: Family
    k: Kinds
    h: Heads
    m: Mlps


def with_block(total: Blocks, block: Block, d_model: Value, n_heads: Value) -> Blocks:
    """What blocks with sizes of their own add up to, with one more of them.

    Parameters
    ----------
    total : Blocks
        Of the blocks before.
    block : Block
        As the config states one of them.
    d_model, n_heads : quantity
        Of the whole model.

    Returns
    -------
    Blocks

    Notes
    -----
    h / group KV heads; an MLP as wide as ⌊2·multiple·d/3⌋, rounded up to 256.

    References
    ----------
    `modeling_decilm.py` of Nemotron-NAS.
    """
    attends, has_mlp = 1 - block.skips_attention, 1 - block.skips_mlp
    n_kv_heads = n_heads / maximum(block.group, 1.0)
    is_even = where(block.group > 0, where(n_kv_heads > floor(n_kv_heads), 0.0, 1.0), 0.0)
    is_small = where(block.mlp_multiple < LARGEST_MULTIPLE, 1.0, 0.0)
    has_width = where(block.mlp_multiple > 0, is_small, 0.0)
    least = where(total.n_full > 0, minimum(total.n_least_kv_heads, n_kv_heads), n_kv_heads)
    width = floor(2 * block.mlp_multiple * d_model / 3)
    width = floor((width + (WIDTH_STEP - 1)) / WIDTH_STEP) * WIDTH_STEP
    return Blocks(
        n_blocks=total.n_blocks + 1,
        n_full=total.n_full + attends,
        full_kv_heads=total.full_kv_heads + where(attends > 0, n_kv_heads, 0.0),
        n_least_kv_heads=where(attends > 0, least, total.n_least_kv_heads),
        n_mlps=total.n_mlps + has_mlp,
        dense_width=total.dense_width + where(has_mlp > 0, width, 0.0),
        n_uneven=total.n_uneven + attends * (1 - is_even),
        n_without_width=total.n_without_width + has_mlp * (1 - has_width),
        n_linear=total.n_linear + maximum(block.linear_attention, block.linear_mlp),
    )


def derive(fields: Fields, layers: Layers, blocks: Blocks, family: Family) -> Derivation:
    """The architecture of a model, from the numbers that its config.json states.

    Parameters
    ----------
    fields : Fields
        As the config states them: numbers, arrays or symbols.
    layers : Layers
        What lists with one entry per layer add up to.
    blocks : Blocks
        What blocks with sizes of their own add up to.
    family : Family
        What its config files do not state.

    Returns
    -------
    Derivation
        Where a remark is a problem, or a field that counts is still NaN, the rest is void.

    Notes
    -----
    What is missing follows from what is there (`_complete`); then layers are counted by kind;
    then each part of the architecture takes the fields that its kind has.

    References
    ----------
    `configuration_*.py` and `modeling_*.py` of Hugging Face transformers.
    """
    f = _complete(fields, layers, family)
    k = kinds(f, layers, blocks, family)
    h = heads(f, layers, blocks, family, k)
    m = mlps(f, layers, blocks, family, k)
    grounds = _Grounds(fields, f, layers, blocks, family, k, h, m)
    holds = _conditions(grounds)
    architecture = _architecture(grounds, holds)
    return Derivation(f, holds, architecture, _beside(f, family, architecture))


def _conditions(g: _Grounds) -> Conditions:
    """What is so, of what is stated and what follows, by its subject."""
    return Conditions(
        **_kinds_conditions(g),
        **_lists_conditions(g),
        **_states_conditions(g),
        **_heads_conditions(g),
        **_mlps_conditions(g),
        **_whole_conditions(g),
    )


def _kinds_conditions(g: _Grounds) -> dict[str, Value]:
    """What is so of how layers attend, and which share a cache."""
    f, layers, family, k = g.f, g.layers, g.family, g.k
    attends_every = where(f.attends_every > 0, 1.0, 0.0)
    should_slide = k.kinds_open * k.has_period * f.uses_window * (1 - k.has_state)
    return dict(
        kinds_listed=k.has_list,
        window_open=k.may_slide * (1 - k.has_period * k.has_state),
        all_slide=k.all_slide,
        slides=k.n_window,
        other_full=where(k.n_periodic != layers.n_full, k.has_list, 0.0),
        other_placed=where(f.n_full_placed != layers.n_full, k.has_list, 0.0),
        placed=k.has_places,
        kinds_missing=k.kinds_open * k.has_state * (1 - k.periodic) * (1 - k.slides),
        windows_off=k.n_window * (1 - f.uses_window),
        no_attention=where(k.n_full + k.n_window + k.n_state > 0, 0.0, 1.0),
        no_full=where(k.n_full > 0, 0.0, k.periodic),
        no_window_len=where(f.window_len > 0, 0.0, maximum(k.n_window, should_slide)),
        places_too_many=where(f.n_full_placed > f.n_layers, k.has_places, 0.0),
        no_own_cache=where(f.n_sharing_cache < f.n_layers, 0.0, k.has_list),
        own_heads_open=k.shares_cache * is_given(layers.full_kv_heads),
        periodic=k.periodic * (1 - attends_every),
        periodic_state=k.periodic * attends_every,
        window_kept=k.slides * family.window_ignored,
        cache_shared=k.shares_cache,
        doubled=where(family.sublayers > 1, 1.0, 0.0),
    )


def _lists_conditions(g: _Grounds) -> dict[str, Value]:
    """What is so of lists and blocks with an entry per layer."""
    f, layers, blocks, k, m = g.f, g.layers, g.blocks, g.k, g.m
    return dict(
        blocks=k.has_blocks,
        blocks_and_kinds=k.has_blocks * (k.has_list + m.has_list + k.n_rest),
        list_too_short=where(layers.n_attention != f.n_layers, k.has_list, 0.0),
        index_list_too_short=where(layers.n_index != f.n_layers, is_given(layers.n_index), 0.0),
        mlp_list_too_short=where(layers.n_mlp != f.n_layers, m.has_list, 0.0),
        blocks_too_few=where(blocks.n_blocks != f.n_layers, k.has_blocks, 0.0),
        linear_block=blocks.n_linear,
        uneven_block=blocks.n_uneven,
        block_without_width=blocks.n_without_width,
        widths_and_experts=is_given(layers.dense_width) * m.moe,
    )


def _states_conditions(g: _Grounds) -> dict[str, Value]:
    """What is so of layers that keep a state."""
    f, family, k = g.f, g.family, g.k
    keeps_state = where(k.n_state > 0, 1.0, 0.0)
    return dict(
        keeps_state=keeps_state,
        state_heads_counted=keeps_state * where(k.has_state > 0, k.plain_state, 1.0),
        state_keys_counted=keeps_state * (1 - family.conv - family.lightning),
        convolves=keeps_state * (1 - family.lightning),
        other_state_width=where(
            f.d_state_heads != f.n_state_heads * f.d_state_value, keeps_state, 0.0
        ),
        uneven_state_heads=keeps_state * _is_uneven(f.n_state_heads, f.n_state_key_heads),
        beside_state=family.state_beside,
        state_unknown=keeps_state * (1 - k.has_state),
    )


def _heads_conditions(g: _Grounds) -> dict[str, Value]:
    """What is so of heads, their widths and the latent."""
    stated, f, layers, family, k, h = g.stated, g.f, g.layers, g.family, g.k, g.h
    plain, alike = 1 - h.latent, 1 - k.has_blocks
    d_head_missing = plain * (1 - is_given(stated.d_head))
    qk_norm = family.qk_norm_heads + family.qk_norm_width
    qk_norm = qk_norm + family.qk_norm_follows_use + family.qk_norm_width_follows_use
    return dict(
        plain_heads=maximum(plain * h.attends, family.heads_alike),
        old_decoder=h.old_decoder,
        may_share_heads=maximum(h.old_decoder, family.heads_by_switch),
        one_kv_head=h.one_kv_head,
        kv_heads_counted=alike * (1 - h.one_kv_head) * h.attends,
        kv_heads_missing=(1 - is_given(stated.n_kv_heads)) * (1 - family.two_decoders),
        heads_grouped=where(f.n_kv_heads < f.n_heads, plain, 0.0),
        heads_apart=family.heads_by_switch * (1 - f.multi_query),
        latent=h.latent,
        latent_missing=plain * (1 - maximum(k.compresses, family.compressing)) * f.uses_latent,
        ranked=maximum(h.latent, k.compresses),
        compresses=k.compresses,
        latent_off=where(f.kv_rank > 0, 1 - f.uses_latent, 0.0),
        latent_and_heads=h.latent * (k.n_window + f.d_global_head + k.has_blocks),
        no_latent_width=where(f.d_nope * f.d_value > 0, 0.0, h.latent),
        other_qk_width=where(f.d_qk != h.d_head, h.latent, 0.0),
        values_have_width=maximum(h.latent, family.values_differ),
        global_heads=h.global_heads,
        qk_norm_counted=where(qk_norm > 0, 1.0, 0.0),
        qk_norm_open=family.unknown * f.use_qk_norm,
        ungrouped=where(
            f.n_kv_heads < f.n_heads, (1 - f.multi_query) * (1 - family.two_decoders), 0.0
        ),
        uneven_kv_heads=_is_uneven(f.n_heads, f.n_kv_heads),
        uneven_width=d_head_missing * h.attends * _is_uneven(f.d_model, f.n_heads),
        uneven_window_heads=k.n_window * _is_uneven(f.n_window_heads, f.n_window_kv_heads),
        uneven_global_kv_heads=h.global_heads * _is_uneven(f.n_heads, f.n_global_kv_heads),
        kv_heads_differ=h.differ,
        cross=f.n_cross * family.may_cross,
        cross_too_many=where(f.n_cross > k.n_full, family.may_cross, 0.0),
        index_unlisted=1 - is_given(layers.n_index),
        index_shared=where(layers.n_index_shared > 0, h.latent, 0.0),
        sparse=f.sparse_reads,
        ratios_missing=family.compressing * (1 - k.compresses),
        ratios_unknown=k.compresses * (1 - family.compressing),
        compressed_and_others=k.compresses * (k.n_full + k.n_state),
        compressed_heads=where(f.n_kv_heads != 1, k.compresses, 0.0),
        uneven_output_groups=k.compresses * _is_uneven(f.n_heads, f.o_groups),
        no_compressed_rank=where(f.q_rank > 0, 0.0, k.compresses),
        no_index_keys=where(f.n_index_heads * f.d_index * f.index_top > 0, 0.0, k.n_csa),
    )


def _mlps_conditions(g: _Grounds) -> dict[str, Value]:
    """What is so of MLPs and experts."""
    stated, f, layers, family, k, m = g.stated, g.f, g.layers, g.family, g.k, g.m
    alike = 1 - k.has_blocks
    several_shared = where(f.n_shared > 1, m.moe, 0.0) * where(f.shared_width > 0, 1.0, 0.0)
    open_width = several_shared * (1 - family.shared_width_each)
    n_groups = maximum(f.n_expert_groups, 1.0)
    n_choices = where(f.n_top_groups > 0, f.n_top_groups / n_groups, 1.0) * f.n_experts
    return dict(
        mlps_differ=maximum(m.moe * (1 - family.moe_beside_mlp), is_given(layers.dense_width)),
        dense_counted=alike * (1 - family.no_mlps * (1 - family.selective)) * (1 - m.shared_is_mlp),
        doubled_mlps=k.shares_cache * f.double_wide,
        matrices_unknown=family.unknown * where(m.mlp_matrices > 0, 0.0, 1.0) * (1 - k.has_blocks),
        no_mlp=where(m.n_dense + m.n_moe > 0, 0.0, m.has_list),
        no_width=where(m.d_dense > 0, 0.0, m.needs_width),
        no_expert_width=m.moe * where(f.d_expert > 0, 0.0, 1.0),
        shared_counted=maximum(m.moe, m.shared_is_mlp),
        none_shared=is_given(stated.n_shared) * where(f.n_shared > 0, 0.0, 1.0),
        shared_missing=(1 - m.moe) * (1 - m.shared_is_mlp) * f.has_moe_block,
        shared_open=open_width * where(f.shared_width != f.n_shared * f.d_expert, 1.0, 0.0),
        shared_each=several_shared * family.shared_width_each,
        shared_together=open_width * where(f.shared_width != f.n_shared * f.d_expert, 0.0, 1.0),
        experts=m.experts,
        experts_counted=alike * f.has_moe_block,
        experts_missing=where(layers.n_moe > 0, m.has_list * (1 - m.moe), 0.0),
        moe=m.moe,
        moe_counted=m.moe * (1 - m.has_list) * (1 - family.moe_beside_mlp),
        moe_missing=(1 - m.moe) * f.has_moe_block,
        moe_off=m.experts * (1 - f.has_moe_block),
        moe_off_listed=where(layers.n_moe > 0, m.has_list * m.experts * (1 - f.has_moe_block), 0.0),
        moe_placed=m.moe * (1 - m.has_list) * is_given(f.n_moe_placed),
        other_moe=m.other_moe,
        other_moe_placed=where(f.n_moe_placed != layers.n_moe, m.has_list, 0.0),
        no_moe_layer=where(m.n_moe > 0, 0.0, m.moe),
        no_experts_per_token=m.moe * where(f.n_experts_per_token > 0, 0.0, 1.0),
        too_few_experts=where(f.n_experts_per_token > f.n_experts, m.moe, 0.0),
        zero_experts=m.moe * f.n_zero_experts,
        uneven_expert_groups=m.moe * _is_uneven(f.n_experts, f.n_expert_groups),
        other_top_groups=where(
            f.n_top_groups > n_groups, m.moe, where(f.n_experts_per_token > n_choices, m.moe, 0.0)
        ),
    )


def _whole_conditions(g: _Grounds) -> dict[str, Value]:
    """What is so of the tables, of the family and of what stands beside the model."""
    f, family = g.f, g.family
    draft_known = 1 - maximum(family.unknown, family.draft_differs)
    known = maximum(family.merger_tower, family.siglip_tower) * is_given(f.n_tower_layers)
    known = known * is_given(f.d_tower) * is_given(f.d_tower_inner) * is_given(f.n_patch)
    tower_counted = f.has_tower * known
    return dict(
        less_padded=where(f.n_padded_vocab < f.n_vocab, 1.0, 0.0),
        family_unknown=family.unknown,
        draft=f.n_draft * draft_known,
        draft_unknown=f.n_draft * (1 - draft_known),
        tower=tower_counted,
        tower_unknown=f.has_tower * (1 - tower_counted),
        tower_counted=tower_counted,
        audio_unknown=f.has_audio,
    )


def _architecture(g: _Grounds, holds: Conditions) -> Architecture:
    """The counts: those that have their own name already, and what follows."""
    f, layers, family, k, h, m = g.f, g.layers, g.family, g.k, g.h, g.m
    is_parallel = family.may_be_parallel * f.parallel
    n_norms = where(is_parallel > 0, f.n_parallel_norms, family.norms) * f.n_layers
    n_norms = where(k.has_blocks > 0, g.blocks.n_full + g.blocks.n_mlps, n_norms)
    # A residual that is read across blocks has norms and projections of its own.
    has_blocks = where(f.residual_block > 0, 1.0, 0.0)
    n_norms = n_norms + has_blocks * (4 * f.n_layers + 2)
    n_norms = n_norms + family.moe_norms * m.n_moe
    n_cross = f.n_cross * family.may_cross
    return Architecture(
        **_by_name(g, holds)
        | dict(
            n_vocab=f.n_padded_vocab,
            window_heads=given(layers.window_heads, k.n_window * f.n_window_heads),
            window_kv_heads=given(layers.window_kv_heads, k.n_window * f.n_window_kv_heads),
            d_value=where(h.global_heads > 0, f.d_global_head, f.d_value),
            n_lookup=f.n_layers
            * where(f.d_layer_table > 0, f.d_layer_table * f.n_layer_vocab, 0.0),
            n_position_rows=where(
                family.learned_positions > 0, f.n_positions + family.first_position, 0.0
            ),
            n_norms=n_norms + (1 + family.table_norm),
            n_full_cached=where(k.shares_cache > 0, layers.n_full_own, k.n_full) - n_cross,
            n_window_cached=where(k.shares_cache > 0, layers.n_window_own, k.n_window),
            n_cross=n_cross,
            qkv_bias=_used(f, family, maximum(f.attention_bias, family.qkv_bias)),
            o_bias=_used(
                f, family, where(family.o_bias_follows > 0, f.attention_bias, family.o_bias)
            ),
            qk_norm_heads=where(
                family.qk_norm_follows_use > 0, f.use_qk_norm, family.qk_norm_heads
            ),
            qk_norm_width=family.qk_norm_width + family.qk_norm_width_follows_use * f.use_qk_norm,
            mlp_bias=_used(
                f, family, where(family.mlp_follows_bias > 0, f.mlp_bias, family.mlp_bias)
            ),
            n_indexed=where(f.n_index_heads > 0, given(layers.n_indexed, k.n_full), 0.0),
            n_routed=f.n_experts + f.n_zero_experts,
            **_states(f, family, k, holds),
        )
    )


def _complete(s: Fields, layers: Layers, family: Family) -> Fields:
    """The fields, with what follows from others where a file and its family state nothing."""
    old_decoder = family.two_decoders * (1 - s.new_decoder)
    d_head = given(s.d_head, floor(s.d_model / maximum(s.n_heads, 1.0)))
    n_layers = given(s.n_layers, layers.n_layers)
    latent = s.kv_rank * s.uses_latent
    # A width of 0 without a latent is none.
    has_value = is_given(s.d_value) * s.uses_latent * where(s.d_value + latent > 0, 1.0, 0.0)
    is_ungrouped = family.heads_by_switch * (1 - s.multi_query)
    n_kv_heads = where(is_ungrouped > 0, s.n_heads, s.n_kv_heads)
    over_width = where(s.inner_over_width > 0, s.inner_over_width, family.d_inner_over_width)
    over_width = where(family.no_mlps > 0, s.expand, over_width)
    full_every = where(s.attends_every > 0, s.attends_every, s.full_every)
    complete = vars(s) | dict(
        n_layers=n_layers,
        n_kv_heads=where(old_decoder * s.multi_query > 0, 1.0, n_kv_heads),
        d_head=d_head,
        d_value=where(has_value > 0, s.d_value, where(latent > 0, s.d_nope, d_head)),
        d_inner=_width(given(s.d_inner, over_width * s.d_model), s, family),
        n_shared=given(s.n_shared, 0.0),
        n_parallel_norms=given(s.n_parallel_norms, 1 + s.new_decoder),
        full_every=full_every,
        full_offset=given(s.full_offset, full_every - 1),
        n_before_dense=given(s.n_before_dense, n_layers - 1),
        moe_offset=given(s.moe_offset, s.moe_every - 1),
        matrices=given(s.matrices, 0.0),
        n_state_heads=_alike(family, s.n_state_heads, s.n_heads),
        n_state_key_heads=_alike(family, s.n_state_key_heads, s.n_heads),
        d_state_value=_alike(family, s.d_state_value, d_head),
        d_state_key=_alike(family, s.d_state_key, d_head),
        step_rank=given(s.step_rank, floor((s.d_model + 15) / 16)),
        attention_bias=given(s.attention_bias, family.qkv_bias),
    )
    for name, form in FORMS.items():
        if form.stand_in:
            complete[name] = given(complete[name], complete[form.stand_in])
    # Elsewhere the width of experts has a name of its own, and another's is none.
    as_mlp = maximum(family.experts_as_mlp, family.unknown)
    complete["d_expert"] = given(s.d_expert, where(as_mlp > 0, complete["d_inner"], s.d_expert))
    # As dataclasses.replace does, which takes twice the time for that many fields.
    return Fields(**complete)


def _beside(f: Fields, family: Family, a: Architecture) -> Beside:
    """What stands beside the model."""
    n_pixels = f.n_frames * f.n_channels * f.n_patch**2
    merger = merger_tower_params(
        *(f.n_tower_layers, f.d_tower, f.d_tower_inner, f.d_tower_out),
        *(n_pixels, f.n_tower_positions, f.n_merge, f.n_deep),
    )
    siglip = siglip_tower_params(
        *(f.n_tower_layers, f.d_tower, f.d_tower_inner, f.d_model, f.n_patch, f.n_image)
    )
    return Beside(
        n_draft_params=draft_params(
            *(a.d_model, layer_params(a), maximum(family.norms, 2.0) + 3, f.n_draft)
        ),
        n_tower_params=where(family.siglip_tower > 0, siglip, merger),
    )


def _alike(family: Family, stated: Value, of_attention: Value) -> Value:
    """What is stated of a state's heads, or is that of attention's in some families."""
    return where(family.heads_alike > 0, given(stated, of_attention), stated)


def _width(d_inner: Value, s: Fields, family: Family) -> Value:
    """An MLP's width: a share of what is stated, or two thirds of it, times and rounded up."""
    two_thirds = floor(2 * d_inner / 3) * s.multiple
    adjusted = floor((two_thirds + s.multiple_of - 1) / s.multiple_of) * s.multiple_of
    return where(s.adjusts_width > 0, adjusted, d_inner * family.d_inner_share)


def _used(fields: Fields, family: Family, bias: Value) -> Value:
    """Whether there are biases of a kind, which in some families one switch says of all."""
    return where(family.biases_follow_use > 0, fields.use_bias, bias)


def _states(f: Fields, family: Family, k: Kinds, holds: Conditions) -> dict[str, Value]:
    """Layers with a state, and its sizes in the terms of gated delta rule, also of other kinds."""
    n_heads = where(holds.state_heads_counted > 0, f.n_state_heads, 0.0)
    n_heads = where(family.lightning > 0, f.n_heads, n_heads)
    d_value = where(holds.state_heads_counted > 0, f.d_state_value, 0.0)
    d_value = where(family.lightning > 0, f.d_head, d_value)
    d_key = where(holds.state_keys_counted > 0, f.d_state_key, 0.0)
    conv_len = where(holds.convolves > 0, f.conv_len, 0.0)
    return dict(
        n_delta=k.n_state * where(k.has_state > 0, family.delta, 1.0),
        n_mamba=k.n_state * family.mamba,
        n_selective=k.n_state * family.selective,
        n_kda=k.n_state * family.kda,
        n_conv=k.n_state * family.conv,
        n_lightning=k.n_state * family.lightning,
        # Without MLPs the stated width is that of the state.
        n_state_heads=where(
            family.selective > 0,
            where(family.no_mlps > 0, f.d_inner, f.expand * f.d_model),
            n_heads,
        ),
        d_state_value=where(family.selective > 0, 1.0, d_value),
        d_state_key=where(family.lightning > 0, f.d_head, d_key),
        conv_len=where(family.lightning > 0, 1.0, conv_len),
    )


def _by_name(g: _Grounds, holds: Conditions) -> dict[str, Value]:
    """What goes into the architecture under its own name: a field where it counts, or else 0; the
    counts of lists, of layers' kinds, heads and MLPs.
    """
    values = vars(g.family) | vars(g.f) | vars(holds)
    own = {name: given(value, 0.0) for name, value in vars(g.layers).items()} | vars(g.family)
    for name, when in _COUNTED.items():
        flag, value = values[when.removeprefix("not ")], values[name]
        own[name] = where(flag > 0, value, 0.0) if when in values else where(flag > 0, 0.0, value)
    own |= vars(g.k) | vars(g.h) | vars(g.m)
    return {name: value for name, value in own.items() if name in _ARCHITECTURE}


def _is_uneven(whole: Value, part: Value) -> Value:
    """1 where a number of parts does not divide a whole."""
    share = whole / maximum(part, 1.0)
    return where(share > floor(share), 1.0, 0.0)
