"""The exercises as the browser gets them: nothing is missing, and every answer can be given."""

from __future__ import annotations

import json

import pytest

from app.build.data import page_data
from app.build.exercises import exercises_module
from app.contract import VEILED
from app.exercises.read import shipped_course
from calc.inputs.table import INPUTS

DATA = json.loads(
    exercises_module(shipped_course()).removeprefix("export default ").removesuffix(";\n"),
    parse_constant=pytest.fail,
)
CLEARING = DATA["clearing"]

#: All questions, those of the clearing test put together as the page does it.
QUESTIONS = DATA["exercises"] + [
    question | asked
    for deployment in CLEARING["deployments"]
    for question, asked in zip(CLEARING["questions"], deployment["asked"], strict=True)
]


def test_it_has_at_least_twenty_exercises_of_every_kind():
    assert len(DATA["exercises"]) >= 20
    kinds = {each["prediction"]["kind"] for each in QUESTIONS}
    assert kinds == {"number", "direction", "choice", "knob", "order"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each["id"])
def test_a_question_has_all_that_the_page_needs(question):
    assert question.keys() == {
        *("id", "title", "chapter", "text", "question", "veiled", "hints", "prediction"),
        *("explain", "term", "tasks", "setups", "answer"),
    }
    assert question["explain"]["always"]
    assert {*question["veiled"]} < {*VEILED}
    assert question["term"] in {term["name"] for term in page_data()["terms"]}
    for setup in question["setups"].values():
        assert setup.keys() <= INPUTS.keys()
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
    shown, setups = {*VEILED} - {*question["veiled"]}, question["setups"]
    metric = question["prediction"]["metric"]
    if setups.keys().isdisjoint({"after", "best"}):
        assert shown.isdisjoint({metric, *TOLD_BY.get(metric, ())})
        return
    moved = {*setups.get("after", {}).items()} - {*setups["before"].items()}
    keys = {key for key, _ in moved}
    assert not (keys & {"batch"} and "throughput" in shown)
    assert not (keys & {"context"} and "memory" in shown)
