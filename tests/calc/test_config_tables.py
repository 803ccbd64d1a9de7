"""The tables that a config.json is read by: each name in them means something, and JSON has it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, fields

import pytest

from calc.architecture.parameters import Architecture
from calc.hf_config import layers
from calc.hf_config.family import families
from calc.hf_config.fields import BLOCK_FORMS, FORMS, NO_SIZE, Fields, When
from calc.hf_config.layers import Blocks, Layers
from calc.hf_config.remarks import SENTENCES


def names(*records: type) -> set[str]:
    return {each.name for record in records for each in fields(record)}


@pytest.mark.parametrize("name", FORMS)
def test_conditions_of_a_field_are_known(name):
    assert {FORMS[name].when, FORMS[name].mention} <= names(When)


@pytest.mark.parametrize("name", FORMS)
def test_a_field_that_counts_is_not_one_that_says_nothing(name):
    assert NO_SIZE.isdisjoint(FORMS[name].names)


@pytest.mark.parametrize("name", SENTENCES)
def test_places_in_a_sentence_are_known(name):
    places = set(re.findall(r"\{([\w.]+)", SENTENCES[name].text))
    words = {f"words.{each}" for each in ("family", "attention_list", "mlp_list", *FORMS)}
    assert places <= words | names(Fields, Architecture, Layers, Blocks)


@pytest.mark.parametrize("name", families())
def test_what_a_class_has_are_fields(name):
    assert families()[name].fields.keys() <= FORMS.keys()


def test_every_list_has_entries_that_are_counted():
    roles = (layers.LAYER_LISTS, layers.ATTENTION_LISTS, layers.MLP_LISTS)
    assert {name for role in roles for name in role} == layers.ENTRIES.keys()
    assert {count for entry in layers.ENTRIES.values() for count in entry.values()} < names(Layers)


def test_the_page_can_have_all_of_it():
    tables = {
        "fields": {name: asdict(form) for name, form in FORMS.items()},
        "block": {name: asdict(form) for name, form in BLOCK_FORMS.items()},
        "families": {n: [asdict(each.family), each.fields] for n, each in families().items()},
        "sentences": {name: asdict(each) for name, each in SENTENCES.items()},
        "entries": layers.ENTRIES,
        "no_size": sorted(NO_SIZE),
    }
    assert len(json.dumps(tables, separators=(",", ":"))) < 60_000
