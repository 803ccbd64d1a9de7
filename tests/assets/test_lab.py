"""The batching lab serves what `simulate` serves, for the same settings."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from app.exercises.answers import setups
from app.exercises.read import shipped_course
from app.exercises.replays import is_replayed, scenario_of, settings_of, totals
from app.lab import FIELDS, MORE, SHARED
from calc import Inputs
from calc.inputs.declaration import Number
from calc.serving.arrays import arrays
from calc.serving.costs import costs
from calc.serving.inputs import ServingInputs, mix, rules
from calc.serving.replay import n_good, replay
from calc.serving.requests import Requests, draw, source
from tests.helpers.node import node

CASES = [
    ({}, {}),
    ({"prompt": 2000.0, "output": 300.0}, {"rate": "3.5", "policy": "chunked", "chunk": "256"}),
    ({"context": 4096.0, "gpus": 2.0}, {"allocator": "contiguous", "slots": "32", "seed": "7"}),
    (
        {"assumptions": "engine", "model": "llama-3-8b"},
        {"other_policy": "disaggregated", "lengths": "lognormal", "requests": "120"},
    ),
    ({"context": 1024.0}, {"block": "4096", "lengths": "fixed"}),
    (
        {"context": 2048.0, "params_b": 38.0},
        {"burst": "8", "rate": "9", "preemption": "swap", "watermark": "0.2", "slots": "64"},
    ),
]


#: The settings of the first replay, and of the second, by their keys in `simulate`.
BOTH = {key: key for key in (*SHARED, *MORE)}
FIRST = BOTH | {"policy": "policy", "allocator": "allocator"}
SECOND = BOTH | {"policy": "other_policy", "allocator": "other_allocator"}


def serving(lab, keys):
    """The settings of one replay as `simulate` has them."""
    texts = {key: lab.get(name, FIELDS[name].default) for key, name in keys.items()}
    numbers = {key for key in keys if isinstance(FIELDS[key].input, Number)}
    return ServingInputs(**{key: float(it) if key in numbers else it for key, it in texts.items()})


def replayed_by_the_page(cases):
    """The totals of both replays, for inputs and settings of the lab."""
    told = [{"inputs": inputs, "lab": lab} for inputs, lab in cases]
    script = Path(__file__).with_name("lab.mjs")
    run = subprocess.run(
        [node(), script], input=json.dumps(told).encode(), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def in_the_page(written):
    return replayed_by_the_page(CASES)


def test_exercises_are_answered_by_what_the_page_replays(written):
    asked = [
        setup
        for exercise in shipped_course().exercises
        if is_replayed(exercise.setup)
        for setup in setups(exercise).values()
    ]
    pages = replayed_by_the_page([(scenario_of(each), settings_of(each)) for each in asked])
    for setup, (page, _) in zip(asked, pages, strict=True):
        goodput = {"goodput_per_s": page["goodput_per_s"]}  # has limits that no exercise sets
        assert page == totals(setup)._asdict() | goodput, setup


@pytest.mark.parametrize("case", range(len(CASES)))
def test_both_replays_are_what_python_replays(in_the_page, case):
    inputs, lab = Inputs(**CASES[case][0]), CASES[case][1]
    for place, keys in enumerate((FIRST, SECOND)):
        asked = serving(lab, keys)
        n = int(asked.requests)
        requests = arrays(Requests, n)
        draw(mix(inputs, asked), source(asked.seed), requests, n)
        found = replay(rules(inputs, asked), costs(inputs.scenario()), requests)
        goodput = n_good(found.requests, n, 2.0, 100e-3) / found.totals.makespan_s
        assert in_the_page[case][place] == found.totals._asdict() | {"goodput_per_s": goodput}
