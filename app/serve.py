"""Serve the exported page, and nothing else."""

from __future__ import annotations

import asyncio
import errno
import signal
import tempfile
from pathlib import Path
from socket import socket

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler, StaticFileHandler


class Health(RequestHandler):
    """Answers `ok` as long as the server runs."""

    def get(self) -> None:
        """GET /healthz."""
        self.set_header("Content-Type", "text/plain")
        self.write("ok\n")


def application(directory: Path) -> Application:
    """The web application over an exported folder."""
    return Application(
        [
            (r"/healthz", Health),
            (r"/(.*)", StaticFileHandler, {"path": directory, "default_filename": "index.html"}),
        ],
        compress_response=True,
    )


def serve(address: str, port: int, directory: Path | None = None) -> None:
    """Serve until SIGTERM or Ctrl-C.

    Parameters
    ----------
    address : str
        Address to listen on; empty = all.
    port : int
        0 = any free port.
    directory : Path, optional
        An exported page; without it, the page is built first.

    Raises
    ------
    OSError
        The port is taken or not allowed, or the directory holds no page.
    """
    if directory and not (directory / "index.html").is_file():
        raise FileNotFoundError(errno.ENOENT, "No exported page there", str(directory))
    sockets = bind_sockets(port, address)
    if directory:
        asyncio.run(_run(directory, sockets))
        return
    # A prebuilt page is served without Panel being installed.
    from app.export import export  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="decode-arithmetic-") as folder:
        export(Path(folder))
        asyncio.run(_run(Path(folder), sockets))


async def _run(folder: Path, sockets: list[socket]) -> None:
    server = HTTPServer(application(folder))
    server.add_sockets(sockets)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    port = sockets[0].getsockname()[1]
    print(f"Decode arithmetic: http://localhost:{port}", flush=True)
    await stop.wait()
    server.stop()
