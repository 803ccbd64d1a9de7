"""The server as a process: started, asked, stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_server

import pytest

from app.__main__ import main
from app.export import export, exported


@contextmanager
def server(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "app", "serve", "--address", "127.0.0.1", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        assert line.startswith("Decode arithmetic: http://localhost:"), process.stderr.read()
        yield process, line.split(": ")[1].strip().replace("localhost", "127.0.0.1")
    finally:
        process.kill()
        process.communicate()


def test_serves_exactly_the_export_and_stops_when_told():
    with server("--port", "0") as (process, address):
        for path, content in exported().items():
            with urllib.request.urlopen(f"{address}/{path}") as answer:
                assert answer.read() == content, path
        with urllib.request.urlopen(address) as answer:
            assert answer.read() == exported()["index.html"]
        with urllib.request.urlopen(f"{address}/healthz") as answer:
            assert answer.read() == b"ok\n"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{address}/nothing-here")
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0


def test_a_taken_port_is_one_clear_sentence():
    with create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "app", "serve", "--address", "127.0.0.1", "--port", port]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == f"decode-arithmetic: Address already in use: port {port}\n"


def test_a_prebuilt_page_is_served_from_its_folder(tmp_path):
    export(tmp_path)
    serving = server("--port", "0", "--directory", str(tmp_path))
    with serving as (_, address), urllib.request.urlopen(address) as answer:
        assert answer.read() == exported()["index.html"]


def test_a_folder_without_a_page_is_one_clear_sentence(tmp_path, capsys):
    assert main(["serve", "--port", "0", "--directory", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"decode-arithmetic: No exported page there: {tmp_path}\n"
