"""The server as a process on a free loopback port."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from app.build.export import exported


class Served:
    """A running server; its output is read all the time, so that it never waits for us."""

    def __init__(self, command: Sequence[str], arguments: Sequence[str]) -> None:
        # Options that are given come last and count.
        words = [*command, "--address", "127.0.0.1", "--port", "0", *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True)
        greeting = self.process.stdout.readline()
        assert greeting.startswith("Decode arithmetic: http://localhost:"), self.kill()
        self.port = int(greeting.rpartition(":")[2])
        self.address = f"http://127.0.0.1:{self.port}"
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._readers = [
            threading.Thread(target=kept.extend, args=(stream,), daemon=True)
            for kept, stream in (
                (self.lines, self.process.stdout),
                (self.errors, self.process.stderr),
            )
        ]
        for reader in self._readers:
            reader.start()

    def stop(self) -> int:
        """Ask it to stop; all that it printed is in `lines` and `errors` then."""
        self.process.terminate()
        code = self.process.wait(timeout=60)
        for reader in self._readers:
            reader.join()
        return code

    def kill(self) -> str:
        """End it whatever it does; gives what is left of its errors."""
        self.process.kill()
        self.process.wait()
        return self.process.stderr.read()


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[Served]:
    """Serve a folder with these options; stopped in the end."""
    with running([sys.executable, "-m", "app.server", str(folder)], *arguments) as server:
        yield server


@contextmanager
def running(command: Sequence[str], *arguments: str) -> Iterator[Served]:
    """Start a command that serves; stopped in the end."""
    server = Served(command, arguments)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
        server.process.stdout.close()
        server.process.stderr.close()


def everybody(server: Served, n_students: int) -> None:
    """A class asks for every file of the exported page at once; each must get every byte."""

    async def student() -> None:
        missing = list(exported().items())
        while missing:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = ""
            while missing and "\r\nConnection: close\r\n" not in head:
                path, content = missing.pop()
                writer.write(f"GET /{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                assert head.startswith("HTTP/1.1 200 ")
                n_bytes = int(re.search(r"Content-Length: (\d+)", head)[1])
                assert await reader.readexactly(n_bytes) == content
            writer.close()
            await writer.wait_closed()

    async def together() -> None:
        await asyncio.gather(*(student() for _ in range(n_students)))

    # In a thread of its own: the browser tests keep an event loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, together()).result()
