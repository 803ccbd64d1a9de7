"""Which fields of a config.json decide about an architecture: tables, and nothing that acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Literal

from calc.quantity import Value

#: Widths beyond this are typing errors, not models. [count]
LARGEST_COUNT = 100_000_000

#: Where multimodal configs keep the language model, outermost first.
WRAPPERS = ("text_config", "language_config", "llm_config", "thinker_config")

_NAN = float("nan")


@dataclass(frozen=True)
class Form:
    """How a config.json states a number, and what is said where it does not.

    The first of `names` that is there counts; a dot leads into an object, and a name that may
    be `outside` is also looked for around the language model. `low` is the least that can be.
    `when` and `mention` name conditions of `When`: the field counts only then; and only then, if
    it is missing, is it said what stands in for it.
    """

    names: tuple[str, ...]
    holds: Literal["count", "number", "switch", "anything"]
    label: str
    low: int = 0
    when: str = "always"
    mention: str = "never"
    sentence: str = "{label} is missing: {value}"
    words: tuple[str, str] = ("false", "true")
    outside: bool = False


def _form(holds: Any, names: str, label: str = "", default: float = _NAN, **rest: Any) -> Any:
    first, *others = names.split()
    form = Form((first, *others), holds, label or first, **rest)
    return field(default=default, metadata={"form": form})


_count = partial(_form, "count")
_switch = partial(_form, "switch")

# Fields that count together, or of which it is said alike what stands in for them.
_latent = partial(_count, when="latent", mention="always")
_window = partial(_count, low=1, when="plain", mention="windows_differ")
_global = partial(_form, when="global_heads", mention="always")
_moe = partial(_count, when="moe", mention="always")
_moe_counted = partial(_count, when="moe_counted", mention="always")
_state = partial(_count, low=1, when="keeps_state")


# The records that a reading makes on its way are not frozen: it takes a third of the time.
@dataclass
class Fields:
    """What a config.json states in one number each. Switches are 0 or 1.

    The default stands in where neither the file nor the family's class states one; NaN = that
    follows from other fields, or nothing can stand in.
    """

    d_model: Value = _count("hidden_size n_embd d_model", low=1)
    n_vocab: Value = _count("padded_vocab_size vocab_size", label="vocab_size", low=1)
    n_heads: Value = _count("num_attention_heads n_head n_heads", low=1)
    n_layers: Value = _count("num_hidden_layers n_layer num_layers n_layers", low=1)

    # --- kinds of layers ---
    full_every: Value = _count(
        "full_attention_interval sliding_window_pattern _sliding_window_pattern", when="kinds_open"
    )
    uses_window: Value = _switch("use_sliding_window", when="window_open")
    n_before_window: Value = _count("max_window_layers", default=0.0, when="late_window")
    window_len: Value = _count("sliding_window attention_chunk_size", when="slides")
    n_sharing_cache: Value = _count("num_kv_shared_layers", default=0.0, when="kinds_listed")
    compressed: Value = _form(
        "anything", "compress_ratios compress_ratio", default=0.0, when="never"
    )

    # --- attention ---
    new_decoder: Value = _switch("new_decoder_architecture", default=0.0, when="two_decoders")
    multi_query: Value = _switch("multi_query", default=1.0, when="old_decoder")
    n_kv_heads: Value = _count(
        "multi_query_group_num num_key_value_heads num_kv_heads n_head_kv n_kv_heads",
        label="num_key_value_heads",
        low=1,
        when="kv_heads_counted",
        mention="always",
        sentence="{label} is missing: one per query head",
    )
    kv_rank: Value = _count("kv_lora_rank", default=0.0)
    d_nope: Value = _latent("qk_nope_head_dim", low=1)
    d_rope: Value = _latent("qk_rope_head_dim", default=0.0)
    d_head: Value = _count(
        "head_dim attention_head_dim kv_channels",
        low=1,
        when="plain",
        mention="always",
        sentence="{label} = hidden_size / num_attention_heads = {value}",
    )
    d_value: Value = _count("v_head_dim", low=1, mention="values_differ")
    q_rank: Value = _latent("q_lora_rank", default=0.0)
    n_index_heads: Value = _latent("index_n_heads", default=0.0)
    d_index: Value = _latent("index_head_dim", default=0.0)
    n_window_heads: Value = _window("swa_num_attention_heads")
    d_window_head: Value = _window("swa_head_dim")
    n_window_kv_heads: Value = _window("swa_num_key_value_heads")
    d_window_value: Value = _window("swa_v_head_dim")
    # Gemma 4: the plain names are those of the window layers.
    d_global_head: Value = _count("global_head_dim", low=1, default=0.0, when="plain")
    n_global_kv_heads: Value = _global("count", "num_global_key_value_heads", low=1)
    values_are_keys: Value = _global("switch", "attention_k_eq_v", default=0.0)

    # --- MLPs and experts ---
    n_experts: Value = _count(
        "n_routed_experts num_local_experts num_experts", default=0.0, when="layers_alike"
    )
    d_inner: Value = _count(
        "intermediate_size ffn_hidden_size n_inner ffn_dim",
        when="layers_alike",
        mention="experts",
        sentence="{label} is missing: no dense MLP",
    )
    has_moe_block: Value = _switch(
        "enable_moe_block", default=1.0, when="experts", mention="moe_beside_mlp"
    )
    n_first_dense: Value = _moe_counted("first_k_dense_replace", default=0.0)
    moe_every: Value = _moe_counted("interleave_moe_layer_step decoder_sparse_step", default=1.0)
    d_expert: Value = _moe(
        "moe_intermediate_size expert_intermediate_size",
        low=1,
        sentence="experts are as wide as intermediate_size says",
    )
    d_dense: Value = _moe("dense_intermediate_size intermediate_size_mlp")
    n_shared: Value = _moe("n_shared_experts num_shared_experts", default=0.0)
    shared_width: Value = _moe(
        "moe_shared_expert_intermediate_size shared_expert_intermediate_size share_expert_dim",
        default=0.0,
    )
    n_experts_per_token: Value = _moe(
        "num_experts_per_tok num_experts_per_token top_k_experts experts_per_token", low=1
    )
    d_expert_input: Value = _moe("moe_latent_size")

    # --- layers with a constant state ---
    n_state_key_heads: Value = _state("linear_num_key_heads n_groups linear_attn_config.num_heads")
    n_state_heads: Value = _state(
        "linear_num_value_heads mamba_num_heads linear_attn_config.num_heads"
    )
    d_state_key: Value = _state("linear_key_head_dim ssm_state_size linear_attn_config.head_dim")
    d_state_value: Value = _state(
        "linear_value_head_dim mamba_head_dim linear_attn_config.head_dim"
    )
    conv_len: Value = _state(
        "linear_conv_kernel_dim conv_kernel linear_attn_config.short_conv_kernel_size"
    )

    # --- biases, norms, tables ---
    attention_bias: Value = _switch("attention_bias add_qkv_bias qkv_bias", mention="always")
    mlp_bias: Value = _switch("mlp_bias", default=0.0, when="mlp_bias_stated")
    use_qk_norm: Value = _switch("use_qk_norm", default=0.0, mention="qk_norm_stated")
    tied: Value = _switch(
        "tie_word_embeddings",
        default=0.0,
        mention="always",
        words=("two tables", "one table, as the family has it"),
        outside=True,
    )
    d_layer_table: Value = _count("hidden_size_per_layer_input", default=0.0)
    n_layer_vocab: Value = _count("vocab_size_per_layer_input", default=0.0, when="layer_table")
    output_gate: Value = _switch("attn_output_gate", default=0.0)
    full_sinks: Value = _switch(
        "add_full_attention_sink_bias", default=0.0, mention="windows_differ"
    )
    window_sinks: Value = _switch(
        "add_swa_attention_sink_bias", default=0.0, mention="windows_differ"
    )


@dataclass
class Block:
    """What an entry of `block_configs`, a layer with sizes of its own, states."""

    skips_attention: Value = _switch("attention.no_op", default=0.0)
    linear_attention: Value = _switch("attention.replace_with_linear", default=0.0)
    group: Value = _count("attention.n_heads_in_group")
    skips_mlp: Value = _switch("ffn.no_op", default=0.0)
    linear_mlp: Value = _switch("ffn.replace_with_linear", default=0.0)
    mlp_multiple: Value = _form("number", "ffn.ffn_mult")


@dataclass
class When:
    """Conditions under which a field counts, or its absence is said: 1 = it is so."""

    # Kinds of layers: a list says how they attend; nothing does; a window is stated, and it is
    # open who has one; the first layers have none; some layers have one.
    kinds_listed: Value
    kinds_open: Value
    window_open: Value
    late_window: Value
    slides: Value

    # Attention: a family has two decoders, and this is the old one, with one KV head, or not; a
    # latent per token, or heads; values, window layers, full layers with widths of their own.
    two_decoders: Value
    old_decoder: Value
    kv_heads_counted: Value
    latent: Value
    plain: Value
    values_differ: Value
    windows_differ: Value
    global_heads: Value

    # MLPs: no layer has sizes of its own; there are experts; layers have them, which no list
    # names; dense MLPs stand beside them.
    layers_alike: Value
    experts: Value
    moe: Value
    moe_counted: Value
    moe_beside_mlp: Value

    keeps_state: Value
    mlp_bias_stated: Value
    qk_norm_stated: Value
    layer_table: Value
    always: Value = 1.0
    never: Value = 0.0


#: Fields that say nothing about sizes; every other one that did not count is reported.
NO_SIZE = frozenset(
    [
        *("architectures", "auto_map", "model_type", "transformers_version", "torch_dtype"),
        *("cache_implementation", "dtype", "initializer_range", "pretraining_tp", "chunk_size"),
        *("bos_token_id", "eos_token_id", "pad_token_id", "max_position_embeddings"),
        *("rope_parameters", "rope_scaling", "rope_theta", "partial_rotary_factor"),
        *("hidden_act", "hidden_activation", "mlp_hidden_act", "rms_norm_eps"),
        *("attention_dropout", "embd_pdrop", "hidden_dropout", "resid_pdrop"),
        *("attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar"),
        *("n_group", "topk_group", "topk_method", "scoring_func", "norm_topk_prob"),
        *("routed_scaling_factor", "output_router_logits", "router_aux_loss_coef", "use_cache"),
    ]
)

#: The forms of all fields, by the field's own name.
FORMS: Mapping[str, Form] = {each.name: each.metadata["form"] for each in fields(Fields)}
BLOCK_FORMS: Mapping[str, Form] = {each.name: each.metadata["form"] for each in fields(Block)}
