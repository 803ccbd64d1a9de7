"""What may not go together: the sentences, and what the rules leave to the formulas."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from calc import GPUS, MODELS, Inputs, LayerKind, Model, Precision, Scenario, Workload, scenario
from calc.inputs.declaration import Choice
from calc.inputs.table import CARD_KEYS, INPUTS, MODEL_KEYS, NUMBERS
from calc.presets.formats import KV_FORMATS, WEIGHT_FORMATS
from calc.presets.models import OWN_MODELS
from calc.rules import RULES
from tests.helpers.refusals import REFUSALS
from tests.helpers.strategies import SHARING, group_for, value_of


def values(texts):
    return {
        key: text if isinstance(INPUTS[key], Choice) else float(text) for key, text in texts.items()
    }


@pytest.mark.parametrize(("texts", "said"), REFUSALS)
def test_sentences(texts, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        Inputs(**values(texts)).validate()
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        scenario(**values(texts))


def test_every_rule_has_a_case():
    said = " ".join(said for _, said in REFUSALS)
    of_records = {"no_layers", "no_cache", "n_16bit_of_all", "n_input_table_of_all"}
    for name in RULES.keys() - of_records:
        assert RULES[name].sentence.split("}")[-1].split(" {")[0] in said, name


def test_a_rule_is_not_named_like_an_input():
    assert RULES.keys().isdisjoint(INPUTS)
    assert {key for rule in RULES.values() for key in rule.keys} <= {*MODEL_KEYS, *SHARING, "kv"}


def test_arrays_are_refused_for_their_first_bad_value():
    with pytest.raises(ValueError, match=r"^batch=0: allowed"):
        Inputs(batch=np.array([1.0, 0.0, 2.5]))
    with pytest.raises(ValueError, match=r"^batch=2000: allowed"):
        Inputs(batch=np.array([1.0, 2000.0, 3000.0])).validate()
    with pytest.raises(
        ValueError,
        match=r"^gqa=3: allowed is a divisor of the 64 query heads: 1, 2, 4, 8, 16, 32 or 64$",
    ):
        Inputs(params_b=np.array([7.0, 70.0]), gqa=np.array([4.0, 3.0])).validate()
    assert Inputs(batch=np.array([1.0, 2.0])).validate()


@pytest.mark.parametrize("key", NUMBERS)
@pytest.mark.parametrize("value", [0.0, -1.0, 1e300, -1e300, float("inf"), float("-inf")])
def test_any_number_is_judged_without_a_warning(key, value):
    if NUMBERS[key].takes(value):
        Inputs(**{key: value})
    else:
        with pytest.raises(ValueError, match=f"^{key}=") as refused:
            Inputs(**{key: value}).validate()
        assert str(refused.value).endswith(f": allowed is {NUMBERS[key].allowed}")


def test_a_default_that_was_typed_is_a_key_that_was_given():
    published = Inputs(model="llama-3-8b")
    assert published.complaint(()) == ""
    assert published.complaint(["gqa"]) == "gqa: Llama 3 / 3.1 8B has its own"
    assert Inputs(model="custom").complaint(["gqa"]) == ""


@st.composite
def own_models(draw):
    """Inputs of an own model, each given or not, together as they come."""
    given_ = draw(st.sets(st.sampled_from(MODEL_KEYS)))
    inputs = {key: draw(value_of(key)) for key in sorted(given_)}
    # Where it is not given, g follows the heads.
    if "gqa" not in inputs:
        inputs["gqa"] = draw(group_for(inputs.get("params_b", 7.0)))
    return given_, Inputs(model=draw(st.sampled_from(list(OWN_MODELS))), **inputs)


@given(own_models())
@example(({"heads", "d_head"}, Inputs(heads=1024.0, d_head=1024.0)))
def test_what_breaks_no_rule_is_within_every_bound(drawn):
    given_, inputs = drawn
    assume(not inputs.complaint(given_))
    inputs.scenario().validate()


@given(own_models())
def test_an_input_that_was_given_gives_way(drawn):
    given_, inputs = drawn
    name = inputs.broken(len(given_), 0)
    if name:
        assert given_.intersection(RULES[name].keys), name


#: What 64 GPUs that share a model go with: 128 query heads, one latent, 256 experts, 61 layers.
BESIDE = {
    "gpus": {"model": "deepseek-v3"},
    "tp": {"model": "deepseek-v3", "gpus": 64.0},
    "dp": {"gpus": 64.0},
    "pp": {"model": "llama-3-70b", "gpus": 64.0},
    "ep": {"model": "deepseek-v3", "gpus": 64.0},
    "dcp": {"model": "deepseek-v3", "gpus": 64.0},
    "redundant_experts": {"model": "deepseek-v3", "gpus": 64.0, "ep": 64.0},
}


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("key", [key for key in NUMBERS if key not in MODEL_KEYS])
def test_every_number_in_its_range_is_within_every_bound(key, end):
    gpu = "custom" if key in CARD_KEYS else INPUTS["gpu"].default
    value = NUMBERS[key].range[end]
    beside = BESIDE.get(key, {}) if value > 1 else {}
    Inputs(**{"gpu": gpu, **beside, key: value}).validate().scenario().validate()


def of_record(**changes):
    model = replace(Model.dense(7e9, 32, 32, 8, 128), **changes)
    precision = Precision(WEIGHT_FORMATS["bf16"], KV_FORMATS["bf16"])
    return Scenario(model, GPUS["h100-80gb-lesson"], precision, Workload(8192.0, 8.0, 8192.0))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"full": LayerKind()}, "at least one kind"),
        ({"full": LayerKind(n_layers=32.0, n_kv_heads=8.0)}, "cache something"),
        ({"n_16bit": 8e9}, "n_16bit must not be above n_params"),
        ({"n_input_table": 8e9}, "n_input_table must not be above n_params"),
        ({"n_active": 8e9}, "more active parameters"),
    ],
)
def test_records_are_refused(changes, said):
    of_record().validate()
    with pytest.raises(ValueError, match=said):
        of_record(**changes).validate()


def test_a_record_of_one_s_own_is_refused_at_the_door():
    small = replace(MODELS["llama-3-8b"], d_model=0.5)
    said = r"^d_model must be between 1 and 1e\+07, not 0.5$"
    with pytest.raises(ValueError, match=said):
        scenario(model=small)
    with pytest.raises(ValueError, match=said):
        Inputs(model=small).validate()


def test_a_record_of_arrays_is_refused():
    with pytest.raises(ValueError, match="must not be above"):
        of_record(n_16bit=np.array([0.0, 8e9])).validate()
    with pytest.raises(ValueError, match="whole multiple"):
        Inputs(gqa=np.array([4.0, 5.0])).scenario().validate()
