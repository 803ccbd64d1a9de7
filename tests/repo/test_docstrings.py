"""Every public function of `calc` says what it takes, gives, assumes, and where that is from."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re

import pytest

import calc
from calc.report import Report
from calc.scenario import Scenario


def public_functions():
    for info in pkgutil.walk_packages(calc.__path__, "calc."):
        module = importlib.import_module(info.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if not name.startswith("_") and function.__module__ == module.__name__:
                yield pytest.param(function, id=f"{info.name}.{name}")


#: Packages and modules that hold formulas: each of their docstrings names a source.
FORMULAS = ("calc.formulas.", "calc.architecture.", "calc.studies.", "calc.inputs")


@pytest.mark.parametrize("function", list(public_functions()))
def test_docstring_parts(function):
    text = inspect.getdoc(function) or ""
    parameters = [p for p in inspect.signature(function).parameters if p != "self"]
    if function is calc.scenario:
        parameters = ["inputs"]  # each one is documented where it stands, in `INPUTS`
    assert "\n\nReturns\n-------\n" in text
    if parameters:
        assert "\nParameters\n----------\n" in text
    for name in parameters:
        assert re.search(rf"^(.*, )?\**{name}(, .*)? : ", text, re.MULTILINE), name
    if re.search(r"^\s+raise ", inspect.getsource(function), re.MULTILINE):
        assert "\nRaises\n------\n" in text
    if function.__module__.startswith(FORMULAS):
        assert "\nNotes\n-----\n" in text
        assert "\nReferences\n----------\n" in text
        for each in re.findall(r"^.* : scalar or array\n((?:    .*\n)+)", text, re.MULTILINE):
            assert re.search(r"\[[^\]]+\]", each), f"no unit: {each.strip()}"


@pytest.mark.parametrize("method", [Scenario.validate, Scenario.leaves, Report.as_dict])
def test_method_docstrings(method):
    assert "\nReturns\n-------\n" in inspect.getdoc(method)
