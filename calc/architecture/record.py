"""What an architecture is made of, as a config.json tells: every count that decides."""

from __future__ import annotations

from dataclasses import dataclass

from calc.quantity import Value


@dataclass
class Architecture:
    """Every count that decides about tensors; 0 = there is none. Switches are 0 or 1.

    "full", "window", "delta" (gated delta rule), "mamba" (Mamba-2), "selective" (Mamba-1), "kda"
    (Kimi delta attention), "conv" (short convolution) and "lightning" (linear attention) are kinds
    of layers. "csa" and "hca" are windows that have a compressed cache beside them. A layer of a
    kind may come with an MLP, experts, another kind, or alone. Heads of "full" and "window" are
    those of all such layers together.
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
    index_top: Value = 0.0
    n_indexed: Value = 0.0

    n_csa: Value = 0.0
    n_hca: Value = 0.0
    csa_len: Value = 0.0
    hca_len: Value = 0.0
    o_groups: Value = 0.0
    o_rank: Value = 0.0
    n_streams: Value = 0.0

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
    tables_kept: Value = 1.0
