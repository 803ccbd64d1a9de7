"""Serve an exported page: `python -m app.server DIR`. Needs Tornado alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from app.server.command import OptionError, Parser, excerpt, run
from app.server.options import add_options, path

# What takes its time to import comes when a Ctrl-C already ends in a word.
# ruff: noqa: PLC0415


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; the exit code says how it went (2 = a bad option)."""
    return run(lambda: _serve(arguments), OptionError)


def _serve(arguments: Sequence[str] | None) -> None:
    from app.server.files import load
    from app.server.serve import serve

    options, others = _parser().parse_known_args(arguments)
    if others:
        # The image takes such words for its own: somebody may look for the other commands in it.
        raise OptionError(
            f"{excerpt(' '.join(others))}: this serves a page that was exported, and does nothing "
            "else; --help lists its options"
        )
    pages = partial(load, options.directory)
    serve(pages, options.address, options.port, options.frame_ancestors)


def _parser() -> Parser:
    parser = Parser(
        prog="python -m app.server",
        description="Serve an exported page; `decode-arithmetic export DIR` makes one.",
    )
    parser.add_argument("directory", type=path, metavar="DIR", help="the exported page")
    add_options(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
