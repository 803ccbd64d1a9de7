"""Nobody needs to read the log, or have room for it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection, create_server

#: Long enough that a few thousand fill any pipe.
PATH = "/" + "a" * 90


@contextmanager
def serving(folder: Path, **files: object) -> Iterator[subprocess.Popen]:
    """A server on a known port, since the line that names it may not arrive."""
    with create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "app.server", str(folder), "--address", "127.0.0.1"]
    command = [*words, "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **files)
    process.port = port
    try:
        while process.poll() is None:
            try:
                create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                continue
        yield process
    finally:
        process.terminate()
        process.complaints = process.communicate()[1]


def ask(port: int, times: int) -> None:
    """Ask for what is not there, again and again; each must be answered."""
    with create_connection(("127.0.0.1", port), timeout=30) as client:
        answers = client.makefile("rb")
        for _ in range(times):
            client.sendall(f"GET {PATH} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert answers.readline() == b"HTTP/1.1 404 Not Found\r\n"
            while answers.readline() != b"\r\n":
                pass
            assert answers.readline() == b"404 Not Found\n"


def test_a_full_disk_is_said_once_and_the_page_goes_on(exported_folder):
    with (
        open("/dev/full", "w") as full,
        serving(exported_folder, stdout=full) as server,
    ):
        ask(server.port, 20)
    assert server.returncode == 0
    assert server.complaints == (
        "decode-arithmetic: the log cannot be written (No space left on device), "
        "the page is served on\n"
    )


def test_a_reader_who_is_gone_is_said_once_and_the_page_goes_on(exported_folder):
    with serving(exported_folder, stdout=subprocess.PIPE) as server:
        assert server.stdout.readline().startswith("Decode arithmetic: ")
        server.stdout.close()
        ask(server.port, 20)
        server.stdout = None
    assert server.returncode == 0
    assert server.complaints == (
        "decode-arithmetic: the log cannot be written (Broken pipe), the page is served on\n"
    )


def test_nobody_waits_for_a_reader_who_does_not_read(exported_folder):
    out, into = os.pipe()
    lines: list[str] = []
    with open(out) as log, serving(exported_folder, stdout=into) as server:
        os.close(into)
        # More than a pipe and what waits for it have room for.
        n_requests = 4000
        ask(server.port, n_requests)
        reader = threading.Thread(target=lines.extend, args=(log,))
        reader.start()
        while not any(line.endswith(" lines lost)\n") for line in lines):
            ask(server.port, 1)
            n_requests += 1
        server.terminate()
        reader.join()
    assert (server.returncode, server.complaints) == (0, "")
    (lost,) = [int(line[1:].split()[0].replace(",", "")) for line in lines if line[0] == "("]
    assert lines[0].startswith("Decode arithmetic: ")
    assert sum(line.startswith("GET ") for line in lines) == n_requests - lost
    assert len(lines) == 2 + n_requests - lost
