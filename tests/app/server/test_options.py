"""Serving's options at both doors: a command of the whole program, and alone."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.server.__main__ import main
from app.server.command import OptionError
from app.server.security import headers

#: The words of each door before those of a folder.
DOORS = {"program": ["app", "serve", "--directory"], "alone": ["app.server"]}


@pytest.fixture(params=DOORS)
def serve(request: pytest.FixtureRequest, exported_folder: Path) -> Callable[..., tuple[int, str]]:
    """One door with a page; takes further arguments, gives the exit code and the complaint."""

    def run(*arguments: str, folder: Path = exported_folder) -> tuple[int, str]:
        words = [sys.executable, "-m", *DOORS[request.param], str(folder), *arguments]
        result = subprocess.run(words, capture_output=True, text=True, check=False)
        assert result.stdout == ""
        return result.returncode, result.stderr.removeprefix("decode-arithmetic: ")

    return run


@pytest.mark.parametrize(
    "allowed",
    [
        "'self'",
        "'none'",
        "https://lms.example",
        "https://lms.example 'self' http://localhost:8888 https://*.school.example",
    ],
)
def test_frame_ancestors_go_into_the_policy(allowed):
    assert headers(f" {allowed} ")["Content-Security-Policy"].endswith(
        f"; form-action 'none'; frame-ancestors {allowed}"
    )


@pytest.mark.parametrize(
    ("allowed", "named"),
    [
        ("", '""'),
        ("lms.example", "lms.example"),
        ("https://lms.example; script-src *", "https://lms.example;"),
        ("https://lms.example,https://b.example", "https://lms.example,https://b.example"),
        ("https://lms.example/course", "https://lms.example/course"),
        ("https://lms.example https://b.example/", "https://b.example/"),
        ("self", "self"),
        ("* 'self'", "*"),
        ("'none' https://lms.example", "'none'"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("https://lms.example:123456", "https://lms.example:123456"),
        ("https://lms.exämple", "https://lms.exämple"),
        ("https://a\r\nSet-Cookie: x", "Set-Cookie:"),
    ],
)
def test_what_is_no_origin_is_one_clear_sentence(allowed, named):
    with pytest.raises(OptionError) as refused:
        headers(allowed)
    assert str(refused.value) == (
        f"frame-ancestors: {named} is not allowed here; write origins such as "
        "https://lms.example and 'self', or 'none' or * alone"
    )


def test_a_bad_option_is_one_clear_sentence(serve):
    code, complaint = serve("--port", "0", "--frame-ancestors", "lms.example")
    assert code == 2
    assert complaint.startswith("frame-ancestors: lms.example is not allowed here; ")
    assert complaint.count("\n") == 1


def test_a_taken_port_is_one_clear_sentence(serve):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        complaint = f"Address already in use: address 127.0.0.1, port {port}\n"
        assert serve("--address", "127.0.0.1", "--port", port) == (1, complaint)


def test_a_folder_without_a_page_is_one_clear_sentence(serve, tmp_path):
    assert serve("--port", "0", folder=tmp_path) == (1, f"No exported page there: {tmp_path}\n")


@pytest.mark.parametrize("words", ["report", "report batch=64 --json", "serve --directory /page"])
def test_other_commands_learn_what_the_image_is_for(words, capsys):
    assert main(["/page", *words.split()]) == 2
    assert capsys.readouterr() == (
        "",
        f"decode-arithmetic: {words}: this serves a page that was exported, and does nothing else; "
        "--help lists its options\n",
    )
