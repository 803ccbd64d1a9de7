"""The command line: serve and export the page; report, and list what goes in."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import InputError
from app.server.command import Once, OptionError, Parser, printable, run
from app.server.options import add_options, path

if TYPE_CHECKING:
    from app.exercises.record import Course
    from app.server.files import File
    from calc import Scenario

#: Of what a config.json has, so many names are told.
MOST_LISTED = 50

# Each command imports what it needs: `report` does not wait for Panel.
# ruff: noqa: PLC0415


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says how it went (2 = bad input)."""
    return run(lambda: _run(arguments), InputError, OptionError)


def _run(arguments: Sequence[str] | None) -> None:
    parser = _parser()
    options, others = parser.parse_known_args(arguments)
    # argparse takes no option between two inputs.
    if "inputs" in options and not any(word.startswith("-") for word in others):
        options.inputs += others
    elif others:
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    options.run(options)


def _parser() -> Parser:
    parser = Parser(
        prog="decode-arithmetic",
        description="Why LLM decode is memory-bound, and what the KV cache allows.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serving = commands.add_parser("serve", help="build the page and serve it")
    serving.add_argument(
        "--directory",
        action=Once,
        type=path,
        metavar="DIR",
        help="serve this export instead of a new one",
    )
    _add_exercises(serving)
    add_options(serving)
    serving.set_defaults(run=_serve)

    exporting = commands.add_parser(
        "export", help="write the page as a folder of files, or one file"
    )
    exporting.add_argument("path", type=path, metavar="PATH", help="one file if it ends in .html")
    exporting.add_argument(
        "--precompress",
        action="store_true",
        help="add .gz and, with the package brotli, .br files for servers that send these",
    )
    _add_exercises(exporting)
    exporting.set_defaults(run=_export)

    reporting = commands.add_parser(
        "report",
        help="print every quantity of one scenario",
        epilog="`decode-arithmetic inputs` lists the keys, with what each one takes.",
    )
    reporting.add_argument("--json", action="store_true", help="one JSON object, SI units")
    reporting.add_argument(
        "--config",
        action=Once,
        type=path,
        metavar="FILE",
        help="take the model from its config.json",
    )
    reporting.add_argument("inputs", nargs="*", metavar="key=value")
    reporting.set_defaults(run=_report)

    simulating = commands.add_parser(
        "simulate",
        help="replay a trace of requests, and print what comes out",
        epilog="Keys are those of `report` and of serving: `decode-arithmetic inputs` lists all. "
        "What is replayed, and what is left out: docs/model.md.",
    )
    forms = simulating.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="the totals as one JSON object")
    forms.add_argument("--csv", action="store_true", help="a line for each request as it ends")
    simulating.add_argument(
        "--trace",
        action=Once,
        type=path,
        metavar="FILE",
        help="CSV with the columns arrival_s, prompt, output, instead of requests that are drawn",
    )
    simulating.add_argument("inputs", nargs="*", metavar="key=value")
    simulating.set_defaults(run=_simulate)

    checking = commands.add_parser(
        "check-exercises",
        help="answer every question of a file of exercises, and say which answers are shaky",
        epilog="What such a file looks like: docs/exercises.md.",
    )
    checking.add_argument("--json", action="store_true", help="one JSON object")
    checking.add_argument(
        "file", nargs="?", type=path, metavar="FILE", help="TOML; without it, the shipped ones"
    )
    checking.set_defaults(run=_check_exercises)

    inputs = commands.add_parser("inputs", help="list the keys of `report` and of `simulate`")
    inputs.set_defaults(run=_inputs)
    models = commands.add_parser("models", help="list the model presets, with sources")
    models.set_defaults(run=_models)
    gpus = commands.add_parser("gpus", help="list the GPU presets, each figure with its source")
    gpus.set_defaults(run=_gpus)
    return parser


def _add_exercises(parser: Parser) -> None:
    parser.add_argument(
        "--exercises",
        action=Once,
        type=path,
        metavar="FILE",
        help="these instead of the shipped ones",
    )


def _serve(options: Namespace) -> None:
    from functools import partial

    from app.server.files import load
    from app.server.serve import serve

    if options.directory and options.exercises:
        raise InputError("--directory serves an export as it is: give --exercises to `export`")
    if options.directory:
        pages = partial(load, options.directory)
    else:
        pages = partial(_new_page, _course(options.exercises))
    serve(pages, options.address, options.port, options.frame_ancestors)


def _new_page(course: Course | None) -> dict[str, File]:
    """The files of the page as it is now."""
    from app.build.export import exported
    from app.server.files import prepared

    return prepared(exported(course))


def _course(file: Path | None) -> Course | None:
    """The exercises of a file; None for those that are shipped."""
    if file is None:
        return None
    from app.exercises.read import LARGEST_FILE, read_course
    from app.files import content

    return read_course(content(file, LARGEST_FILE))


def _export(options: Namespace) -> None:
    from app.build.export import exported, single_file
    from app.files import write, write_one
    from app.server.files import compressed

    is_one_file = options.path.name.lower().endswith(".html")
    if options.precompress and is_one_file:
        raise InputError("--precompress is for a folder: a file that is opened needs no server")
    place, course = printable(str(options.path)), _course(options.exercises)
    if is_one_file:
        write_one(options.path, single_file(course).encode())
        print(f"The page is {place}: open it, it needs nothing else.")
        return
    pages = exported(course)
    write(options.path, pages | compressed(pages) if options.precompress else pages)
    print(f"The page is in {place}: serve that folder with any static file server.")


def _report(options: Namespace) -> None:
    from app.inputs import from_texts
    from calc import Report, evaluate
    from calc.quantity import quantities

    texts = _texts(options.inputs)
    if options.config:
        scenario = _scenario_of_config(options.config, texts)
    else:
        scenario = from_texts(texts).scenario()
    report = evaluate(scenario)
    # As many as one likes is no number.
    values = report.as_dict() | dict.fromkeys(report.unlimited())
    if options.json:
        print(json.dumps(values))
        return
    for name, what in quantities(Report):
        value = values[name]
        print(f"{name:30}{_number(value):>24} {what.unit:9} {what.label}".rstrip())


def _scenario_of_config(path: Path, texts: dict[str, str]) -> Scenario:
    """The scenario of a model's config.json; says on stderr how the file was read."""
    from dataclasses import replace

    from app.files import content
    from app.inputs import from_texts
    from calc.hf_config.error import ConfigError
    from calc.hf_config.read import LARGEST_FILE, read_config
    from calc.inputs.table import MODEL_KEYS
    from calc.text import shortened

    file = shortened(str(path), 100)
    for key in ("model", *MODEL_KEYS):
        if key in texts:
            raise InputError(f"{key}: the model comes from {file}, leave this key out")
    try:
        reading = read_config(content(path, LARGEST_FILE))
    except ConfigError as problem:
        raise InputError(f"{file}: {problem}") from None
    # What the file states of number formats counts where nothing else is said.
    formats = {key: text for key in ("weights", "kv") if (text := getattr(reading, key))}
    if reading.weights and "assumptions" not in texts:
        # What is not converted, or has another format, would not count in the lesson's estimate.
        formats["real_checkpoint"] = "1"
    scenario = replace(from_texts(formats | texts).scenario(), model=reading.model)
    try:
        scenario.validate()
    except ValueError as problem:
        raise InputError(f"{file}: {problem}") from None
    print(
        f"parameters: {reading.model.n_params:,.0f}, active {reading.model.n_active:,.0f}; "
        f"{reading.certainty}",
        file=sys.stderr,
    )
    for name in ("used", "derived", "ignored", "guesses"):
        if entries := getattr(reading, name):
            print(f"{name}: {_some_of(entries)}", file=sys.stderr)
    return scenario


def _some_of(entries: Sequence[str]) -> str:
    """As many as somebody will read."""
    more = len(entries) - MOST_LISTED
    return "; ".join([*entries[:MOST_LISTED], *([f"and {more:,} more"] if more > 0 else [])])


def _simulate(options: Namespace) -> None:
    from app.simulate.command import simulate

    form = "json" if options.json else "csv" if options.csv else "text"
    simulate(_texts(options.inputs), options.trace, form)


def _check_exercises(options: Namespace) -> None:
    from dataclasses import asdict

    from app.exercises.check import findings
    from app.exercises.read import shipped_course

    results = findings(_course(options.file) or shipped_course())
    if options.json:
        print(json.dumps({"exercises": [asdict(each) for each in results]}, ensure_ascii=False))
        return
    for each in results:
        print(f"{each.id:30} {_line(each.answer)}")
        for turn in each.turns:
            print(f"{'':30} turns with {turn.key}={turn.value:g}: {_line(turn.answer)}")
    shaky = sum(bool(each.turns) for each in results)
    noun = "question" if len(results) == 1 else "questions"
    print(f"{len(results)} {noun}, {shaky} of which turn when a number changes by 5 %.")


def _line(text: str) -> str:
    """A text of somebody's file as one line of a terminal."""
    return printable(" ".join(text.split()))


def _inputs(options: Namespace) -> None:
    from calc.inputs.table import INPUTS
    from calc.serving.inputs import SERVING_INPUTS

    for key, what in (INPUTS | SERVING_INPUTS).items():
        default = f"; default {what.usual}" if what.usual else ""
        print(f"{key:20}{what.doc}")
        print(f"{'':20}{what.allowed}{default}")
    print("Where no default stands, the model or the set of assumptions decides.")


def _models(options: Namespace) -> None:
    from calc import MODELS
    from calc.presets.models import model_rows

    for id_, row in model_rows().items():
        params = f"{MODELS[id_].n_params:,.0f}"
        print(f"{id_:28}{params:>20} parameters  {row['name']}: {row['source']}")


def _gpus(options: Namespace) -> None:
    from calc.presets.hardware import gpu_rows

    for id_, row in gpu_rows().items():
        print(f"{id_}: {row['name']}")
        for key, figure in row.items():
            if key != "name":
                print(f"  {key:18}{figure[0]:>10,g}  {figure[1]}")


def _number(value: float | bool | str | None) -> str:
    if value is None:
        return "free"
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 1e5 else f"{value:,.6g}"


def _texts(words: Sequence[str]) -> dict[str, str]:
    """What was typed, by key."""
    from calc.text import shortened

    texts: dict[str, str] = {}
    for key, text in map(_pair, words):
        if key in texts:
            raise InputError(f"{shortened(key)} is given twice: leave one out")
        texts[key] = text
    return texts


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        from calc.text import shortened

        raise InputError(f"{shortened(text)}: write key=value, such as batch=64")
    return key, value


if __name__ == "__main__":
    sys.exit(main())
