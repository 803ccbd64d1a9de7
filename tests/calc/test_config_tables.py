"""The tables that a config.json is read by: each name in them means something, and JSON has it."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, asdict, fields

import pytest

from calc.architecture.record import Architecture
from calc.hf_config import layers
from calc.hf_config.conditions import REMARKS, Conditions
from calc.hf_config.derive import Beside
from calc.hf_config.family import Family, families
from calc.hf_config.fields import (
    BLOCK_FORMS,
    FORMS,
    LEFT_OUT,
    NO_SIZE,
    SILENCING,
    SIZED,
    SPEAKING,
    Fields,
    Form,
)
from calc.hf_config.layers import Blocks, Layers


def names(*records: type) -> set[str]:
    return {each.name for record in records for each in fields(record)}


TEXTS = [remark.text for remark in REMARKS.values()]
TEXTS += [why for form in FORMS.values() for why in form.against.values()]


@pytest.mark.parametrize("name", FORMS)
def test_conditions_of_a_field_are_known(name):
    form = FORMS[name]
    conditions = {form.when, form.mention, *form.against}
    known = names(Conditions, Family, Fields)
    assert {each.removeprefix("not ") for each in conditions} <= known
    assert form.stand_in in {"", *FORMS}


def test_a_condition_is_none_but_itself():
    records = (Fields, Family, Architecture, Layers, Blocks)
    assert names(Conditions).isdisjoint(names(*records))


def families_only() -> set[str]:
    """Conditions that hold in some families whatever a file says."""
    return names(Family)


@pytest.mark.parametrize("name", FORMS)
def test_a_field_that_counts_is_not_one_that_says_nothing(name):
    form = FORMS[name]
    assert form.when in families_only() or NO_SIZE.isdisjoint(form.names)
    assert LEFT_OUT.isdisjoint(FORMS[name].names)


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_field_is_left_out_by_name_only_if_it_speaks_of_layers(name):
    assert not (SPEAKING | SIZED).isdisjoint(name.split("_"))
    assert SILENCING.isdisjoint(name.split("_"))


@pytest.mark.parametrize("text", TEXTS)
def test_places_in_a_sentence_are_known(text):
    places = set(re.findall(r"\{([\w.]+)", text))
    words = {
        f"words.{each}" for each in ("family", "attention_list", "mlp_list", "index_list", *FORMS)
    }
    assert places <= words | names(Fields, Architecture, Layers, Blocks, Family, Beside)


@pytest.mark.parametrize("name", families())
def test_what_a_class_has_are_fields(name):
    assert families()[name].fields.keys() <= FORMS.keys()


@pytest.mark.parametrize("name", families())
def test_what_counts_in_a_family_alone_is_known(name):
    known = {*layers.ENTRIES, *(each for form in FORMS.values() for each in form.names)}
    assert families()[name].names <= known


def test_every_list_has_entries_that_are_counted():
    rows = layers.ROWS.values()
    assert {name for row in rows for name in row.lists} == layers.ENTRIES.keys()
    counted = {count for row in rows for count in row.counts}
    assert {kind for table in layers.ENTRIES.values() for kind in table.values()} == counted
    lengths = {f"n_{name}" for name in layers.ROWS}
    own = {f"{count}_own" for row in rows for count in row.cached}
    by_layer = {each for sums in layers.BY_LAYER.values() for each in sums}
    assert lengths | counted | own | by_layer == names(Layers)


def told(record, kind) -> dict[str, object]:
    """What a record has of its own: what others have, too, is told once."""
    usual = {
        each.name: each.default if each.default_factory is MISSING else each.default_factory()
        for each in fields(kind)
    }
    return {name: value for name, value in asdict(record).items() if value != usual[name]}


def test_what_a_file_may_say_by_layer_is_added_up():
    assert {name for name, form in FORMS.items() if form.by_layer} == layers.BY_LAYER.keys()


def test_the_page_can_have_all_of_it():
    tables = {
        "fields": {name: told(form, Form) for name, form in FORMS.items()},
        "block": {name: told(form, Form) for name, form in BLOCK_FORMS.items()},
        "families": {
            n: [told(each.family, Family), each.fields, sorted(each.names), each.refusal]
            for n, each in families().items()
        },
        "remarks": {name: asdict(each) for name, each in REMARKS.items()},
        "entries": layers.ENTRIES,
        "rows": {name: asdict(row) for name, row in layers.ROWS.items()},
        "words": [sorted(each) for each in (NO_SIZE, LEFT_OUT, SILENCING, SPEAKING)],
    }
    assert len(json.dumps(tables, separators=(",", ":"))) < 47_500
