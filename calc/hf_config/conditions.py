"""What may be so of a config.json, and what is said where it is: a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import partial
from typing import Any, Literal

from calc.quantity import Value


@dataclass(frozen=True)
class Remark:
    """What is said where a condition holds; names in braces are numbers of the reading, or words.

    A problem ends the reading.
    """

    kind: Literal["problem", "derived", "guess"]
    text: str


def _condition(default: Any = MISSING) -> Any:
    return field(default=default)


def _remark(kind: Any, text: str) -> Any:
    return field(metadata={"remark": Remark(kind, text)})


_problem = partial(_remark, "problem")
_derived = partial(_remark, "derived")
_guess = partial(_remark, "guess")


# As those of `fields`, this record is not frozen: it takes a third of the time.
@dataclass
class Conditions:
    """Each condition, 1 = it holds. The first problem is the one told."""

    less_padded: Value = _condition()

    # Kinds of layers: a list says how they attend; a window is stated, and it is open who has
    # one; all but the first have one; some have one; some keep a state.
    kinds_listed: Value = _condition()
    window_open: Value = _condition()
    all_slide: Value = _derived("{n_window} of {n_layers} layers slide")
    slides: Value = _condition()
    keeps_state: Value = _condition()
    # What lists say of full layers, and of experts, is not what a period or places say.
    other_full: Value = _condition()
    other_placed: Value = _condition()
    placed: Value = _condition()
    # Some attend with plain heads; states have heads, keys, convolutions.
    plain_heads: Value = _condition()
    state_heads_counted: Value = _condition()
    state_keys_counted: Value = _condition()
    convolves: Value = _condition()
    other_state_width: Value = _condition()
    other_moe: Value = _condition()

    # Attention: this is the old one of a family's two decoders, with one KV head, or these are
    # counted, or should be; there is a latent per token, or should be; values, full layers have
    # widths of their own.
    old_decoder: Value = _condition()
    may_share_heads: Value = _condition()
    one_kv_head: Value = _derived("{words.family} shares one KV head")
    kv_heads_counted: Value = _condition()
    kv_heads_missing: Value = _condition()
    heads_grouped: Value = _condition()
    latent: Value = _derived(
        "MLA: one latent of kv_lora_rank + qk_rope_head_dim per token and layer"
    )
    latent_missing: Value = _condition()
    # No list says which layers have an indexer of their own.
    index_unlisted: Value = _condition()
    # Queries go through a latent of their own, as keys do, or beside a compressed cache.
    ranked: Value = _condition()
    compresses: Value = _derived(
        "{n_csa} layers keep one entry for {csa_len} tokens, {n_hca} one for {hca_len}; all "
        "{n_layers} have a window beside it"
    )
    other_qk_width: Value = _condition()
    values_have_width: Value = _condition()
    global_heads: Value = _condition()

    # What encodes images is counted, and can be.
    tower_counted: Value = _condition()

    # MLPs: widths are counted; there are experts; layers have them; a width beside them is one;
    # these no list names.
    mlps_differ: Value = _condition()
    dense_counted: Value = _condition()
    shared_counted: Value = _condition()
    none_shared: Value = _condition()
    qk_norm_counted: Value = _condition()
    experts: Value = _condition()
    experts_counted: Value = _condition()
    moe_missing: Value = _condition()
    shared_missing: Value = _condition()
    moe: Value = _condition()
    moe_counted: Value = _condition()
    moe_placed: Value = _condition()
    other_moe_placed: Value = _condition()

    blocks_and_kinds: Value = _problem(
        "block_configs says what each layer holds, and so does a list, a period or a window."
    )
    index_list_too_short: Value = _problem(
        "{words.index_list} has {n_index} entries, but there are {n_layers} layers."
    )
    list_too_short: Value = _problem(
        "{words.attention_list} has {n_attention} entries, but there are {n_layers} layers."
    )
    mlp_list_too_short: Value = _problem(
        "{words.mlp_list} has {n_mlp} entries, but there are {n_layers} layers."
    )
    blocks_too_few: Value = _problem(
        "block_configs has {n_blocks} entries, but there are {n_layers} layers."
    )
    kinds_missing: Value = _problem(
        "model_type {words.family} has layers with a state, but nothing says which ones."
    )
    latent_and_heads: Value = _problem(
        "kv_lora_rank does not go with windows, global_head_dim or block_configs."
    )
    windows_off: Value = _problem(
        "use_sliding_window is false, but {words.attention_list} has layers that slide."
    )
    ratios_missing: Value = _problem(
        "model_type {words.family} compresses its cache, but nothing says in which layers."
    )
    ratios_unknown: Value = _problem(
        "{words.attention_list} has layers with a compressed cache, which are counted in "
        "deepseek_v4 alone; model_type is {words.family}."
    )
    compressed_and_others: Value = _problem(
        "{words.attention_list} has layers with a compressed cache beside {n_full} that keep "
        "everything and {n_state} with a state, which is not counted here."
    )
    compressed_heads: Value = _problem(
        "a compressed cache has one KV head, but {words.n_kv_heads} is {n_kv_heads}."
    )
    no_compressed_rank: Value = _problem("q_lora_rank is 0, beside a compressed cache.")
    no_index_keys: Value = _problem(
        "{n_csa} layers read the best of a compressed cache, but nothing says by which keys."
    )
    no_latent_width: Value = _problem("qk_nope_head_dim or v_head_dim is 0, beside kv_lora_rank.")
    ungrouped: Value = _problem(
        "{words.multi_query} is false, but {n_kv_heads} KV heads are stated beside {n_heads} heads."
    )
    no_own_cache: Value = _problem(
        "num_kv_shared_layers is {n_sharing_cache}, but there are {n_layers} layers."
    )
    own_heads_open: Value = _problem(
        "the last {n_sharing_cache} layers share a cache, but KV heads differ by layer."
    )
    uneven_kv_heads: Value = _problem(
        "{n_heads} query heads cannot share {n_kv_heads} KV heads evenly."
    )
    uneven_width: Value = _problem(
        "head_dim is missing, and {n_heads} heads do not divide a width of {d_model}."
    )
    uneven_window_heads: Value = _problem(
        "{n_window_heads} query heads of window layers cannot share {n_window_kv_heads} KV heads "
        "evenly."
    )
    uneven_global_kv_heads: Value = _problem(
        "{n_heads} query heads cannot share {n_global_kv_heads} global KV heads evenly."
    )
    uneven_output_groups: Value = _problem(
        "{n_heads} query heads do not go evenly into {o_groups} groups (o_groups)."
    )
    uneven_state_heads: Value = _problem(
        "{n_state_heads} heads with a state cannot share {n_state_key_heads} heads or groups of "
        "keys evenly."
    )
    linear_block: Value = _problem(
        "block_configs has layers replaced by a linear one, which are not counted here."
    )
    uneven_block: Value = _problem(
        "block_configs.attention.n_heads_in_group must divide the {n_heads} heads in each block."
    )
    block_without_width: Value = _problem("block_configs.ffn_mult must be a positive number.")
    places_too_many: Value = _problem(
        "{words.n_full_placed} has {n_full_placed} layers, but there are {n_layers}."
    )
    cross_too_many: Value = _problem(
        "{words.n_cross} has {n_cross} layers, but there are {n_full} that attend."
    )
    widths_and_experts: Value = _problem(
        "{words.d_inner} differs by layer, which is not counted beside experts."
    )
    matrices_unknown: Value = _problem(
        "model_type {words.family} is not known, and nothing says whether its MLPs have two "
        "matrices or three."
    )
    no_attention: Value = _problem("No layer attends or keeps a state.")
    no_full: Value = _problem(
        "every {full_every}th layer is full ({words.full_every}), but there are {n_layers} layers."
    )
    moe_off_listed: Value = _problem(
        "{words.mlp_list} has layers with experts, but {words.has_moe_block} is false."
    )
    experts_missing: Value = _problem(
        "{words.mlp_list} has layers with experts, but the number of experts is missing."
    )
    no_mlp: Value = _problem("{words.mlp_list} has no layer with an MLP.")
    no_width: Value = _problem("intermediate_size is missing.")
    no_expert_width: Value = _problem("intermediate_size, the width of the experts, is missing.")
    no_moe_layer: Value = _problem("There are {n_experts} experts, but no layer has them.")
    shared_open: Value = _problem(
        "{words.n_shared} is {n_shared}, and nothing says whether {words.shared_width} is the "
        "width of each or of all."
    )
    no_experts_per_token: Value = _problem("{words.n_experts_per_token} is 0.")
    too_few_experts: Value = _problem(
        "{n_experts_per_token} experts per token, but only {n_experts} experts."
    )
    uneven_expert_groups: Value = _problem(
        "{n_experts} experts do not go evenly into {n_expert_groups} groups."
    )
    other_top_groups: Value = _problem(
        "{n_top_groups} of {n_expert_groups} groups do not have {n_experts_per_token} experts."
    )
    no_window_len: Value = _problem("sliding_window is missing, but some layers slide.")

    periodic: Value = _derived(
        "every {full_every}th layer is full: {n_full} of {n_layers} ({words.full_every})"
    )
    periodic_state: Value = _derived(
        "every {full_every}th layer attends: {n_full} of {n_layers} ({words.attends_every})"
    )
    window_kept: Value = _derived("sliding_window is ignored: engines keep the whole context")
    kv_heads_differ: Value = _derived(
        "KV heads differ by layer: {full_kv_heads} in {n_full} full layers; several GPUs share "
        "them as if each had the fewest, {n_kv_heads}"
    )
    cross: Value = _derived(
        "{n_cross} layers attend to an image: what they cache does not grow with the text, and is "
        "not counted"
    )
    heads_apart: Value = _derived("{words.multi_query} is false: one KV head per query head")
    shared_each: Value = _derived("{words.shared_width} is the width of each of {n_shared} experts")
    shared_together: Value = _derived("{words.shared_width} is the width of all {n_shared} experts")
    latent_off: Value = _derived("{words.uses_latent} is false: heads are plain")
    moe_off: Value = _derived("{words.has_moe_block} is false: no layer has experts")
    beside_state: Value = _derived("every layer attends and keeps a state")
    doubled: Value = _derived(
        "every layer has {sublayers} attention blocks, each with its own cache and MLP"
    )
    zero_experts: Value = _derived(
        "{n_zero_experts} of the experts have no weights: on average {n_experts_per_token} of a "
        "token's have them"
    )
    index_shared: Value = _derived(
        "{n_indexed} layers have an indexer; {n_index_shared} share one ({words.index_list})"
    )
    draft: Value = _derived(
        "draft layers ({n_draft}), {n_draft_params:,} parameters, are loaded only with "
        "speculation, and not counted"
    )
    draft_unknown: Value = _derived(
        "draft layers ({n_draft}) are missing from the count ({words.n_draft})"
    )
    tower: Value = _derived(
        "what encodes images, {n_tower_params:,} parameters beside these, is held and never read"
    )
    tower_unknown: Value = _derived(
        "what encodes images is missing from the count ({words.has_tower})"
    )
    audio_unknown: Value = _derived(
        "what hears or speaks is missing from the count ({words.has_audio})"
    )
    blocks: Value = _derived("{n_full} of {n_blocks} blocks have attention (block_configs)")
    cache_shared: Value = _derived(
        "the last {n_sharing_cache} layers use keys and values of earlier ones"
    )
    doubled_mlps: Value = _derived(
        "the MLPs of the last {n_sharing_cache} layers are twice as wide ({words.double_wide})"
    )

    family_unknown: Value = _guess(
        "model_type {words.family} is not known: biases and norms are counted as in Llama, "
        "and {mlp_matrices} matrices per MLP, as its activation suggests"
    )
    qk_norm_open: Value = _guess("{words.use_qk_norm}: norms of queries and keys are not counted")
    state_unknown: Value = _guess("layers with a state count as gated delta rule")
    sparse: Value = _guess("{words.sparse_reads}: counted as reading all of the cache")

    always: Value = _condition(1.0)
    never: Value = _condition(0.0)


#: The remarks of all conditions that have one, by the condition's name.
REMARKS: Mapping[str, Remark] = {
    each.name: each.metadata["remark"] for each in fields(Conditions) if each.metadata
}
