"""Serve an exported page: `python -m app.server DIR`. Needs Tornado alone."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from app.server.files import load
from app.server.options import OptionError, add_options
from app.server.serve import serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; the exit code says how it went (2 = a bad option)."""
    options = _parser().parse_args(arguments)
    pages = partial(load, options.directory)
    try:
        serve(pages, options.address, options.port, options.frame_ancestors)
    except OptionError as error:
        print(f"decode-arithmetic: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        parts = ("decode-arithmetic", error.strerror, error.filename)
        print(": ".join(str(part) for part in parts if part), file=sys.stderr)
        return 1
    return 0


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m app.server",
        description="Serve an exported page; `decode-arithmetic export DIR` makes one.",
    )
    parser.add_argument("directory", type=Path, metavar="DIR", help="the exported page")
    add_options(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
