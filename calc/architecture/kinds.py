"""The kinds of layers of an architecture: how many cache what, and how wide."""

from __future__ import annotations

from calc.architecture.record import Architecture
from calc.primitives import maximum, where
from calc.scenario import ALL_TOKENS, LayerKind

#: Bytes of what a convolution remembers, per element: 16 bit.
CONV_BYTES = 2.0

#: Compressed sparse layers make an entry of twice the tokens that they step by.
CSA_SERIES = 2.0

#: A compressor's rows are what is summed and its gate, in fp32. [B per element]
ROW_BYTES = 2 * 4.0

#: Index keys are fp8 with an fp32 scale for each key of 128, whatever the cache's format: 132 B.
INDEX_ELEMENT_BYTES = 1 + 4 / 128


def full_layers(a: Architecture) -> LayerKind:
    """Layers that keep everything: keys and values of their heads, or a latent.

    Parameters
    ----------
    a : Architecture
        Numbers, arrays or symbols.

    Returns
    -------
    LayerKind

    Notes
    -----
    A latent caches its rank and the rotated part, and is read as it is cached. Sparse attention
    reads the best k of these latents, and meets them as they are in prefill, too: high for prompts
    shorter than k, which engines attend to head by head. Compressed sparse layers keep one vector
    for several tokens, key and value at once, and rows of those that overlap.

    References
    ----------
    DeepSeek-V2, 2024 (arXiv:2405.04434), section 2.1; DeepSeek-V3.2-Exp, 2025, section 2;
    `modeling_deepseek_v4.py` of Hugging Face transformers.
    """
    compresses = where(a.n_csa > 0, 1.0, 0.0)
    n_full = maximum(a.n_full, 1.0)
    d_kv = a.d_head + a.d_value
    is_other = where(a.full_kv_heads != a.n_full * a.n_kv_heads, 1.0, 0.0)
    has_own_width = maximum(is_other, where(a.d_value != a.d_head, 1.0, 0.0))
    usual_width = a.full_heads / n_full * d_kv
    absorbed_width = a.n_heads * (2 * a.kv_rank + a.d_rope)
    head_width = a.n_heads * (a.d_nope + a.d_rope + a.d_value)
    latent_width = where(a.index_top > 0, absorbed_width, head_width)
    rows = CSA_SERIES * a.csa_len
    shared_width = 2 * a.n_heads * a.d_head
    return LayerKind(
        n_layers=a.n_full_cached + a.n_csa,
        tokens_per_entry=where(compresses > 0, a.csa_len, 1.0),
        most_entries_read=where(a.index_top > 0, a.index_top, ALL_TOKENS),
        n_kv_heads=where(a.kv_rank > 0, 1.0, a.n_kv_heads),
        d_head=a.d_head,
        cache_width=where(
            a.kv_rank > 0,
            a.kv_rank + a.d_rope,
            where(
                compresses > 0,
                a.d_head,
                where(has_own_width > 0, a.full_kv_heads / n_full * d_kv, 0.0),
            ),
        ),
        decode_attention_width=where(
            a.kv_rank > 0, absorbed_width, where(compresses > 0, shared_width, usual_width)
        ),
        prefill_attention_width=where(
            a.kv_rank > 0, latent_width, where(compresses > 0, shared_width, usual_width)
        ),
        state_bytes=where(compresses > 0, rows * CSA_SERIES * a.d_head * ROW_BYTES, 0.0),
        state_len=where(compresses > 0, rows, 0.0),
    )


def hca_layers(a: Architecture) -> LayerKind:
    """Layers that keep one vector for many tokens, and read all of these.

    Parameters
    ----------
    a : Architecture
        Numbers, arrays or symbols.

    Returns
    -------
    LayerKind

    Notes
    -----
    An entry is key and value at once; the rows of those that are not compressed yet are kept.

    References
    ----------
    `modeling_deepseek_v4.py` of Hugging Face transformers.
    """
    has_any = a.n_hca > 0
    width = where(has_any, 2 * a.n_heads * a.d_head, 0.0)
    return LayerKind(
        n_layers=a.n_hca,
        tokens_per_entry=where(has_any, a.hca_len, 1.0),
        cache_width=where(has_any, a.d_head, 0.0),
        decode_attention_width=width,
        prefill_attention_width=width,
        state_bytes=where(has_any, a.hca_len * a.d_head * ROW_BYTES, 0.0),
        state_len=where(has_any, a.hca_len, 0.0),
    )


def index_layers(a: Architecture) -> LayerKind:
    """The keys by which sparse attention picks what it reads, one per token and layer.

    Parameters
    ----------
    a : Architecture
        Numbers, arrays or symbols.

    Returns
    -------
    LayerKind

    Notes
    -----
    Each of the indexer's heads meets every key. A layer that uses the picks of another is taken
    to keep keys too: of GLM-5.2 no log says whether it does.

    References
    ----------
    DeepSeek-V3.2-Exp, 2025, section 2; sglang pull request 11309 (132 bytes a key, whatever the
    format of the latents).
    """
    width = a.n_index_heads * a.d_index
    # Rows of the keys' compressor stand in the blocks of its layers' own rows.
    rows_bytes = CSA_SERIES * a.csa_len * CSA_SERIES * a.d_index * ROW_BYTES
    return LayerKind(
        n_layers=where(a.d_index > 0, a.n_full_cached + a.n_csa, 0.0),
        tokens_per_entry=where(a.n_csa > 0, a.csa_len, 1.0),
        state_bytes=where(a.n_csa > 0, rows_bytes, 0.0),
        cache_width=a.d_index,
        element_bytes=INDEX_ELEMENT_BYTES,
        decode_attention_width=width,
        prefill_attention_width=width,
    )


def window_layers(a: Architecture) -> LayerKind:
    """Layers that keep the last tokens only.

    Parameters
    ----------
    a : Architecture
        Numbers, arrays or symbols.

    Returns
    -------
    LayerKind

    Notes
    -----
    Widths are means over the layers: heads of all, divided by their number. Beside a compressed
    cache a token's vector is key and value at once.

    References
    ----------
    Beltagy et al., Longformer, 2020 (arXiv:2004.05150).
    """
    slides = a.n_window_cached > 0
    n_window = maximum(a.n_window, 1.0)
    d_kv = a.d_window_head + a.d_window_value
    width = a.window_heads / n_window * d_kv
    return LayerKind(
        n_layers=a.n_window_cached,
        kept_len=where(slides, a.window_len, ALL_TOKENS),
        n_kv_heads=where(slides, a.n_window_kv_heads, 1.0),
        d_head=a.d_window_head,
        cache_width=where(
            a.n_csa + a.n_hca > 0,
            a.d_window_head,
            where(slides, a.window_kv_heads / n_window * d_kv, 0.0),
        ),
        decode_attention_width=where(slides, width, 0.0),
        prefill_attention_width=where(slides, width, 0.0),
    )


def state_layers(a: Architecture) -> LayerKind:
    """Layers that keep a state of constant size, whatever the context.

    Parameters
    ----------
    a : Architecture
        Numbers, arrays or symbols.

    Returns
    -------
    LayerKind

    Notes
    -----
    A state per key head and value; a convolution remembers all but its newest input.

    References
    ----------
    Dao and Gu, Mamba-2, 2024 (arXiv:2405.21060).
    """
    state_width = a.n_state_heads * a.d_state_value
    conv_width = 2 * a.n_state_key_heads * a.d_state_key + state_width
    conv_width = where(a.n_kda > 0, 3 * state_width, conv_width)
    conv_width = where(a.n_conv > 0, a.d_model, conv_width)
    conv_bytes = conv_width * (a.conv_len - 1) * CONV_BYTES
    head_bytes = state_width * a.d_state_key * a.state_element_bytes
    n_layers = a.n_delta + a.n_mamba + a.n_selective + a.n_kda + a.n_conv + a.n_lightning
    return LayerKind(
        n_layers=n_layers,
        state_bytes=where(n_layers > 0, head_bytes + conv_bytes, 0.0),
    )
