"""Every wait has an end, every queue a limit."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
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


@contextmanager
def connections(
    limits: Limits, around: Callable[[socket.socket], socket.socket] = lambda listening: listening
) -> Iterator[int]:
    """Connections in a thread of their own, with limits of a test; gives the port."""

    async def run() -> None:
        listening.setblocking(False)
        there = Connections([around(listening)], ANSWERS.to, lambda *_: None, limits)
        ready.set_result((asyncio.get_running_loop(), stop := asyncio.Event()))
        await stop.wait()
        await there.close()

    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    with ThreadPoolExecutor(1) as thread:
        ready: Future = Future()
        running = thread.submit(asyncio.run, run())
        loop, stop = ready.result(10)
        try:
            yield port
        finally:
            loop.call_soon_threadsafe(stop.set)
            running.result(10)


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def all_of(client: socket.socket) -> bytes:
    """What comes until the server hangs up; a reset is one way to."""
    parts = []
    try:
        while part := client.recv(1 << 20):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


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
def test_who_never_asks_is_let_go(start):
    with connections(Limits(connections=9, idle_s=0.2, crowded_s=0.1)) as port, connect(port) as it:
        it.sendall(start)
        assert all_of(it) == b""


def test_who_asks_a_letter_at_a_time_is_let_go():
    with connections(Limits(connections=9, idle_s=0.2, crowded_s=0.1)) as port, connect(port) as it:
        it.settimeout(0.01)
        with pytest.raises(ConnectionError):  # noqa: PT012
            while True:
                it.sendall(b"G")
                try:
                    if it.recv(1) == b"":
                        raise ConnectionResetError
                except TimeoutError:
                    continue


def test_who_has_an_answer_and_asks_no_more_is_let_go():
    with connections(Limits(connections=9, idle_s=0.2, crowded_s=0.1)) as port, connect(port) as it:
        it.sendall(get("/healthz"))
        answer = all_of(it)
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        assert answer.endswith(b"\r\n\r\nok\n")


@pytest.mark.parametrize("requests", [get("/large"), get("/healthz") * 1000 + get("/large") * 9])
def test_who_does_not_read_is_let_go(requests):
    impatient = Limits(9, idle_s=30, crowded_s=0.1, answer_s=0.2, slowest_bytes_per_s=1e9)
    with connections(impatient) as port, connect(port) as deaf:
        deaf.sendall(requests)
        # It has closed when a byte more is answered by a reset, whoever reads.
        with pytest.raises(ConnectionError):  # noqa: PT012
            while True:
                deaf.sendall(b" ")
        assert len(all_of(deaf)) < len(LARGE)


def test_who_reads_slowly_but_fast_enough_has_all():
    patient = Limits(9, idle_s=30, crowded_s=0.1, answer_s=0.1, slowest_bytes_per_s=1e6)
    with connections(patient) as port, connect(port) as client:
        client.sendall(get("/large").replace(b"Host", b"Connection: close\r\nHost"))
        assert all_of(client).endswith(LARGE)


def test_who_is_idle_makes_room_for_who_asks():
    two = connections(Limits(connections=2, crowded_s=0.1))
    with two as port, connect(port) as first, connect(port), connect(port) as guest:
        guest.sendall(get("/").replace(b"Host", b"Connection: close\r\nHost"))
        assert all_of(guest).endswith(b"\r\n\r\npage")
        # One place was enough: the second may stay once the guest is gone.
        assert all_of(first) == b""


def test_full_is_said_once(capfd):
    with connections(Limits(connections=2, idle_s=0.2, crowded_s=0.1)) as port:
        for _ in range(3):
            clients = [connect(port) for _ in range(5)]
            assert [all_of(each) for each in clients] == [b""] * 5
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

    with connections(Limits(connections=9, crowded_s=0.1), exhausted) as port, connect(port) as it:
        it.sendall(get("/healthz").replace(b"Host", b"Connection: close\r\nHost"))
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
