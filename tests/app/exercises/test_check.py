"""Answers that are computed, those that a small change turns, and the command that tells them."""

from __future__ import annotations

import json

import pytest

from app.__main__ import main
from app.exercises.answers import answer
from app.exercises.check import findings, turns
from app.exercises.read import read_course
from tests.app.exercises.test_mistakes import CHOICE, EXERCISE, FILE

WEIGHTS, CACHE, BANDWIDTH = 14e9, 8192 * 131072, 3.3e12


def only(text: str):
    (exercise,) = read_course(text.encode()).exercises
    return exercise


def number(fields: str):
    """The exercise of a number, from 8 readers of 8,192 tokens."""
    start = EXERCISE[: EXERCISE.index("metric")].replace("batch = 1", "batch = 8")
    return only(f"{start}{fields}\n[exercise.explain]\nalways = 'So.'")


def test_a_number_is_right_within_its_tolerance():
    found = answer(number("metric = 'weight_bytes'\nunit = 'GB'\ntolerance = 0.1"))
    assert found.right == ()
    assert (found.low, found.value, found.high) == pytest.approx((12.6, 14, 15.4))


@pytest.mark.parametrize(
    ("compare", "unit", "value"),
    [
        ("value", "ms", (WEIGHTS + 16 * CACHE) / BANDWIDTH * 1e3),
        ("difference", "ms", 8 * CACHE / BANDWIDTH * 1e3),
        ("ratio", "×", (WEIGHTS + 16 * CACHE) / (WEIGHTS + 8 * CACHE)),
        ("ratio", "%", 100 * (WEIGHTS + 16 * CACHE) / (WEIGHTS + 8 * CACHE)),
    ],
)
def test_two_set_ups_compared(compare, unit, value):
    fields = f"metric = 'step_s'\nthen = {{ batch = 16 }}\ncompare = '{compare}'\nunit = '{unit}'"
    assert answer(number(fields + "\ntolerance = 0")).value == pytest.approx(value)


def test_shares_and_binary_units():
    share = "metric = 'kv_read_fraction'\nunit = '%'\ntolerance = 0.1"
    assert answer(number(share)).value == pytest.approx(100 * 8 * CACHE / (WEIGHTS + 8 * CACHE))
    binary = "metric = 'kv_bytes'\nunit = 'GiB'\ntolerance = 0.1"
    assert answer(number(binary)).value == pytest.approx(8)


@pytest.mark.parametrize(
    ("then", "right"),
    [("batch = 16", "down"), ("peak_factor = 2", "same"), ("weights = 'int4'", "up")],
)
def test_a_direction(then, right):
    fields = f"metric = 'tokens_per_s_per_user'\nthen = {{ {then} }}"
    exercise = EXERCISE[: EXERCISE.index("kind")] + f"kind = 'direction'\n{fields}\n"
    assert answer(only(exercise + "[exercise.explain]\nalways = 'So.'")).right == (right,)


def ranked(kind: str, batch: int) -> str:
    options = "".join(
        f"[[exercise.prediction.option]]\nlever = '{lever}'\n"
        for lever in ("batch", "kv_8bit", "peak")
    )
    return (
        f"[[exercise]]\nid = 'x'\ntitle = 'X'\nquestion = 'X?'\nsetup = {{ batch = {batch} }}\n"
        f"[exercise.prediction]\nkind = '{kind}'\nmetric = 'tokens_per_s'\nbest = 'max'\n"
        f"{options}[exercise.explain]\nalways = 'So.'"
    )


def test_levers_in_order():
    # From 8 readers: 16 / (W + 16 C) against 8 / (W + 4 C) against 8 / (W + 8 C).
    found = answer(only(ranked("order", 8)))
    assert found.right == ("batch", "kv_8bit", "peak")
    assert found.values["batch"] == pytest.approx(16 / ((WEIGHTS + 16 * CACHE) / BANDWIDTH))
    assert answer(only(ranked("knob", 8))).right == ("batch",)


def test_what_does_not_fit_loses():
    # There is room for 61: twice 40 would be faster, if they fitted.
    found = answer(only(ranked("knob", 60)))
    assert found.values["kv_8bit"] > found.values["batch"] or not found.fits["batch"]
    assert found.fits == {"batch": False, "kv_8bit": True, "peak": True}
    assert found.right == ("kv_8bit",)


def test_an_answer_that_turns_is_told_with_what_turns_it():
    # 61 readers fit, and 64 do not: 62.7 are more than there is room for.
    text = CHOICE.replace("'bound'", "'fits'").replace('"bound"', '"fits"')
    text = text.replace('is = "memory"', 'is = "yes"').replace('is = "compute"', 'is = "no"')
    text = text.replace('title = "Three"', 'title = "Three"\nsetup = { batch = 60 }')
    (turn, other) = turns(only(text))
    assert (turn.key, turn.value, turn.answer) == ("context", 8602, "Arithmetic")
    assert (other.key, other.value, other.answer) == ("batch", 63, "Arithmetic")


def test_a_change_is_tried_as_well():
    # 61 readers ask for 99.4 % of the memory, 58 for 95 %: between 92 and 102 lies 96.9.
    fields = "metric = 'hbm_used_fraction'\nthen = { batch = 61 }\nunit = '%'\ncompare = 'value'"
    assert turns(number(f"{fields}\noptions = [50, 110]")) == ()
    found = turns(number(f"{fields}\noptions = [92, 102]"))
    assert ("batch", 58.0, "99.37 % (92)") not in found
    assert [(turn.key, turn.value) for turn in found] == [("context", 7782), ("batch", 58)]


def test_the_clearing_test_is_checked_for_each_deployment():
    ids = [each.id for each in findings(read_course(FILE.encode()))]
    assert ids == ["one", "two", "three", "four", "desk: lever", "desk: gain"]


def test_the_command_prints_each_answer(capsys):
    assert main(["check-exercises"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert lines[0].split(maxsplit=1) == ["what-it-waits-for", "Reading memory"]
    assert "int4-one-reader                3.296 × (3.3)" in lines
    assert lines[-1] == "78 questions, 0 of which turn when a number changes by 5 %."


def test_the_command_as_json(tmp_path, capsys):
    file = tmp_path / "own.toml"
    file.write_text(FILE.replace("options = [1, 2, 3.3, 4]", "options = [3, 3.65]"))
    assert main(["check-exercises", "--json", str(file)]) == 0
    found = json.loads(capsys.readouterr().out)["exercises"]
    assert found[0] | {"turns": []} == {
        "id": "one",
        "title": "One",
        "question": "How many times as fast?",
        "answer": "3.296 × (3)",
        "turns": [],
    }
    assert found[0]["turns"][0].keys() == {"key", "value", "answer"}


def test_the_command_flags_an_answer_that_turns(tmp_path, capsys):
    file = tmp_path / "own.toml"
    file.write_text(EXERCISE.replace("options = [1, 2, 3.3, 4]", "options = [3, 3.65]"))
    assert main(["check-exercises", str(file)]) == 0
    out = capsys.readouterr().out
    assert " turns with context=" in out
    assert out.endswith("1 question, 1 of which turn when a number changes by 5 %.\n")


def test_mistakes_are_a_line_each_and_exit_2(tmp_path, capsys):
    file = tmp_path / "own.toml"
    file.write_text(FILE.replace('title = "One"', "").replace("drawn = 1", "drawn = 2"))
    assert main(["check-exercises", "--json", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "decode-arithmetic: exercise one: title: it is missing; "
        "allowed is a text of 1 to 60 characters",
        "decode-arithmetic: clearing: drawn=2: allowed is a whole number from 1 to 1",
    ]


def test_a_file_that_is_not_there(capsys):
    assert main(["check-exercises", "nowhere.toml"]) == 1
    assert capsys.readouterr().err == (
        "decode-arithmetic: No such file or directory: nowhere.toml\n"
    )
