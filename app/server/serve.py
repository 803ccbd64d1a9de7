"""Serve the exported page, and nothing else."""

from __future__ import annotations

import asyncio
import resource
import signal
from collections.abc import Callable
from socket import socket
from urllib.parse import quote, unquote

from tornado.httpserver import HTTPServer
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from app.server import security
from app.server.files import File
from app.server.options import OptionError

#: Connections that may wait while a whole class opens the page at once; Tornado's is 128.
_BACKLOG = 4096

#: Open at once: 1,000 browsers of six connections each.
_CONNECTIONS = 8192

#: Nobody has anything to send us, and an idle browser may connect anew.
_LIMITS = {"max_body_size": 4096, "max_header_size": 16384, "idle_connection_timeout": 60}


class Answer(RequestHandler):
    """What all answers have in common."""

    def set_default_headers(self) -> None:
        """Security headers, errors included."""
        self.set_header("Server", "decode-arithmetic")
        for name, value in self.settings["security_headers"].items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **_: object) -> None:
        """One plain line."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        if status_code == 405:
            self.set_header("Allow", "GET, HEAD")
        self.finish(f"{status_code} {self._reason}\n")


class Health(Answer):
    """Answers `ok` as long as the server runs."""

    def get(self) -> None:
        """GET /healthz."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.write("ok\n")

    head = get


class PageFile(Answer):
    """Answers with a file of the page, out of memory."""

    async def get(self) -> None:
        """GET any path: only names that were read at the start are found."""
        files: dict[str, File] = self.settings["files"]
        name = unquote(self.request.path).removeprefix("/") or "index.html"
        file = files.get(name)
        if not file:
            raise HTTPError(404)
        if name == "page.html":
            for header, value in self.settings["single_file_headers"].items():
                self.set_header(header, value)
        encoding = file.encoding(self.request.headers.get("Accept-Encoding", ""))
        form = file.forms[encoding]
        self.set_header("Content-Type", file.media_type)
        self.set_header("Cache-Control", file.cache_control)
        self.set_header("Vary", "Accept-Encoding")
        # Public files, the same for everybody: a sandboxed frame has no origin of its own.
        self.set_header("Access-Control-Allow-Origin", "*")
        self.set_header("ETag", form.etag)
        if encoding:
            self.set_header("Content-Encoding", encoding)
        if self.check_etag_header():
            self.set_status(304)
            return
        self.set_header("Content-Length", len(form.body))
        try:
            # The headers first: Tornado would join them to a copy of the body.
            await self.flush()
            self.write(form.body)
            await self.finish()
        except StreamClosedError:
            return

    head = get


def application(files: dict[str, File], frame_ancestors: str = "*") -> Application:
    """The web application over the files of an exported page."""
    return Application(
        [(r"/healthz", Health), (r".*", PageFile)],
        files=files,
        security_headers=security.headers(frame_ancestors),
        single_file_headers=security.headers(frame_ancestors, single_file=True),
        log_function=log,
    )


def log(handler: RequestHandler) -> None:
    """One line per request: method, path, status, bytes of the body, milliseconds."""
    request = handler.request
    n_bytes = 0 if request.method == "HEAD" else handler._headers.get("Content-Length", 0)
    # Quotes, blanks and control characters stay percent-encoded: one line is one request.
    path = quote(request.path, safe="/%:@!$&()*+,;=~")
    ms = 1000 * request.request_time()
    print(f"{request.method} {path} {handler.get_status()} {n_bytes} {ms:.1f}ms", flush=True)


def serve(
    pages: Callable[[], dict[str, File]], address: str, port: int, frame_ancestors: str = "*"
) -> None:
    """Serve until SIGTERM or Ctrl-C.

    Parameters
    ----------
    pages : callable
        Gives the files of an exported page. Called when the port is ours: to build them takes
        a while.
    address : str
        Address to listen on; empty = all.
    port : int
        0 = any free port.
    frame_ancestors : str
        Who may show the page in a frame, as `security.headers` takes it.

    Raises
    ------
    OptionError
        There is no such port, or `frame_ancestors` is not a list of origins.
    OSError
        The port is taken or not allowed.
    """
    if not 0 <= port < 65536:
        raise OptionError(f"port: {port} is not allowed here; ports are numbers from 0 to 65535")
    security.headers(frame_ancestors)
    sockets = _listening(address, port)
    web_app = application(pages(), frame_ancestors)
    allow_connections()
    asyncio.run(_run(web_app, sockets))


def _listening(address: str, port: int) -> list[socket]:
    try:
        return bind_sockets(port, address, backlog=_BACKLOG)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"port {port}") from None


def allow_connections() -> None:
    """Raise this process's limit of open files: each connection is one, a browser has six."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, _CONNECTIONS)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


async def _run(web_app: Application, sockets: list[socket]) -> None:
    server = HTTPServer(web_app, **_LIMITS)
    server.add_sockets(sockets)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    port = sockets[0].getsockname()[1]
    print(f"Decode arithmetic: http://localhost:{port}", flush=True)
    await stop.wait()
    server.stop()
    await server.close_all_connections()
