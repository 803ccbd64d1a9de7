"""Command lines with something wrong in them: each ends in one sentence, and in an exit code."""

from __future__ import annotations

import json
import os
from random import Random

import pytest

from app.__main__ import main
from tests.helpers.cases import configs
from tests.helpers.hostile import fuzz, kinds
from tests.helpers.typed import TEXTS, misspelt, typed

KINDS = kinds("command_lines.toml")
LONGEST = 420


def ended(capsys, line) -> tuple[int, str, str]:
    code = main(line)
    return code, *capsys.readouterr()


def check_sentence(code: int, out: str, err: str) -> None:
    assert code in (1, 2)
    assert out == ""
    assert err.startswith("decode-arithmetic: ")
    assert err.endswith("\n")
    said = err[:-1]
    assert said.isprintable(), ascii(said)
    assert len(said) <= LONGEST, said


@pytest.mark.parametrize("kind", KINDS)
def test_the_corpus(kind, capsys, tmp_path):
    row = KINDS[kind]
    for line in row["lines"]:
        filled = [
            each.replace("{FOLDER}", str(tmp_path)).replace("{MANY}", "x" * 10**5) for each in line
        ]
        code, out, err = ended(capsys, filled)
        check_sentence(code, out, err)
        assert code == row.get("exit", 2), (line, err)
        assert row["says"] in err, line


def test_a_pipe_is_not_waited_for(capsys, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    code, out, err = ended(capsys, ["report", "--config", str(tmp_path / "pipe")])
    check_sentence(code, out, err)
    assert "no plain file" in err


def test_a_large_file_is_not_read_whole(capsys, tmp_path):
    with open(tmp_path / "large.json", "wb") as file:
        file.truncate(10**12)
    code, out, err = ended(capsys, ["report", "--config", str(tmp_path / "large.json")])
    check_sentence(code, out, err)
    assert "larger than 8 MiB" in err


def test_memory_that_cannot_be_read_is_told_of(capsys):
    code, out, err = ended(capsys, ["report", "--config", "/proc/self/mem"])
    check_sentence(code, out, err)


def test_what_is_told_of_a_config_is_bounded(capsys, tmp_path):
    config = (
        configs()["llama-3-8b"] if "llama-3-8b" in configs() else next(iter(configs().values()))
    )
    unknown = {f"\x1b[31m{n}{'x' * 90}": n for n in range(60_000)}
    (tmp_path / "config.json").write_text(json.dumps(config | unknown))
    code, _, err = ended(capsys, ["report", "--config", str(tmp_path / "config.json")])
    assert code == 0
    assert len(err) < 6000
    assert " more\n" in err
    assert err.replace("\n", "").isprintable()


@pytest.mark.fuzz
def test_typed_inputs(capsys):
    def attack(chance: Random) -> None:
        line = ["report", *(f"{key}={text}" for key, text in typed(chance).items())]
        if chance.random() < 0.1:
            line.insert(
                chance.randrange(len(line) + 1), chance.choice(["--json", "--", "-h", *TEXTS])
            )
        if chance.random() < 0.05:
            line[0] = misspelt(chance, line[0])
        code, out, err = ended(capsys, line)
        if code:
            check_sentence(code, out, err)
        else:
            assert err == ""
            assert out

    fuzz(attack, 1500)
