"""The toy's transformer is one: a pass over the cache gives what the textbook's formulas give."""

from __future__ import annotations

import numpy as np
import pytest

from examples.toy_serving.model import Piece, Sizes, Transformer

SIZES = Sizes(n_layers=2, d_model=32, n_heads=4, n_kv_heads=2, d_head=8, d_ff=64, n_vocab=97)


def piece(tokens: list[int], start: int, first: int = 0) -> Piece:
    """Some tokens of a sequence whose entries stand in a row from `first` on."""
    end = start + len(tokens)
    return Piece(tokens, start, slice(first + start, first + end), slice(first, first + end))


def normed(row):
    return row / np.sqrt(np.mean(row**2) + 1e-6)


def turned(head, position, frequencies):
    half = len(head) // 2
    pairs = (head[:half] + 1j * head[half:]) * np.exp(1j * position * frequencies)
    return np.concatenate([pairs.real, pairs.imag])


def textbook(model: Transformer, tokens: list[int]) -> int:
    """The next token: without a cache, head by head and token by token."""
    sizes = model.sizes
    width, d_head = sizes.n_heads * sizes.d_head, sizes.d_head
    group = sizes.n_heads // sizes.n_kv_heads
    x = [model.embedding[token] for token in tokens]
    for layer in model.layers:
        rows = [normed(row) @ layer.qkv for row in x]
        for at, row in enumerate(x):
            heads = []
            for head in range(sizes.n_heads):
                own = slice(head * d_head, (head + 1) * d_head)
                shared = head // group * d_head
                k = slice(width + shared, width + shared + d_head)
                v = slice(k.start + sizes.n_kv_heads * d_head, k.stop + sizes.n_kv_heads * d_head)
                query = turned(rows[at][own], at, model.frequencies)
                scores = [
                    query @ turned(rows[other][k], other, model.frequencies) / np.sqrt(d_head)
                    for other in range(at + 1)
                ]
                shares = np.exp(scores) / np.sum(np.exp(scores))
                heads.append(sum(s * rows[o][v] for o, s in enumerate(shares)))
            x[at] = row + np.concatenate(heads) @ layer.out
        for at, row in enumerate(x):
            gate, up = np.split(normed(row) @ layer.gate_up, 2)
            x[at] = row + (gate / (1 + np.exp(-gate)) * up) @ layer.down
    return int(np.argmax(normed(x[-1]) @ model.unembedding))


@pytest.mark.parametrize("seed", range(5))
def test_a_pass_is_the_textbooks(seed):
    model = Transformer(SIZES, seed)
    tokens = np.random.default_rng(seed).integers(0, SIZES.n_vocab, 9).tolist()
    pool, expected = model.pool(20), list(tokens)
    (token,) = model.next_tokens([piece(tokens, 0)], pool)
    decoded = [token]
    for at in range(9, 14):
        (token,) = model.next_tokens([piece(decoded[-1:], at)], pool)
        decoded.append(token)
    while len(expected) < 15:
        expected.append(textbook(model, expected))
    assert decoded == expected[9:]
    assert len(set(decoded)) > 2


def test_others_in_the_pass_change_no_token():
    model = Transformer(SIZES)
    chance = np.random.default_rng(1)
    prompts = [chance.integers(0, SIZES.n_vocab, n).tolist() for n in (3, 1, 12, 7)]
    together = model.next_tokens(
        [piece(prompt, 0, 20 * at) for at, prompt in enumerate(prompts)], model.pool(80)
    )
    alone = [model.next_tokens([piece(prompt, 0)], model.pool(20))[0] for prompt in prompts]
    assert together == alone


def test_entries_need_not_stand_in_a_row():
    model = Transformer(SIZES)
    tokens = [5, 9, 2, 40, 8]
    places = np.array([17, 3, 4, 11, 0])
    apart = Piece(tokens, 0, places, places)
    assert model.next_tokens([apart], model.pool(18)) == model.next_tokens(
        [piece(tokens, 0)], model.pool(5)
    )
