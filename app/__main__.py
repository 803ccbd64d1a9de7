"""The command line: serve, export, report."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from app.scenario import InputError, Inputs, keys
from calc import Report, evaluate
from calc.quantity import quantities


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says how it went (2 = bad input)."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except InputError as error:
        print(f"decode-arithmetic: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"decode-arithmetic: {error.strerror}: {_what(options)}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="decode-arithmetic",
        description="Why LLM decode is memory-bound, and what the KV cache allows.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serving = commands.add_parser("serve", help="serve the page")
    serving.add_argument("--port", type=int, default=5006, help="0 = any free one (default 5006)")
    serving.add_argument("--address", default="", help="address to listen on (default: all)")
    serving.set_defaults(run=_serve)

    exporting = commands.add_parser("export", help="write the page as a folder of files")
    exporting.add_argument("path", type=Path, metavar="DIR")
    exporting.set_defaults(run=_export)

    reporting = commands.add_parser(
        "report",
        help="print every quantity of one scenario",
        epilog=f"Keys: {', '.join(keys())}.",
    )
    reporting.add_argument("--json", action="store_true", help="one JSON object, SI units")
    reporting.add_argument("inputs", nargs="*", metavar="key=value")
    reporting.set_defaults(run=_report)
    return parser


def _serve(options: argparse.Namespace) -> None:
    # Panel takes a second to import: only the commands that build the page pay for it.
    from app.serve import serve  # noqa: PLC0415

    serve(options.address, options.port)


def _export(options: argparse.Namespace) -> None:
    from app.export import export  # noqa: PLC0415

    export(options.path)
    print(f"The page is in {options.path}: serve that folder with any static file server.")


def _report(options: argparse.Namespace) -> None:
    texts = dict(_pair(text) for text in options.inputs)
    report = evaluate(Inputs.from_texts(texts).scenario()).as_dict()
    if options.json:
        print(json.dumps(report))
        return
    for name, what in quantities(Report):
        value = report[name]
        print(f"{name:30}{_number(value):>24} {what.unit:9} {what.label}".rstrip())


def _number(value: float | bool | str) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 1e5 else f"{value:,.6g}"


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"{text}: write key=value, such as batch=64")
    return key, value


def _what(options: argparse.Namespace) -> str:
    return f"port {options.port}" if "port" in options else str(options.path)


if __name__ == "__main__":
    sys.exit(main())
