"""The exercises as the browser gets them: nothing is missing, and every answer can be given."""

from __future__ import annotations

import json

import pytest

from app.__main__ import main
from app.build.data import page_data
from app.build.exercises import exercises_module, tries_module
from app.build.export import exported, single_file
from app.contract import VEILED
from app.exercises.read import read_course, shipped_course
from app.lab import FIELDS, OF_ONE
from calc.inputs.table import INPUTS

DATA = json.loads(
    exercises_module(shipped_course()).removeprefix("export default ").removesuffix(";\n"),
    parse_constant=pytest.fail,
)
CLEARING = DATA["clearing"]

#: All questions, those of the clearing test put together as the page does it.
QUESTIONS = DATA["exercises"] + [
    question | case
    for deployment in CLEARING["deployments"]
    for question, case in zip(CLEARING["questions"], deployment["cases"], strict=True)
]


def test_it_has_at_least_twenty_exercises_of_every_kind():
    path = [each for each in DATA["exercises"] if not each["further"]]
    assert len(path) >= 20
    # The path is for half an hour.
    assert DATA["minutes"] == {"path": 30, "test": 20}
    kinds = {each["prediction"]["kind"] for each in QUESTIONS}
    assert kinds == {"number", "direction", "choice", "knob", "order"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each["id"])
def test_a_question_has_all_that_the_page_needs(question):
    assert question.keys() == {
        *("id", "title", "chapter", "text", "question", "veiled", "hints", "prediction"),
        *("explain", "term", "tasks", "further", "setups", "answer"),
    } | ({"replays", "lab"} if "lab" in question else set())
    assert question["explain"]["always"]
    assert {*question["veiled"]} < {*VEILED}
    # Which term makes the difference is another one for each deployment.
    terms = {term["name"] for term in page_data()["terms"]}
    assert question["term"] in (terms if question in DATA["exercises"] else terms | {""})
    for setup in question["setups"].values():
        assert setup.keys() <= INPUTS.keys()
    for replay in question.get("replays", {}).values():
        assert replay.keys() == OF_ONE.keys()
    assert question.get("lab", {}).keys() <= FIELDS.keys()
    for task in question["tasks"]:
        assert task.keys() == {"say", "reach"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each["id"])
def test_what_is_right_can_be_said(question):
    prediction, right = question["prediction"], question["answer"]
    ids = [option["id"] for option in prediction["options"]]
    if not ids:
        assert right["low"] < right["value"] < right["high"]
        assert right["right"] == []
    elif prediction["kind"] == "order":
        assert sorted(right["right"]) == sorted(ids)
    else:
        (only,) = right["right"]
        assert only in ids
    if prediction["kind"] in ("knob", "order"):
        assert question["setups"].keys() >= {"before", "best", *ids}
        assert right["values"].keys() == right["fits"].keys() == {*ids}
    # What one may have said wrongly has its text by the same names.
    outcomes = {"always", "right", "wrong", "too_low", "too_high", *ids}
    assert question["explain"].keys() <= outcomes


#: Where a number can be read, beside its own place: charts show what a move would do.
TOLD_BY = {
    "bound": {"decode_flops_per_byte", "roofline", "steptime"},
    "prefill_bound": {"ttft_s", "roofline"},
    "fits": {"meter"},
    "max_batch": {"meter", "throughput"},
    "hbm_used_fraction": {"meter", "memory"},
    "kv_bytes_per_sequence": {"meter", "memory"},
    "kv_read_fraction": {"kv_bytes", "meter", "memory", "steptime"},
}


@pytest.mark.parametrize("question", DATA["exercises"], ids=lambda each: each["id"])
def test_nothing_that_is_asked_is_shown_before_the_prediction(question):
    # Beside a replay nothing of the widget is there.
    there = {*VEILED} if "lab" not in question else set()
    shown, setups = there - {*question["veiled"]}, question["setups"]
    metric = question["prediction"]["metric"]
    if setups.keys().isdisjoint({"after", "best"}):
        assert shown.isdisjoint({metric, *TOLD_BY.get(metric, ())})
        return
    moved = {*setups.get("after", {}).items()} - {*setups["before"].items()}
    keys = {key for key, _ in moved}
    assert not (keys & {"batch"} and "throughput" in shown)
    assert not (keys & {"context"} and "memory" in shown)


OWN = """
[[exercise]]
id = "own"
title = "Own"
teaser = "4 bit"
question = "What happens to the speed?"
[exercise.prediction]
kind = "direction"
metric = "tokens_per_s"
then = { weights = "int4" }
[exercise.explain]
always = "It rises."
"""


def test_own_exercises_are_on_the_page_instead_of_the_shipped_ones():
    own = read_course(OWN.encode())
    (view,) = (
        text for path, text in exported(own).items() if path.endswith("/views/exercises.mjs")
    )
    first, in_the_lab = tries_module(own).splitlines()
    assert first == 'export default [{"exercise": "own", "label": "4 bit"}];'
    assert in_the_lab == 'export const inTheLab = "";'
    assert b'"id": "own"' in view
    assert b"what-it-waits-for" not in view
    assert single_file(own) != single_file()


def test_the_first_screen_offers_no_more_than_it_has_room_for():
    block = OWN.replace('id = "own"', 'id = "own-{}"')
    own = read_course("".join(block.replace("{}", str(n)) for n in range(5)).encode())
    assert tries_module(own).count("own-") == 3
    assert tries_module(shipped_course()).count('"exercise"') == 3
    assert 'inTheLab = "waiting-for-the-longest"' in tries_module(shipped_course())


def test_exercises_with_mistakes_are_told_and_nothing_is_written(tmp_path, capsys):
    file, target = tmp_path / "own.toml", tmp_path / "page"
    file.write_text(OWN.replace("then", "than"))
    assert main(["export", str(target), "--exercises", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "exercise own: prediction: then: it is missing" in err
    assert not target.exists()


def test_an_export_is_served_with_its_own_exercises(tmp_path, capsys):
    line = ["serve", "--directory", str(tmp_path), "--exercises", str(tmp_path / "own.toml")]
    assert main(line) == 2
    assert "give --exercises to `export`" in capsys.readouterr().err
