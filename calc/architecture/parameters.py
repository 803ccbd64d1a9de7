"""How many parameters an architecture has, tensor by tensor, and what it caches."""

from __future__ import annotations

from dataclasses import dataclass

from calc.architecture.attention import attention_params, index_params, latent_attention_params
from calc.architecture.experts import expert_params
from calc.architecture.states import (
    conv_params,
    delta_params,
    kda_params,
    lightning_params,
    mamba_params,
    selective_params,
)
from calc.primitives import maximum, where
from calc.quantity import Value
from calc.scenario import ALL_TOKENS, LayerKind, Model

#: Bytes of what a convolution remembers, per element: 16 bit.
CONV_BYTES = 2.0


@dataclass
class Architecture:
    """Every count that decides about tensors; 0 = there is none. Switches are 0 or 1.

    "full", "window", "delta" (gated delta rule), "mamba" (Mamba-2), "selective" (Mamba-1), "kda"
    (Kimi delta attention), "conv" (short convolution) and "lightning" (linear attention) are kinds
    of layers. A layer of a kind may come with an MLP, experts, another kind, or alone. Heads of
    "full" and "window" are those of all such layers together.
    """

    d_model: Value
    n_vocab: Value
    n_layers: Value
    n_heads: Value
    n_kv_heads: Value
    d_head: Value
    d_value: Value

    tied: Value = 0.0
    head_bias: Value = 0.0
    n_more_rows: Value = 0.0
    n_position_rows: Value = 0.0
    n_lookup: Value = 0.0
    d_layer_table: Value = 0.0
    n_norms: Value = 0.0
    norm_bias: Value = 0.0

    n_full: Value = 0.0
    n_full_cached: Value = 0.0
    n_cross: Value = 0.0
    full_heads: Value = 0.0
    full_kv_heads: Value = 0.0
    n_window: Value = 0.0
    n_window_cached: Value = 0.0
    window_len: Value = 0.0
    window_heads: Value = 0.0
    window_kv_heads: Value = 0.0
    n_window_kv_heads: Value = 1.0
    d_window_head: Value = 0.0
    d_window_value: Value = 0.0
    qkv_bias: Value = 0.0
    o_bias: Value = 0.0
    qk_norm_heads: Value = 0.0
    qk_norm_width: Value = 0.0
    output_gate: Value = 0.0
    head_gate: Value = 0.0
    values_are_keys: Value = 0.0
    latent_gate: Value = 0.0
    full_sinks: Value = 0.0
    window_sinks: Value = 0.0

    kv_rank: Value = 0.0
    q_rank: Value = 0.0
    d_nope: Value = 0.0
    d_rope: Value = 0.0
    n_index_heads: Value = 0.0
    d_index: Value = 0.0
    n_indexed: Value = 0.0

    dense_width: Value = 0.0
    mlp_matrices: Value = 3.0
    mlp_bias: Value = 0.0
    activation_params: Value = 0.0

    n_moe: Value = 0.0
    n_experts: Value = 0.0
    n_experts_per_token: Value = 0.0
    n_routed: Value = 0.0
    narrow_norm: Value = 0.0
    d_expert: Value = 0.0
    d_expert_input: Value = 0.0
    shared_width: Value = 0.0
    shared_gate: Value = 0.0
    router_bias: Value = 0.0
    expert_bias: Value = 0.0

    n_delta: Value = 0.0
    n_mamba: Value = 0.0
    n_selective: Value = 0.0
    n_kda: Value = 0.0
    n_conv: Value = 0.0
    n_lightning: Value = 0.0
    n_state_key_heads: Value = 0.0
    n_state_heads: Value = 0.0
    d_state_key: Value = 0.0
    d_state_value: Value = 0.0
    conv_len: Value = 0.0
    full_rank_decay: Value = 0.0
    full_rank_gate: Value = 0.0
    step_rank: Value = 0.0
    step_norms: Value = 0.0
    state_norm: Value = 0.0
    conv_bias: Value = 0.0
    state_element_bytes: Value = 0.0

    # Shares of the parts that stay at 16 bit where weights are narrower.
    keeps_only_experts_quantised: Value = 0.0
    attention_kept: Value = 0.0
    dense_kept: Value = 0.0
    shared_kept: Value = 0.0
    experts_kept: Value = 0.0
    states_kept: Value = 0.0


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
    table = a.n_vocab * a.d_model
    rows = (a.n_more_rows + a.n_position_rows) * a.d_model
    tables = table * (2 - a.tied) + a.head_bias * a.n_vocab + a.n_lookup + rows
    norms = a.n_norms * a.d_model * (1 + a.norm_bias)

    # What a token's own row adds to each layer: one projection for all, a gate and another of each.
    has_rows = where(a.d_layer_table > 0, 1.0, 0.0)
    inputs = a.n_layers * a.d_model * (3 * a.d_layer_table + has_rows) + a.d_layer_table

    # Layers that use the cache of others have no keys and values.
    n_own_full, n_own_window = a.n_full_cached + a.n_cross, a.n_window_cached
    full_kv_heads = a.full_kv_heads * n_own_full / maximum(a.n_full, 1.0)
    window_kv_heads = a.window_kv_heads * n_own_window / maximum(a.n_window, 1.0)
    plain = attention_params(
        *(a.d_model, a.full_heads, full_kv_heads, a.d_head, a.d_value),
        *(a.output_gate, a.values_are_keys, a.qkv_bias),
    )
    latent = _latent(a)
    index = index_params(a.d_model, a.q_rank, a.n_index_heads, a.d_index)
    head_norms = (a.n_full + n_own_full) * a.qk_norm_heads * a.d_head
    wide_norms = a.qk_norm_width * (a.full_heads + full_kv_heads) * a.d_head
    full_biases = a.n_full * a.o_bias * a.d_model
    full = (
        where(a.kv_rank > 0, a.n_full * latent, plain + head_norms + full_biases + wide_norms)
        + a.n_indexed * index
        + (a.full_sinks + a.head_gate * a.d_model * where(a.kv_rank > 0, 0.0, 1.0)) * a.full_heads
        # What looks at an image has a norm of queries and of keys, and two gates.
        + a.n_cross * (2 * a.d_head + 2)
    )
    window = (
        attention_params(
            *(a.d_model, a.window_heads, window_kv_heads),
            *(a.d_window_head, a.d_window_value),
            *(a.output_gate, 0.0, a.qkv_bias),
        )
        + (a.n_window + n_own_window) * a.qk_norm_heads * a.d_window_head
        + a.n_window * a.o_bias * a.d_model
        + a.qk_norm_width * (a.window_heads + window_kv_heads) * a.d_window_head
        + (a.window_sinks + a.head_gate * a.d_model) * a.window_heads
    )
    states = (
        a.n_delta
        * delta_params(
            *(a.d_model, a.n_state_key_heads, a.n_state_heads),
            *(a.d_state_key, a.d_state_value, a.conv_len),
        )
        + a.n_mamba
        * mamba_params(
            *(a.d_model, a.n_state_key_heads, a.n_state_heads, a.d_state_key),
            *(a.n_state_heads * a.d_state_value, a.conv_len, a.state_norm),
        )
        + a.n_selective
        * selective_params(
            *(a.d_model, a.n_state_heads, a.d_state_key, a.conv_len, a.step_rank, a.step_norms)
        )
        + a.n_kda
        * kda_params(
            *(a.d_model, a.n_state_heads, a.d_state_value, a.conv_len),
            *(a.full_rank_gate, a.full_rank_decay),
        )
        + a.n_conv * conv_params(a.d_model, a.conv_len, a.conv_bias)
        + a.n_lightning * lightning_params(a.d_model, a.n_state_heads, a.d_state_value)
    )
    dense = a.dense_width * (a.mlp_matrices * a.d_model + a.mlp_bias * (a.mlp_matrices - 1))
    dense_bias = (a.mlp_bias * a.d_model + a.activation_params) * (a.n_layers - a.n_moe)

    each, router, shared = _experts(a)
    n_expert_params = a.n_moe * a.n_experts * each
    outside = (
        tables
        + norms
        + inputs
        + full
        + window
        + states
        + dense
        + dense_bias
        + a.n_moe * (router + shared)
    )

    kept = (
        a.attention_kept * (full + window)
        + a.states_kept * states
        + a.dense_kept * dense
        + a.shared_kept * a.n_moe * (router + shared)
        + a.experts_kept * n_expert_params
    )

    # A state per key head and value; a convolution remembers all but its newest input.
    state_width = a.n_state_heads * a.d_state_value
    conv_width = 2 * a.n_state_key_heads * a.d_state_key + state_width
    conv_width = where(a.n_kda > 0, 3 * state_width, conv_width)
    conv_width = where(a.n_conv > 0, a.d_model, conv_width)
    conv_bytes = conv_width * (a.conv_len - 1) * CONV_BYTES
    head_bytes = state_width * a.d_state_key * a.state_element_bytes
    n_state_layers = a.n_delta + a.n_mamba + a.n_selective + a.n_kda + a.n_conv + a.n_lightning

    slides = a.n_window_cached > 0
    n_full, n_window = maximum(a.n_full, 1.0), maximum(a.n_window, 1.0)
    d_full_kv = a.d_head + a.d_value
    is_other = where(a.full_kv_heads != a.n_full * a.n_kv_heads, 1.0, 0.0)
    has_own_width = maximum(is_other, where(a.d_value != a.d_head, 1.0, 0.0))
    usual_width = a.full_heads / n_full * d_full_kv
    absorbed_width = a.n_heads * (2 * a.kv_rank + a.d_rope)
    latent_width = a.n_heads * (a.d_nope + a.d_rope + a.d_value)
    d_window_kv = a.d_window_head + a.d_window_value
    window_width = a.window_heads / n_window * d_window_kv
    return Model(
        n_params=outside + n_expert_params,
        n_layers=a.n_layers,
        n_heads=a.n_heads,
        d_model=a.d_model,
        n_active=outside + a.n_moe * a.n_experts_per_token * each,
        n_input_table=table * (1 - a.tied) + a.n_lookup + rows,
        n_16bit=where(a.keeps_only_experts_quantised > 0, outside, tables + kept),
        n_experts=where(a.n_moe > 0, a.n_experts, 0.0),
        n_experts_per_token=where(a.n_moe > 0, a.n_experts_per_token, 0.0),
        n_expert_params=n_expert_params,
        full=LayerKind(
            n_layers=a.n_full_cached,
            n_kv_heads=where(a.kv_rank > 0, 1.0, a.n_kv_heads),
            d_head=a.d_head,
            cache_width=where(
                a.kv_rank > 0,
                a.kv_rank + a.d_rope + a.d_index,
                where(has_own_width > 0, a.full_kv_heads / n_full * d_full_kv, 0.0),
            ),
            decode_attention_width=where(a.kv_rank > 0, absorbed_width, usual_width),
            prefill_attention_width=where(a.kv_rank > 0, latent_width, usual_width),
        ),
        window=LayerKind(
            n_layers=a.n_window_cached,
            kept_len=where(slides, a.window_len, ALL_TOKENS),
            n_kv_heads=where(slides, a.n_window_kv_heads, 1.0),
            d_head=a.d_window_head,
            cache_width=where(slides, a.window_kv_heads / n_window * d_window_kv, 0.0),
            decode_attention_width=where(slides, window_width, 0.0),
            prefill_attention_width=where(slides, window_width, 0.0),
        ),
        state=LayerKind(
            n_layers=n_state_layers,
            state_bytes=where(n_state_layers > 0, head_bytes + conv_bytes, 0.0),
        ),
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
    return attention + where(a.n_moe > 0, a.n_experts * each + router + shared, mlp)


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
