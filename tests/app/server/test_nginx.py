"""`docker/nginx.conf` in front of two servers; only its addresses and folder are changed."""

from __future__ import annotations

import gzip
import http.client
import os
import re
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import brotli
import pytest

from app.build.export import exported
from tests.helpers.nginx import program
from tests.helpers.served import Served, served

NGINX = program() or pytest.skip(
    "not one of these tests ran: no nginx, and `make nginx` could not fetch it",
    allow_module_level=True,
)
CONF = Path(__file__).parents[3] / "docker/nginx.conf"
MODULE = next(path for path in exported() if path.endswith("/boot.mjs"))
UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}


@pytest.fixture(scope="module")
def replicas(exported_folder: Path) -> Iterator[list[Served]]:
    with served(exported_folder) as first, served(exported_folder) as second:
        yield [first, second]


@contextmanager
def nginx(folder: Path, replicas: list[int]) -> Iterator[int]:
    """nginx on a free port; gives the port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    conf = CONF.read_text()
    servers = [f"server 127.0.0.1:{each} max_fails=1 fail_timeout=5s;" for each in replicas]
    for ours, here in (
        ("server page:5006 max_fails=1 fail_timeout=5s;", "\n".join(servers)),
        ("listen 8080 ", f"listen 127.0.0.1:{port} "),
        ("/tmp/", f"{folder}/"),
        ("/dev/stdout", f"{folder}/access.log"),
    ):
        assert ours in conf
        conf = conf.replace(ours, here)
    (folder / "nginx.conf").write_text(conf)
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    process = subprocess.Popen(
        [*command, "-g", "daemon off; user root;"], stderr=subprocess.PIPE, text=True
    )
    try:
        while process.poll() is None:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
        yield port
    finally:
        process.terminate()
        errors = process.communicate()[1]
    assert "[emerg]" not in errors


@pytest.fixture
def port(replicas: list[Served], tmp_path: Path) -> Iterator[int]:
    with nginx(tmp_path, [each.port for each in replicas]) as port:
        yield port


def ask(port: int, path: str, method: str = "GET", **fields: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, path, headers={k.replace("_", "-"): v for k, v in fields.items()})
    answer = connection.getresponse()
    answer.content = answer.read()
    connection.close()
    return answer


def test_passes_every_encoding_and_keeps_each_apart(port):
    for encoding in (*UNPACK, *UNPACK):
        for path, content in exported().items():
            answer = ask(port, f"/{path}", Accept_Encoding=encoding)
            assert answer.status == 200
            assert UNPACK[answer.getheader("Content-Encoding", "")](answer.content) == content


def test_keeps_the_assets_and_asks_for_the_page(port):
    seen = [ask(port, f"/{MODULE}", Accept_Encoding="br") for _ in range(3)]
    assert [each.getheader("X-Cache") for each in seen] == ["MISS", "HIT", "HIT"]
    assert len({each.content for each in seen}) == 1
    assert ask(port, "/").getheader("X-Cache") is None


def test_keeps_one_copy_of_each_encoding_in_whichever_words_it_is_asked(port, tmp_path):
    names = [MODULE, MODULE.replace("boot", "%62oot"), MODULE.replace("/", "//")]
    words = {
        "br": ["br", "gzip, deflate, br, zstd", "x, BR;q=0.5", "br ; q=0.01, *", *weights("br")],
        "gzip": ["gzip", "br;q=0, gzip", "br;q=0.000,gzip;q=1", "xbr, gzip", *weights("gzip")],
        "": ["", "gzip;q=0", "br; q=0.0, gzip ;q=0", "brotli, gzipped", "x-br", "*;q=0", "a=br"],
    }
    for encoding, accepted in words.items():
        for number, each in enumerate(accepted):
            answer = ask(port, f"/{names[number % 2]}?{number}&{each[:2]}", Accept_Encoding=each)
            assert answer.getheader("Content-Encoding", "") == encoding, each
            assert answer.getheader("X-Cache") == ("HIT" if number else "MISS"), each
            assert answer.getheader("Vary") == "Accept-Encoding"
            assert UNPACK[encoding](answer.content) == exported()[MODULE]
    # A name that is none is not kept, and spoils nothing.
    assert ask(port, f"/{names[2]}?x", Accept_Encoding="br").status in {200, 404}
    assert UNPACK["br"](ask(port, f"/{MODULE}", Accept_Encoding="br").content) == exported()[MODULE]
    assert len([each for each in (tmp_path / "cache").rglob("*") if each.is_file()]) == len(words)


def weights(encoding: str) -> list[str]:
    return [f"{encoding};q=0.{number:03}" for number in range(1, 100)]


def opened() -> Iterator[str]:
    """Files that any process has open."""
    for each in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            yield os.readlink(each)


def test_who_does_not_read_fills_no_disk(port, tmp_path):
    largest = max(exported(), key=lambda path: len(exported()[path]))
    with ExitStack() as deaf:
        for _ in range(20):
            client = deaf.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", port))
            client.sendall(f"GET /{largest} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert client.recv(12) == b"HTTP/1.1 200"
        # Answered in whole after they were begun.
        assert ask(port, f"/{largest}").content == exported()[largest]
        # Of such a file only nginx itself still has the name.
        assert not [each for each in opened() if each.startswith(f"{tmp_path}/proxy/")]


@pytest.mark.parametrize("path", ["/", f"/{MODULE}", "/nothing-here", "/healthz"])
def test_changes_no_header_but_its_own(port, replicas, path):
    for _ in range(2):
        through = dict(ask(port, path, Accept_Encoding="gzip").getheaders())
        straight = dict(ask(replicas[0].port, path, Accept_Encoding="gzip").getheaders())
        assert through.pop("Server") == "nginx"
        for name in ("Date", "Connection", "X-Cache", "Server"):
            through.pop(name, None)
            straight.pop(name, None)
        through = {name.title(): value for name, value in through.items()}
        assert through == straight


def test_what_the_browser_has_is_not_sent_again(port):
    for path in ("/", f"/{MODULE}"):
        for _ in range(2):
            tag = ask(port, path, Accept_Encoding="br").getheader("ETag")
            again = ask(port, path, Accept_Encoding="br", If_None_Match=tag)
            assert (again.status, again.content) == (304, b"")


def test_other_methods_and_escapes_are_refused(port):
    assert ask(port, "/", "POST").status == 405
    assert ask(port, "/", "HEAD").content == b""
    assert ask(port, "/%2e%2e/%2e%2e/etc/passwd").status in {400, 404}


def test_nobody_makes_a_replica_fail_by_what_is_asked(port, replicas):
    seen = set()
    for n_bytes in (*range(100, 2000, 300), *range(2000, 15_000, 700), 20_000, 40_000):
        many = b"".join(b"%x:\n" % number for number in range(n_bytes // 5))
        for line, fields in (
            (b"/?" + n_bytes * b"a", b""),
            (b"/", b"X-A: " + n_bytes * b"a" + b"\r\n"),
            (b"/", (b"X-A: " + n_bytes // 3 * b"a" + b"\r\n") * 3),
            (b"/", b"If-None-Match: " + n_bytes * b"a" + b"\r\n"),
            (b"/", b"Accept-Encoding: " + n_bytes * b"a" + b"\r\n"),
            (b"/", many),
        ):
            with socket.create_connection(("127.0.0.1", port)) as client, suppress(OSError):
                client.sendall(b"GET " + line + b" HTTP/1.1\r\nHost: x\r\n" + fields + b"\r\n")
                seen.add(client.recv(12)[9:])
        assert ask(port, "/healthz").content == b"ok\n"
    assert seen - {b""} == {b"200", b"400", b"414"}


def test_a_replica_is_told_only_what_it_reads(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as thread:
        listening.settimeout(60)

        def heard() -> bytes:
            with listening.accept()[0] as connection:
                request = connection.recv(1 << 16)
                connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            return request

        with nginx(tmp_path, [listening.getsockname()[1]]) as port:
            request = thread.submit(heard)
            theirs = {"Accept_Encoding": "br", "If_None_Match": '"x"', "Cookie": "me=1"}
            ask(port, "/?batch=64", User_Agent="Browser/1", **theirs)
    first, *fields = request.result(60).decode().strip().split("\r\n")
    assert first == "GET /?batch=64 HTTP/1.1"
    assert sorted(fields) == ["Accept-Encoding: br", "Host: 127.0.0.1", 'If-None-Match: "x"']


def test_its_log_has_nothing_of_who_asks(replicas, exported_folder, tmp_path):
    theirs = {"Referer": "http://lms.example/student", "User_Agent": "Browser/1"}
    with served(exported_folder) as third, nginx(tmp_path, [replicas[0].port, third.port]) as port:
        third.stop()
        for path in ("/", "/page.html?batch=64", "/%20%22?x", "/nothing"):
            ask(port, path, **theirs)
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"no request of HTTP\r\n\r\n")
            assert client.makefile("rb").read()
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET http://me:secret@x/whole HTTP/1.1\r\nHost: x\r\n\r\n")
            assert client.recv(12).startswith(b"HTTP/1.1 ")
    lines = (tmp_path / "access.log").read_text().splitlines()[-6:]
    for line in lines:
        assert re.fullmatch(r"(GET|-) \S+ \d{3} \d+ \d+\.\d{3}s", line), line
    assert [line.split(" ")[1] for line in lines] == [
        *("/", "/page.html", "/%20%22", "/nothing", "-", "-")
    ]


def test_one_replica_is_enough(replicas, exported_folder, tmp_path):
    with (
        served(exported_folder) as third,
        nginx(tmp_path, [replicas[0].port, third.port]) as port,
    ):
        third.stop()
        for _ in range(4):
            assert ask(port, "/healthz").content == b"ok\n"
            assert ask(port, "/").content == exported()["index.html"]
