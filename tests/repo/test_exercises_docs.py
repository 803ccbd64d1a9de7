"""docs/exercises.md: its examples run as they stand, and it names what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.__main__ import main
from app.contract import VEILED
from app.exercises.answers import answer
from app.exercises.read import ExerciseError, read_course
from app.exercises.record import KINDS, LEVERS_BY_NAME
from app.lab import MOST_BLOCKS_OF_MANY, OF_ONE
from calc.serving.replay import Totals

TEXT = (Path(__file__).parents[2] / "docs/exercises.md").read_text()
SMALL, REPLAYED, WITH_TEST = re.findall(r"```toml\n(.*?)```", TEXT, re.S)


def test_the_small_example_gives_what_is_printed(tmp_path, monkeypatch, capsys):
    command, printed = re.search(r"```console\n\$ (.*?)\n(.*?)```", TEXT, re.S).groups()
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text(SMALL)
    assert main(command.split()[1:]) == 0
    assert capsys.readouterr().out == printed


def test_the_example_of_a_test_at_the_end_is_right():
    course = read_course(WITH_TEST.encode())
    assert len(course.clearing.deployments) == 3


def test_the_example_of_the_batching_lab_is_right():
    (exercise,) = read_course(REPLAYED.encode()).exercises
    assert answer(exercise).right == ("2.5",)


def test_keys_and_totals_of_a_replay_are_all_there():
    section = TEXT.partition("\n## Of the batching lab\n")[2].partition("\n## ")[0]
    for name in (*OF_ONE, *Totals._fields):
        assert f"`{name}`" in section
    assert f"{MOST_BLOCKS_OF_MANY:,}" in section


def known(text: str) -> list[str]:
    """The fields that a table takes, as the mistake of another one tells them."""
    with pytest.raises(ExerciseError) as caught:
        read_course(text.encode())
    (told,) = re.findall(r"unknown: there is no such field; there are (.*)", str(caught.value))
    return told.split(", ")


def test_every_field_of_an_exercise_is_explained():
    section = TEXT.partition("\n## An exercise\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (yes)? ?\|", section, re.M)
    assert sorted(name for name, _ in rows) == sorted(known("[[exercise]]\nunknown = 1"))
    assert {name for name, needed in rows if needed} == {
        *("id", "title", "question", "prediction", "explain")
    }


def test_kinds_levers_and_what_can_be_shown_are_all_there():
    assert set(re.findall(r"^\| `(\w+)` \| [^|]* \| `", TEXT, re.M)) >= {"number", "direction"}
    for name in (*KINDS, *LEVERS_BY_NAME, *VEILED):
        assert f"`{name}`" in TEXT
