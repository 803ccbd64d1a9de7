"""How many parameters each projection of a layer has."""

from __future__ import annotations

from dataclasses import dataclass

from calc.architecture.experts import expert_params
from calc.architecture.record import Architecture
from calc.primitives import maximum, where
from calc.quantity import Value


@dataclass
class ProjectionSizes:
    """Parameters of each projection in one layer that has it, by part; 0 = there is none."""

    attention_q: Value
    attention_k: Value
    attention_v: Value
    attention_o: Value
    attention_gate: Value
    attention_q_a: Value
    attention_q_b: Value
    attention_kv_a: Value
    attention_kv_b: Value
    attention_o_a: Value
    attention_o_b: Value
    attention_index: Value

    states_delta_in: Value
    states_delta_steps: Value
    states_state_in: Value
    states_state_step: Value
    states_state_qkv: Value
    states_state_gate: Value
    states_state_conv: Value
    states_state_out: Value

    dense_gate: Value
    dense_up: Value
    dense_down: Value

    shared_router: Value
    shared_shared_gate: Value
    shared_shared_w1: Value
    shared_shared_w3: Value
    shared_shared_w2: Value
    shared_narrow: Value

    experts_w1: Value
    experts_w3: Value
    experts_w2: Value


def projection_sizes(a: Architecture) -> ProjectionSizes:
    """Parameters of each projection in one layer, without biases and norms.

    Parameters
    ----------
    a : Architecture
        Numbers, arrays or symbols.

    Returns
    -------
    ProjectionSizes

    Notes
    -----
    Where layers differ, the mean over those that have it.

    References
    ----------
    As of `parameters.model`.
    """
    return ProjectionSizes(**_attention(a), **_states(a), **_mlps(a))


def _attention(a: Architecture) -> dict[str, Value]:
    """Of attention: a latent, or one behind groups, or plain heads."""
    d = a.d_model
    n_attending = maximum(a.n_full + a.n_window, 1.0)
    per_layer = d / n_attending

    def attending(full: Value, window: Value) -> Value:
        return per_layer * (full + window)

    full_kv = a.full_kv_heads * (a.n_full_cached + a.n_cross) / maximum(a.n_full, 1.0)
    window_kv = a.window_kv_heads * a.n_window_cached / maximum(a.n_window, 1.0)
    own_values = full_kv * a.d_value * (1 - a.values_are_keys)
    head = a.n_heads * (a.d_nope + a.d_rope)
    gates = a.head_gate + a.latent_gate * a.d_value
    width = a.n_heads * a.d_head
    plain = {
        "q": attending(a.full_heads * a.d_head, a.window_heads * a.d_window_head)
        * (1 + a.output_gate),
        "k": attending(full_kv * a.d_head, window_kv * a.d_window_head),
        "v": attending(own_values, window_kv * a.d_window_value),
        "o": attending(a.full_heads * a.d_value, a.window_heads * a.d_window_value),
        "gate": attending(a.head_gate * a.full_heads, a.head_gate * a.window_heads),
    }
    latent = {
        "q_a": d * a.q_rank,
        "q": where(a.q_rank > 0, 0.0, d * head),
        "q_b": a.q_rank * head,
        "kv_a": d * (a.kv_rank + a.d_rope),
        "kv_b": a.kv_rank * a.n_heads * (a.d_nope + a.d_value),
        "o": a.n_heads * a.d_value * d,
        "gate": gates * d * a.n_heads,
        "index": a.d_index * (a.q_rank * a.n_index_heads + d) * a.n_indexed / n_attending,
    }
    grouped = {
        "q_a": d * a.q_rank,
        "q_b": a.q_rank * width,
        "kv_a": d * a.d_head,
        "o_a": width * a.o_rank,
        "o_b": a.o_groups * a.o_rank * d,
        "index": a.q_rank * a.n_index_heads * a.d_index * a.n_csa / n_attending,
    }
    return {
        f"attention_{name}": where(
            a.kv_rank > 0,
            latent.get(name, 0.0),
            where(a.o_rank > 0, grouped.get(name, 0.0), plain.get(name, 0.0)),
        )
        for name in plain | latent | grouped
    }


def _states(a: Architecture) -> dict[str, Value]:
    """Of layers with a state, by their kind."""
    d, heads = a.d_model, a.n_state_heads
    keys, values = a.n_state_key_heads * a.d_state_key, heads * a.d_state_value
    conv = values + 2 * keys
    full = d * values
    low = a.d_state_value * (d + values)
    gate = where(a.full_rank_gate > 0, full, low) + where(a.full_rank_decay > 0, full, low)
    is_kda = a.n_kda > 0
    kinds = (
        (
            a.n_delta,
            {
                "delta_in": d * (2 * keys + 2 * values),
                "delta_steps": 2 * d * heads,
                "state_conv": (2 * keys + values) * a.conv_len,
                "state_out": values * d,
            },
        ),
        (
            a.n_mamba,
            {
                "state_in": d * (values + conv + heads),
                "state_conv": conv * (a.conv_len + 1),
                "state_out": values * d,
            },
        ),
        (
            a.n_selective,
            {
                "state_in": 2 * d * heads,
                "state_step": heads * (2 * a.step_rank + 2 * a.d_state_key),
                "state_conv": heads * (a.conv_len + 1),
                "state_out": heads * d,
            },
        ),
        (
            a.n_conv,
            {"state_in": 3 * d * d, "state_conv": a.conv_len * d, "state_out": d * d},
        ),
        (
            a.n_kda + a.n_lightning,
            {
                "state_qkv": 3 * full,
                "state_gate": where(is_kda, gate + d * heads, full),
                "state_conv": where(is_kda, 3 * values * a.conv_len, 0.0),
                "state_out": full,
            },
        ),
    )
    names = (
        *("delta_in", "delta_steps", "state_in", "state_step"),
        *("state_qkv", "state_gate", "state_conv", "state_out"),
    )
    found: dict[str, Value] = {}
    for name in names:
        size: Value = 0.0
        # The first of the kinds counts.
        for n_layers, sizes in reversed(kinds):
            size = where(n_layers > 0, sizes.get(name, 0.0), size)
        found[f"states_{name}"] = size
    return found


def _mlps(a: Architecture) -> dict[str, Value]:
    """Of MLPs, of what all tokens of a layer with experts go through, and of one expert."""
    d, each = a.d_model, expert_params(a.d_expert_input, a.d_expert, a.mlp_matrices)
    n_dense = maximum(a.n_layers - a.n_moe, 1.0)
    dense = where(a.dense_width > 0, a.dense_width * d / n_dense, 0.0)
    shared = d * a.shared_width
    narrow = where(a.d_expert_input < d, a.d_expert_input, 0.0)
    gate = where(a.mlp_matrices == 3, 1.0, 0.0)
    return {
        "dense_gate": dense * gate,
        "dense_up": dense,
        "dense_down": dense,
        "shared_router": where(a.n_moe > 0, a.n_routed * (d + a.router_bias), 0.0),
        "shared_shared_gate": a.shared_gate * d,
        "shared_shared_w1": shared * gate,
        "shared_shared_w3": shared,
        "shared_shared_w2": shared,
        "shared_narrow": 2 * d * narrow,
        "experts_w1": gate * each / a.mlp_matrices,
        "experts_w3": each / a.mlp_matrices,
        "experts_w2": each / a.mlp_matrices,
    }
