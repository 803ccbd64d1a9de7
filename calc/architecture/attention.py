"""Parameters of a layer that attends: plain, with a latent, with an indexer."""

from __future__ import annotations

from calc.primitives import where
from calc.quantity import Value


def group_size(n_heads: Value, n_kv_heads: Value) -> Value:
    """How many query heads share one pair of key and value.

    Parameters
    ----------
    n_heads, n_kv_heads : quantity

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    g = h / n_kv. It says nothing of a model with a latent, which all heads share.

    References
    ----------
    Ainslie et al., GQA, 2023 (arXiv:2305.13245).
    """
    return n_heads / n_kv_heads


def attention_params(
    d_model: Value,
    n_heads: Value,
    n_kv_heads: Value,
    d_head: Value,
    d_value: Value,
    output_gate: Value = 0.0,
    values_are_keys: Value = 0.0,
    qkv_bias: Value = 0.0,
    o_bias: Value = 0.0,
) -> Value:
    """Parameters of one attention layer: MHA, GQA or MQA.

    Parameters
    ----------
    d_model, n_heads, n_kv_heads, d_head : quantity
    d_value : scalar or array
        Size of a head's values. [count]
    output_gate, values_are_keys, qkv_bias, o_bias : scalar or array
        1 = the layer gates its output, stores no value projection, has biases. [0 or 1]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Queries d·h·d_head (twice with a gate), keys d·n_kv·d_head, values d·n_kv·d_v,
    output h·d_v·d, and a bias per output where there are biases.

    References
    ----------
    Vaswani et al., 2017 (arXiv:1706.03762), section 3.2; `modeling_*.py` of Hugging Face
    transformers for what each family adds.
    """
    query, key = n_heads * d_head, n_kv_heads * d_head
    value = n_kv_heads * d_value * (1 - values_are_keys)
    inner = query * (1 + output_gate) + key + value
    output = n_heads * d_value * d_model
    return d_model * inner + output + qkv_bias * (query + key + value) + o_bias * d_model


def latent_attention_params(
    d_model: Value,
    n_heads: Value,
    d_value: Value,
    kv_rank: Value,
    q_rank: Value,
    d_nope: Value,
    d_rope: Value,
) -> Value:
    """Parameters of one multi-head latent attention (MLA) layer.

    Parameters
    ----------
    d_model, n_heads : quantity
    d_value : scalar or array
        Size of a head's values. [count]
    kv_rank, q_rank : scalar or array
        Width of the latents; a q_rank of 0 projects queries directly. [count]
    d_nope, d_rope : scalar or array
        Parts of a head without and with rotary position. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Down and up projections of queries and of keys with values, a norm per latent, and
    the output h·d_v·d.

    References
    ----------
    DeepSeek-V2, 2024 (arXiv:2405.04434), section 2.1.
    """
    head = n_heads * (d_nope + d_rope)
    query = where(q_rank > 0, d_model * q_rank + q_rank + q_rank * head, d_model * head)
    latent = d_model * (kv_rank + d_rope) + kv_rank + kv_rank * n_heads * (d_nope + d_value)
    return query + latent + n_heads * d_value * d_model


def grouped_attention_params(
    d_model: Value,
    n_heads: Value,
    d_head: Value,
    q_rank: Value,
    o_groups: Value,
    o_rank: Value,
) -> Value:
    """Parameters of one attention layer whose heads share one vector as key and value.

    Parameters
    ----------
    d_model, n_heads, d_head : quantity
    q_rank : scalar or array
        Width of the query latent. [count]
    o_groups, o_rank : scalar or array
        Groups of heads that the output is projected in, and the width of each. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    d·r_q + r_q·h·d_head for queries, d·d_head for keys and values, h·d_head·r_o + g·r_o·d for the
    output, a norm of each latent, and a sink per head.

    References
    ----------
    `modeling_deepseek_v4.py` of Hugging Face transformers.
    """
    width = n_heads * d_head
    query = d_model * q_rank + q_rank + q_rank * width
    output = width * o_rank + o_groups * o_rank * d_model
    return query + d_model * d_head + d_head + output + n_heads


def compressor_params(d_model: Value, d_entry: Value, n_series: Value, n_tokens: Value) -> Value:
    """Parameters of what makes one cache entry of several tokens.

    Parameters
    ----------
    d_model : quantity
    d_entry : scalar or array
        Width of an entry. [count]
    n_series : scalar or array
        2 = neighbours overlap. [count]
    n_tokens : scalar or array
        Tokens that share an entry. [tokens]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    What is summed and its gate, 2·s·d·d_entry; a bias for each place, and a norm.

    References
    ----------
    As of `grouped_attention_params`.
    """
    return 2 * n_series * d_model * d_entry + n_tokens * n_series * d_entry + d_entry


def index_params(d_model: Value, q_rank: Value, n_index_heads: Value, d_index: Value) -> Value:
    """Parameters of the indexer that picks tokens for sparse attention.

    Parameters
    ----------
    d_model : quantity
    q_rank : scalar or array
        Width of the query latent. [count]
    n_index_heads, d_index : scalar or array
        The indexer's own heads and their size. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Queries from the query latent, one key per token with its LayerNorm, a weight per
    head. 0 heads = no indexer.

    References
    ----------
    DeepSeek-V3.2-Exp, 2025, section 2.1.
    """
    own = q_rank * n_index_heads * d_index + d_model * d_index + 2 * d_index
    return where(n_index_heads > 0, own + d_model * n_index_heads, 0.0)
