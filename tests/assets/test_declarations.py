"""What the type check is told of the built modules is what the build writes."""

from __future__ import annotations

import re

import pytest

from app.assets import read_text
from app.build.data import page_data
from app.build.replay import replay_module
from calc.serving.engine import Rules
from calc.serving.log import Finished, Passes
from calc.serving.replay import Replay, Totals
from calc.serving.requests import Mix, Requests


def test_data_is_declared_by_its_keys():
    declared = re.findall(r"^  (\w+): ", read_text("built/data.d.mts").partition("\n};")[0], re.M)
    assert sorted(declared) == sorted(page_data())


@pytest.mark.parametrize("record", [Rules, Mix, Requests, Finished, Passes, Totals, Replay])
def test_the_replay_is_declared_by_its_fields(record):
    text = read_text("built/replay.d.mts").partition(f"export type {record.__name__} = {{")[2]
    assert tuple(re.findall(r"(\w+):", text.partition("};")[0])) == record._fields


def test_what_is_declared_of_the_replay_is_built():
    declared = re.findall(
        r"^export (?:const|function) (\w+)", read_text("built/replay.d.mts"), re.M
    )
    built = re.findall(r"^export (?:const|function) (\w+)", replay_module(), re.M)
    assert set(declared) <= set(built)
