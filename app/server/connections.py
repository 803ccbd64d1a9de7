"""Who is connected: no more than there is room for, and nobody for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from socket import socket
from time import monotonic
from typing import Any

from tornado.http1connection import HTTP1ConnectionParameters, HTTP1ServerConnection
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPInputError,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.iostream import IOStream

from app.server.answers import Answer
from app.server.command import complain

#: Nobody has anything to send us. `docker/nginx.conf` lets less than this through to us.
_BODY_BYTES = 4096
_HEADER_BYTES = 16384
_BUFFER_BYTES = 65536

#: A body up to here is copied behind its headers and sent with them, in one go.
_CHUNK_BYTES = 16384

#: Taken in one go before those who are here are looked after again.
_AT_ONCE = 128


@dataclass(frozen=True)
class Limits:
    """How many may be connected, and how long each may take."""

    connections: int
    #: To send a request, from the start or the last answer on.
    idle_s: float = 60
    #: To send one, or to take the next bytes of an answer, while others wait for a place.
    crowded_s: float = 5
    #: To take all of an answer, with so much more for its bytes.
    answer_s: float = 30
    slowest_bytes_per_s: float = 16384
    #: Between two looks at who takes too long.
    sweep_s: float = 1


class _Stream(IOStream):
    """A connection that knows when something was last taken from it."""

    taken_at: float = 0

    def write_to_fd(self, data: memoryview) -> int:
        n_taken = super().write_to_fd(data)
        self.taken_at = monotonic()
        return n_taken


@dataclass
class _Client:
    """A client: since when it has been asking, or taking an answer, and how long it may take."""

    stream: _Stream
    since: float
    answer_s: float | None = None  # None: it is its turn to ask
    is_late: bool = False

    def holds_up(self, now: float, limits: Limits, *, crowded: bool) -> bool:
        """Whether it has had its time, or keeps others waiting who would use it better."""
        allowed_s = limits.idle_s if self.answer_s is None else self.answer_s
        stands_still = now - max(self.since, self.stream.taken_at) > limits.crowded_s
        return now - self.since > allowed_s or (crowded and stands_still)


class Connections(HTTPServerConnectionDelegate):
    """Accepts connections, answers what they ask, and closes those that take too long.

    Parameters
    ----------
    listening : list of socket
        Bound ones.
    answer : callable
        From a request's method, target and headers to the answer.
    log : callable
        Told method, target, answer and seconds of each.
    limits : Limits
    """

    def __init__(
        self,
        listening: list[socket],
        answer: Callable[[str, str, HTTPHeaders], Answer],
        log: Callable[[str, str, Answer, float], None],
        limits: Limits,
    ) -> None:
        self._listening = listening
        self._answer = answer
        self._log = log
        self._limits = limits
        self._parameters = HTTP1ConnectionParameters(
            max_body_size=_BODY_BYTES, max_header_size=_HEADER_BYTES
        )
        self._clients: dict[object, _Client] = {}
        self._crowded = True
        self._complaints: set[str] = set()
        self._admit()
        self._sweeper = PeriodicCallback(self._sweep, 1000 * limits.sweep_s)
        self._sweeper.start()

    async def close(self) -> None:
        """Let nobody in any more, and end all connections."""
        self._sweeper.stop()
        self._turn_away()
        while self._listening:
            self._listening.pop().close()
        for serving in list(self._clients):
            assert isinstance(serving, HTTP1ServerConnection)
            await serving.close()

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> _Exchange:
        """It is a client's turn to ask."""
        client = self._clients[server_conn]
        client.since, client.answer_s = monotonic(), None
        return _Exchange(request_conn, client, self._give)

    def on_close(self, server_conn: object) -> None:
        """A client is gone."""
        del self._clients[server_conn]
        self._admit()

    def _admit(self) -> None:
        if self._crowded and len(self._clients) < self._limits.connections:
            self._set_crowded(False)
            for each in self._listening:
                IOLoop.current().add_handler(each, self._accept, IOLoop.READ)

    def _turn_away(self) -> None:
        # They wait in the system's queue, which is long, instead of here.
        if not self._crowded:
            self._set_crowded(True)
            for each in self._listening:
                IOLoop.current().remove_handler(each)

    def _set_crowded(self, crowded: bool) -> None:
        # Who has an answer then leaves, and comes back for the next.
        self._crowded = self._parameters.no_keep_alive = crowded

    def _accept(self, listening: socket, _: int) -> None:
        for _ in range(_AT_ONCE):
            try:
                connection = listening.accept()[0]
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                # No descriptor or memory is left. The next sweep tries again: at once would be
                # again and again.
                self._say(f"nobody else can connect for now ({error.strerror})")
                self._turn_away()
                return
            stream = _Stream(connection, max_buffer_size=_BUFFER_BYTES)
            serving = HTTP1ServerConnection(stream, self._parameters)
            self._clients[serving] = _Client(stream, monotonic())
            serving.start_serving(self)
            if len(self._clients) >= self._limits.connections:
                most = self._limits.connections
                self._say(f"all {most:,} connections are taken, others wait until one is free")
                self._turn_away()
                return

    def _sweep(self) -> None:
        now = monotonic()
        for each in list(self._clients.values()):
            was_late = each.is_late
            each.is_late = each.holds_up(now, self._limits, crowded=self._crowded)
            # Late twice: the first time it may be we who have not yet read what it sent.
            if each.is_late and was_late:
                each.stream.close()
        self._admit()

    def _give(self, exchange: _Exchange) -> None:
        method, target, _ = exchange.start_line
        answer = self._answer(method, target, exchange.headers)
        body = b"" if method == "HEAD" else answer.body
        allowed_s = self._limits.answer_s + len(body) / self._limits.slowest_bytes_per_s
        exchange.client.since, exchange.client.answer_s = monotonic(), allowed_s
        start_line = ResponseStartLine("HTTP/1.1", answer.status.value, answer.status.phrase)
        chunk = body if len(body) <= _CHUNK_BYTES else None
        connection = exchange.connection
        # Lent, not copied: to check all names again would take a quarter of the server's time.
        answer.headers["Date"] = _date(int(time.time()))
        connection.write_headers(start_line, answer.headers, chunk)
        answer.headers.pop("Connection", None)
        if chunk is None:
            connection.write(body)
        # Whoever asked to be let go afterwards is, too, when this is finished.
        is_gone = exchange.client.stream.closed()
        connection.finish()
        if not is_gone:
            self._log(method, target, answer, monotonic() - exchange.begin)

    def _say(self, sentence: str) -> None:
        # Once: it would be said as often as somebody comes and goes.
        if sentence not in self._complaints:
            self._complaints.add(sentence)
            complain(sentence)


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


class _Exchange(HTTPMessageDelegate):
    """One request as it comes in; what it brings beside its headers is not even kept."""

    def __init__(
        self, connection: HTTPConnection, client: _Client, give: Callable[[_Exchange], None]
    ) -> None:
        self.connection = connection
        self.client = client
        self._give = give

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> None:
        """A request's line and headers."""
        if self.client.stream.closed():
            # What it sent before it went is not worth an answer.
            raise HTTPInputError("gone")
        if start_line.version == "HTTP/1.1" and len(headers.get_list("Host")) != 1:
            raise HTTPInputError("one Host")
        self.begin = monotonic()
        self.start_line: RequestStartLine = start_line
        self.headers = headers

    def finish(self) -> None:
        """All of the request is here."""
        self._give(self)
