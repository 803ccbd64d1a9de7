"""Whatever is sent to the server: it answers, or hangs up, and serves the next one."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest

from tests.helpers.hostile import fuzz, kinds
from tests.helpers.served import Served, served

KINDS = kinds("requests.toml")

#: A line of the log, whatever was asked: short, and nothing in it that a terminal acts upon.
LINE = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~…-]{1,20} [!-~…]{0,100} \d{3} \d+ \d+\.\dms\n")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text("secret")
    (outside / "page").mkdir()
    (outside / "page/index.html").write_text("page " * 1000)
    with served(outside / "page") as server:
        yield server
        assert server.stop() == 0
        assert server.errors == []
        for line in server.lines:
            assert LINE.fullmatch(line), line


def filled_in(text: str) -> bytes:
    """The bytes of an entry, its repetitions written out."""
    repeated = re.sub(r"\{(.+?):(\d+)\}", lambda m: m[1] * int(m[2]), text, flags=re.DOTALL)
    return repeated.encode("latin-1")


def requests(kind: dict[str, object]) -> list[bytes]:
    targets = [f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n" for target in kind.get("targets", [])]
    return [filled_in(each) for each in (*targets, *kind.get("requests", []))]


def answers(server: Served, request: bytes, *, stops: bool, n: int) -> list[tuple[int, bytes]]:
    """Status and body of what comes back, to the n-th, or until the server hangs up."""
    found: list[tuple[int, bytes]] = []
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        # It may hang up with some of the request unread, which a client sees as a reset.
        with suppress(ConnectionError):
            client.sendall(request)
            if stops:
                client.shutdown(socket.SHUT_WR)
        stream = client.makefile("rb")
        with suppress(ConnectionError):
            while len(found) < n and (start := stream.readline()):
                status = int(re.fullmatch(rb"HTTP/1\.1 (\d{3}) [ -~]+\r\n", start)[1])
                fields = dict(headers(stream))
                length = 0 if status == 304 else int(fields.get("Content-Length", 0))
                body = stream.read(length)
                assert (status == 400) != ("Content-Security-Policy" in fields)
                found.append((status, body))
    return found


def headers(stream: object) -> Iterator[tuple[str, str]]:
    while (line := stream.readline()) != b"\r\n":
        assert line, "half an answer"
        name, _, value = line.decode("ascii").partition(": ")
        yield name, value.removesuffix("\r\n")


def is_well(server: Served) -> bool:
    request = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    return answers(server, request, stops=False, n=1) == [(200, b"ok\n")]


@pytest.mark.parametrize("name", KINDS)
def test_the_corpus(server, name):
    kind = KINDS[name]
    n = kind.get("answers", 1)
    for request in requests(kind):
        found = answers(server, request, stops=kind.get("stops", False), n=n)
        statuses = [status for status, _ in found]
        assert set(statuses) <= set(kind["statuses"]), request[:200]
        assert len(statuses) == (n if kind["statuses"] else 0), request[:200]
        assert not any(b"secret" in body or b"root:" in body for _, body in found)
        assert is_well(server), request[:200]


PIECES = [
    *(b"GET ", b"HEAD ", b"POST ", b"/", b"/healthz", b"/index.html", b" HTTP/1.1", b" HTTP/1.0"),
    *(b"\r\n", b"\r\n\r\n", b"\n", b"\r", b"\x00", b"\xff", b" ", b":", b"%", b"?", b"..", b"%2e"),
    *(b"Host: x\r\n", b"Connection: close\r\n", b"Expect: 100-continue\r\n", b"A: b\r\n" * 500),
    *(b"Accept-Encoding: br\r\n", b"If-None-Match: *\r\n", b"Transfer-Encoding: chunked\r\n"),
    *(b"Content-Length: 3\r\n", b"Content-Length: 0\r\n", b"abc", b"3\r\nabc\r\n", b"0\r\n\r\n"),
    b"a" * 5000,
]
WHOLE = [
    b"GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n",
    b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
    b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
]


@pytest.mark.fuzz
def test_any_bytes_do_no_harm(server):
    def attack(random: Random) -> None:
        request = b"".join(random.choices([*WHOLE, *PIECES], k=random.randint(1, 12)))
        for _ in range(random.choice([0, 1, 3])):
            place = random.randrange(len(request) + 1)
            request = request[:place] + random.randbytes(random.choice([0, 1, 4])) + request[place:]
            request = request[: random.choice([len(request), random.randrange(len(request) + 1)])]
        address = ("127.0.0.1", server.port)
        with socket.create_connection(address, timeout=30) as client, suppress(ConnectionError):
            client.sendall(request)
            client.shutdown(socket.SHUT_WR)
            while client.recv(65536):
                pass
        assert is_well(server)

    fuzz(attack, rounds=500)
