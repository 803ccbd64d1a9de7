"""The cache in blocks: a sequence takes the next block when its last one is full.

Its block table says where its tokens stand, block by block, as an operating system's page table
does. At most the end of the last block is empty, and any free block fits anybody.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Paged:
    """A pool of KV entries in blocks of a few, handed out as sequences grow."""

    def __init__(self, n_entries: int, block_len: int) -> None:
        self.n_entries = n_entries
        self.unit_len = block_len
        self.free = list(range(n_entries // block_len))

    def grow(self, table: list[int], length: int) -> bool:
        """Add the blocks that a sequence lacks for so many tokens; False if too few are free."""
        n_missing = -(-length // self.unit_len) - len(table)
        if n_missing > len(self.free):
            return False
        table.extend(self.free.pop() for _ in range(n_missing))
        return True

    def give_back(self, table: list[int]) -> None:
        """Free a sequence's blocks."""
        self.free.extend(table)
        table.clear()

    def entries(self, table: list[int], start: int, end: int) -> NDArray[np.intp]:
        """Where the tokens from `start` to `end` of a sequence stand: looked up in its table."""
        positions = np.arange(start, end)
        blocks = np.array(table)[positions // self.unit_len]
        return blocks * self.unit_len + positions % self.unit_len
