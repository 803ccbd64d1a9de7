from __future__ import annotations

import pytest

from app.assets import read_text
from app.build import figures
from app.build.arithmetic import labels
from app.contract import READOUTS
from app.controls import CONTROLS, FORM, headings, panel_inputs
from app.errors import InputError
from app.inputs import from_texts
from calc import Inputs, Report
from calc.inputs.table import INPUTS, NUMBERS


def test_texts_become_inputs():
    assert from_texts({}).as_dict() == Inputs().as_dict()
    typed = from_texts({"batch": "64", "weights": "int4", "mbu": "0.5"})
    assert typed.as_dict() == Inputs(batch=64.0, weights="int4", mbu=0.5).as_dict()


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "", "8.5", "0", "two"])
def test_a_text_that_an_input_does_not_take_is_named_as_it_was_typed(text):
    with pytest.raises(InputError, match=f"^batch={text}: allowed is a whole number"):
        from_texts({"batch": text})


def test_an_input_of_the_replay_is_said_to_be_one():
    with pytest.raises(InputError, match=r"^policy: an input of the replay, which"):
        from_texts({"policy": "static"})


def test_a_slider_without_stops_is_refused(monkeypatch):
    monkeypatch.setitem(CONTROLS, "prompt", "slider")
    with pytest.raises(ValueError, match=r"^prompt: a slider needs `stops`"):
        panel_inputs()


def test_every_control_and_readout_exists():
    assert CONTROLS.keys() <= INPUTS.keys()
    assert all(NUMBERS[key].stops for key, kind in CONTROLS.items() if kind == "slider")
    assert set(READOUTS) <= set(Report.__dataclass_fields__)
    assert set(READOUTS) <= set(labels())


def test_controls_of_one_heading_stand_together():
    assert [key for keys in headings().values() for key in keys] == list(FORM)


def test_panel_gets_the_stops_and_names_of_the_controls():
    inputs = panel_inputs()
    values = inputs.param.values()
    assert {key: values[key] for key in FORM} == {key: INPUTS[key].default for key in FORM}
    assert inputs.param["kv"].label == "KV cache"
    assert list(inputs.param["batch"].objects) == list(NUMBERS["batch"].stops)
    inputs.batch = 64
    with pytest.raises(ValueError, match="batch"):
        inputs.batch = 65


def test_the_style_sheet_has_the_figures_borders():
    sides = " ".join(f"{side}px" for side in figures.BORDERS)
    style = read_text("page.css")
    assert f".reading {{ position: absolute; inset: {sides}; }}" in style
    assert f".plot {{ position: relative; height: {figures.HEIGHT}px; }}" in style
