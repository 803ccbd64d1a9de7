"""The page reads a trace as Python does: the same requests, or the same sentence."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random

from app.simulate.command import blocks_of
from calc.serving.trace_file import COLUMNS, TraceError
from tests.helpers.node import node

HEAD = "arrival_s,prompt,output"
FIELDS = ["0", "7", "7.0", "1e2", "1E3", ".5", "5.", "1e400", "-1", "+1", "", " 3 ", "\t4", "0x1"]
FIELDS += [
    "nan",
    "Infinity",
    "1_000",
    "1e",
    "٣",
    "\u00a05",
    "\x1b[31m",
    "a" * 60,
    "𝟜" * 50,
    "1048577",
]
FIELDS += ['"1,000"', '"1,00"', '"0,5"', "1K", "2k", '"1,024K"', "1e-400", "0e-400", "\ufeff7"]
FIELDS += ['"5"', ' "7" ', '"1""2"', '"a,b"', '"', '"5', '5"', '"5"x', '""']
HEADS = [
    HEAD,
    '"arrival_s","prompt", "output"',
    '"a,""b",arrival_s,prompt,output',
    '"x' + HEAD,
    "output, prompt ,user,arrival_s",
    "arrival_s;prompt;output",
    "",
    "prompt," + HEAD,
]
ENDS = ["\n", "\r\n", "\r", "\n\n", "\n \t\n"]
LINES = [HEAD + "\n" + "0" * n for n in (9_999, 10_000, 10_001)]
LINES += [line + "\n" for line in LINES] + [HEAD + "\n" + "𝟜" * 9_999]


def files():
    chance, texts = Random(7), [*LINES, "", HEAD, HEAD + "\n", HEAD + "\n0,1,1\n0,1,1"]
    for _ in range(600):
        n_odd = chance.choice([0, 0, 1, 1, 2])
        rows, at = [], 0.0
        for _ in range(chance.randint(1, 6)):
            at += chance.choice([0, 0.25, 1e-3])
            rows.append([f"{at!r}", str(chance.randint(1, 2000)), f"{chance.randint(1, 99)}.0"])
        for _ in range(n_odd):
            chance.choice(rows)[chance.randrange(3)] = chance.choice(FIELDS)
        if chance.random() < 0.1:
            chance.shuffle(rows)
        head = HEADS[0] if chance.random() < 0.8 else chance.choice(HEADS)
        end = chance.choice(ENDS)
        text = end.join([head, *(",".join(row) for row in rows)])
        texts.append(text + chance.choice(["", end]))
    return texts


def contents():
    """Files as somebody saves them: in UTF-8 with and without a mark, in UTF-16, or cut short."""
    codes = {"utf-8": b"", "utf-8-sig": b"", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    texts = files()
    yield from (text.encode() for text in texts)
    for text in texts[::10]:
        yield from (mark + text.encode(code) for code, mark in codes.items())
        yield b"\xff\xfe" + text.encode("utf-16-le")[:-1]
        yield text.encode("utf-16-le")  # nothing says so
        yield text.encode("latin-1", "replace")


def read(content, folder):
    """The block of a file, opened as the command opens it."""
    path = folder / "trace.csv"
    path.write_bytes(content)
    try:
        (block,) = blocks_of(path)
    except TraceError as problem:
        return str(problem)
    return [list(values) for values in block]


def test_the_page_reads_what_python_reads(written, tmp_path):
    saved = [*contents()]
    script = Path(__file__).with_name("trace_file.mjs")
    run = subprocess.run(
        [node(), script],
        input=json.dumps([each.hex() for each in saved]).encode(),
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode()
    expected = [read(each, tmp_path) for each in saved]
    for content, here, there in zip(saved, expected, json.loads(run.stdout), strict=True):
        assert here == there, content
    # Both kinds came about, and refusals of each column.
    assert any(isinstance(each, list) for each in expected)
    for column in COLUMNS:
        assert any(isinstance(each, str) and f", {column}=" in each for each in expected)
