"""The server's log: a line a request, for whoever reads it, or nobody."""

from __future__ import annotations

import os
import select
from asyncio import get_running_loop

from app.server.command import complain

#: A pipe that is ready takes so much without a wait.
_AT_ONCE = select.PIPE_BUF

#: What waits for a reader who does not read; what comes after it is lost. [B]
_MOST = 1 << 18

#: Until a reader who did not read is tried again. [s]
_PAUSE_S = 0.1


class Log:
    """Lines to a file, a terminal or a pipe: the server neither waits for these nor ends with them.

    What cannot be written is counted, and the count written once that can be.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = bytearray()
        self._n_lost = 0
        self._scheduled = False
        self._complained = False

    def line(self, text: str) -> None:
        """Write a line soon, together with others of the same moment."""
        if len(self._buffer) > _MOST:
            self._n_lost += 1
            return
        if self._n_lost:
            self._buffer += f"({self._n_lost:,} lines lost)\n".encode()
            self._n_lost = 0
        self._buffer += text.encode() + b"\n"
        if not self._scheduled:
            self._scheduled = True
            get_running_loop().call_soon(self.write)

    def write(self, wait_s: float = 0) -> None:
        """Write what can be written now, or while its reader does not keep us longer than this."""
        self._scheduled = False
        try:
            while self._buffer and select.select([], [self._descriptor], [], wait_s)[1]:
                del self._buffer[: os.write(self._descriptor, self._buffer[:_AT_ONCE])]
        except BlockingIOError:
            pass
        except OSError as error:
            self._n_lost += self._buffer.count(b"\n")
            self._buffer.clear()
            if not self._complained:
                complain(f"the log cannot be written ({error.strerror}), the page is served on")
            self._complained = True
        if self._buffer:
            self._scheduled = True
            get_running_loop().call_later(_PAUSE_S, self.write)
