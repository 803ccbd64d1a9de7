"""The files of a page in memory: found, compressed, negotiated."""

from __future__ import annotations

import gzip
import os

import brotli
import pytest

from app.files import write
from app.server.files import File, Form, compressed, load, prepared

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


def test_compressed_forms_are_used_unless_they_are_older(tmp_path):
    page = {"index.html": b"page " * 100}
    write(tmp_path, page | compressed(page))
    assert {p.name for p in tmp_path.iterdir()} == {"index.html", "index.html.br", "index.html.gz"}
    made = (tmp_path / "index.html.br").read_bytes()
    assert list(load(tmp_path)) == ["index.html"]
    assert load(tmp_path)["index.html"].forms["br"].body == made

    (tmp_path / "index.html").write_text("changed " * 100)
    os.utime(tmp_path / "index.html.br", ns=(0, 0))
    os.utime(tmp_path / "index.html.gz", ns=(0, 0))
    forms = load(tmp_path)["index.html"].forms
    assert all(UNPACK[e](form.body) == b"changed " * 100 for e, form in forms.items())


def test_compressed_forms_of_something_else_are_not_used(tmp_path):
    page = b"page " * 100
    others = {".br": brotli.compress(b"other"), ".gz": b"no gzip"}
    write(tmp_path, {"index.html": page} | {f"index.html{e}": c for e, c in others.items()})
    forms = load(tmp_path)["index.html"].forms
    assert all(UNPACK[encoding](form.body) == page for encoding, form in forms.items())


def test_neither_what_is_hidden_nor_what_leads_to_it_is_held(tmp_path):
    (tmp_path / "index.html").write_text("page")
    (tmp_path / ".env").write_text("secret")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("secret")
    for name, target in {"a": ".env", "b": ".git/config", "c": "c", "d": "index.html"}.items():
        (tmp_path / name).symlink_to(target)
    assert set(load(tmp_path)) == {"index.html", "d"}


def test_a_folder_larger_than_any_page_is_not_read(tmp_path):
    (tmp_path / "index.html").write_text("page")
    with open(tmp_path / "large", "wb") as file:
        file.truncate(10**12)
    with pytest.raises(OSError, match="Larger than any exported page"):
        load(tmp_path)


def test_small_files_are_left_as_they_are():
    page = {"index.html": b"page"}
    assert compressed(page) == {}
    assert list(prepared(page)["index.html"].forms) == [""]


def test_without_brotli_gzip_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr("app.server.files.brotli", None)
    (tmp_path / "index.html").write_text("page " * 100)
    file = load(tmp_path)["index.html"]
    assert list(file.forms) == ["", "gzip"]
    assert file.encoding("gzip, br") == "gzip"
