"""docs/glossary.md shows the page's own terms, and each term keeps its form."""

from __future__ import annotations

from pathlib import Path

from app.glossary import glossary
from tests.helpers.estimates import LAW, inside_band, timed
from tests.helpers.golden import frozen_part, table

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
    assert f"reach {100 * LAW.bandwidth_efficiency:.0f} % of the bandwidth" in means
    assert f"lose {1e6 * LAW.layer_overhead_s:.0f} µs per layer" in means
    rows = timed("throughput")
    assert f"of {len(rows)} published measurements, 4 in 5 lie between" in means
    assert 0.78 <= inside_band(rows) <= 0.85


def test_a_word_means_one_term():
    words = [word.lower() for term in glossary() for word in {*term.words, *term.labels}]
    assert len(words) == len(set(words))
