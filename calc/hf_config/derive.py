"""The architecture that follows from what a config.json states, and what is to be said of it.

All of it is arithmetic on numbers, so that it runs on symbols: the page reads config files with
the same lines. NaN is "not stated"; conditions are 1 or 0, "and" is a product.
"""

from __future__ import annotations

from dataclasses import dataclass

from calc.architecture.parameters import Architecture
from calc.hf_config.conditions import Conditions
from calc.hf_config.family import Family
from calc.hf_config.fields import FORMS, Block, Fields
from calc.hf_config.layers import Blocks, Layers
from calc.primitives import floor, given, is_given, maximum, minimum, where
from calc.quantity import Value

#: Widths of MLPs that are stated as a multiple are rounded up to this. [count]
WIDTH_STEP = 256
LARGEST_MULTIPLE = 1000

_ARCHITECTURE = Architecture.__dataclass_fields__.keys()

#: Fields that are counted by the same name, and the condition of each.
_COUNTED = {name: form.when for name, form in FORMS.items() if name in _ARCHITECTURE}


@dataclass
class Derivation:
    """What follows: the fields with what stands in for missing ones, and all the rest."""

    fields: Fields
    holds: Conditions
    architecture: Architecture


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
    is_other = where(n_kv_heads != total.n_kv_heads, where(total.n_full > 0, 1.0, 0.0), 0.0)
    is_small = where(block.mlp_multiple < LARGEST_MULTIPLE, 1.0, 0.0)
    has_width = where(block.mlp_multiple > 0, is_small, 0.0)
    width = floor(2 * block.mlp_multiple * d_model / 3)
    width = floor((width + (WIDTH_STEP - 1)) / WIDTH_STEP) * WIDTH_STEP
    return Blocks(
        n_blocks=total.n_blocks + 1,
        n_full=total.n_full + attends,
        n_kv_heads=where(attends > 0, n_kv_heads, total.n_kv_heads),
        n_mlps=total.n_mlps + has_mlp,
        dense_width=total.dense_width + where(has_mlp > 0, width, 0.0),
        n_uneven=total.n_uneven + attends * (1 - is_even),
        n_other_kv_heads=total.n_other_kv_heads + attends * is_other,
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

    # --- kinds of layers: a list says them, or a period, or all are alike ---
    has_list = is_given(layers.n_attention)
    kinds_open = 1 - has_list
    has_state = family.delta + family.mamba + family.kda
    has_period = where(f.full_every > 0, 1.0, 0.0)
    may_slide = kinds_open * where(f.window_len > 0, 1 - f.compressed, 0.0)
    periodic = kinds_open * has_period * maximum(has_state, may_slide * f.uses_window)
    slides = may_slide * f.uses_window * (1 - has_period)
    all_slide = slides * (1 - family.window_ignored)
    should_slide = kinds_open * has_period * f.uses_window * (1 - has_state)

    n_periodic = floor(f.n_layers / maximum(f.full_every, 1.0))
    n_alike = where(all_slide > 0, minimum(f.n_before_window, f.n_layers), f.n_layers)
    n_full = where(has_list > 0, layers.n_full, where(periodic > 0, n_periodic, n_alike))
    n_rest = f.n_layers - n_full
    rest_keeps_state = periodic * has_state
    n_window = where(has_list > 0, layers.n_window, n_rest * (1 - rest_keeps_state))
    n_state = where(has_list > 0, layers.n_state, n_rest * rest_keeps_state)
    keeps_state = where(n_state > 0, 1.0, 0.0)
    n_mamba, n_kda = n_state * family.mamba, n_state * family.kda

    has_blocks = is_given(blocks.n_blocks)
    alike = 1 - has_blocks
    n_full = where(has_blocks > 0, blocks.n_full, n_full)
    shares_cache = where(f.n_sharing_cache > 0, has_list, 0.0)
    n_full_cached = where(shares_cache > 0, layers.n_full_own, n_full)
    n_window_cached = where(shares_cache > 0, layers.n_window_own, n_window)

    # --- attention: a latent, or heads, of which Gemma 4 has others in full layers ---
    latent = where(f.kv_rank > 0, 1.0, 0.0)
    plain = 1 - latent
    global_heads = where(f.d_global_head > 0, plain, 0.0)
    old_decoder = family.two_decoders * (1 - f.new_decoder)
    one_kv_head = old_decoder * f.multi_query
    d_head = where(global_heads > 0, f.d_global_head, f.d_head)
    d_head = where(latent > 0, f.d_nope + f.d_rope, d_head)
    n_kv_heads = where(global_heads > 0, f.n_global_kv_heads, f.n_kv_heads)
    d_head_missing = plain * (1 - is_given(fields.d_head))

    # --- MLPs: experts in the layers of a list, or in every so many after the first ---
    experts = where(f.n_experts > 0, alike, 0.0)
    moe = experts * f.has_moe_block
    has_mlp_list = is_given(layers.n_mlp)

    n_after_first = f.n_layers - minimum(f.n_first_dense, f.n_layers)
    n_moe = floor(n_after_first / maximum(f.moe_every, 1.0))
    other_moe = where(n_moe != layers.n_moe, has_mlp_list, 0.0)
    n_moe = where(family.moe_beside_mlp > 0, f.n_layers, n_moe)
    n_moe = moe * where(has_mlp_list > 0, layers.n_moe, n_moe)
    n_dense = f.n_layers - n_moe * (1 - family.moe_beside_mlp)
    n_dense = where(has_mlp_list > 0, layers.n_dense, n_dense)
    d_dense = where(moe > 0, f.d_dense, f.d_inner)
    needs_width = where(moe > 0, where(n_dense > 0, 1.0, 0.0), alike)
    shared_width = where(f.shared_width > 0, f.shared_width, f.n_shared * f.d_expert)
    n_norms = where(f.new_decoder * family.two_decoders > 0, 2.0, family.norms) * f.n_layers

    holds = Conditions(
        less_padded=where(f.n_padded_vocab < f.n_vocab, 1.0, 0.0),
        kinds_listed=has_list,
        window_open=may_slide * (1 - has_period * has_state),
        all_slide=all_slide,
        slides=n_window,
        keeps_state=keeps_state,
        other_full=where(n_periodic != layers.n_full, has_list, 0.0),
        other_moe=other_moe,
        old_decoder=old_decoder,
        one_kv_head=one_kv_head,
        kv_heads_counted=alike * (1 - one_kv_head),
        kv_heads_missing=(1 - is_given(fields.n_kv_heads)) * (1 - family.two_decoders),
        latent=latent,
        latent_missing=plain * (1 - f.compressed),
        other_qk_width=where(f.d_qk != d_head, latent, 0.0),
        values_have_width=maximum(latent, family.values_differ),
        global_heads=global_heads,
        experts=experts,
        moe=moe,
        moe_counted=moe * (1 - has_mlp_list) * (1 - family.moe_beside_mlp),
        blocks_and_kinds=has_blocks * (has_list + has_mlp_list + n_rest),
        list_too_short=where(layers.n_attention != f.n_layers, has_list, 0.0),
        mlp_list_too_short=where(layers.n_mlp != f.n_layers, has_mlp_list, 0.0),
        blocks_too_few=where(blocks.n_blocks != f.n_layers, has_blocks, 0.0),
        kinds_missing=kinds_open * has_state * (1 - periodic) * (1 - slides),
        latent_and_heads=latent * (n_window + f.d_global_head + has_blocks),
        windows_off=n_window * (1 - f.uses_window),
        no_own_cache=where(f.n_sharing_cache < f.n_layers, 0.0, has_list),
        uneven_kv_heads=_is_uneven(f.n_heads, f.n_kv_heads),
        uneven_width=d_head_missing * _is_uneven(f.d_model, f.n_heads),
        uneven_window_heads=n_window * _is_uneven(f.n_window_heads, f.n_window_kv_heads),
        uneven_global_kv_heads=global_heads * _is_uneven(f.n_heads, f.n_global_kv_heads),
        uneven_state_heads=keeps_state * _is_uneven(f.n_state_heads, f.n_state_key_heads),
        linear_block=blocks.n_linear,
        uneven_block=blocks.n_uneven,
        blocks_differ=blocks.n_other_kv_heads,
        block_without_width=blocks.n_without_width,
        no_attention=where(n_full + n_window + n_state > 0, 0.0, 1.0),
        no_full=where(n_full > 0, 0.0, periodic),
        experts_missing=where(layers.n_moe > 0, has_mlp_list * (1 - moe), 0.0),
        no_mlp=where(n_dense + n_moe > 0, 0.0, has_mlp_list),
        no_width=where(d_dense > 0, 0.0, needs_width),
        no_moe_layer=where(n_moe > 0, 0.0, moe),
        too_few_experts=where(f.n_experts_per_token > f.n_experts, moe, 0.0),
        no_window_len=where(f.window_len > 0, 0.0, maximum(n_window, should_slide)),
        periodic=periodic,
        window_kept=slides * family.window_ignored,
        blocks=has_blocks,
        cache_shared=shares_cache,
        family_unknown=family.unknown,
        state_unknown=keeps_state * (1 - has_state),
        cache_compressed=f.compressed,
    )
    return Derivation(
        fields=f,
        holds=holds,
        architecture=Architecture(
            **_by_name(f, family, holds)
            | dict(
                n_vocab=f.n_padded_vocab,
                n_kv_heads=where(has_blocks > 0, blocks.n_kv_heads, n_kv_heads),
                d_head=d_head,
                d_value=where(global_heads > 0, f.d_global_head, f.d_value),
                n_lookup=f.n_layers
                * where(f.d_layer_table > 0, f.d_layer_table * f.n_layer_vocab, 0.0),
                n_norms=where(has_blocks > 0, blocks.n_full + blocks.n_mlps, n_norms) + 1,
                n_full=n_full,
                n_full_cached=n_full_cached,
                n_window=n_window,
                n_window_cached=n_window_cached,
                qkv_bias=maximum(f.attention_bias, family.qkv_bias),
                o_bias=where(family.o_bias_follows > 0, f.attention_bias, family.o_bias),
                qk_norm_heads=where(
                    family.qk_norm_follows_use > 0, f.use_qk_norm, family.qk_norm_heads
                ),
                dense_width=where(has_blocks > 0, blocks.dense_width, d_dense * n_dense),
                mlp_bias=where(family.mlp_follows_bias > 0, f.mlp_bias, family.mlp_bias),
                n_moe=n_moe,
                shared_width=where(moe > 0, shared_width, 0.0),
                n_delta=n_state - n_mamba - n_kda,
                n_mamba=n_mamba,
                n_kda=n_kda,
            )
        ),
    )


def _complete(s: Fields, layers: Layers, family: Family) -> Fields:
    """The fields, with what follows from others where a file and its family state nothing."""
    old_decoder = family.two_decoders * (1 - s.new_decoder)
    d_head = given(s.d_head, floor(s.d_model / maximum(s.n_heads, 1.0)))
    complete = vars(s) | dict(
        n_layers=given(s.n_layers, layers.n_layers),
        n_kv_heads=where(old_decoder * s.multi_query > 0, 1.0, s.n_kv_heads),
        d_head=d_head,
        d_value=given(s.d_value, where(s.kv_rank > 0, s.d_nope, d_head)),
        d_inner=given(s.d_inner, family.d_inner_over_width * s.d_model),
        attention_bias=given(s.attention_bias, family.qkv_bias),
    )
    for name, form in FORMS.items():
        if form.stand_in:
            complete[name] = given(complete[name], complete[form.stand_in])
    # As dataclasses.replace does, which takes twice the time for that many fields.
    return Fields(**complete)


def _by_name(fields: Fields, family: Family, holds: Conditions) -> dict[str, Value]:
    """What goes into the architecture under its own name: a field where it counts, or else 0."""
    told = vars(family) | vars(fields) | vars(holds)
    found = {name: value for name, value in vars(family).items() if name in _ARCHITECTURE}
    for name, when in _COUNTED.items():
        flag, value = told[when.removeprefix("not ")], told[name]
        found[name] = where(flag > 0, value, 0.0) if when in told else where(flag > 0, 0.0, value)
    return found


def _is_uneven(whole: Value, part: Value) -> Value:
    """1 where a number of parts does not divide a whole."""
    share = whole / maximum(part, 1.0)
    return where(share > floor(share), 1.0, 0.0)
