"""Join storm: a class opens the page at once, and what that costs with a Panel session each.

Every client has one connection and fetches every file over it, compressed as a browser would
ask for it, and checks each byte. The server is a process of its own, on loopback.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from app.build.export import exported, loaded_at_first
from app.files import write
from app.server.files import compressed, load
from app.server.serve import allow_connections
from bench.drag import panel_session

CLIENTS = (20, 50, 200, 1000)
ROUNDS = 3  # of which the median counts
SESSIONS = 20
AT_MOST_S = 180


@dataclass(frozen=True)
class Storm:
    """What the rounds of one storm showed."""

    clients: int
    seconds: float
    failures: int
    before_mb: float
    after_mb: float
    peak_mb: float


async def fetch(port: int, files: dict[str, int]) -> None:
    """One client: all files, given with their checksums, over one connection while that lasts."""
    missing = list(files.items())
    while missing:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = ""
        try:
            while missing and "\r\nConnection: close\r\n" not in head:
                path, expected = missing.pop(0)
                ask = f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n"
                writer.write(ask.encode())
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                left, checksum = int(re.search(r"Content-Length: (\d+)", head)[1]), 0
                while left and (chunk := await reader.read(min(left, 65536))):
                    left -= len(chunk)
                    checksum = zlib.crc32(chunk, checksum)
                if not head.startswith("HTTP/1.1 200 ") or left or checksum != expected:
                    raise ValueError(f"{path}: {head}")
        finally:
            writer.close()


async def visit(port: int) -> None:
    """One client of the Panel app: its page, for which the server makes the session."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        answer = await reader.read(-1)
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise ValueError(answer[:200])
    finally:
        writer.close()


def at_once(*clients: object) -> tuple[float, int]:
    """Seconds until the last client has all, and how many failed."""

    async def everybody() -> list[object]:
        together = asyncio.gather(*clients, return_exceptions=True)
        return await asyncio.wait_for(together, AT_MOST_S)

    begin = time.monotonic()
    failures = [each for each in asyncio.run(everybody()) if each is not None]
    for each in failures[:3]:
        print(f"failed: {each!r}", file=sys.stderr)
    return time.monotonic() - begin, len(failures)


@contextmanager
def serving(folder: Path) -> Iterator[tuple[int, int]]:
    """The server in another process, its log thrown away; gives its pid and port."""
    command = [sys.executable, "-m", "app.server", str(folder)]
    local = ["--address", "127.0.0.1", "--port", "0"]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen([*command, *local], stdout=log)
        try:
            while not (said := Path(f"/proc/{process.pid}/fd/1").read_text()):
                assert process.poll() is None
                time.sleep(0.05)
            yield process.pid, int(said.splitlines()[0].rpartition(":")[2])
        finally:
            process.terminate()
            process.wait()


def megabytes(pid: int, what: str) -> float:
    """A process's memory in MB: VmRSS now, VmHWM at most so far."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{what}:\s+(\d+) kB", status)[1]) * 1024 / 1e6


def page_storms() -> Iterator[Storm]:
    """The exported page, to more and more clients of the same server."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, exported() | compressed(exported()))
        checksums = {}
        for path, file in load(folder).items():
            if not loaded_at_first(path):
                continue
            form = file.forms[file.encoding("br")]
            checksums[f"/{path}".removesuffix("index.html")] = zlib.crc32(form.body)
        with serving(folder) as (pid, port):
            for clients in CLIENTS:
                before = megabytes(pid, "VmRSS")
                rounds = [
                    at_once(*(fetch(port, checksums) for _ in range(clients)))
                    for _ in range(ROUNDS)
                ]
                seconds = statistics.median(seconds for seconds, _ in rounds)
                failures = sum(failures for _, failures in rounds)
                after, peak = megabytes(pid, "VmRSS"), megabytes(pid, "VmHWM")
                yield Storm(clients, seconds, failures, before, after, peak)


def session_storm() -> tuple[float, int]:
    """The same page as a Panel session each; only the HTML is fetched, no script, no socket."""
    with panel_session("page") as address:
        port = int(address.rpartition(":")[2])
        return at_once(*(visit(port) for _ in range(SESSIONS)))


def main() -> dict[str, object]:
    """Measure, print, and give the figures for the JSON."""
    allow_connections()
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"\nJoin storm: each client fetches every file, all at once, over loopback, {machine}")
    print(f"{'clients':>10}{'last has all, s':>18}{'failures':>10}{'server MB':>22}{'peak':>8}")
    storms = []
    for each in page_storms():
        storms.append(each)
        memory = f"{each.before_mb:.1f} → {each.after_mb:.1f}"
        print(
            f"{each.clients:>10}{each.seconds:>18.2f}{each.failures:>10}"
            f"{memory:>22}{each.peak_mb:>8.1f}"
        )
    seconds, failures = session_storm()
    print(f"\nAs a Panel session each, {SESSIONS} clients: {seconds:.2f} s, {failures} failures")
    print(f"The exported page is there {seconds / storms[0].seconds:.0f} times as fast.")
    sessions = {"clients": SESSIONS, "seconds": seconds, "failures": failures}
    return {
        "machine": machine,
        "storms": [asdict(each) for each in storms],
        "panel_sessions": sessions,
    }


if __name__ == "__main__":
    target = Path("build/storm.json")
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(main(), indent=1))
