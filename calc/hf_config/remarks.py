"""What is said of a config.json: why it cannot be, what followed from what, what is a guess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Literal

from calc.quantity import Value


@dataclass(frozen=True)
class Sentence:
    """A remark's text; a name in braces is a number of the reading, or one of its words."""

    kind: Literal["problem", "derived", "guess"]
    text: str


def _sentence(kind: Any, text: str) -> Any:
    return field(metadata={"sentence": Sentence(kind, text)})


_problem = partial(_sentence, "problem")
_derived = partial(_sentence, "derived")
_guess = partial(_sentence, "guess")


@dataclass
class Remarks:
    """Each remark, and whether it is made: 1 = it is. The first problem is the one told."""

    too_many_layers: Value = _problem(
        "num_hidden_layers is {n_layers:,}; no model has so many layers."
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
    full_beyond_layers: Value = _problem(
        "linear_attn_config names full layers that are not among the {n_layers} layers."
    )
    uneven_kv_heads: Value = _problem(
        "{n_heads} query heads cannot share {n_kv_heads} KV heads evenly."
    )
    uneven_width: Value = _problem(
        "head_dim is missing, and {n_heads} heads do not divide a width of {d_model}."
    )
    uneven_global_kv_heads: Value = _problem(
        "num_global_key_value_heads does not divide the query heads."
    )
    linear_block: Value = _problem(
        "block_configs has layers replaced by a linear one, which are not counted here."
    )
    uneven_block: Value = _problem(
        "block_configs.attention.n_heads_in_group must divide the {n_heads} heads in each block."
    )
    blocks_differ: Value = _problem(
        "block_configs has blocks with different numbers of KV heads; only equal ones are counted."
    )
    block_without_width: Value = _problem("block_configs.ffn_mult must be a positive number.")
    no_attention: Value = _problem("block_configs has no layer with attention.")
    no_width: Value = _problem("intermediate_size is missing.")
    too_few_experts: Value = _problem(
        "{n_experts_per_token} experts per token, but only {n_experts} experts."
    )
    no_window_len: Value = _problem("sliding_window is missing, but some layers slide.")

    periodic: Value = _derived(
        "every {full_every}th layer is full: {n_full} of {n_layers} ({words.full_every})"
    )
    window_ignored: Value = _derived("sliding_window is ignored: engines keep the whole context")
    all_slide: Value = _derived("{n_window} of {n_layers} layers slide")
    all_full: Value = _derived("no kinds of layers are given: all are full")
    old_decoder: Value = _derived("falcon without the new decoder shares one KV head")
    latent: Value = _derived(
        "MLA: one latent of kv_lora_rank + qk_rope_head_dim per token and layer"
    )
    blocks: Value = _derived("{n_full} of {n_blocks} blocks have attention (block_configs)")
    cache_shared: Value = _derived(
        "the last {n_sharing_cache} layers use the cache of earlier ones"
    )

    family_unknown: Value = _guess(
        "model_type {words.family} is not known: biases and norms are counted as in Llama"
    )
    state_unknown: Value = _guess("layers with a state are counted as gated delta rule")
    cache_compressed: Value = _guess(
        "{words.compressed}: a cache that is compressed over time is counted as a plain one"
    )


#: The sentences of all remarks, by the remark's name.
SENTENCES: Mapping[str, Sentence] = {
    each.name: each.metadata["sentence"] for each in fields(Remarks)
}
