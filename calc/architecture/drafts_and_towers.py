"""Parameters beside the layers of a model: its draft layers, and towers that encode images."""

from __future__ import annotations

from calc.primitives import floor
from calc.quantity import Value


def draft_params(d_model: Value, layer_params: Value, n_norms: Value, n_draft: Value) -> Value:
    """Parameters of the draft layers (MTP, NextN) of a checkpoint.

    Parameters
    ----------
    d_model : quantity
    layer_params : scalar or array
        Of one layer of the model without its norms. [count]
    n_norms : scalar or array
        Norm vectors of one draft layer. [count]
    n_draft : scalar or array
        Draft layers. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    A layer of the model and a projection of two widths to one, 2·d·d. Some checkpoints add
    copies of both tables, which engines share with the model.

    References
    ----------
    DeepSeek-V3, 2024 (arXiv:2412.19437), section 2.2.
    """
    return n_draft * (layer_params + 2 * d_model**2 + n_norms * d_model)


def block_params(width: Value, inner: Value) -> Value:
    """Parameters of one block of a vision transformer with biases.

    Parameters
    ----------
    width, inner : scalar or array
        Of the block, and of its MLP. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    4·w² + 2·w·f + 9·w + f: attention, an MLP of two matrices, their biases, two norms.

    References
    ----------
    Dosovitskiy et al., ViT, 2020 (arXiv:2010.11929).
    """
    return 4 * width**2 + 2 * width * inner + 9 * width + inner


def merger_tower_params(
    n_layers: Value,
    width: Value,
    inner: Value,
    d_out: Value,
    n_pixels: Value,
    n_positions: Value,
    n_merge: Value,
    n_deep: Value,
) -> Value:
    """Parameters of a vision encoder with patch mergers (Qwen3-VL, Qwen3.5).

    Parameters
    ----------
    n_layers : quantity
    width, inner : scalar or array
        Widths of a block. [count]
    d_out : scalar or array
        Width of the language model. [count]
    n_pixels : scalar or array
        Numbers in a patch: frames, channels and pixels. [count]
    n_positions : scalar or array
        Rows of the table of positions. [count]
    n_merge : scalar or array
        Patches that are merged along a side. [count]
    n_deep : scalar or array
        Mergers of layers in between. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Each merger: a norm, (m²w)² and m²w·d with biases; in between it is of the merged width.

    References
    ----------
    `modeling_qwen3_vl.py` of Hugging Face transformers.
    """
    merged = n_merge**2 * width
    merger = (merged + 1) * merged + (merged + 1) * d_out
    patches = (n_pixels + 1) * width + n_positions * width
    blocks = n_layers * block_params(width, inner)
    return patches + blocks + merger + 2 * width + n_deep * (merger + 2 * merged)


def siglip_tower_params(
    n_layers: Value, width: Value, inner: Value, d_out: Value, n_patch: Value, n_image: Value
) -> Value:
    """Parameters of a SigLIP vision encoder with a projection (Gemma 3).

    Parameters
    ----------
    n_layers : quantity
    width, inner : scalar or array
        Widths of a block. [count]
    d_out : scalar or array
        Width of the language model. [count]
    n_patch, n_image : scalar or array
        Side of a patch, and of an image. [count]

    Returns
    -------
    same shape
        [count]

    Notes
    -----
    Patches with bias, a table of positions, blocks, a norm; a norm and a matrix to the model.

    References
    ----------
    Zhai et al., SigLIP, 2023 (arXiv:2303.15343); Gemma 3, 2025 (arXiv:2503.19786).
    """
    patches = 3 * n_patch**2 * width + width
    positions = floor(n_image / n_patch) ** 2 * width
    blocks = n_layers * block_params(width, inner)
    return patches + positions + blocks + 2 * width + width + width * d_out
