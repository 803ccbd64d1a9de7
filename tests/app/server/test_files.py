"""The files of a page in memory: found, compressed, negotiated."""

from __future__ import annotations

import gzip
import os

import brotli
import pytest

from app.server.files import File, Form, load, precompress

UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("", ""),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip;q=1.0", "gzip"),
        ("br;q=0,*", "gzip"),
        ("*", "br"),
        ("*;q=0", ""),
        ("identity", ""),
        ("br;q=nan, gzip;q=-1", ""),
        ("xbr, gzip-like", ""),
        (";;;,,,q=", ""),
    ],
)
def test_negotiates_the_encoding(accepted, encoding):
    form = Form(b"", "")
    assert File("", "", {"": form, "br": form, "gzip": form}).encoding(accepted) == encoding


def test_precompressed_files_are_used_unless_they_are_older(tmp_path):
    (tmp_path / "index.html").write_text("page " * 100)
    precompress(tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {"index.html", "index.html.br", "index.html.gz"}
    made = (tmp_path / "index.html.br").read_bytes()
    assert list(load(tmp_path)) == ["index.html"]
    assert load(tmp_path)["index.html"].forms["br"].body == made

    (tmp_path / "index.html").write_text("changed " * 100)
    os.utime(tmp_path / "index.html.br", ns=(0, 0))
    os.utime(tmp_path / "index.html.gz", ns=(0, 0))
    forms = load(tmp_path)["index.html"].forms
    assert all(UNPACK[e](form.body) == b"changed " * 100 for e, form in forms.items())


def test_small_files_are_left_as_they_are(tmp_path):
    (tmp_path / "index.html").write_text("page")
    precompress(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["index.html"]
    assert list(load(tmp_path)["index.html"].forms) == [""]


def test_without_brotli_gzip_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr("app.server.files.brotli", None)
    (tmp_path / "index.html").write_text("page " * 100)
    file = load(tmp_path)["index.html"]
    assert list(file.forms) == ["", "gzip"]
    assert file.encoding("gzip, br") == "gzip"
