"""The audit asks about every pinned package, and never takes silence for an answer."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.helpers.audit import Answer, of_node, of_python, pins, rounds, told

ROOT = Path(__file__).parents[2]


class Index:
    """Answers as pip-audit does; of the packages in `silent` it knows nothing."""

    def __init__(self, vulnerable: str = "", silent: str = "") -> None:
        self.vulnerable, self.silent = vulnerable, silent
        self.asked: list[list[str]] = []

    def __call__(self, pinned: list[str]) -> str:
        self.asked.append(pinned)
        return json.dumps({"dependencies": [self.answer(pin) for pin in pinned], "fixes": []})

    def answer(self, pin: str) -> dict[str, object]:
        name, version = pin.split("==")
        if name == self.silent:
            return {"name": name, "skip_reason": f"Dependency not found: {name} ({version})"}
        known = [{"id": "PYSEC-1", "fix_versions": ["9.1"]}] if pin == self.vulnerable else []
        return {"name": name, "version": version, "vulns": known}


def test_every_pin_of_every_lock_is_asked_about():
    locks = list(ROOT.glob("requirements*.lock"))
    assert len(locks) == 4
    for lock in locks:
        lines = [line for line in lock.read_text().splitlines() if re.match(r"\w", line)]
        assert {line.split()[0] for line in lines} <= set(pins())
    index = Index()
    assert of_python(pins(), index) == Answer([], [])
    assert sorted(pin for some in index.asked for pin in some) == pins()


def test_of_two_versions_both_are_asked_about_one_at_a_time():
    pinned = ["a==1", "b==1", "b==2", "c==1"]
    assert rounds(pinned) == [["a==1", "b==1", "c==1"], ["b==2"]]
    for version in ("1", "2"):
        answer = of_python(pinned, Index(vulnerable=f"b=={version}"))
        assert answer == Answer([f"b {version}: PYSEC-1, mended in 9.1"], [])


def test_one_package_without_an_answer_is_named_and_hides_nothing():
    answer = of_python(["a==1", "b==1", "c==1"], Index(vulnerable="b==1", silent="c"))
    assert answer == Answer(["b 1: PYSEC-1, mended in 9.1"], ["c"])


def test_where_nobody_answers_one_question_is_enough():
    index = Index(silent="a")
    assert of_python(["a==1", "b==1"], index) == Answer([], ["a==1", "b==1"])
    assert index.asked == [["a==1"]]
    assert of_python(["a==1"], lambda _: "") == Answer([], ["a==1"])


def test_what_npm_says():
    known = {"left-pad": {"name": "left-pad", "severity": "high", "range": "<1.3"}}
    said = json.dumps({"vulnerabilities": known})
    assert of_node(lambda: said) == Answer(["left-pad <1.3: high"], [])
    assert of_node(lambda: '{"vulnerabilities": {}}') == Answer([], [])
    for silence in ("", '{"message": "405 Method Not Allowed", "statusCode": 405}'):
        assert of_node(lambda said=silence: said) == Answer([], ["package-lock.json"])


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        (Answer([], []), 0, "All: nothing known.\n"),
        (Answer(["b 2: X"], []), 1, "All: b 2: X\n"),
        (
            Answer([], ["a", "b", "c", "d"]),
            2,
            "All: no answer for a, b, c and 1 more; run `make audit` where the registry has one.\n",
        ),
        (
            Answer(["b 2: X"], ["c"]),
            1,
            "All: b 2: X\nAll: no answer for c; run `make audit` where the registry has one.\n",
        ),
    ],
)
def test_sentence_and_exit_code_are_honest(capsys, answer, code, said):
    assert told("All", answer) == code
    assert capsys.readouterr().out == said
