"""The naive cache: whoever comes in gets room in a row for the longest sequence there may be.

Nobody knows how long an answer will be, so every request takes as much as the longest. Most of it
stays empty, and while it is taken nobody else can have it.
"""

from __future__ import annotations


class Contiguous:
    """A pool of KV entries in regions as long as the longest sequence, one for each sequence."""

    def __init__(self, n_entries: int, max_len: int) -> None:
        self.n_entries = n_entries
        self.unit_len = max_len
        self.free = list(range(n_entries // max_len))

    def grow(self, table: list[int], length: int) -> bool:
        """Give a sequence its region, if it has none; False if none is free."""
        if table:
            return True
        if not self.free:
            return False
        table.append(self.free.pop())
        return True

    def give_back(self, table: list[int]) -> None:
        """Free a sequence's region."""
        self.free.extend(table)
        table.clear()

    def entries(self, table: list[int], start: int, end: int) -> slice:
        """Where the tokens from `start` to `end` of a sequence stand: in a row."""
        first = table[0] * self.unit_len
        return slice(first + start, first + end)
