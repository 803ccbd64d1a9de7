"""What serving takes on a command line, alone or as a command of the whole program."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

from app.server.command import excerpt


def add_options(parser: ArgumentParser) -> None:
    """Where to listen, and who may show the page in a frame."""
    parser.add_argument("--port", type=_port, default=5006, help="0 = any free one (default 5006)")
    parser.add_argument("--address", default="", help="address to listen on (default: all)")
    parser.add_argument(
        "--frame-ancestors",
        default="*",
        metavar="ORIGINS",
        help="who may show the page in a frame: 'https://lms.example https://wiki.example' "
        "(default: everybody)",
    )


def path(text: str) -> Path:
    """A file or folder that a command line names."""
    # "", as of a variable that is not set, would be the folder in which one happens to be.
    if not text:
        raise ArgumentTypeError("name a file or a folder")
    return Path(text)


def _port(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > 65535:
        raise ArgumentTypeError(
            f"{excerpt(text)} is not allowed here; ports are numbers from 0 to 65535"
        )
    return int(text)
