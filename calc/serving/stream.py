"""A replay of more requests than memory holds: they come in blocks, and what ends goes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from calc.serving.arrays import arrays, zeros
from calc.serving.costs import Costs
from calc.serving.engine import CLOCK_S, N_BEFORE, N_FINISHED, N_TAKEN, Rules, new_engine
from calc.serving.log import NO_LIMIT, Finished, Log, Passes, Phases
from calc.serving.replay import Totals, totals
from calc.serving.requests import Mix, Requests, draw, source
from calc.serving.scheduler import DONE, NEEDS_REQUESTS, NEVER_FITS, advance

#: Requests that are at hand at a time.
BLOCK = 65_536

#: Ends that are written down before somebody takes them; a slot each has to fit.
_ROWS = 8192


class NeverFitsError(ValueError):
    """A request, counted from 1, that could not be served if it were the only one."""

    def __init__(self, number: int, prompt_len: float, output_len: float) -> None:
        super().__init__(
            f"request {number:,}, with a prompt of {prompt_len:,.0f} and an output of "
            f"{output_len:,.0f} tokens, can never fit"
        )
        self.number, self.prompt_len, self.output_len = number, prompt_len, output_len


class Stream:
    """A replay in pieces: iterate over `finished`, then ask for the `totals`."""

    def __init__(
        self,
        rules: Rules,
        costs: Costs,
        blocks: Iterable[Requests],
        advance: Callable[..., int] = advance,
    ) -> None:
        self._rules, self._costs, self._blocks = rules, costs, iter(blocks)
        self._engine, self._advance = new_engine(rules, costs), advance
        self.n_finished, self.served_s = 0, 0.0

    def finished(self) -> Iterator[tuple[Finished, int]]:
        """Serve all, piece by piece: requests as they end, and how many rows of the arrays count.

        Raises
        ------
        NeverFitsError
            A request could not be served if it were the only one.
        """
        now, block = self._engine.now, next(self._blocks)
        following = next(self._blocks, None)
        finished = arrays(Finished, _ROWS + self._rules.n_slots)
        log = Log(zeros(3), finished, arrays(Passes, 0), arrays(Phases, 0), NO_LIMIT)
        outcome = -1
        while outcome != DONE:
            n = len(block.arrival_s)
            outcome = self._advance(
                self._rules, self._costs, self._engine, block, n, following is None, log
            )
            self.n_finished, self.served_s = int(now[N_FINISHED]), now[CLOCK_S]
            yield log.finished, int(log.n[0])
            log.n[0] = 0
            if outcome == NEVER_FITS:
                at = int(now[N_TAKEN])
                number = int(now[N_BEFORE]) + at + 1
                raise NeverFitsError(number, block.prompt_len[at], block.output_len[at])
            if outcome == NEEDS_REQUESTS and following is not None:
                now[N_BEFORE] += now[N_TAKEN]
                now[N_TAKEN] = 0
                block, following = following, next(self._blocks, None)

    @property
    def n_requests(self) -> int:
        """Requests that came in so far."""
        return int(self._engine.now[N_BEFORE] + self._engine.now[N_TAKEN])

    def totals(self) -> Totals:
        """What came out so far."""
        return totals(self._rules, self._costs, self._engine)


def drawn(mix: Mix, seed: float, n: int, draw: Callable[..., None] = draw) -> Iterator[Requests]:
    """Requests by chance, in blocks.

    Parameters
    ----------
    mix : Mix
    seed : float
        [count]
    n : int
        In all. [count]
    draw : callable, optional
        `requests.draw`, or what does the same.

    Returns
    -------
    iterator of Requests
        The same as `draw` gives at once.

    Notes
    -----
    Of at most 65,536.

    References
    ----------
    `requests.draw`.
    """
    where_from = source(seed)
    while n > 0:
        block = arrays(Requests, min(n, BLOCK))
        draw(mix, where_from, block, len(block.arrival_s))
        n = n - len(block.arrival_s)
        yield block
