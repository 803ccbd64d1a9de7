"""Bundles of Bokeh's build, cut down to what is asked for."""

from __future__ import annotations

import re

import pytest

from app.build.bundles import Bundle

#: Five modules in the form of Bokeh's build; "models/b" needs "c" and something of Bokeh's own.
WRITTEN = """(function(root, factory) {
({
10: function _(e,t,o,i,n){i();const s=e(11);(0,e(7).register_models)(s)},
11: function _(e,t,o,i,n){o("A",e("aa").A),o("B",e(12).B)},
"aa": function _(e,t,o,i,n){class A{}
o.A=A},
12: function _(e,t,o,i,n){const c=e(13),d=e("@bokehjs/core/dom"),f=e(7);class B{}o.B=B},
13: function _(e,t,o,i,n){o.C=1},
}, 10, {"models/a":"aa","models/b":12,"util/c":13}, {});});
// the end"""


def test_a_bundle_taken_apart_and_put_together_is_the_same():
    bundle = Bundle.parse(WRITTEN)
    assert list(bundle.modules) == ["10", "11", '"aa"', "12", "13"]
    again = Bundle.parse(bundle.text())
    assert again == bundle


def test_only_what_is_wanted_and_what_it_asks_for_is_left():
    left = Bundle.parse(WRITTEN).only([], register=["models/b"])
    assert set(left.modules) == {"10", "12", "13"}
    assert left.names == {"models/b": "12", "util/c": "13"}
    assert "register(require(12))" in left.modules["10"]
    assert left.asks_elsewhere() == {"7", "base", "core/dom"}


def test_what_is_wanted_by_other_modules_is_not_registered():
    left = Bundle.parse(WRITTEN).only(["models/a"])
    assert set(left.modules) == {"10", '"aa"'}
    assert "class A{}\no.A=A" in left.modules['"aa"']
    assert "register(" not in left.modules["10"]


def test_what_a_given_module_exports_the_bundle_does():
    left = Bundle.parse(WRITTEN).only([], export=["models/b"])
    assert set(left.modules) == {"10", "12", "13"}
    assert "Object.assign(exports, require(12));" in left.modules["10"]
    assert left.knows(["models/b", "models/a", "13", "10", "core/dom"]) == ["13", "models/b"]


def test_a_list_of_modules_is_a_table_by_their_places():
    listed = WRITTEN.replace("({\n", "([\n").replace("}, 10, {", "], 0, {")
    listed = re.sub(r'^("aa"|\d+): ', "", listed, flags=re.M)
    bundle = Bundle.parse(
        listed.replace('"aa"', "2").replace('b":12', 'b":3').replace('c":13', 'c":4')
    )
    assert list(bundle.modules) == ["0", "1", "2", "3", "4"]
    assert bundle.with_class("A") == ["models/a"]
    assert Bundle.parse(bundle.text()) == bundle
    assert bundle.text().startswith(WRITTEN.partition("10:")[0])


def test_an_unknown_name_and_another_form_are_refused():
    with pytest.raises(KeyError, match="models/z"):
        Bundle.parse(WRITTEN).only(["models/z"])
    with pytest.raises(ValueError, match="no bundle"):
        Bundle.parse("export const a = 1;")
