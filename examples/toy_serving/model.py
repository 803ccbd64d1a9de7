"""A small transformer with random weights, which decodes as a large one does.

RMSNorm, rotary positions, grouped-query attention, SwiGLU. All is float64: the same token comes
out whoever else is in the pass, because rounding moves a logit by a millionth of a millionth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Which entries of the pool: those in a row, or any.
Entries = slice | NDArray[np.intp]


class Sizes(NamedTuple):
    """What the transformer is made of; with these its weights are 63 MB."""

    n_layers: int = 2
    d_model: int = 512
    n_heads: int = 8
    n_kv_heads: int = 2
    d_head: int = 64
    d_ff: int = 2048
    n_vocab: int = 512


class Layer(NamedTuple):
    """The weights of a layer, each of shape (inputs, outputs)."""

    qkv: Floats
    out: Floats
    gate_up: Floats
    down: Floats


class Pool(NamedTuple):
    """The KV cache: room for so many tokens, of shape (layers, entries, KV heads, head size)."""

    keys: Floats
    values: Floats


class Piece(NamedTuple):
    """What a pass computes of a sequence: tokens, the first one's position, and their entries.

    `own` is where the keys and values of these tokens go, `all` where those of the whole sequence
    up to here are. Which entries these are is the allocator's business.
    """

    tokens: list[int]
    start: int
    own: Entries
    all: Entries


class Transformer:
    """Greedy decoding over a pool of KV entries, for several sequences in one pass."""

    def __init__(self, sizes: Sizes, seed: int = 0) -> None:
        self.sizes = sizes
        chance = np.random.default_rng(seed)

        def weights(n_in: int, n_out: int) -> Floats:
            return chance.normal(0.0, n_in**-0.5, (n_in, n_out))

        d, width = sizes.d_model, sizes.n_heads * sizes.d_head
        qkv_width = width + 2 * sizes.n_kv_heads * sizes.d_head
        # Small beside what the layers add: else a token would follow from the last one alone.
        self.embedding = chance.normal(0.0, 0.3, (sizes.n_vocab, d))
        self.layers = [
            Layer(
                qkv=weights(d, qkv_width),
                out=weights(width, d),
                gate_up=weights(d, 2 * sizes.d_ff),
                down=weights(sizes.d_ff, d),
            )
            for _ in range(sizes.n_layers)
        ]
        self.unembedding = weights(d, sizes.n_vocab)
        self.frequencies = 10_000.0 ** -(np.arange(sizes.d_head // 2) / (sizes.d_head // 2))

    @property
    def n_params(self) -> int:
        """Weights that each token is multiplied with."""
        return self.unembedding.size + sum(w.size for layer in self.layers for w in layer)

    def pool(self, n_entries: int) -> Pool:
        """An empty KV cache with room for so many tokens."""
        sizes = self.sizes
        shape = (sizes.n_layers, n_entries, sizes.n_kv_heads, sizes.d_head)
        return Pool(np.zeros(shape), np.zeros(shape))

    def next_tokens(self, pieces: list[Piece], pool: Pool) -> list[int]:
        """One pass: the token that follows each piece; the pool gets the keys and values.

        The tokens of all pieces are rows of one matrix, so that the weights are read once for
        all. Only attention goes sequence by sequence: each has a cache of its own.
        """
        sizes = self.sizes
        ends = np.cumsum([len(piece.tokens) for piece in pieces])
        spans = [slice(end - len(p.tokens), end) for end, p in zip(ends, pieces, strict=True)]
        positions = np.concatenate([p.start + np.arange(len(p.tokens)) for p in pieces])
        angles = positions[:, None, None] * self.frequencies
        cos, sin = np.cos(angles), np.sin(angles)
        x = self.embedding[np.concatenate([piece.tokens for piece in pieces])]
        width, kv_width = sizes.n_heads * sizes.d_head, sizes.n_kv_heads * sizes.d_head
        for layer, keys, values in zip(self.layers, *pool, strict=True):
            qkv = np.split(_norm(x) @ layer.qkv, (width, width + kv_width), axis=1)
            q, k, v = (part.reshape(len(x), -1, sizes.d_head) for part in qkv)
            q, k = _turned(q, cos, sin), _turned(k, cos, sin)
            mixed = np.empty_like(q)
            for piece, rows in zip(pieces, spans, strict=True):
                keys[piece.own], values[piece.own] = k[rows], v[rows]
                mixed[rows] = _attention(q[rows], keys[piece.all], values[piece.all], piece.start)
            x = x + mixed.reshape(len(x), -1) @ layer.out
            gate, up = np.split(_norm(x) @ layer.gate_up, 2, axis=1)
            x = x + (gate / (1 + np.exp(-gate)) * up) @ layer.down
        logits = _norm(x[ends - 1]) @ self.unembedding
        chosen: list[int] = logits.argmax(axis=1).tolist()
        return chosen


def _norm(x: Floats) -> Floats:
    """Each row with the mean square 1."""
    scaled: Floats = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6)
    return scaled


def _turned(x: Floats, cos: Floats, sin: Floats) -> Floats:
    """Rotary positions: each pair of numbers turned by an angle that grows with the position."""
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


def _attention(q: Floats, keys: Floats, values: Floats, start: int) -> Floats:
    """What some tokens of a sequence take from those up to themselves.

    q (tokens, heads, head size); keys and values (cached, KV heads, head size). Heads of a group
    share keys and values, so they are rows of one product.
    """
    n, n_heads, d_head = q.shape
    n_cached, n_kv_heads, _ = keys.shape
    shape = (n_kv_heads, n_heads // n_kv_heads, n)
    grouped = q.transpose(1, 0, 2).reshape(n_kv_heads, -1, d_head)
    scores = (grouped @ keys.transpose(1, 2, 0) / np.sqrt(d_head)).reshape(*shape, n_cached)
    if n > 1:
        comes_later = np.arange(n_cached) > start + np.arange(n)[:, None]
        scores[..., comes_later] = -np.inf
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    mixed: Any = shares.reshape(n_kv_heads, -1, n_cached) @ values.transpose(1, 0, 2)
    together: Floats = mixed.reshape(n_heads, n, d_head).transpose(1, 0, 2)
    return together
