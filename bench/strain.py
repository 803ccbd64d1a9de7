"""Serving under strain: killed, with no room for its log, with few descriptors, with deaf readers.

Every client fetches every file and checks each byte, as in the join storm.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from socket import create_connection, create_server, socket

from app.build.export import exported, loaded_at_first
from app.files import write
from app.server.files import compressed, prepared
from app.server.serve import allow_connections
from bench.storm import at_once, fetch, megabytes

CLIENTS = 200
MANY = 1000
DEAF = 200


@dataclass(frozen=True)
class Strain:
    """What one kind of strain showed."""

    strain: str
    clients: int
    seconds: float
    failures: int
    peak_mb: float


@contextmanager
def serving(folder: Path, port: int, **settings: object) -> Iterator[subprocess.Popen[bytes]]:
    """The server on this port, when it answers there."""
    command = [sys.executable, "-m", "app.server", str(folder), "--address", "127.0.0.1"]
    output = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | settings
    process = subprocess.Popen([*command, "--port", str(port)], **output)
    try:
        while process.poll() is None:
            with suppress(ConnectionRefusedError), create_connection(("127.0.0.1", port)):
                break
        yield process
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()


def few_descriptors() -> None:
    """Of the process about to be started."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def deaf_readers(port: int, path: str) -> list[socket]:
    """Clients that ask for a file eight times and read nothing."""
    readers = [create_connection(("127.0.0.1", port)) for _ in range(DEAF)]
    for reader in readers:
        reader.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 8)
    return readers


def strains(folder: Path, checksums: dict[str, int]) -> Iterator[Strain]:
    """One after the other, each on a server of its own."""
    with create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]

    def joined(
        strain: str,
        clients: int = CLIENTS,
        around: Callable[[], list[socket]] = list,
        **settings: object,
    ) -> Strain:
        with serving(folder, port, **settings) as process, ExitStack() as stack:
            for each in around():
                stack.enter_context(each)
            seconds, failures = at_once(*(fetch(port, checksums) for _ in range(clients)))
            return Strain(strain, clients, seconds, failures, megabytes(process.pid, "VmHWM"))

    yield joined("none")
    with open("/dev/full", "w") as full:
        yield joined("no room for the log", stdout=full)
    yield joined("nobody reads the log", stdout=subprocess.PIPE)
    yield joined("64 descriptors", preexec_fn=few_descriptors)
    yield joined("64 descriptors", MANY, preexec_fn=few_descriptors)
    largest = max(checksums, key=lambda path: len(exported().get(path[1:], b"")))
    yield joined(f"{DEAF} readers who do not read", around=lambda: deaf_readers(port, largest))
    with serving(folder, port) as process:
        process.kill()
        process.wait()
        begin = time.monotonic()
        with serving(folder, port) as again:
            _, failures = at_once(fetch(port, checksums))
            seconds, peak_mb = time.monotonic() - begin, megabytes(again.pid, "VmHWM")
        yield Strain("killed and started again", 1, seconds, failures, peak_mb)


def main() -> list[dict[str, object]]:
    """Measure, print, and give the figures for the JSON."""
    allow_connections()
    files = exported() | compressed(exported())
    checksums = {
        f"/{path}".removesuffix("index.html"): zlib.crc32(file.forms[file.encoding("br")].body)
        for path, file in prepared(files).items()
        if loaded_at_first(path)
    }
    print("\nServing under strain: each client fetches every file, all at once")
    print(f"{'':28}{'clients':>10}{'last has all, s':>18}{'failures':>10}{'peak MB':>10}")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), files)
        for each in strains(Path(folder), checksums):
            results.append(asdict(each))
            print(
                f"{each.strain:28}{each.clients:>10}{each.seconds:>18.2f}"
                f"{each.failures:>10}{each.peak_mb:>10.1f}"
            )
    return results


if __name__ == "__main__":
    main()
