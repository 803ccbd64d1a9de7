"""Request traces in files: CSV with a line for each request, read a piece at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from calc.serving.arrays import arrays
from calc.serving.requests import LATEST_S, Requests
from calc.serving.stream import BLOCK
from calc.text import parsed, shortened

#: The columns, in the order in which `Requests` has them, and what each takes.
COLUMNS = {
    "arrival_s": (0.0, LATEST_S, f"a number of seconds from 0 to {LATEST_S:,.0f}"),
    "prompt": (1.0, 2.0**20, "a whole number from 1 to 1,048,576"),
    "output": (1.0, 2.0**20, "a whole number from 1 to 1,048,576"),
}
_UNITS = {"arrival_s": "s", "prompt": "tokens", "output": "tokens"}

#: What a file's text is written in, by its first two bytes; any other is UTF-8.
ENCODINGS = {"fffe": "utf-16le", "feff": "utf-16be"}

#: A line that is longer is no line of numbers. [characters]
LONGEST_LINE = 10_000

#: What may stand around a name or number.
BLANKS = " \t\r\n\v\f"

#: A field in quotes, in which a quote is written twice.
QUOTED = rf'[{BLANKS}]*"(([^"]|"")*)"[{BLANKS}]*'

#: What other tables have between their columns.
OTHER_SEPARATORS = ";\t"

#: What is said to what is no trace. The page reads traces by the same rules, and says the same.
SAYS = {
    "column": "line 1, {text}: {column} is {many} among the columns, which have to be {columns}",
    "comma": "line 1, {text}: commas have to stand between the columns, {columns}",
    "quote": "line {number}: a quoted field has to end in its line, before a comma",
    "long": "line {number} is longer than {most} characters",
    "field": "line {number}, {column}={text}: allowed is {allowed}",
    "order": "no time before the line above",
    "empty": "there is no request after the first line",
}


_QUOTED = re.compile(QUOTED)


class TraceError(ValueError):
    """A file that is no trace: says which line, which field, and what is allowed."""


def encoding(start: bytes) -> str:
    """What the text of a file is written in.

    Parameters
    ----------
    start : bytes
        Of the file, two at least where it has as many.

    Returns
    -------
    str
        A codec's name, that takes a mark of byte order away.
    """
    return "utf-16" if start[:2].hex() in ENCODINGS else "utf-8-sig"


def read_trace(file: IO[str]) -> Iterator[Requests]:
    """The requests of a trace, in blocks.

    Parameters
    ----------
    file : text file
        Its first line names the columns: arrival_s, prompt and output, in any order, beside any
        others. Lines are in the order of arrival; empty ones count for nothing.

    Returns
    -------
    iterator of Requests
        At least one; all but the last of the same size.

    Raises
    ------
    TraceError
        Names the line, counted from 1, and the field; or there is no request.

    Notes
    -----
    No more than a block is in memory at a time, and of a line no more than it may have.

    References
    ----------
    RFC 4180, without line ends in quotes.
    """
    places = _places(_line(file, 1))
    block, n, number, before_s, is_empty = arrays(Requests, BLOCK), 0, 1, 0.0, True
    while text := _line(file, number := number + 1):
        if not text.strip(BLANKS):
            continue
        fields = _fields(text, number)
        for column, place, values in zip(COLUMNS, places, block, strict=True):
            values[n] = _number(column, fields[place] if place < len(fields) else "", number)
        if block.arrival_s[n] < before_s:
            raise _refusal("arrival_s", fields[places[0]], number, SAYS["order"])
        before_s = block.arrival_s[n]
        n, is_empty = n + 1, False
        if n == BLOCK:
            yield block
            block, n = arrays(Requests, BLOCK), 0
    if n:
        yield Requests(*(values[:n] for values in block))
    if is_empty:
        raise TraceError(SAYS["empty"])


def line_of(request: int, file: IO[str]) -> int:
    """The line in which a request of a trace stands.

    Parameters
    ----------
    request : int
        Counted from 1; there is one.
    file : text file
        The trace, from its start.

    Returns
    -------
    int
        Counted from 1.

    Notes
    -----
    Empty lines are none of a request.

    References
    ----------
    As of `read_trace`.
    """
    _line(file, 1)
    number = 1
    while request:
        number += 1
        request -= bool(_line(file, number).strip(BLANKS))
    return number


def _line(file: IO[str], number: int) -> str:
    text = file.readline(LONGEST_LINE + 1)
    if len(text) > LONGEST_LINE:
        raise TraceError(SAYS["long"].format(number=f"{number:,}", most=f"{LONGEST_LINE:,}"))
    return text


def _fields(line: str, number: int) -> list[str]:
    """What stands between the commas of a line, and is not in quotes."""
    if '"' not in line:
        return line.split(",")
    fields, start = [], 0
    while start <= len(line):
        quoted = _QUOTED.match(line, start)
        comma = line.find(",", start)
        end = quoted.end() if quoted else comma if comma >= 0 else len(line)
        field = quoted[1].replace('""', '"') if quoted else line[start:end]
        if line[end : end + 1] not in ("", ",") or (not quoted and field.strip(BLANKS)[:1] == '"'):
            raise TraceError(SAYS["quote"].format(number=f"{number:,}"))
        fields.append(field)
        start = end + 1
    return fields


def _places(first: str) -> list[int]:
    """Where each of the columns stands."""
    names, text = [name.strip(BLANKS) for name in _fields(first, 1)], first.strip(BLANKS)
    for column in COLUMNS:
        if names.count(column) != 1:
            is_other = len(names) == 1 and any(each in text for each in OTHER_SEPARATORS)
            many, columns = "twice" if column in names else "not", ", ".join(COLUMNS)
            says, text = SAYS["comma" if is_other else "column"], shortened(text)
            raise TraceError(says.format(text=text, column=column, many=many, columns=columns))
    return [names.index(column) for column in COLUMNS]


def _number(column: str, field: str, number: int) -> float:
    low, high, allowed = COLUMNS[column]
    value = parsed(field, _UNITS[column])
    if not low <= value <= high or (column != "arrival_s" and value % 1 > 0):
        raise _refusal(column, field, number, allowed)
    return value


def _refusal(column: str, text: str, number: int, allowed: str) -> TraceError:
    text = shortened(text.strip(BLANKS))
    says = SAYS["field"]
    return TraceError(says.format(number=f"{number:,}", column=column, text=text, allowed=allowed))
