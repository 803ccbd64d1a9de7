"""Numba's machine code does what Python does, bit for bit."""

from __future__ import annotations

import pytest

from app.simulate.compiled import compiled, numba_is_there
from calc.serving.requests import BIMODAL, Mix, draw
from calc.serving.scheduler import advance
from calc.serving.stream import Stream, drawn
from tests.helpers.replays import costs_of, rules


@pytest.mark.skipif(not numba_is_there(), reason="Numba is an extra")
@pytest.mark.filterwarnings("ignore")
def test_a_stream_is_the_same():
    quick, quick_draw = compiled(advance), compiled(draw)
    mix = Mix(2.0, 1.0, BIMODAL, 100.0, 120.0, 2048.0)
    costs = costs_of(model="gemma-3-27b", assumptions="engine")._replace(pool_bytes=8e8)
    for policy in (0.0, 1.0, 2.0, 3.0):
        how = rules(policy=policy, max_len=2048.0)
        ends = []
        for functions in ((draw, advance), (quick_draw, quick)):
            stream = Stream(how, costs, drawn(mix, 5.0, 150, functions[0]), functions[1])
            ends.append(
                [list(values[:n]) for finished, n in stream.finished() for values in finished]
            )
            ends[-1].append(repr(stream.totals()))
        assert ends[0] == ends[1]
