"""The files of a page in memory: found, compressed, negotiated."""

from __future__ import annotations

import gzip
import os
import tracemalloc

import brotli
import pytest

from app.files import write
from app.server.files import LIST, File, Form, compressed, load, prepared

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


def forms(folder):
    """What is served of the page's entrance, unpacked; each form has its own tag."""
    found = load(folder)["index.html"].forms
    assert len({form.etag for form in found.values()}) == len(found)
    return {encoding: UNPACK[encoding](form.body) for encoding, form in found.items()}


@pytest.mark.parametrize("has_brotli", [True, False])
def test_compressed_forms_are_used_while_they_are_of_their_file(tmp_path, monkeypatch, has_brotli):
    page = {"index.html": b"page " * 100}
    made = compressed(page)
    assert set(made) == {"index.html.br", "index.html.gz", LIST}
    if not has_brotli:
        monkeypatch.setattr("app.server.files.brotli", None)
    write(tmp_path, page | made)
    assert list(load(tmp_path)) == ["index.html"]
    assert load(tmp_path)["index.html"].forms["br"].body == made["index.html.br"]

    # Changed since, with no older form and without: neither times nor an unpacker tell.
    (tmp_path / "index.html").write_text("changed " * 100)
    os.utime(tmp_path / "index.html", ns=(0, 0))
    encodings = {"", "gzip", *(["br"] if has_brotli else [])}
    assert forms(tmp_path) == dict.fromkeys(encodings, b"changed " * 100)


def test_compressed_forms_of_something_else_are_not_used(tmp_path):
    page = {"index.html": b"page " * 100}
    made = compressed(page)
    others = {"index.html.br": brotli.compress(b"other"), "index.html.gz": b"no gzip"}
    for listed in ({}, {LIST: made[LIST]}, {LIST: b"\xff" + made[LIST][:99] + b"\0"}):
        write(tmp_path, page | others | listed)
        assert set(forms(tmp_path).values()) == set(page.values())


def test_what_would_not_end_unpacking_is_not_unpacked(tmp_path):
    page = {"index.html": b"page " * 100}
    # 20 GiB of nothing.
    bomb = gzip.compress(bytes(2**20)) * 1024 * 20
    write(tmp_path, page | {"index.html.gz": bomb, LIST: compressed(page)[LIST]})
    tracemalloc.start()
    assert set(forms(tmp_path).values()) == set(page.values())
    assert tracemalloc.get_traced_memory()[1] < 2 * len(bomb)
    tracemalloc.stop()


def test_folders_in_folders_and_files_without_number_are_no_fault(tmp_path):
    (tmp_path / "index.html").write_text("page")
    deep = tmp_path.joinpath(*["a"] * 1200)
    nested = [deep, *deep.parents][:1200]
    for folder in reversed(nested):
        folder.mkdir()
    (deep / "far.txt").write_text("far")
    assert set(load(tmp_path)) == {"index.html", "a/" * 1200 + "far.txt"}
    (deep / "far.txt").unlink()
    for folder in nested:
        folder.rmdir()
    for number in range(10_001):
        (tmp_path / f"{number}").touch()
    with pytest.raises(OSError, match="Larger than any exported page"):
        load(tmp_path)


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
    assert compressed(page) == {LIST: b""}
    assert list(prepared(page)["index.html"].forms) == [""]


def test_without_brotli_gzip_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr("app.server.files.brotli", None)
    (tmp_path / "index.html").write_text("page " * 100)
    file = load(tmp_path)["index.html"]
    assert list(file.forms) == ["", "gzip"]
    assert file.encoding("gzip, br") == "gzip"
