"""Traces in files: what is read, and what is said to what cannot be."""

from __future__ import annotations

import codecs
import io
import tracemalloc

import pytest

from calc.serving import trace_file
from calc.serving.trace_file import TraceError, encoding, read_trace

HEAD = "arrival_s,prompt,output\n"


def rows(text):
    return [row for block in read_trace(io.StringIO(text)) for row in zip(*block, strict=True)]


def test_columns_in_any_order_beside_others():
    text = "output, user ,prompt,arrival_s\n3,x,100,0\n1,y,50,1.5e1\n\n"
    assert rows(text) == [(0.0, 100.0, 3.0), (15.0, 50.0, 1.0)]


def test_fields_in_quotes():
    text = '"arrival_s","who, or ""what""",prompt, "output" \n"0","a, b",100,"3"\n1,"""",50,1\n'
    assert rows(text) == [(0.0, 100.0, 3.0), (1.0, 50.0, 1.0)]


def test_a_number_in_quotes_means_what_it_means_elsewhere():
    text = HEAD + '"0,5","1,000",2K\n"1,024.5",1e3,"32,768"\n'
    assert rows(text) == [(0.5, 1000.0, 2048.0), (1024.5, 1000.0, 32768.0)]


def test_a_file_says_by_its_first_bytes_what_it_is_written_in():
    text = HEAD + "0,1,2\n"
    for code in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le"):
        written = (codecs.BOM_UTF16_LE if code == "utf-16-le" else b"") + text.encode(code)
        assert written.decode(encoding(written)) == text
    assert encoding(codecs.BOM_UTF16_BE) == "utf-16"
    assert encoding(b"") == encoding(b"a") == "utf-8-sig"


def test_blocks(monkeypatch):
    monkeypatch.setattr(trace_file, "BLOCK", 2)
    for n in (1, 2, 3, 4):
        sizes = [len(b.arrival_s) for b in read_trace(io.StringIO(HEAD + "0,1,1\n" * n))]
        assert sizes == [2] * (n // 2) + [1] * (n % 2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1, : arrival_s is not among the columns, which have to be arrival_s, prompt, "),
        ("arrival_s,prompt\n", "line 1, arrival_s,prompt: output is not among the columns"),
        (
            HEAD.replace("output", "prompt"),
            "line 1, arrival_s,prompt,prompt: prompt is twice among",
        ),
        (HEAD.replace(",", ";"), "line 1, arrival_s;prompt;output: commas have to stand between"),
        (HEAD.replace(",", "\t"), "line 1, arrival_s prompt output: commas have to stand between"),
        (HEAD, "there is no request after the first line"),
        (HEAD + "\n\n", "there is no request after the first line"),
        (HEAD + "0,1,1\n0,,5\n", "line 3, prompt=: allowed is a whole number from 1 to 1,048,576"),
        (HEAD + "0,1\n", "line 2, output=: allowed is a whole number"),
        (HEAD + "-1,1,1\n", "line 2, arrival_s=-1: allowed is a number of seconds from 0 to"),
        (HEAD + "nan,1,1\n", "line 2, arrival_s=nan: allowed is"),
        (HEAD + "1e300,1,1\n", "line 2, arrival_s=1e300: allowed is"),
        (HEAD + "0,1.5,1\n", "line 2, prompt=1.5: allowed is a whole number"),
        (HEAD + "0,1,0\n", "line 2, output=0: allowed is a whole number"),
        (HEAD + "0,1,9999999\n", "line 2, output=9999999: allowed is a whole number"),
        (HEAD + "0,1,\x1b[31m\n", "line 2, output= [31m: allowed is a whole number"),
        (HEAD + "0,1,٣\n", "line 2, output=٣: allowed is a whole number"),
        (HEAD + "5,1,1\n4,1,1\n", "line 3, arrival_s=4: allowed is no time before the line above"),
        (HEAD + '0,"1,1\n', "line 2: a quoted field has to end in its line, before a comma"),
        (HEAD + '0,"1"2,1\n', "line 2: a quoted field has to end in its line, before a comma"),
        (HEAD + '0,"x",1\n', "line 2, prompt=x: allowed is a whole number"),
        (HEAD + "0" * 20_000, "line 2 is longer than 10,000 characters"),
    ],
)
def test_what_cannot_be_read_is_said_by_line_and_field(text, says):
    with pytest.raises(TraceError) as refused:
        rows(text)
    assert str(refused.value).startswith(says)


def test_a_million_lines_take_no_more_memory_than_a_block():
    class Endless(io.TextIOBase):
        """So many lines, of which none is kept."""

        def __init__(self, n):
            self.n, self.read = n, 0

        def readline(self, size=-1):
            self.read += 1
            return HEAD if self.read == 1 else "3,10,5\n" if self.read <= self.n + 1 else ""

    tracemalloc.start()
    total = sum(len(block.arrival_s) for block in read_trace(Endless(200_000)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == 200_000
    # Two blocks of 65,536 requests, of three numbers each.
    assert most < 2.2 * 65_536 * 3 * 8
