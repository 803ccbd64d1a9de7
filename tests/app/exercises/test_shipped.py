"""What is right of each shipped exercise, worked by hand from the lessons' formulas.

The lesson's card: 80e9 bytes, 3.3e12 bytes/s, 990e12 FLOP/s. Its model: 7e9 parameters of 2 bytes,
32 layers, 32 query heads of size 128, 8 KV heads: 2 · 32 · 8 · 128 · 2 bytes of cache per token.
"""

from __future__ import annotations

import pytest

from app.exercises.answers import answer

BANDWIDTH, PEAK, HBM = 3.3e12, 990e12, 80e9
WEIGHTS = 14e9
TOKEN = 2 * 32 * 8 * 128 * 2


def one_reader() -> float:
    """Bytes of a step for one reader of 8,192 tokens."""
    return WEIGHTS + 8192 * TOKEN


#: The right option, or a number; each from the lessons' formulas.
BY_HAND = {
    # 15.1 GB at 3.3 TB/s are 4.57 ms, 14 GFLOP at 990 TFLOP/s 14 µs.
    "what-it-waits-for": "reading" if one_reader() / BANDWIDTH > 14e9 / PEAK else "computing",
    # max(4.57 ms, 14 µs) is max(4.57 ms, 7 µs).
    "twice-the-flops": 1.0,
    # 2 FLOP per parameter and reader, over the weights and 16 caches of 512 tokens.
    "intensity-is-batch": 2 * 7e9 * 16 / (WEIGHTS + 16 * 512 * TOKEN),
    "int4-one-reader": one_reader() / (WEIGHTS / 4 + 8192 * TOKEN),
    # 66 GB for caches of 4.29 GB; int8 halves these, int4 leaves 76.5 GB.
    "which-knob-first": "cache",
}


def test_each_has_an_answer_by_hand(course):
    assert [each.id for each in course.exercises] == list(BY_HAND)


@pytest.mark.parametrize("id_", BY_HAND)
def test_the_answer_is_the_one_by_hand(course, id_):
    (exercise,) = (each for each in course.exercises if each.id == id_)
    found, by_hand = answer(exercise), BY_HAND[id_]
    if isinstance(by_hand, float):
        assert found.value == pytest.approx(by_hand, rel=1e-9)
    else:
        assert ", ".join(found.right) == by_hand
