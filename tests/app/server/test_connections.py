"""Every wait has an end, every queue a limit."""

from __future__ import annotations

import asyncio
import errno
import os
import select
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from app.server.answers import Answers
from app.server.connections import Connections, Limits
from app.server.files import prepared
from tests.helpers.served import everybody, running, served

#: More than the system keeps for a reader who does not read.
LARGE = os.urandom(20_000_000)
ANSWERS = Answers(prepared({"index.html": b"page", "large": LARGE}), "*")


class Clock:
    """The server's time, which goes only when a test lets it."""

    now = 1000.0

    def until_closed(self, client: socket.socket, step_s: float = 10) -> bytes:
        """Let time pass until the server hangs up; gives what it sent."""
        parts = []
        for _ in self.while_it_goes(client, step_s):
            try:
                if not (part := client.recv(1 << 20)):
                    return b"".join(parts)
                parts.append(part)
            except TimeoutError:
                continue
            except ConnectionResetError:
                return b"".join(parts)
        raise AssertionError("It is not let go.")

    def while_it_goes(self, client: socket.socket, step_s: float = 10) -> Iterator[None]:
        """Time steps, with a moment for the server in each; not for ever."""
        client.settimeout(0.01)
        for _ in range(10_000):
            self.now += step_s
            select.select([], [], [], 0.005)
            yield


@pytest.fixture
def clock(monkeypatch) -> Clock:
    there = Clock()
    monkeypatch.setattr("app.server.connections.monotonic", lambda: there.now)
    return there


@contextmanager
def connections(
    n_most: int,
    around: Callable[[socket.socket], socket.socket] = lambda listening: listening,
    log: Callable[..., None] = lambda *_: None,
    **limits: float,
) -> Iterator[int]:
    """Connections in a thread of their own, looked after all the time; gives the port."""

    async def run() -> None:
        listening.setblocking(False)
        most = Limits(n_most, sweep_s=0.01, **limits)
        there = Connections([around(listening)], ANSWERS.to, log, most)
        ready.set_result((asyncio.get_running_loop(), stop := asyncio.Event()))
        await stop.wait()
        await there.close()

    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    with ThreadPoolExecutor(1) as thread:
        ready: Future = Future()
        running = thread.submit(asyncio.run, run())
        loop, stop = ready.result(60)
        try:
            yield port
        finally:
            loop.call_soon_threadsafe(stop.set)
            running.result(60)


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def all_of(client: socket.socket) -> bytes:
    """What comes until the server hangs up; a reset is one way to."""
    parts = []
    try:
        while part := client.recv(1 << 20):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def get(path: str, *, last: bool = False) -> bytes:
    closing = "Connection: close\r\n" if last else ""
    return f"GET {path} HTTP/1.1\r\n{closing}Host: x\r\n\r\n".encode()


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: x\r\nLonely: ",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc",
    ],
)
def test_who_never_asks_is_let_go(clock, start):
    with connections(9) as port, connect(port) as it:
        it.sendall(start)
        assert clock.until_closed(it) == b""


def test_who_asks_a_letter_at_a_time_is_let_go(clock):
    with connections(9) as port, connect(port) as it, pytest.raises(ConnectionError):  # noqa: PT012
        for _ in clock.while_it_goes(it):
            it.sendall(b"G")
            try:
                if it.recv(1) == b"":
                    raise ConnectionResetError
            except TimeoutError:
                continue


def test_who_has_an_answer_and_asks_no_more_is_let_go(clock):
    with connections(9) as port, connect(port) as it:
        it.sendall(get("/healthz"))
        assert it.recv(15, socket.MSG_WAITALL) == b"HTTP/1.1 200 OK"
        assert clock.until_closed(it).endswith(b"\r\n\r\nok\n")


@pytest.mark.parametrize("requests", [get("/large"), get("/healthz") * 1000 + get("/large") * 9])
def test_who_does_not_read_is_let_go(clock, requests):
    with connections(9) as port, connect(port) as deaf:
        deaf.sendall(requests)
        assert deaf.recv(1, socket.MSG_PEEK) == b"H"
        # It has closed when a byte more is answered by a reset, whoever reads.
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in clock.while_it_goes(deaf):
                deaf.sendall(b" ")
        assert len(all_of(deaf)) < len(LARGE)


def test_who_does_not_read_goes_before_others_have_to_wait(clock):
    with connections(2) as port, connect(port) as deaf, connect(port) as other:
        for each in (deaf, other):
            each.sendall(get("/large"))
            assert each.recv(1, socket.MSG_PEEK) == b"H"
        with connect(port) as guest:
            guest.sendall(get("/", last=True))
            # Six seconds are enough, where the answer alone had twenty minutes.
            clock.now += 6
            assert all_of(guest).endswith(b"\r\n\r\npage")


def test_who_reads_slowly_but_fast_enough_has_all(clock):
    with connections(9) as port, connect(port) as client:
        client.sendall(get("/large", last=True))
        answer = bytearray()
        # A second for each 20,000 bytes: 20 minutes in all.
        while part := client.recv(1 << 20):
            answer += part
            clock.now = 1000 + len(answer) / 20_000
        assert answer.endswith(LARGE)


def test_who_is_idle_makes_room_for_who_asks(clock):
    with connections(2) as port, connect(port) as first, connect(port), connect(port) as guest:
        guest.sendall(get("/", last=True))
        assert clock.until_closed(first) == b""
        assert all_of(guest).endswith(b"\r\n\r\npage")


def test_who_is_gone_is_answered_no_more():
    lines: list[object] = []
    with connections(9, log=lambda *line: lines.append(line)) as port:
        with connect(port) as client:
            client.sendall(get("/large") + get("/healthz") * 1000)
            assert client.recv(1, socket.MSG_PEEK) == b"H"
            reset = struct.pack("ii", 1, 0)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
        with connect(port) as other:
            other.sendall(get("/", last=True))
            assert all_of(other).endswith(b"page")
    assert {line[1] for line in lines} <= {"/large", "/"}


def test_full_is_said_once(clock, capfd):
    with connections(2) as port:
        for _ in range(3):
            clients = [connect(port) for _ in range(5)]
            assert [clock.until_closed(each) for each in clients] == [b""] * 5
            for each in clients:
                each.close()
    assert capfd.readouterr().err == (
        "decode-arithmetic: all 2 connections are taken, others wait until one is free\n"
    )


class Exhausted(socket.socket):
    """Accepts nobody for some time: the machine has no descriptor left."""

    attempts = 0
    failures = 3

    def accept(self) -> tuple[socket.socket, object]:
        type(self).attempts += 1
        if self.attempts <= self.failures:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return super().accept()


def test_without_a_descriptor_it_waits_and_says_so_once(capfd):
    def exhausted(listening: socket.socket) -> socket.socket:
        return Exhausted(fileno=listening.detach())

    with connections(9, exhausted) as port, connect(port) as it:
        it.sendall(get("/healthz", last=True))
        assert all_of(it).endswith(b"ok\n")
    # Tried once a sweep, not as often as the loop goes round.
    assert Exhausted.attempts <= Exhausted.failures + 2
    assert capfd.readouterr().err == (
        f"decode-arithmetic: nobody else can connect for now ({os.strerror(errno.EMFILE)})\n"
    )


def test_sixty_four_descriptors_serve_a_hundred_at_once(exported_folder):
    few = ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"]
    with running([*few, sys.executable, "-m", "app.server", str(exported_folder)]) as server:
        everybody(server, 100)
        assert server.stop() == 0
    assert server.errors == [
        "decode-arithmetic: all 48 connections are taken, others wait until one is free\n"
    ]


def test_killed_it_starts_again_at_once_where_it_was(exported_folder):
    with served(exported_folder) as server:
        client = connect(server.port)
        client.sendall(get("/healthz"))
        assert client.recv(12) == b"HTTP/1.1 200"
        server.process.kill()
        server.process.wait()
    with served(exported_folder, "--port", str(server.port)) as again:
        everybody(again, 1)
        assert again.stop() == 0
        assert again.errors == []
    client.close()
