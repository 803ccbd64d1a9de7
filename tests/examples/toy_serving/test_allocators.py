"""Both allocators hand out each entry once; blocks hold more sequences than regions do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.toy_serving.contiguous import Contiguous
from examples.toy_serving.paged import Paged

ALLOCATORS = [lambda: Contiguous(64, 16), lambda: Paged(64, 4), lambda: Paged(64, 1)]


def places(memory, table, length):
    return np.arange(memory.n_entries)[memory.entries(table, 0, length)].tolist()


@pytest.mark.parametrize("new", ALLOCATORS)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 16))))
def test_no_entry_is_anybodys_twice(new, moves):
    memory = new()
    tables: list[list[int]] = [[] for _ in range(8)]
    lengths = [0] * 8
    for who, length in moves:
        before = list(memory.free), list(tables[who])
        if length == 0:
            memory.give_back(tables[who])
            lengths[who] = 0
        elif length > lengths[who]:
            if memory.grow(tables[who], length):
                lengths[who] = length
            else:
                assert (memory.free, tables[who]) == before
        taken = [
            place
            for table, length in zip(tables, lengths, strict=True)
            if table
            for place in places(memory, table, length)
        ]
        assert len(taken) == len(set(taken)) == sum(lengths)
        n_units = len(memory.free) + sum(map(len, tables))
        assert n_units * memory.unit_len == memory.n_entries


@pytest.mark.parametrize("new", ALLOCATORS)
def test_a_part_stands_where_the_whole_does(new):
    memory = new()
    table: list[int] = []
    other: list[int] = []
    assert memory.grow(table, 3)
    assert memory.grow(other, 5)
    assert memory.grow(table, 11)
    part = np.arange(memory.n_entries)[memory.entries(table, 3, 11)].tolist()
    assert places(memory, table, 11)[3:] == part


def test_blocks_hold_more_sequences_than_regions():
    n = []
    for memory in (Contiguous(256, 64), Paged(256, 8)):
        n.append(0)
        while memory.grow([], 20):
            n[-1] += 1
    assert n == [256 // 64, 256 // 24]
