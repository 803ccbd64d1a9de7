"""How many parameters an architecture has, tensor by tensor."""

from __future__ import annotations

from calc.architecture.attention import (
    attention_params,
    compressor_params,
    grouped_attention_params,
    index_params,
    latent_attention_params,
)
from calc.architecture.experts import expert_params
from calc.architecture.kinds import (
    CSA_SERIES,
    full_layers,
    hca_layers,
    index_layers,
    state_layers,
    window_layers,
)
from calc.architecture.record import Architecture
from calc.architecture.states import (
    conv_params,
    delta_params,
    kda_params,
    lightning_params,
    mamba_params,
    selective_params,
)
from calc.primitives import maximum, total, where
from calc.quantity import Value
from calc.scenario import LayerKind, Model


def model(a: Architecture) -> Model:
    """The model record of an architecture: parameter counts and cache widths.

    Parameters
    ----------
    a : Architecture
        Numbers, arrays or symbols.

    Returns
    -------
    Model
        Counts are exact to the tensor where the architecture says everything.

    Notes
    -----
    Sum over kinds of layers, plus tables and norms. Vision and audio towers and extra
    prediction layers (MTP) are not counted. Active parameters leave out idle experts.

    References
    ----------
    `modeling_*.py` of Hugging Face transformers; checked against published counts.
    """
    input_rows = a.n_lookup + (a.n_more_rows + a.n_position_rows) * a.d_model
    table = a.n_vocab * a.d_model
    tables = table * (2 - a.tied) + a.head_bias * a.n_vocab + input_rows
    compresses = a.n_csa + a.n_hca > 0
    attention = where(compresses, _compressed(a), _full(a) + _window(a))
    compressors, streams = _compressors(a), _streams(a)
    states = _states(a)
    dense = a.dense_width * (a.mlp_matrices * a.d_model + a.mlp_bias * (a.mlp_matrices - 1))
    dense_bias = (a.mlp_bias * a.d_model + a.activation_params) * (a.n_layers - a.n_moe)
    each, router, shared = _experts(a)
    all_go_through = a.n_moe * (router + shared)
    n_expert_params = a.n_moe * a.n_experts * each
    outside = tables + _norms(a) + attention + states + dense + dense_bias + all_go_through
    outside = outside + compressors + streams
    n_kept = (
        # No method converts these.
        compressors
        + streams
        + a.tables_kept * tables
        + a.attention_kept * attention
        + a.states_kept * states
        + a.dense_kept * dense
        + a.shared_kept * all_go_through
        + a.experts_kept * n_expert_params
    )
    full, window = full_layers(a), window_layers(a)
    n_whole, n_whole_16bit = _whole(a, full, window)
    return Model(
        n_params=outside + n_expert_params,
        n_layers=a.n_layers,
        n_heads=a.n_heads,
        d_model=a.d_model,
        n_active=outside + a.n_moe * a.n_experts_per_token * each,
        n_input_table=table * (1 - a.tied) + input_rows,
        n_16bit=where(a.keeps_only_experts_quantised > 0, outside, n_kept),
        n_experts=where(a.n_moe > 0, a.n_experts, 0.0),
        n_experts_per_token=where(a.n_moe > 0, a.n_experts_per_token, 0.0),
        n_expert_params=n_expert_params,
        n_whole=n_whole,
        n_whole_16bit=n_whole_16bit,
        full=full,
        window=window,
        state=state_layers(a),
        index=index_layers(a),
        hca=hca_layers(a),
    )


def layer_params(a: Architecture) -> Value:
    """Parameters of one layer that keeps everything, with experts if there are any.

    Parameters
    ----------
    a : Architecture
        Numbers, arrays or symbols.

    Returns
    -------
    same shape
        Without norms of the model's width. [count]

    Notes
    -----
    Attention, or a latent with its indexer; all experts, or else an MLP of the mean width.

    References
    ----------
    As of `model`.
    """
    plain = attention_params(
        *(a.d_model, a.n_heads, a.n_kv_heads, a.d_head, a.d_value),
        *(a.output_gate, a.values_are_keys, a.qkv_bias, a.o_bias),
    )
    plain = plain + 2 * a.qk_norm_heads * a.d_head
    index = index_params(a.d_model, a.q_rank, a.n_index_heads, a.d_index)
    each, router, shared = _experts(a)
    n_dense = maximum(a.n_layers - a.n_moe, 1.0)
    mlp = a.mlp_matrices * a.d_model * a.dense_width / n_dense
    attention = where(a.kv_rank > 0, _latent(a) + index, plain)
    # A draft layer beside compressed ones has a window alone.
    attention = where(a.o_rank > 0, _grouped(a) + _mixing(a), attention)
    return attention + where(a.n_moe > 0, a.n_experts * each + router + shared, mlp)


def _norms(a: Architecture) -> Value:
    """Parameters of the norms, and of what a token's own row adds to each layer."""
    norms = a.n_norms * a.d_model * (1 + a.norm_bias)
    # One projection for all layers, a gate and another projection of each.
    has_rows = where(a.d_layer_table > 0, 1.0, 0.0)
    return norms + a.n_layers * a.d_model * (3 * a.d_layer_table + has_rows) + a.d_layer_table


def _full(a: Architecture) -> Value:
    """Parameters of attention in all layers that keep everything, and of what looks at images."""
    # Layers that use the cache of others have no keys and values.
    n_own = a.n_full_cached + a.n_cross
    kv_heads = a.full_kv_heads * n_own / maximum(a.n_full, 1.0)
    plain = attention_params(
        *(a.d_model, a.full_heads, kv_heads, a.d_head, a.d_value),
        *(a.output_gate, a.values_are_keys, a.qkv_bias),
    )
    head_norms = (a.n_full + n_own) * a.qk_norm_heads * a.d_head
    wide_norms = a.qk_norm_width * (a.full_heads + kv_heads) * a.d_head
    biases = a.n_full * a.o_bias * a.d_model
    head_gates = a.head_gate * a.d_model * where(a.kv_rank > 0, 0.0, 1.0)
    return (
        where(a.kv_rank > 0, a.n_full * _latent(a), plain + head_norms + biases + wide_norms)
        + a.n_indexed * index_params(a.d_model, a.q_rank, a.n_index_heads, a.d_index)
        + (a.full_sinks + head_gates) * a.full_heads
        # What looks at an image has a norm of queries and of keys, and two gates.
        + a.n_cross * (2 * a.d_head + 2)
    )


def _window(a: Architecture) -> Value:
    """Parameters of attention in all layers that keep the last tokens only."""
    kv_heads = a.window_kv_heads * a.n_window_cached / maximum(a.n_window, 1.0)
    plain = attention_params(
        *(a.d_model, a.window_heads, kv_heads, a.d_window_head, a.d_window_value),
        *(a.output_gate, 0.0, a.qkv_bias),
    )
    head_norms = (a.n_window + a.n_window_cached) * a.qk_norm_heads * a.d_window_head
    wide_norms = a.qk_norm_width * (a.window_heads + kv_heads) * a.d_window_head
    biases = a.n_window * a.o_bias * a.d_model
    sinks_and_gates = (a.window_sinks + a.head_gate * a.d_model) * a.window_heads
    return plain + head_norms + biases + wide_norms + sinks_and_gates


def _grouped(a: Architecture) -> Value:
    """Parameters of attention in one layer that may have a compressed cache beside its window."""
    return grouped_attention_params(
        *(a.d_model, a.n_heads, a.d_head, a.q_rank, a.o_groups, a.o_rank)
    )


def _compressed(a: Architecture) -> Value:
    """Parameters of attention in all such layers, and of the queries of their indexers."""
    return a.n_window * _grouped(a) + a.n_csa * a.q_rank * a.n_index_heads * a.d_index


def _compressors(a: Architecture) -> Value:
    """Parameters of compressors, of entries and of index keys, and of what weighs their heads."""
    entries = compressor_params(a.d_model, a.d_head, CSA_SERIES, a.csa_len)
    keys = compressor_params(a.d_model, a.d_index, CSA_SERIES, a.csa_len)
    csa = entries + keys + a.d_model * a.n_index_heads
    return a.n_csa * csa + a.n_hca * compressor_params(a.d_model, a.d_head, 1.0, a.hca_len)


def _mixing(a: Architecture) -> Value:
    """Parameters by which one layer mixes several residual streams, around attention and MLP."""
    n_weights = a.n_streams * (a.n_streams + 2)
    each = n_weights * (a.n_streams * a.d_model + 1) + 3
    return where(a.n_streams > 0, 2 * each, 0.0)


def _streams(a: Architecture) -> Value:
    """The same of all layers, and of the head, which makes one stream of them."""
    head = a.n_streams * (a.n_streams * a.d_model + 1) + 1
    return a.n_layers * _mixing(a) + where(a.n_streams > 0, head, 0.0)


def _states(a: Architecture) -> Value:
    """Parameters of all layers with a constant state."""
    delta = delta_params(
        *(a.d_model, a.n_state_key_heads, a.n_state_heads),
        *(a.d_state_key, a.d_state_value, a.conv_len),
    )
    mamba = mamba_params(
        *(a.d_model, a.n_state_key_heads, a.n_state_heads, a.d_state_key),
        *(a.n_state_heads * a.d_state_value, a.conv_len, a.state_norm),
    )
    selective = selective_params(
        *(a.d_model, a.n_state_heads, a.d_state_key, a.conv_len, a.step_rank, a.step_norms)
    )
    kda = kda_params(
        *(a.d_model, a.n_state_heads, a.d_state_value, a.conv_len),
        *(a.full_rank_gate, a.full_rank_decay),
    )
    conv = conv_params(a.d_model, a.conv_len, a.conv_bias)
    lightning = lightning_params(a.d_model, a.n_state_heads, a.d_state_value)
    return (
        a.n_delta * delta
        + a.n_mamba * mamba
        + a.n_selective * selective
        + a.n_kda * kda
        + a.n_conv * conv
        + a.n_lightning * lightning
    )


def _latent(a: Architecture) -> Value:
    """Parameters of one layer with a latent."""
    latent = latent_attention_params(
        *(a.d_model, a.n_heads, a.d_value, a.kv_rank, a.q_rank, a.d_nope, a.d_rope)
    )
    # A gate of the output, of each of its numbers or of each head.
    gate = a.latent_gate * a.d_value + a.head_gate
    return latent + gate * a.d_model * a.n_heads


def _experts(a: Architecture) -> tuple[Value, Value, Value]:
    """Parameters of an expert, of a layer's router, and of what all of its tokens go through."""
    each = expert_params(a.d_expert_input, a.d_expert, a.mlp_matrices, a.expert_bias)
    router = a.n_routed * (a.d_model + a.router_bias)
    shared = a.mlp_matrices * a.d_model * a.shared_width + a.shared_gate * a.d_model
    # Experts that work in a narrower space share one projection into and one out of it.
    narrow = where(a.d_expert_input < a.d_model, a.d_expert_input, 0.0)
    return each, router, shared + (2 * a.d_model + a.narrow_norm) * narrow


def _whole(a: Architecture, full: LayerKind, window: LayerKind) -> tuple[Value, Value]:
    """Parameters that tensor parallelism leaves whole, and those of these that stay at 16 bit.

    The first without what makes keys and values, which follows from the kinds of layers.
    """
    norms = a.n_norms * a.d_model * (1 + a.norm_bias)
    routers = a.n_moe * (a.n_routed * (a.d_model + a.router_bias) + a.shared_gate * a.d_model)
    # Compressors make the entries of their kind.
    entries = a.n_csa * a.d_model * a.d_head
    wide = norms + routers + _compressors(a) + _streams(a)
    # Down to the latents, and what an indexer asks with.
    compresses = a.n_csa + a.n_hca > 0
    latent = a.q_rank * (a.d_model + 1) * where(compresses, a.n_window, a.n_full)
    index = index_params(a.d_model, a.q_rank, a.n_index_heads, a.d_index)
    indexers = where(compresses, a.n_csa * a.q_rank * a.n_index_heads * a.d_index, 0.0)
    narrow = where(a.d_expert_input < a.d_model, a.d_expert_input, 0.0)
    attention = latent + indexers + a.n_indexed * index
    into_experts = a.n_moe * (2 * a.d_model + a.narrow_norm) * narrow
    single = [
        where(kind.n_kv_heads < 2, a.d_model * kind.entry_width, 0.0) for kind in (full, window)
    ]
    n_whole = wide - entries + attention + into_experts
    n_kept = wide + a.shared_kept * into_experts
    n_kept = n_kept + a.attention_kept * (attention + total(single) - entries)
    return n_whole, where(a.keeps_only_experts_quantised > 0, n_whole + total(single), n_kept)
