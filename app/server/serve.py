"""Serve the exported page, and nothing else."""

from __future__ import annotations

import asyncio
import errno
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from socket import socket
from urllib.parse import quote

from tornado.netutil import bind_sockets

from app.server import security
from app.server.answers import Answer, Answers
from app.server.command import OptionError, excerpt
from app.server.connections import Connections, Limits
from app.server.files import File
from app.server.log import Log

#: Connections that may wait while a whole class opens the page at once; Tornado's is 128.
_BACKLOG = 4096

#: Open at once: 1,000 browsers of six connections each.
_CONNECTIONS = 8192

#: Open files that are no connections: what Python, the log and listening take, and some to spare.
_OTHER_FILES = 16


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
        There is no such address, or `frame_ancestors` is not a list of origins.
    OSError
        The port is taken or not allowed.
    """
    security.headers(frame_ancestors)
    limits = Limits(allow_connections())
    sockets = _listening(address, port)
    with ExitStack() as stack:
        for each in sockets:
            stack.enter_context(each)
        asyncio.run(_run(Answers(pages(), frame_ancestors), sockets, limits))


def _listening(address: str, port: int) -> list[socket]:
    try:
        return bind_sockets(port, address, backlog=_BACKLOG)
    except UnicodeError:
        raise OptionError(f"address: {excerpt(address)} is not the name of a machine") from None
    except OSError as error:
        place = f"address {address}, port {port}" if address else f"port {port}"
        raise OSError(error.errno, error.strerror, place) from None


def allow_connections() -> int:
    """Raise this process's limit of open files: each connection is one, a browser has six.

    Returns
    -------
    int
        Connections that there is room for.

    Raises
    ------
    OSError
        There is room for none.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, _CONNECTIONS)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    if limit <= _OTHER_FILES:
        raise OSError(errno.EMFILE, f"More than {_OTHER_FILES} open files are needed (ulimit -n)")
    return limit - _OTHER_FILES


async def _run(answers: Answers, sockets: list[socket], limits: Limits) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    log = Log(sys.stdout.fileno())
    log.line(f"Decode arithmetic: http://{_reached_at(sockets[0])}")
    connections = Connections(sockets, answers.to, partial(_write_line, log), limits)
    await stop.wait()
    await connections.close()
    log.write(wait_s=1)


def _reached_at(listening: socket) -> str:
    """Host and port as a browser on this machine takes them."""
    host, port, *_ = listening.getsockname()
    if host in {"0.0.0.0", "::", "127.0.0.1", "::1"}:
        host = "localhost"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _write_line(log: Log, method: str, target: str, answer: Answer, seconds: float) -> None:
    """One line per request: method, path, status, bytes of the body, milliseconds."""
    n_bytes = 0 if method == "HEAD" else len(answer.body)
    # Quotes, blanks and control characters stay percent-encoded: one line is one request.
    path = excerpt(quote(target.partition("?")[0], safe="/%:@!$&()*+,;=~"))
    # A whole address may name who asks, and a password.
    path = path if path.startswith("/") else "-"
    log.line(f"{excerpt(method, 20)} {path} {answer.status.value} {n_bytes} {1000 * seconds:.1f}ms")
