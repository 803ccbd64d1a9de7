"""A page is exported whole or not at all."""

from __future__ import annotations

import errno
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import main
from app.build.export import exported
from app.files import write, write_one
from app.server.files import LIST, compressed, line

OLD = {"index.html": b"old entrance", "assets-0/page.mjs": b"old", "embed.js": b"old"}
NEW = {"index.html": b"new entrance", "index.html.gz": b"new", "embed.js": b"new"} | {
    f"assets-1/{name}.mjs": name.encode() * 100_000 for name in "abc"
}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def limited() -> None:
    """The same for the program as a disk with little room."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


@pytest.mark.parametrize("name", ["page", "page/one.html"])
def test_without_room_the_old_page_stays_and_a_sentence_says_so(tmp_path, name):
    target = tmp_path / name
    write(tmp_path / "page", OLD | {"one.html": b"old"})
    command = [sys.executable, "-m", "app", "export", str(target)]
    done = subprocess.run(command, preexec_fn=limited, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"decode-arithmetic: File too large: {tmp_path / 'page'}\n"
    assert files(tmp_path / "page") == OLD | {"one.html": b"old"}


@pytest.mark.parametrize("last", range(len(NEW)))
def test_killed_while_it_renames_the_old_entrance_leads_to_the_old_page(
    tmp_path, monkeypatch, last
):
    class Killed(BaseException):
        pass

    def replace(*paths: Path) -> None:
        renamed.append(paths)
        if len(renamed) > last:
            raise Killed
        rename(*paths)

    renamed, rename = [], os.replace
    write(tmp_path, OLD)
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(Killed):
        write(tmp_path, NEW)
    found = files(tmp_path)
    assert found["index.html"] == OLD["index.html"]
    assert found["assets-0/page.mjs"] == OLD["assets-0/page.mjs"]
    assert all(content in (OLD.get(name), NEW.get(name)) for name, content in found.items())
    if "index.html.gz" in found:
        assert found.items() >= {n: c for n, c in NEW.items() if n != "index.html"}.items()


def test_what_is_no_folder_is_one_sentence_and_stays(tmp_path, capsys):
    (tmp_path / "index.html").mkdir()
    with pytest.raises(OSError, match=r"Is a directory: .*index\.html'$"):
        write(tmp_path, NEW)
    (tmp_path / "file").write_bytes(b"mine")
    for target in (tmp_path / "file", tmp_path / "file/page"):
        with pytest.raises(OSError, match=r"File exists|Not a directory"):
            write(target, NEW)
    with pytest.raises(OSError, match=r"File exists|Not a directory"):
        write_one(tmp_path / "file/page.html", b"new")
    assert (tmp_path / "file").read_bytes() == b"mine"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("last", range(len(NEW)))
def test_what_cannot_be_renamed_takes_all_of_it_back(tmp_path, monkeypatch, last):
    def replace(*paths: Path) -> None:
        renamed.append(paths)
        if len(renamed) == last + 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(paths[0]), None, str(paths[1]))
        rename(*paths)

    renamed, rename = [], os.replace
    packed = {"embed.js.gz": b"old", LIST: line(b"old", b"old", "embed.js.gz")}
    old = OLD | packed
    write(tmp_path, old)
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(OSError, match="Input/output error"):
        write(tmp_path, NEW)
    assert files(tmp_path) == old
    assert {path.name for path in tmp_path.iterdir()} == {
        "assets-0",
        *(n for n in old if "/" not in n),
    }


@pytest.mark.parametrize("name", ["embed.js", "index.html", "assets-1/b.mjs"])
def test_a_folder_in_the_place_of_a_file_takes_all_of_it_back(tmp_path, name):
    old = {path: content for path, content in OLD.items() if path != name}
    write(tmp_path, old)
    (tmp_path / name).mkdir(parents=True)
    with pytest.raises(OSError, match=f"Is a directory: .*{name}'$"):
        write(tmp_path, NEW)
    assert files(tmp_path) == old


def test_where_files_have_one_name_only_they_are_copied(tmp_path, monkeypatch):
    def link(*_: Path, **__: bool) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)
    write(tmp_path, OLD)
    (tmp_path / "embed.js").unlink()
    (tmp_path / "embed.js").mkdir()
    old = files(tmp_path)
    with pytest.raises(OSError, match="Is a directory"):
        write(tmp_path, NEW)
    assert files(tmp_path) == old


def test_compressed_forms_that_an_export_made_go_with_their_file(tmp_path):
    page = {name: b"page " * 100 for name in ("index.html", "embed.js", "assets-0/page.mjs")}
    write(tmp_path, page | compressed(page))
    theirs = {"index.html.gz": b"changed since", "mine.txt": b"", "mine.txt.gz": b"mine"}
    for name, content in theirs.items():
        (tmp_path / name).write_bytes(content)
    new = {"index.html": b"new", "embed.js": b"new", "embed.js.gz": b"new"}
    write(tmp_path, new)
    left = {name for name in compressed(page) if name.startswith("assets-0/")}
    assert files(tmp_path).keys() == page.keys() | theirs.keys() | new.keys() | left | {LIST}

    # The list goes with the last of them.
    write(tmp_path, dict.fromkeys(page, b"new"))
    assert files(tmp_path).keys() == page.keys() | theirs.keys() | new.keys()


def test_a_list_that_no_export_made_removes_nothing_else(tmp_path):
    (tmp_path / "page").mkdir()
    theirs = {"page.html.gz": b"a", "page/index.html.tar": b"b", "page/index.html.gz": b"c"}
    for name, content in theirs.items():
        (tmp_path / name).write_bytes(content)
    names = ["../page.html.gz", "index.html.tar", "index.html./../../page.html.gz"]
    lines = [line(b"", theirs["page.html.gz"], names[0]), line(b"", b"b", names[1])]
    lines += [
        line(b"", b"a", names[2]),
        b"no list",
        b"\xff \xff \xff",
        line(b"", b"d", "index.html.gz"),
    ]
    for listed in (lines, [line(b"", b"c", f"x{names[0]}"), *lines[:4:2]]):
        (tmp_path / "page" / LIST).write_bytes(b"\n".join(listed))
        write(tmp_path / "page", {"index.html": b"new"})
        assert files(tmp_path).items() >= theirs.items()


@pytest.mark.parametrize("circle", ["loop.html", "one.html"])
def test_links_that_lead_in_a_circle_are_one_sentence(tmp_path, circle):
    (tmp_path / "loop.html").symlink_to("loop.html")
    (tmp_path / "one.html").symlink_to("two.html")
    (tmp_path / "two.html").symlink_to("one.html")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        write_one(tmp_path / circle, b"new")
    assert (tmp_path / circle).is_symlink()


def test_one_file_is_one_however_its_ending_is_written(tmp_path):
    for name in ("X.HTML", ".html"):
        assert main(["export", str(tmp_path / name)]) == 0
        assert (tmp_path / name).is_file()


def test_what_an_export_has_not_made_it_does_not_remove(tmp_path):
    theirs = tmp_path / ".export-2024/data/thesis.txt"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    os.utime(tmp_path / ".export-2024", (0, 0))
    write(tmp_path, NEW)
    assert theirs.read_text() == "theirs"


def test_a_dangling_link_is_taken_back_too(tmp_path):
    link = tmp_path / "page.html"
    link.symlink_to("/nowhere/page.html")
    (tmp_path / "index.html").mkdir()
    with pytest.raises(OSError, match="Is a directory"):
        write(tmp_path, {"page.html": b"new", "index.html": b"new"})
    assert os.readlink(link) == "/nowhere/page.html"


def test_where_one_cannot_be_taken_back_the_others_are(tmp_path, monkeypatch):
    names = ["a.js", "b.js", "index.html"]
    for name in names:
        (tmp_path / name).write_text("old")
    replace = os.replace

    def fixed(source, target):
        if Path(target).name == "index.html":
            raise PermissionError(1, "Operation not permitted", str(source), None, str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", fixed)
    with pytest.raises(OSError, match="Operation not permitted"):
        write(tmp_path, dict.fromkeys(names, b"new"))
    assert [(tmp_path / name).read_text() for name in names] == ["old"] * 3


def test_a_link_stays_one_and_everybody_may_read(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there/page.html").write_bytes(b"old")
    (tmp_path / "page.html").symlink_to(tmp_path / "there/page.html")
    mask = os.umask(0o022)
    try:
        assert main(["export", str(tmp_path / "page.html")]) == 0
    finally:
        os.umask(mask)
    assert (tmp_path / "page.html").is_symlink()
    page = tmp_path / "there/page.html"
    assert page.read_bytes() == exported()["page.html"]
    assert stat.S_IMODE(page.stat().st_mode) == 0o644
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["page.html"]
