"""How a command ends: well, or with one sentence that a terminal can show."""

from __future__ import annotations

import io
import os
import signal
import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn, TextIO

#: Ended by Ctrl-C, as a shell counts it.
_INTERRUPTED = 130


class OptionError(ValueError):
    """A value that an option does not take: says which, and what is allowed."""


class Once(Action):
    """An option that names what is read; a second one is refused, where argparse takes the last."""

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None
    ) -> None:
        """Take the value, or refuse it."""
        if option and getattr(namespace, self.dest) is not self.default:
            parser.error(f"{option} is given twice: leave one out")
        setattr(namespace, self.dest, values)


class Parser(ArgumentParser):
    """Arguments; what it does not take is one sentence, instead of the usage and a sentence."""

    def error(self, message: str) -> NoReturn:
        """Refuse, as every other value is refused."""
        raise OptionError(f"{excerpt(message, 300)}; `{self.prog} --help` says what there is")

    def print_help(self, file: Any = None) -> None:
        """Print the help; argparse does not say where it could not."""
        print(self.format_help(), end="", file=file)


def run(command: Callable[[], None], *refusals: type[Exception]) -> int:
    """Run a command, whatever happens to it.

    Parameters
    ----------
    command : callable
        Prints what it has to say.
    refusals : exception types
        What it raises, with a sentence a line, where it is asked for something that it does not do.

    Returns
    -------
    int
        The exit code: 0 done, 1 the machine would not, 2 refused, 130 interrupted.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        complain("standard output is closed; to throw it away write >/dev/null")
        return 1
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Any name of a file can be told on any terminal.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = 0
    previous = signal.signal(signal.SIGINT, _stop)
    try:
        try:
            command()
        finally:
            sys.stdout.flush()
    except SystemExit as asked_for_help:
        code = int(asked_for_help.code or 0)
    except refusals as refusal:
        for sentence in str(refusal).splitlines():
            complain(sentence)
        code = 2
    except MemoryError:
        complain("there is not enough memory")
        code = 1
    except OSError as error:
        # Whoever reads has had enough of a broken pipe (`| head`).
        if not isinstance(error, BrokenPipeError):
            complain(reason(error))
            code = 1
        _give_up(sys.stdout)
    finally:
        signal.signal(signal.SIGINT, previous)
    return code


def _stop(*_: object) -> None:
    # At once: an exception may be lost in what is just being imported, and the command go on.
    with suppress(OSError):
        os.write(2, b"decode-arithmetic: stopped\n")
    os._exit(_INTERRUPTED)


def complain(sentence: str) -> None:
    """Say on stderr what is wrong and what to do; where nobody hears it, go on."""
    try:
        print(f"decode-arithmetic: {printable(sentence)}", file=sys.stderr, flush=True)
    except OSError:
        _give_up(sys.stderr)


def reason(error: OSError) -> str:
    """What went wrong, and with which file where that is known."""
    words = error.strerror or str(error) or type(error).__name__
    name = error.filename2 or error.filename
    return f"{words}: {excerpt(os.fsdecode(name))}" if isinstance(name, str | bytes) else words


def excerpt(text: str, most: int = 100) -> str:
    """A text from outside as it can stand in a sentence: printable, and its middle left out where
    it is long.
    """
    text = printable(text)
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[len(text) - half + 1 :]}"


def printable(text: str) -> str:
    """A text with a blank for each character that a terminal may act upon, or cannot print."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " for each in text)


def _give_up(stream: TextIO) -> None:
    # Else Python would write what is left once more at its exit, and complain.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
