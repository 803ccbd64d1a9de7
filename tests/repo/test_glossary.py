"""docs/glossary.md shows the page's own terms, and each term keeps its form."""

from __future__ import annotations

from pathlib import Path

from app.glossary import glossary
from calc.presets.assumptions import ASSUMPTIONS, MBU_BAND
from tests.helpers.golden import frozen_part, table
from tests.helpers.measurements import GROUPS, rows

PAGE = Path(__file__).parents[2] / "docs/glossary.md"


def test_the_docs_show_the_pages_terms():
    text = table("| term | meaning |", [(term.name, term.means) for term in glossary()]) + "\n"
    assert frozen_part(PAGE, "tests/repo/test_glossary.py -->\n\n", text) == text


def test_each_term_is_one_sentence_in_order():
    names = [term.name for term in glossary()]
    assert names == sorted(names, key=str.lower)
    for term in glossary():
        assert term.means.endswith(".")
        assert ". " not in term.means


def test_what_an_estimate_rests_on():
    (means,) = (term.means for term in glossary() if term.name == "estimate")
    reached, (low, high) = ASSUMPTIONS["engine"].bandwidth_efficiency, MBU_BAND
    n_measured = sum(GROUPS["batch 1, one GPU"](row.case) for row in rows())
    assert f"reach {100 * reached:.0f} % of the bandwidth" in means
    assert f"in the median of {n_measured} published measurements" in means
    assert f"{100 * low:.0f} to {100 * high:.0f} % in most" in means


def test_a_word_means_one_term():
    words = [word.lower() for term in glossary() for word in {*term.words, *term.labels}]
    assert len(words) == len(set(words))
