"""What serving takes on a command line, alone or as a command of the whole program."""

from __future__ import annotations

from argparse import ArgumentParser


class OptionError(ValueError):
    """A value that an option does not take: says which, and what is allowed."""


def add_options(parser: ArgumentParser) -> None:
    """Where to listen, and who may show the page in a frame."""
    parser.add_argument("--port", type=int, default=5006, help="0 = any free one (default 5006)")
    parser.add_argument("--address", default="", help="address to listen on (default: all)")
    parser.add_argument(
        "--frame-ancestors",
        default="*",
        metavar="ORIGINS",
        help="who may show the page in a frame: 'https://lms.example https://wiki.example' "
        "(default: everybody)",
    )
