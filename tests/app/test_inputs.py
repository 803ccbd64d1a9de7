from __future__ import annotations

from inspect import signature

import pytest

from app.assets import read_text
from app.build import figures
from app.build.data import GROUPS
from app.build.page import READOUTS
from app.build.traced import labels
from app.inputs import (
    ASSUMPTION_KEYS,
    MODEL_KEYS,
    PARAMS_STOPS,
    Choice,
    Inputs,
    Number,
    doubling_stops,
    keys,
)
from calc import Report, evaluate, scenario
from calc.architecture.ladder import RUNGS
from calc.inputs import _model
from tests.calc.test_assumptions import ALONE


def test_defaults_are_the_lesson_s():
    assert evaluate(Inputs().scenario()) == evaluate(scenario())


def test_every_input_for_an_assumption_is_named_as_one():
    assert set(ASSUMPTION_KEYS) == {*ALONE, "mfu"}


def test_every_input_of_an_own_model_is_named_as_one():
    assert set(MODEL_KEYS) == set(signature(_model).parameters) - {"record"}


def test_stops():
    assert doubling_stops(512, 4096) == [512, 768, 1024, 1536, 2048, 3072, 4096]
    assert doubling_stops(1, 8) == [1, 2, 3, 4, 6, 8]
    assert {n / 1e9 for n, *_ in RUNGS} <= set(PARAMS_STOPS)
    assert sorted(PARAMS_STOPS) == PARAMS_STOPS


@pytest.mark.parametrize("key", keys())
def test_every_input_says_what_it_is(key):
    parameter = Inputs.param[key]
    assert parameter.doc
    assert parameter.label
    if isinstance(parameter, Number):
        assert parameter.symbol
        low, high = parameter.range
        assert all(low <= stop <= high for stop in parameter.stops)
        assert parameter.default is None or parameter.default in (
            parameter.stops or [parameter.default]
        )
    else:
        assert isinstance(parameter, Choice)
        assert parameter.default in parameter.objects


def test_every_control_and_readout_exists():
    assert {key for group in GROUPS.values() for key in group} <= set(keys())
    assert {readout.name for readout in READOUTS} <= set(Report.__dataclass_fields__)
    assert {readout.name for readout in READOUTS} <= set(labels())


def test_param_itself_refuses_what_is_out_of_bounds():
    with pytest.raises(ValueError, match="must be at most 1024"):
        Inputs(batch=2000)


def test_the_style_sheet_has_the_figures_borders():
    sides = " ".join(f"{side}px" for side in figures.BORDERS)
    style = read_text("page.css")
    assert f".frame {{ position: absolute; inset: {sides}; }}" in style
    assert f".plot {{ position: relative; height: {figures.HEIGHT}px; }}" in style
