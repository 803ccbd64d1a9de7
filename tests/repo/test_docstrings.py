"""Every public function of `calc` says what it takes, gives, assumes, and where that is from.

What a quantity is, its field says, once: a parameter of its name is called a `quantity`, without
a unit and with no more words than the field lacks. All other numbers are described with theirs.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from textwrap import dedent

import pytest

import calc
from calc.report import Report
from calc.scenario import Model, Scenario
from tests.helpers.quantities import declared

#: All of what these hold are formulas, whether or not they calculate themselves.
FORMULAS = ("calc.formulas.", "calc.architecture.", "calc.studies.")

#: What formulas are written with.
PRIMITIVES = "calc.primitives"

#: What sentences are made with: its numbers count characters.
SENTENCES = "calc.text"

QUANTITIES = declared()


def public_functions():
    for info in pkgutil.walk_packages(calc.__path__, "calc."):
        module = importlib.import_module(info.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if not name.startswith("_") and function.__module__ == module.__name__:
                yield pytest.param(function, id=f"{info.name}.{name}")


METHODS = [Scenario.validate, Scenario.leaves, Model.dense, Report.of, Report.as_dict]


@pytest.mark.parametrize(
    "function", [*public_functions(), *(pytest.param(m, id=m.__qualname__) for m in METHODS)]
)
def test_docstring(function):
    text = inspect.getdoc(function) or ""
    annotations = {
        name: str(parameter.annotation)
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in ("self", "cls")
    }
    if function is calc.scenario:
        annotations = {"inputs": "Any"}  # each one is documented where it stands, in `INPUTS`
    source = inspect.getsource(function)
    assert list(part_faults(text, list(annotations), source)) == []
    if function.__module__ == PRIMITIVES:
        return  # their numbers are of any unit
    if function.__module__ == SENTENCES:
        return
    numbers = [name for name, annotation in annotations.items() if annotation == "Value"]
    assert list(number_faults(text, numbers)) == []
    assert list(result_faults(text, function.__name__)) == []
    if function.__module__.startswith(FORMULAS) or calculates(source):
        assert has(text, "Notes")
        assert has(text, "References")


def part_faults(text: str, names: list[str], source: str) -> Iterator[str]:
    """Parts that a docstring lacks or has for nothing."""
    if not has(text, "Returns") and "-> None:" not in source:
        yield "no Returns"
    if re.search(r"^\s+raise ", source, re.MULTILINE) and not has(text, "Raises"):
        yield "no Raises"
    if "No formula" in text:
        yield "Notes that say nothing"
    if (found := [name for name, *_ in parameters(text)]) != names:
        yield f"parameters {found}, not {names}"


def number_faults(text: str, numbers: list[str]) -> Iterator[str]:
    """What the descriptions of numbers lack or say once too often."""
    for name, kind, words in parameters(text):
        unit = re.search(r"\[[^\]]+\]", words)
        fields = QUANTITIES.get(name, [])
        if name in numbers and (kind == "quantity") != bool(fields):
            yield f"{name}: {'a' if fields else 'no'} field has this name"
        elif name in numbers and not fields and not unit:
            yield f"{name}: no unit"
        elif fields and unit:
            yield f"{name}: its unit stands in its field"
        for what in fields:
            if words and content(words) <= content(what.label) | content(name.replace("_", " ")):
                yield f"{name}: {words!r} says no more than its field, {what.label!r}"


def result_faults(text: str, name: str) -> Iterator[str]:
    """A unit that differs from that of the field which has a function's name."""
    if unit := re.search(r"\[([^\]]+)\]", section(text, "Returns")):
        for what in QUANTITIES.get(name, []):
            if what.unit != ("" if unit[1] in COUNTS else unit[1]):
                yield f"[{unit[1]}], but the field of this name is in [{what.unit}]"


#: What stands for the unit of a count or a ratio.
COUNTS = ("count", "ratio", "bits", "0 or 1")


def has(text: str, heading: str) -> bool:
    return f"\n\n{heading}\n{'-' * len(heading)}\n" in text


def section(text: str, heading: str) -> str:
    after = text.partition(f"\n\n{heading}\n{'-' * len(heading)}\n")[2]
    return re.split(r"\n\n\w+\n-+\n", after)[0]


def parameters(text: str) -> Iterator[tuple[str, str, str]]:
    """Each parameter's name, type and description."""
    entries = re.findall(
        r"^(\S[^:\n]*?)(?: : (.*))?$\n?((?:    .*\n?)*)", section(text, "Parameters"), re.MULTILINE
    )
    for names, kind, words in entries:
        for name in names.split(", "):
            yield name.lstrip("*"), kind, " ".join(words.split())


def content(text: str) -> set[str]:
    """The words of a text that say something."""
    little = {"a", "and", "by", "each", "in", "is", "of", "per", "that", "the", "to"}
    return set(re.findall(r"\w+", text.lower())) - little


def calculates(source: str) -> bool:
    """Whether a function has arithmetic of its own."""
    primitives = {p.id.rpartition(".")[2] for p in public_functions() if PRIMITIVES in p.id}
    # Sums alone do not count: they join texts as well.
    operations = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)
    return any(
        isinstance(node, operations) or (isinstance(node, ast.Name) and node.id in primitives)
        for node in ast.walk(ast.parse(dedent(source)))
    )


@pytest.mark.parametrize(
    ("parameter", "fault"),
    [
        ("batch : scalar or array\n    Sequences in flight. [count]", "a field has this name"),
        ("batch : quantity\n    The sequences in flight.", "says no more than its field"),
        ("context_len : quantity\n    Of the prompt. [tokens]", "its unit stands in its field"),
        ("context_len : quantity\n    Of the prompt. [s]", "its unit stands in its field"),
        ("n_users : scalar or array\n    Who read.", "no unit"),
        ("n_users : quantity", "no field has this name"),
    ],
)
def test_a_fault_in_a_parameter_is_found(parameter, fault):
    text = f"What.\n\nParameters\n----------\n{parameter}\n\nReturns\n-------\nsame shape"
    (found,) = number_faults(text, [parameter.partition(" ")[0]])
    assert fault in found


@pytest.mark.parametrize(
    "parameter",
    [
        "batch, context_len : quantity",
        "context_len : quantity\n    Of the prompt.",
        "n_users : scalar or array\n    Who read. [count]",
    ],
)
def test_a_parameter_without_a_fault(parameter):
    text = f"What.\n\nParameters\n----------\n{parameter}\n\nReturns\n-------\nsame shape"
    names = parameter.partition(" :")[0].split(", ")
    assert list(number_faults(text, names)) == []
    assert list(part_faults(text, names, "")) == []


def test_a_unit_that_contradicts_the_field_is_found():
    (found,) = result_faults("What.\n\nReturns\n-------\nsame shape\n    [s]", "page_bytes")
    assert found == "[s], but the field of this name is in [B]"


@pytest.mark.parametrize("line", ["return a / b", "return where(a > 0, a, b)"])
def test_arithmetic_is_found(line):
    assert calculates(f"def f(a, b):\n    {line}\n")
    assert not calculates('def f(a, b):\n    return a + "b"\n')
