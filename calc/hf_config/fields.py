"""Which fields of a config.json decide about an architecture: tables, and nothing that acts.

A new field is a line of `Fields`, and with its name in `Architecture` it is counted there. A new
condition is a line of `Conditions`, and one of `derive`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Literal

from calc.hf_config.layers import MOST_LAYERS
from calc.quantity import Value

#: Widths beyond this are typing errors, not models. [count]
LARGEST_COUNT = 100_000_000

#: Where multimodal configs keep the language model; they may nest.
WRAPPERS = ("thinker_config", "text_config", "language_config", "llm_config")

#: Heads, and their sizes, as `LayerKind` has them. [count]
LARGEST_HEAD = 10_000

_NAN = float("nan")

#: What is said where something stands in for a missing field.
MISSING = "{label} is missing: {value}"


@dataclass(frozen=True)
class Form:
    """How a config.json states a number, and what is said where it does not.

    The first of `names` that is there counts, and the others must say the same; a dot leads into
    an object, and one that may be `outside` is also taken from around the language model. What may
    stand `around` it is another's, if it has its own. `low` and `high` bound what can be. A list of
    equal entries is that value; one of different entries, one per layer, is added up if the field
    may be said `by_layer`. Places are a list of layers' numbers, which are counted; a word stands
    for the number that `meanings` has, or for none.

    `when` names a condition, a number above 0 of `Conditions`, `Family` or `Fields`, or the same
    with "not": the field counts only then; only if `mention` holds too, is it said what stands in
    for a missing one. `against` has conditions under which a value above `silent` contradicts the
    file, and why. `stand_in` is the field whose value a missing one has.
    """

    names: tuple[str, ...]
    holds: Literal["count", "number", "switch", "presence", "places", "word"]
    label: str
    low: int = 0
    high: int = LARGEST_COUNT
    when: str = "always"
    mention: str = "never"
    against: Mapping[str, str] = field(default_factory=dict)
    silent: int = 0
    stand_in: str = ""
    sentence: str = MISSING
    words: tuple[str, str] = ("false", "true")
    outside: bool = False
    around: bool = False
    by_layer: bool = False
    meanings: Mapping[str, float] = field(default_factory=dict)


def _form(holds: Any, names: str, default: float = _NAN, **rest: Any) -> Any:
    first, *others = names.split()
    form = Form(**{"names": (first, *others), "holds": holds, "label": first} | rest)
    return field(default=default, metadata={"form": form})


_count = partial(_form, "count")
_switch = partial(_form, "switch")
_heads = partial(_count, low=1, high=LARGEST_HEAD)
_places = partial(_form, "places")
_word = partial(_form, "word")


def _tower(names: str, **rest: Any) -> Any:
    """A field of an image encoder, which stands in an object of its own around the model."""
    inside = " ".join(f"vision_config.{name}" for name in names.split())
    return _beside(rest.pop("holds", "count"), inside, low=1, when="tower_counted", **rest)


_beside = partial(_form, outside=True)

# Why what a field states cannot be, by the condition that says so.
_LESS_PADDED = {"less_padded": "vocab_size is larger"}
_NO_KV_HEADS = {"kv_heads_missing": "the number of KV heads is missing"}
_BLOCKS = {"blocks": "block_configs says what each layer holds"}
_NO_LIST = {"not kinds_listed": "no list says what each layer is"}
_OTHER_FULL = {"other_full": "{words.attention_list} has {n_full} full layers of {n_layers}"}
_OTHER_PLACED = {"other_placed": "{words.attention_list} has {n_full} full layers of {n_layers}"}
_NO_CROSS = {"not may_cross": "layers that attend to an image are not counted in this family"}
_CROSS_LAYER = {"cross_layer": "a cache that layers share by use_cla is not counted here"}
_OTHER_MLPS = {"mlps_differ": "only MLPs of one width are counted twice as wide"}
_NO_LATENT = {"latent_missing": "kv_lora_rank is missing"}
_OTHER_WIDTH = {"other_qk_width": "qk_nope_head_dim + qk_rope_head_dim is another number"}
_NO_INDEX = {"not n_index_heads": "index_n_heads is missing"}
_NO_INDEX_SIZE = {"not d_index": "index_head_dim is missing"}
_NO_COMPRESSION = {"not compresses": "no list says which layers compress their cache"}
_ONE_VECTOR = {"compresses": "a compressed cache has one vector of head_dim as key and value"}
_NO_INDEX_LIST = {"index_unlisted": "only indexers in every layer, or indexer_types, are counted"}
_NO_WINDOW = {"not slides": "no layer has a window"}
_NO_LENGTH = {"not window_len": "sliding_window is missing"}
_NO_GLOBAL = {"not global_heads": "global_head_dim is missing"}
# Where a switch is off, what goes with it may be stated all the same.
_NO_EXPERTS = {"moe_missing": "no layer has experts"}
_NO_SHARED = {"shared_missing": "no layer has experts"}
_NONE_SHARED = {"none_shared": "{words.n_shared} is 0"}
_OTHER_MOE = {"other_moe": "{words.mlp_list} has experts in {n_moe} of {n_layers} layers"}
_OTHER_MOE_PLACED = {"other_moe_placed": "{words.mlp_list} has experts in {n_moe} layers"}
_ALL_MOE = {"moe_beside_mlp": "every layer has experts beside its MLP"}
_ANY_STEP = {"always": "only experts in every layer, or in those of a list, are counted by it"}
_OTHER_STATE_WIDTH = {"other_state_width": "its heads times their size is another number"}
_NO_STATE = {"not keeps_state": "no layer keeps a state"}
_OTHER_STATE = "the family's layers keep no such state"
_NO_STATE_HEADS = _NO_STATE | {"not state_heads_counted": _OTHER_STATE}
_NO_STATE_KEYS = _NO_STATE | {"not state_keys_counted": _OTHER_STATE}
_NO_RATIO = {"not d_inner_over_width": "the family's MLPs are not so many times as wide"}
_NO_PERIOD = {"not attends_every": "attn_layer_period is missing"}

# Fields that count together, or of which it is said alike what stands in for them.
_latent = partial(_count, when="latent", mention="always", against=_NO_LATENT)
_ranked = partial(_latent, when="ranked")
_compressed = partial(_count, when="compresses", against=_NO_COMPRESSION)
_window = partial(_heads, when="slides", mention="values_differ", against=_NO_WINDOW)
_global = partial(_form, when="global_heads", mention="always", against=_NO_GLOBAL)
_moe = partial(_count, when="moe", mention="always", against=_NO_EXPERTS)
_moe_counted = partial(_moe, when="moe_counted", against=_NO_EXPERTS | _ALL_MOE | _OTHER_MOE)
_state = partial(_count, low=1, when="keeps_state", mention="always", against=_NO_STATE)


# The records that a reading makes on its way are not frozen: it takes a third of the time.
@dataclass
class Fields:
    """What a config.json states in one number each. Switches are 0 or 1.

    The default stands in where neither the file nor the family's class states one; NaN = that
    follows from other fields, or nothing can stand in.
    """

    d_model: Value = _count(
        "hidden_size n_embd n_embed d_model word_embed_proj_dim block_dim", low=1, around=True
    )
    n_vocab: Value = _count("vocab_size", low=1, stand_in="n_padded_vocab")
    n_padded_vocab: Value = _count(
        "padded_vocab_size", low=1, stand_in="n_vocab", against=_LESS_PADDED
    )
    n_heads: Value = _heads(
        "num_attention_heads_per_layer num_attention_heads n_head n_heads num_heads",
        label="num_attention_heads",
        by_layer=True,
    )
    n_layers: Value = _count(
        "num_hidden_layers n_layer num_layers n_layers", low=1, high=MOST_LAYERS
    )

    # --- kinds of layers ---
    full_every: Value = _count(
        "full_attention_interval sliding_window_pattern _sliding_window_pattern "
        "no_rope_layer_interval layer_switch global_attn_every_n_layers",
        default=0.0,
        when="not kinds_listed",
        against=_OTHER_FULL,
    )
    attends_every: Value = _count(
        "attn_layer_period layer_group_size", default=0.0, when="keeps_state", against=_NO_STATE
    )
    full_offset: Value = _count("attn_layer_offset", when="attends_every", against=_NO_PERIOD)
    n_full_placed: Value = _places(
        "full_attn_idxs attn_layer_indices", when="placed", against=_OTHER_PLACED | _NO_STATE
    )
    n_cross: Value = _places(
        "cross_attention_layers", default=0.0, when="may_cross", against=_NO_CROSS
    )
    uses_window: Value = _switch(
        "use_sliding_window", default=1.0, when="window_open", against=_NO_LENGTH
    )
    n_before_window: Value = _count("max_window_layers", default=0.0, when="all_slide")
    window_len: Value = _count(
        "sliding_window attention_chunk_size sliding_window_size", default=0.0, when="slides"
    )
    n_sharing_cache: Value = _count(
        "num_kv_shared_layers",
        default=0.0,
        when="kinds_listed",
        against=_NO_LIST,
    )
    double_wide: Value = _switch(
        "use_double_wide_mlp", default=0.0, when="cache_shared", against=_OTHER_MLPS
    )
    cross_layer: Value = _switch("use_cla", default=0.0)
    n_layers_per_cache: Value = _count(
        "cla_share_factor", low=1, when="cross_layer", silent=1, against=_CROSS_LAYER
    )
    sparse_reads: Value = _form("presence", "sparse_attention_config", default=0.0)
    csa_len: Value = _compressed(
        "compress_rates.compressed_sparse_attention compress_rate_csa", low=1, default=4.0
    )
    hca_len: Value = _compressed(
        "compress_rates.heavily_compressed_attention compress_rate_hca", low=1, default=128.0
    )

    # --- attention ---
    new_decoder: Value = _switch("new_decoder_architecture", default=0.0, when="two_decoders")
    multi_query: Value = _switch(
        *("multi_query multi_query_attention", 1.0), when="may_share_heads", against=_NO_KV_HEADS
    )
    n_kv_heads: Value = _heads(
        "num_key_value_heads_per_layer multi_query_group_num num_attention_groups "
        "num_key_value_heads num_kv_heads "
        "n_head_kv n_kv_heads attn_config.kv_n_heads",
        label="num_key_value_heads",
        by_layer=True,
        when="kv_heads_counted",
        against=_BLOCKS,
        stand_in="n_heads",
        mention="always",
        sentence="{label} is missing: one per query head",
    )
    uses_latent: Value = _switch("use_mla", default=1.0, against=_NO_LATENT)
    kv_rank: Value = _count("kv_lora_rank", default=0.0, when="uses_latent")
    d_nope: Value = _latent("qk_nope_head_dim", high=LARGEST_HEAD, against=_NO_LATENT | _ONE_VECTOR)
    d_rope: Value = _latent("qk_rope_head_dim", default=0.0, high=LARGEST_HEAD)
    d_qk: Value = _count(
        "qk_head_dim",
        default=0.0,
        when="latent",
        against=_NO_LATENT | _OTHER_WIDTH,
    )
    d_head: Value = _heads(
        "head_dim attention_head_dim kv_channels",
        when="plain_heads",
        mention="always",
        sentence="{label} = hidden_size / num_attention_heads = {value}",
    )
    d_value: Value = _heads(
        "v_head_dim", low=0, when="uses_latent", mention="values_have_width", against=_ONE_VECTOR
    )
    q_rank: Value = _ranked("q_lora_rank", default=0.0)
    n_index_heads: Value = _ranked(
        "index_n_heads", default=0.0, against=_NO_LATENT | _NO_INDEX_SIZE
    )
    d_index: Value = _ranked("index_head_dim", default=0.0, against=_NO_LATENT | _NO_INDEX)
    index_step: Value = _count(
        "index_topk_freq", low=1, default=1.0, when="never", silent=1, against=_NO_INDEX_LIST
    )
    index_pattern: Value = _form(
        "presence", "index_topk_pattern", default=0.0, when="never", against=_NO_INDEX_LIST
    )
    o_groups: Value = _compressed("o_groups", low=1, default=0.0)
    o_rank: Value = _compressed("o_lora_rank", low=1, default=0.0)
    n_streams: Value = _compressed("hc_mult", default=0.0, silent=1)
    index_top: Value = _count("index_topk", low=1, when="n_index_heads", against=_NO_INDEX)
    n_window_heads: Value = _window(
        "swa_num_attention_heads attention_other_setting.num_attention_heads", stand_in="n_heads"
    )
    d_window_head: Value = _window(
        "swa_head_dim attention_other_setting.head_dim", stand_in="d_head"
    )
    n_window_kv_heads: Value = _window(
        "swa_num_key_value_heads attention_other_setting.num_attention_groups",
        stand_in="n_kv_heads",
    )
    d_window_value: Value = _window("swa_v_head_dim", stand_in="d_value")
    # Gemma 4: the plain names are those of the window layers.
    d_global_head: Value = _heads("global_head_dim", default=0.0, when="not latent")
    n_global_kv_heads: Value = _global(
        *("count", "num_global_key_value_heads"), low=1, stand_in="n_kv_heads"
    )
    values_are_keys: Value = _global("switch", "attention_k_eq_v", default=0.0)

    # --- MLPs and experts ---
    n_experts: Value = _count(
        "n_routed_experts num_local_experts num_experts moe_num_experts ffn_config.moe_num_experts",
        default=0.0,
        when="experts_counted",
        against=_BLOCKS,
    )
    d_inner: Value = _count(
        "intermediate_size ffn_hidden_size n_inner ffn_dim block_ff_dim d_ff",
        by_layer=True,
        when="dense_counted",
        against=_BLOCKS,
        mention="experts",
        sentence="{label} is missing: no dense MLP",
    )
    inner_over_width: Value = _form(
        *("number", "expansion_ratio", 0.0), when="d_inner_over_width", against=_NO_RATIO
    )
    has_moe_block: Value = _switch(
        "enable_moe_block use_moe enable_moe is_moe",
        default=1.0,
        when="experts",
        against=_NO_EXPERTS,
        mention="global_heads",
    )
    multiple: Value = _form("number", "block_ffn_dim_multiplier", default=1.0, when="adjusts_width")
    multiple_of: Value = _count("block_multiple_of", low=1, default=256.0, when="adjusts_width")
    adjusts_width: Value = _switch("block_auto_adjust_ff_dim", default=0.0)
    matrices: Value = _word(
        "hidden_act mlp_hidden_act activation_function hidden_activation",
        when="unknown",
        meanings=dict(silu=3, swish=3, swiglu=3, relu2=2, xielu=2, relu=2),
    )
    n_first_dense: Value = _moe_counted(
        "first_k_dense_replace moe_layer_start_index num_dense_layers moe_layer_num_skipped",
        default=0.0,
    )
    n_before_dense: Value = _moe_counted("moe_layer_end_index", mention="never")
    n_moe_placed: Value = _places(
        "moe_layers_enum", when="moe_placed", against=_NO_EXPERTS | _OTHER_MOE_PLACED
    )
    n_mlp_only: Value = _places(
        "mlp_only_layers", default=0.0, when="moe_counted", against=_NO_EXPERTS
    )
    moe_every: Value = _moe_counted(
        "interleave_moe_layer_step decoder_sparse_step expert_layer_period moe_layer_interval "
        "moe_every_n_layer",
        low=1,
        default=1.0,
        silent=1,
    )
    moe_offset: Value = _moe_counted("expert_layer_offset", mention="never")
    d_expert: Value = _moe(
        "moe_intermediate_size expert_intermediate_size expert_hidden_dim expert_ffn_hidden_size "
        "ffn_config.ffn_hidden_size",
        low=1,
        sentence="experts are as wide as intermediate_size says",
    )
    d_dense: Value = _moe("dense_intermediate_size intermediate_size_mlp", stand_in="d_inner")
    n_shared: Value = _moe(
        "n_shared_experts num_shared_experts moe_num_shared_experts num_shared_expert",
    )
    shared_width: Value = _moe(
        "moe_shared_expert_intermediate_size shared_expert_intermediate_size share_expert_dim "
        "shared_intermediate_size",
        default=0.0,
        when="shared_counted",
        against=_NO_SHARED | _NONE_SHARED,
    )
    n_experts_per_token: Value = _moe(
        "num_experts_per_tok num_experts_per_token top_k_experts experts_per_token moe_k "
        "moe_topk moe_top_k ffn_config.moe_top_k",
    )
    n_zero_experts: Value = _moe("zero_expert_num", default=0.0, mention="never")
    # A token's experts are of so many of these groups, of all where none are stated.
    n_expert_groups: Value = _moe(
        "n_group num_expert_group num_expert_groups", default=0.0, mention="never", against={}
    )
    n_top_groups: Value = _moe("topk_group", default=0.0, mention="never", against={})
    d_expert_input: Value = _moe("moe_latent_size routed_expert_hidden_size", stand_in="d_model")
    narrow_norm: Value = _switch(
        "latent_moe_use_norm", default=0.0, when="moe", against=_NO_EXPERTS
    )
    moe_step: Value = _count(
        "moe_layer_freq",
        when="never",
        silent=1,
        against=_ANY_STEP,
    )

    # --- layers with a constant state ---
    n_state_key_heads: Value = _state(
        "linear_num_key_heads n_groups mamba_n_groups linear_attn_config.num_heads",
        when="state_heads_counted",
        against=_NO_STATE_HEADS,
    )
    n_state_heads: Value = _state(
        "linear_num_value_heads mamba_num_heads mamba_n_heads linear_attn_config.num_heads",
        when="state_heads_counted",
        against=_NO_STATE_HEADS,
    )
    d_state_key: Value = _state(
        "linear_key_head_dim ssm_state_size mamba_d_state state_size linear_attn_config.head_dim",
        when="state_keys_counted",
        against=_NO_STATE_KEYS,
    )
    d_state_value: Value = _state(
        "linear_value_head_dim mamba_head_dim mamba_d_head linear_attn_config.head_dim",
        when="state_heads_counted",
        against=_NO_STATE_HEADS,
    )
    conv_len: Value = _state(
        "linear_conv_kernel_dim conv_kernel mamba_d_conv conv_L_cache "
        "linear_attn_config.short_conv_kernel_size short_conv_kernel_size",
        when="convolves",
        against=_NO_STATE | {"not convolves": _OTHER_STATE},
    )
    d_state_heads: Value = _count(
        "mamba_d_ssm", default=0.0, when="mamba", against=_NO_STATE | _OTHER_STATE_WIDTH
    )
    expand: Value = _count(
        "mamba_expand expand", low=1, default=2.0, when="selective", against=_NO_STATE
    )
    step_rank: Value = _count(
        "mamba_dt_rank time_step_rank", low=1, when="selective", against=_NO_STATE
    )
    state_norm: Value = _switch("mamba_rms_norm", default=1.0, when="mamba", against=_NO_STATE)
    conv_bias: Value = _switch("conv_bias", default=0.0, when="conv")
    state_element_bytes: Value = _word(
        "mamba_ssm_cache_dtype mamba_ssm_dtype",
        default=4.0,
        when="keeps_state",
        meanings=dict(float32=4, float16=2, bfloat16=2),
    )
    full_rank_decay: Value = _switch("no_kda_lora", default=0.0, when="keeps_state")
    full_rank_gate: Value = _switch(
        "linear_attn_config.use_full_rank_gate", default=0.0, when="keeps_state", mention="kda"
    )

    # --- biases, norms, tables ---
    parallel: Value = _switch("parallel_attn", default=1.0, when="may_be_parallel")
    n_parallel_norms: Value = _count(
        "num_ln_in_parallel_attn", low=1, high=2, when="may_be_parallel"
    )
    attention_bias: Value = _switch(
        "attention_bias add_qkv_bias qkv_bias use_qkv_bias", mention="always"
    )
    mlp_bias: Value = _switch("mlp_bias", default=0.0, when="mlp_follows_bias")
    use_bias: Value = _switch(
        "use_bias bias", default=1.0, when="biases_follow_use", mention="always"
    )
    use_qk_norm: Value = _switch(
        "use_qk_norm qk_norm qk_layernorm",
        default=0.0,
        when="qk_norm_counted",
        mention="qk_norm_follows_use",
    )
    tied: Value = _switch(
        "tie_word_embeddings",
        default=0.0,
        mention="always",
        words=("two tables", "one table"),
        outside=True,
    )
    n_positions: Value = _count(
        "n_positions max_position_embeddings", low=1, when="learned_positions"
    )
    # --- beside the model: draft layers, and what encodes images ---
    n_draft: Value = _count("num_nextn_predict_layers mtp_num_hidden_layers", default=0.0)
    has_tower: Value = _beside("presence", "vision_config", default=0.0)
    has_audio: Value = _beside(
        "presence", "audio_config audio_encoder_config talker_config", default=0.0
    )
    n_tower_layers: Value = _tower("depth num_hidden_layers")
    d_tower: Value = _tower("hidden_size")
    d_tower_inner: Value = _tower("intermediate_size")
    d_tower_out: Value = _tower("out_hidden_size", stand_in="d_model")
    n_patch: Value = _tower("patch_size")
    n_frames: Value = _tower("temporal_patch_size", default=1.0)
    n_channels: Value = _tower("in_channels in_chans", default=3.0)
    n_image: Value = _tower("image_size", default=0.0)
    n_tower_positions: Value = _tower("num_position_embeddings", default=0.0)
    n_merge: Value = _tower("spatial_merge_size", default=2.0)
    n_deep: Value = _tower("deepstack_visual_indexes", holds="places", default=0.0)

    d_layer_table: Value = _count("hidden_size_per_layer_input", default=0.0)
    n_layer_vocab: Value = _count(
        "vocab_size_per_layer_input", low=1, when="d_layer_table", mention="always"
    )
    output_gate: Value = _switch("attn_output_gate", default=0.0)
    latent_gate: Value = _switch(
        "mla_use_output_gate", default=0.0, when="latent", against=_NO_LATENT
    )
    residual_block: Value = _count("attn_res_block_size", default=0.0)
    full_sinks: Value = _switch(
        "add_full_attention_sink_bias", default=0.0, mention="values_differ"
    )
    window_sinks: Value = _switch(
        "add_swa_attention_sink_bias", default=0.0, mention="values_differ"
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


#: Fields that say nothing about sizes; every other one that did not count is reported.
NO_SIZE = frozenset(
    [
        *(
            "architectures",
            "auto_map",
            "model_type",
            "_name_or_path",
            "transformers_version",
            "torch_dtype",
        ),
        *("cache_implementation", "dtype", "initializer_range", "pretraining_tp", "chunk_size"),
        *("bos_token_id", "eos_token_id", "pad_token_id", "max_position_embeddings", "n_ctx"),
        *("seq_length", "activation_function", "rotary_pct"),
        *("rope_parameters", "rope_scaling", "rope_theta", "partial_rotary_factor"),
        *("hidden_act", "hidden_activation", "mlp_hidden_act", "rms_norm_eps"),
        *("layer_norm_eps", "layer_norm_epsilon", "post_layer_norm"),
        *("attention_dropout", "embd_pdrop", "hidden_dropout", "resid_pdrop"),
        *("attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar"),
        *("topk_method", "scoring_func", "norm_topk_prob"),
        *("routed_scaling_factor", "output_router_logits", "router_aux_loss_coef", "use_cache"),
    ]
)

#: Words in names of fields that say what layers are: one that is not known stops a reading.
SPEAKING = frozenset(
    [
        *("attention", "attn", "compress", "conv", "cross", "delta", "expert", "experts", "gla"),
        *("heads", "kda", "kv", "latent", "layer", "layers", "lightning", "linear", "lora", "lru"),
        *("mamba", "mla", "moe", "rank", "recurrent", "rwkv", "sliding", "sparse", "ssm", "state"),
        *("swa", "window"),
    ]
)

#: Words beside them by which it is no size: a factor, a function, a type, training, how it is run,
#: or a draft or vision layer, which is knowingly not counted.
SILENCING = frozenset(
    [
        *("act", "activation", "func", "norm", "eps", "epsilon", "rope", "nope", "theta", "scale"),
        *(
            "scaling",
            "multiplier",
            "softcapping",
            "temperature",
            "value",
            "beta",
            "bound",
            "router",
        ),
        *("renormalize", "dtype", "fp32", "dropout", "pdrop", "prob", "aux", "loss", "coef"),
        *(
            "alpha",
            "layernorm",
            "jitter",
            "capacity",
            "implementation",
            "flash",
            "kernels",
            "overlap",
            "mtp",
            "nextn",
        ),
        *("vision", "feature", "clip", "chunk", "multipliers"),
        *("audio", "batch", "image", "mm", "patch", "rotary", "seq", "video", "vit", "warmup"),
    ]
)

#: Words in names of fields that say a size: one that is not known stops a reading, where its value,
#: or one in it, is this or more.
SIZED = frozenset(
    [
        *("channels", "depth", "dim", "dims", "embd", "embed", "expert", "experts", "ff", "ffn"),
        *("groups", "head", "heads", "hidden", "inner", "intermediate", "layer", "layers", "mlp"),
        *("proj", "rank", "size", "sizes", "state", "states", "steps", "width"),
    ]
)
LEAST_SIZE = 2

#: What a switch that is not known speaks of, and the condition under which its "no" would
#: contradict the count; words that may stand before and beside that.
SWITCHED: Mapping[str, str] = {
    **dict.fromkeys(("moe", "expert", "experts"), "moe"),
    **dict.fromkeys(("mla", "latent"), "latent"),
    **dict.fromkeys(("gqa", "mqa", "group", "groups", "grouped"), "heads_grouped"),
    **dict.fromkeys(("sliding", "swa", "window"), "slides"),
    **dict.fromkeys(("mamba", "ssm", "state", "recurrent"), "keeps_state"),
}
SWITCHES = frozenset(["use", "enable", "enabled", "is", "has", "with"])
BESIDE_SWITCHED = frozenset(["attention", "attn", "block", "heads", "layers", "mlp", "query"])

#: Fields with such a word and none beside it that change no count.
LEFT_OUT = frozenset(
    [
        *("attention_sink_size", "num_hash_layers"),
        "use_bidirectional_attention",
        *("use_conv_bias", "mamba_conv_bias", "conv_dim", "conv_use_xavier_init"),
        *("attention_method", "zero_expert_type", "moe_drop_tokens", "use_mixed_mlp_moe"),
        *("block_size", "dim_model_base", "ep_size", "unpadded_vocab_size"),
        *("make_vocab_size_divisible_by", "pad_vocab_size_multiple"),
        *("linear_silu", "kda_safe_gate", "gated_attention_proj_granularity_type"),
        *("attn_config", "embd_layer", "moe_gate", "moe_random_routing_dropped_token"),
        *("mamba_use_mlp", "mamba_inner_layernorms", "order_of_interleaved_layers"),
        *("pre_allocate_kv_cache", "moe_use_size_all2all", "shared_moe_mode"),
        *("conv_dim_out", "full_attn_mod"),
        *("use_expert_bias", "use_head_wise_attn_gate"),
        "attention_type",
    ]
)

#: Words of switches that add biases or norms: one that is on, and is not used, is a guess.
ADDING = (frozenset(["bias"]), frozenset(["qk", "layernorm"]), frozenset(["qk", "norm"]))

#: Such names that say what a family has anyway, or add nothing.
ADDED = frozenset(
    [
        *("use_conv_bias", "mamba_conv_bias", "bias_dropout_fusion", "no_bias", "use_qk_norm"),
        *("use_expert_bias", "moe_router_enable_expert_bias", "use_moe_router_bias"),
        "use_routing_bias",
    ]
)

#: The forms of all fields, by the field's own name.
FORMS: Mapping[str, Form] = {each.name: each.metadata["form"] for each in fields(Fields)}
BLOCK_FORMS: Mapping[str, Form] = {each.name: each.metadata["form"] for each in fields(Block)}
