"""How many parameters an architecture has, tensor by tensor, and what it caches."""

from __future__ import annotations

from dataclasses import dataclass

from calc.architecture.attention import attention_params, index_params, latent_attention_params
from calc.architecture.experts import expert_params
from calc.architecture.states import delta_params, kda_params, mamba_params
from calc.primitives import where
from calc.quantity import Value
from calc.scenario import ALL_TOKENS, LayerKind, Model

#: Bytes of a recurrent state's elements: convolutions at 16 bit, the state at 32.
CONV_BYTES = 2.0
STATE_BYTES = 4.0


@dataclass
class Architecture:
    """Every count that decides about tensors; 0 = there is none. Switches are 0 or 1.

    "full", "window", "delta" (gated delta rule), "mamba" and "kda" (Kimi delta attention)
    are kinds of layers. A layer of a kind may come with an MLP, experts, or neither.
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
    n_lookup: Value = 0.0
    n_norms: Value = 0.0
    norm_bias: Value = 0.0

    n_full: Value = 0.0
    n_full_cached: Value = 0.0
    n_window: Value = 0.0
    n_window_cached: Value = 0.0
    window_len: Value = 0.0
    n_window_heads: Value = 1.0
    n_window_kv_heads: Value = 1.0
    d_window_head: Value = 0.0
    d_window_value: Value = 0.0
    qkv_bias: Value = 0.0
    o_bias: Value = 0.0
    qk_norm_heads: Value = 0.0
    qk_norm_width: Value = 0.0
    output_gate: Value = 0.0
    values_are_keys: Value = 0.0
    full_sinks: Value = 0.0
    window_sinks: Value = 0.0

    kv_rank: Value = 0.0
    q_rank: Value = 0.0
    d_nope: Value = 0.0
    d_rope: Value = 0.0
    n_index_heads: Value = 0.0
    d_index: Value = 0.0

    dense_width: Value = 0.0
    mlp_matrices: Value = 3.0
    mlp_bias: Value = 0.0

    n_moe: Value = 0.0
    n_experts: Value = 0.0
    n_experts_per_token: Value = 0.0
    d_expert: Value = 0.0
    d_expert_input: Value = 0.0
    shared_width: Value = 0.0
    shared_gate: Value = 0.0
    router_bias: Value = 0.0
    expert_bias: Value = 0.0

    n_delta: Value = 0.0
    n_mamba: Value = 0.0
    n_kda: Value = 0.0
    n_state_key_heads: Value = 0.0
    n_state_heads: Value = 0.0
    d_state_key: Value = 0.0
    d_state_value: Value = 0.0
    conv_len: Value = 0.0
    full_rank_gate: Value = 0.0

    keeps_only_experts_quantised: Value = 0.0


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
    tables = table * (2 - a.tied) + a.head_bias * a.n_vocab + a.n_lookup
    norms = a.n_norms * a.d_model * (1 + a.norm_bias)

    plain = attention_params(
        *(a.d_model, a.n_heads, a.n_kv_heads, a.d_head, a.d_value),
        *(a.output_gate, a.values_are_keys, a.qkv_bias, a.o_bias),
    )
    latent = latent_attention_params(
        *(a.d_model, a.n_heads, a.d_value, a.kv_rank, a.q_rank, a.d_nope, a.d_rope)
    )
    head_norms = 2 * a.qk_norm_heads * a.d_head
    wide_norms = a.qk_norm_width * (a.n_heads + a.n_kv_heads) * a.d_head
    full = (
        where(a.kv_rank > 0, latent, plain + head_norms + wide_norms)
        + index_params(a.d_model, a.q_rank, a.n_index_heads, a.d_index)
        + a.full_sinks * a.n_heads
    )
    window = (
        attention_params(
            *(a.d_model, a.n_window_heads, a.n_window_kv_heads),
            *(a.d_window_head, a.d_window_value),
            *(a.output_gate, 0.0, a.qkv_bias, a.o_bias),
        )
        + 2 * a.qk_norm_heads * a.d_window_head
        + a.qk_norm_width * (a.n_window_heads + a.n_window_kv_heads) * a.d_window_head
        + a.window_sinks * a.n_window_heads
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
            *(a.n_state_heads * a.d_state_value, a.conv_len),
        )
        + a.n_kda
        * kda_params(a.d_model, a.n_state_heads, a.d_state_value, a.conv_len, a.full_rank_gate)
    )
    dense = a.dense_width * (a.mlp_matrices * a.d_model + a.mlp_bias * (a.mlp_matrices - 1))
    dense_bias = a.mlp_bias * a.d_model * (a.n_layers - a.n_moe)

    each = expert_params(a.d_expert_input, a.d_expert, a.mlp_matrices, a.expert_bias)
    router = a.n_experts * (a.d_model + a.router_bias)
    shared = a.mlp_matrices * a.d_model * a.shared_width + a.shared_gate * a.d_model
    # Experts that work in a narrower space share one projection into and one out of it.
    narrow = where(a.d_expert_input < a.d_model, a.d_expert_input, 0.0)
    narrowing = 2 * a.d_model * narrow
    n_expert_params = a.n_moe * a.n_experts * each
    outside = (
        tables
        + norms
        + a.n_full * full
        + a.n_window * window
        + states
        + dense
        + dense_bias
        + a.n_moe * (router + shared + narrowing)
    )

    # A state per key head and value; a convolution remembers all but its newest input.
    conv_width = where(
        a.n_kda > 0,
        3 * a.n_state_heads * a.d_state_value,
        2 * a.n_state_key_heads * a.d_state_key + a.n_state_heads * a.d_state_value,
    )
    conv_bytes = conv_width * (a.conv_len - 1) * CONV_BYTES
    head_bytes = a.n_state_heads * a.d_state_key * a.d_state_value * STATE_BYTES
    n_state_layers = a.n_delta + a.n_mamba + a.n_kda

    slides = a.n_window_cached > 0
    usual_width = a.n_heads * (a.d_head + a.d_value)
    absorbed_width = a.n_heads * (2 * a.kv_rank + a.d_rope)
    latent_width = a.n_heads * (a.d_nope + a.d_rope + a.d_value)
    window_width = a.n_window_heads * (a.d_window_head + a.d_window_value)
    return Model(
        n_params=outside + n_expert_params,
        n_layers=a.n_layers,
        n_heads=a.n_heads,
        d_model=a.d_model,
        n_active=outside + a.n_moe * a.n_experts_per_token * each,
        n_input_table=table * (1 - a.tied) + a.n_lookup,
        n_16bit=where(a.keeps_only_experts_quantised > 0, outside, tables),
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
                where(a.d_value != a.d_head, a.n_kv_heads * (a.d_head + a.d_value), 0.0),
            ),
            decode_attention_width=where(a.kv_rank > 0, absorbed_width, usual_width),
            prefill_attention_width=where(a.kv_rank > 0, latent_width, usual_width),
        ),
        window=LayerKind(
            n_layers=a.n_window_cached,
            kept_len=where(slides, a.window_len, ALL_TOKENS),
            n_kv_heads=where(slides, a.n_window_kv_heads, 1.0),
            d_head=a.d_window_head,
            cache_width=where(
                slides, a.n_window_kv_heads * (a.d_window_head + a.d_window_value), 0.0
            ),
            decode_attention_width=where(slides, window_width, 0.0),
            prefill_attention_width=where(slides, window_width, 0.0),
        ),
        state=LayerKind(
            n_layers=n_state_layers,
            state_bytes=where(n_state_layers > 0, head_bytes + conv_bytes, 0.0),
        ),
    )
