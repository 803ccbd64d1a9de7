"""The teachers' page says what the code computes."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np

from tests.calc.test_engine_logs import PER_TOKEN_CAUSES, WEIGHT_CAUSES, pool_errors
from tests.helpers.measurements import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "arithmetic.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_examples_run():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 12
    assert failed == 0


def test_the_example_of_the_explorer_runs():
    failed, tried = doctest.testfile(str(DOCS / "explorer.md"), module_relative=False)
    assert tried > 6
    assert failed == 0


def test_the_table_of_measurements_is_the_measured_one():
    assert "\n".join(table()) in TEXT


def test_counted_exceptions():
    assert len(PER_TOKEN_CAUSES) == 8
    assert "with eight named exceptions" in TEXT
    assert len(WEIGHT_CAUSES) == 10
    assert "with ten named exceptions" in TEXT


def test_pool_errors():
    sizes = np.abs(list(pool_errors().values()))
    said = f"median error {np.median(sizes):.0%}".replace(
        "%", " %"
    ) + f", 90th percentile {np.percentile(sizes, 90):.0%}".replace("%", " %")
    assert said in TEXT
