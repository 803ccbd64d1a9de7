"""The server as a process: started, asked, stopped; every header of every kind of answer."""

from __future__ import annotations

import gzip
import http.client
import re
import signal
import socket
import sys
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import brotli
import pytest
import tornado

import app.server
from app.assets import read_text
from app.build.export import exported
from app.files import write
from app.server.security import headers
from tests.helpers.served import Served, everybody, running, served

# Of all scripts inside the HTML: the one that runs before the first paint.
HASH = b64encode(sha256(read_text("head.js").encode()).digest()).decode()
SECURITY = {
    "Server": "decode-arithmetic",
    "Content-Security-Policy": f"default-src 'none'; script-src 'self' blob: 'sha256-{HASH}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
MODULE = next(path for path in exported() if path.endswith("/boot.mjs"))
UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text("secret")
    folder = tmp_path_factory.mktemp("page")
    write(folder, exported())
    (folder / "link.txt").symlink_to(outside / "secret.txt")
    (folder / "linked").symlink_to(outside)
    (folder / ".hidden").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Served]:
    with served(folder) as server:
        yield server
        assert server.stop() == 0
        assert server.errors == []


def ask(server: Served, path: str, method: str = "GET", **fields: str) -> http.client.HTTPResponse:
    """One request on a connection of its own; the answer has been read into `.content`."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request(method, path, headers={k.replace("_", "-"): v for k, v in fields.items()})
    answer = connection.getresponse()
    answer.content = answer.read()
    connection.close()
    return answer


def raw(server: Served, request: bytes) -> bytes:
    """Everything that the server answers to these bytes, sent as they are, until it hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_serves_exactly_the_export_in_every_encoding(server):
    for path, content in exported().items():
        for encoding in UNPACK:
            answer = ask(server, f"/{path}", Accept_Encoding=encoding)
            sent = answer.getheader("Content-Encoding", "")
            assert answer.status == 200
            assert sent in {encoding, ""}
            assert UNPACK[sent](answer.content) == content, path
            assert len(answer.content) == int(answer.getheader("Content-Length"))
            if len(content) > 1000:
                assert sent == encoding
    assert ask(server, "/").content == exported()["index.html"]


def test_every_header_of_an_asset(server):
    answer = ask(server, f"/{MODULE}", Accept_Encoding="gzip, br")
    found = dict(answer.getheaders())
    assert re.fullmatch(r'"[0-9a-f]{16}"', found.pop("Etag"))
    assert found.pop("Date")
    assert found.pop("Content-Length") == str(len(answer.content))
    assert found == SECURITY | {
        "Access-Control-Allow-Origin": "*",
        "Cache-Control": "public, max-age=31536000, immutable",
        "Content-Encoding": "br",
        "Content-Type": "text/javascript; charset=utf-8",
        "Vary": "Accept-Encoding",
    }


def test_every_header_of_the_page_itself(server):
    found = dict(ask(server, "/").getheaders())
    del found["Etag"], found["Date"], found["Content-Length"]
    assert found == SECURITY | {
        "Access-Control-Allow-Origin": "*",
        "Cache-Control": "no-cache",
        "Content-Type": "text/html; charset=utf-8",
        "Vary": "Accept-Encoding",
    }


@pytest.mark.parametrize(
    ("path", "method", "status", "more"),
    [
        ("/healthz", "GET", 200, {}),
        ("/nothing-here", "GET", 404, {}),
        ("/nothing-here", "HEAD", 404, {}),
        ("/", "POST", 405, {"Allow": "GET, HEAD"}),
        ("/healthz", "DELETE", 405, {"Allow": "GET, HEAD"}),
        ("/", "OPTIONS", 405, {"Allow": "GET, HEAD"}),
        ("/", "BREW", 405, {"Allow": "GET, HEAD"}),
    ],
)
def test_every_header_of_the_other_answers(server, path, method, status, more):
    answer = ask(server, path, method)
    found = dict(answer.getheaders())
    del found["Date"], found["Content-Length"]
    found.pop("Etag", None)
    plain = {"Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8"}
    assert answer.status == status
    assert found == SECURITY | plain | more
    reasons = {200: b"ok\n", 404: b"404 Not Found\n", 405: b"405 Method Not Allowed\n"}
    assert answer.content == (b"" if method == "HEAD" else reasons[status])


@pytest.mark.parametrize("path", ["/", f"/{MODULE}"])
@pytest.mark.parametrize("encoding", list(UNPACK))
def test_what_the_browser_has_is_not_sent_again(server, path, encoding):
    first = ask(server, path, Accept_Encoding=encoding)
    again = ask(server, path, Accept_Encoding=encoding, If_None_Match=first.getheader("ETag"))
    assert (again.status, again.content) == (304, b"")
    kept = ("ETag", "Cache-Control", "Vary", "Content-Security-Policy")
    assert [again.getheader(k) for k in kept] == [first.getheader(k) for k in kept]
    assert ask(server, path, If_None_Match='"another"').status == 200


def test_each_encoding_has_its_own_tag(server):
    tags = {ask(server, "/", Accept_Encoding=each).getheader("ETag") for each in UNPACK}
    assert len(tags) == 3


def test_head_is_get_without_the_body(server):
    for path in ("/", f"/{MODULE}", "/healthz"):
        get, head = ask(server, path), ask(server, path, "HEAD")
        assert (head.status, head.content) == (200, b"")
        found = [{k: v for k, v in each.getheaders() if k != "Date"} for each in (get, head)]
        assert found[0] == found[1]


@pytest.mark.parametrize(
    "path",
    [
        *("/link.txt", "/linked/secret.txt", "/.hidden", f"/{MODULE}/"),
        *(f"/{MODULE.partition('/')[0]}", f"/{MODULE.partition('/')[0]}/"),
    ],
)
def test_nothing_outside_the_page_is_answered(server, path):
    assert ask(server, path).status == 404


def test_one_log_line_per_request_whatever_is_asked(folder):
    with served(folder) as server:
        size = len(ask(server, f"/{MODULE}", Accept_Encoding="gzip").content)
        ask(server, "/?batch=64&name=%0aGET", "HEAD")
        ask(server, "/a%0d%0a\"b\"%22'c'<d>", "GET")
        for whole in ("http://me:secret@x/", "me:secret@x:80", "*", "?secret", "\\\\me:secret@x"):
            raw(server, f"GET {whole} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        raw(server, 'GET /é\\"\x7f HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'.encode())
        server.stop()
    expected = [
        rf"GET /{re.escape(MODULE)} 200 {size} \d+\.\dms",
        r"HEAD / 200 0 \d+\.\dms",
        r"GET /a%0d%0a%22b%22%22%27c%27%3Cd%3E 404 14 \d+\.\dms",
        r"GET - 200 \d+ \d+\.\dms",
        *[r"GET - 404 14 \d+\.\dms"] * 2,
        r"GET - 200 \d+ \d+\.\dms",
        r"GET - 404 14 \d+\.\dms",
    ]
    assert len(server.lines) == len(expected)
    for line, pattern in zip(server.lines, expected, strict=True):
        assert re.fullmatch(pattern + "\n", line)
    assert server.errors == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stops_when_told_with_open_connections(folder, number):
    with served(folder) as server:
        idle = http.client.HTTPConnection("127.0.0.1", server.port)
        idle.request("GET", "/healthz")
        idle.getresponse().read()
        # One in the middle of asking, one that asked for all and reads nothing.
        asking = socket.create_connection(("127.0.0.1", server.port))
        asking.sendall(b"GET / HT")
        deaf = socket.create_connection(("127.0.0.1", server.port))
        largest = max(exported(), key=lambda path: len(exported()[path]))
        for _ in range(8):
            deaf.sendall(f"GET /{largest} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert deaf.recv(12) == b"HTTP/1.1 200"
        server.process.send_signal(number)
        assert server.stop() == 0
        for each in (idle, asking, deaf):
            each.close()
        assert server.errors == []


def test_two_hundred_at_once_each_get_every_byte(server):
    everybody(server, 200)


def test_everybody_may_frame_the_page_by_default(server):
    assert "frame-ancestors" not in headers("*")["Content-Security-Policy"]
    assert "frame-ancestors" not in ask(server, "/").getheader("Content-Security-Policy")


def test_frame_ancestors_on_the_command_line(folder):
    allowed = "https://lms.example https://wiki.example:8443"
    with served(folder, "--frame-ancestors", allowed) as server:
        for path in ("/", f"/{MODULE}", "/nothing-here"):
            policy = ask(server, path).getheader("Content-Security-Policy")
            assert policy.endswith(f"; frame-ancestors {allowed}")


def test_a_folder_that_was_exported_before(folder):
    command = [sys.executable, "-m", "app", "serve", "--directory", str(folder)]
    with running(command) as server:
        assert ask(server, "/").content == exported()["index.html"]


def test_builds_the_page_when_no_folder_is_given():
    with running([sys.executable, "-m", "app", "serve"]) as server:
        assert ask(server, "/").content == exported()["index.html"]


def test_needs_tornado_alone(folder, tmp_path):
    (tmp_path / "app").mkdir()
    (tmp_path / "app/server").symlink_to(Path(app.server.__file__).parent)
    (tmp_path / "tornado").symlink_to(Path(tornado.__file__).parent)
    # No site-packages, nothing from the environment or the working folder.
    begin = f"import runpy, sys; sys.path.insert(0, {str(tmp_path)!r}); "
    script = begin + "runpy.run_module('app.server', run_name='__main__', alter_sys=True)"
    command = [sys.executable, "-I", "-S", "-c", script, str(folder)]
    with running(command) as server:
        answer = ask(server, f"/{MODULE}", Accept_Encoding="gzip, br")
        assert answer.getheader("Content-Encoding") == "gzip"
        assert gzip.decompress(answer.content) == exported()[MODULE]
        assert server.stop() == 0
        assert server.errors == []
