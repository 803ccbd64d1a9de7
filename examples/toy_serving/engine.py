"""What every serving loop does: let requests in, prefill them, decode a step, release them.

Which of it when is the loop's business, in static.py and continuous.py; where keys and values
stand is the allocator's, in contiguous.py and paged.py.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from examples.toy_serving.model import Entries, Piece, Transformer


class Memory(Protocol):
    """An allocator: of a pool it hands out so many entries at once. A table lists who has which."""

    n_entries: int
    unit_len: int

    def grow(self, table: list[int], length: int) -> bool:
        """Let a table have room for so many tokens; False, and nothing else, if there is none."""

    def give_back(self, table: list[int]) -> None:
        """Free all that a table lists."""

    def entries(self, table: list[int], start: int, end: int) -> Entries:
        """Where the tokens from `start` to `end` of a sequence stand in the pool."""


class Request(NamedTuple):
    """A prompt, and after how many tokens its answer ends, which only the end itself tells."""

    prompt: list[int]
    output_len: int


@dataclass(eq=False)
class Sequence:
    """A request on its way: its tokens so far, and how many of them the cache holds."""

    number: int
    request: Request
    tokens: list[int]
    cached_len: int = 0
    table: list[int] = field(default_factory=list)

    @property
    def output(self) -> list[int]:
        """The tokens that answer the prompt, so far."""
        return self.tokens[len(self.request.prompt) :]

    @property
    def has_ended(self) -> bool:
        """Whether its last token is out."""
        return len(self.output) == self.request.output_len


class Pass(NamedTuple):
    """One forward pass: rows that decode and that only pad, prompt tokens, memory, time."""

    n_decoding: int
    n_padding: int
    prefilled_tokens: int
    tokens_held: int
    reserved_entries: int
    took_s: float


class NeverFitsError(ValueError):
    """A request that could not be served if it were the only one."""


class Engine:
    """A model, memory, and a batch with so many slots; all requests are there from the start."""

    def __init__(
        self,
        model: Transformer,
        memory: Memory,
        n_slots: int,
        max_len: int,
        requests: list[Request],
    ) -> None:
        self.model, self.memory, self.n_slots = model, memory, n_slots
        self.pool = model.pool(memory.n_entries)
        self.all = [
            Sequence(number, request, list(request.prompt))
            for number, request in enumerate(requests, 1)
        ]
        for each in self.all:
            _refuse_what_never_fits(each, memory, max_len)
        #: Who has not come in yet, and who gave way; the oldest first.
        self.waiting, self.preempted = deque(self.all), deque[Sequence]()
        #: Who is served, the oldest first: who gave way comes back before anybody new.
        self.batch: list[Sequence] = []
        self.passes: list[Pass] = []

    def admit(self, queue: deque[Sequence]) -> None:
        """Let in who comes first, as long as there is a slot, and memory for the tokens so far."""
        while queue and len(self.batch) < self.n_slots:
            first = queue[0]
            if not self.memory.grow(first.table, len(first.tokens)):
                return
            self.batch.append(queue.popleft())

    def prefill(self) -> bool:
        """Run all tokens of those who just came in; False if nobody did."""
        new = [each for each in self.batch if each.cached_len == 0]
        if new:
            self._run(new)
        return bool(new)

    def decode(self) -> bool:
        """Run one token of each in the batch; False if nobody is left who decodes."""
        self._make_room()
        if all(each.has_ended for each in self.batch):
            return False
        self._run(self.batch)
        return True

    def release(self, leaving: list[Sequence]) -> None:
        """Free the slots and the memory of those who leave."""
        for each in leaving:
            self.memory.give_back(each.table)
        self.batch = [each for each in self.batch if each not in leaving]

    def _make_room(self) -> None:
        """Take memory for one token more of each; where there is none, the youngest gives way.

        Its memory is free then. Later all of its tokens are computed again, in one prefill.
        """
        going_on = [each for each in self.batch if not each.has_ended]
        n_ready = 0
        while n_ready < len(going_on):
            each = going_on[n_ready]
            if self.memory.grow(each.table, each.cached_len + 1):
                n_ready += 1
            else:
                youngest = going_on.pop()
                youngest.cached_len = 0
                self.release([youngest])
                self.preempted.appendleft(youngest)

    def _run(self, rows: list[Sequence]) -> None:
        """One forward pass over what the cache lacks of each, which gives each its next token.

        Of who has ended, and still has a row, the last token runs again, for nothing.
        """
        start_s = time.process_time()
        chosen = self.model.next_tokens([self._piece(each) for each in rows], self.pool)
        took_s = time.process_time() - start_s
        going_on = [each for each in rows if not each.has_ended]
        prefilled = sum(len(each.tokens) for each in going_on if each.cached_len == 0)
        for each in going_on:
            each.cached_len = len(each.tokens)
        self.passes.append(
            Pass(
                n_decoding=0 if prefilled else len(going_on),
                n_padding=len(rows) - len(going_on),
                prefilled_tokens=prefilled,
                tokens_held=sum(each.cached_len for each in self.batch if not each.has_ended),
                reserved_entries=sum(len(e.table) for e in self.batch) * self.memory.unit_len,
                took_s=took_s,
            )
        )
        for each, token in zip(rows, chosen, strict=True):
            if not each.has_ended:
                each.tokens.append(token)

    def _piece(self, each: Sequence) -> Piece:
        """What a pass computes of a sequence."""
        end = each.cached_len if each.has_ended else len(each.tokens)
        start = end - 1 if each.has_ended else each.cached_len
        return Piece(
            tokens=each.tokens[start:end],
            start=start,
            own=self.memory.entries(each.table, start, end),
            all=self.memory.entries(each.table, 0, end),
        )


def _refuse_what_never_fits(each: Sequence, memory: Memory, max_len: int) -> None:
    n_prompt, n_output = len(each.tokens), each.request.output_len
    # The last token is given out, but never goes into the cache.
    n_units = -(-(n_prompt + n_output - 1) // memory.unit_len)
    if n_prompt + n_output > max_len or n_units * memory.unit_len > memory.n_entries:
        raise NeverFitsError(
            f"request {each.number}, with a prompt of {n_prompt} and an output of {n_output} "
            f"tokens, can never fit: the longest sequence has {max_len} tokens, and the cache "
            f"{memory.n_entries}"
        )
