"""Whatever Python calls a number becomes a float where it comes in, or is refused in a sentence."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from calc import GPUS, Inputs, Model, Scenario, Workload, evaluate, levers, read_config, scenario
from calc.studies.crossing import crossing_batch


@pytest.mark.parametrize(
    "dtype", ["int32", "uint32", "int64", "float32", "float64", ">f8", "longdouble", "object"]
)
def test_no_type_of_array_overflows_in_a_formula(dtype):
    """By hand: 7 B parameters, 32 layers, 32 heads of 128, an H100 at 60 % of its peak.

    The 65,536 tokens cost 2 · (7e9 − 131.072e6) · 65,536 FLOPs in matrices and
    4 · 32 · 4096 · 65,536² / 2 in attention: 2.0262e15 at 594 TFLOP/s are 3.41 s. Of twice the
    tokens the first part is twice, the second four times as much: 6.3042e15, 10.613 s. Each of
    32 layers takes 80 µs more.
    """
    context = np.array([65536, 131072], dtype=dtype)
    report = evaluate(scenario(context=context, assumptions="engine"))
    np.testing.assert_allclose(report.ttft_s, [3.414, 10.616], atol=0.0005)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "float16"])
def test_no_small_type_does_either(dtype):
    sizes = np.array([64, 100], dtype=dtype)
    small, same = (
        evaluate(scenario(context=each, batch=each, d_head=each, heads=each)).as_dict()
        for each in (sizes, np.array([64.0, 100.0]))
    )
    for name, value in same.items():
        np.testing.assert_array_equal(small[name], value, strict=True)


@pytest.mark.parametrize(
    "eight",
    [
        *(8, np.int8(8), np.uint64(8), np.float16(8), np.float64(8), np.longdouble(8)),
        *(np.array(8), np.array(8, dtype="int16"), Decimal(8), Fraction(16, 2)),
    ],
    ids=lambda value: f"{type(value).__name__}-{getattr(value, 'dtype', '')}",
)
def test_single_numbers_become_float(eight):
    assert type(Inputs(batch=eight).batch) is float
    assert type(Workload(1024, eight, 1024).batch) is float
    assert Inputs(batch=eight).as_dict() == Inputs(batch=8.0).as_dict()


@pytest.mark.parametrize(
    "several",
    [
        *([1, 2], (1, 2.0), range(1, 3), [Decimal(1), Fraction(2)], [np.int8(1), 2]),
        *(np.array([1, 2], dtype=object), pd.Series([1, 2], dtype="int32")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_several_numbers_become_an_array(several):
    for taken in (Inputs(batch=several).batch, Workload(1024, several, 1024).batch):
        assert type(taken) is np.ndarray
        assert taken.dtype == float
        assert taken.tolist() == [1.0, 2.0]


def test_yes_and_no_are_numbers():
    assert Inputs(attention=True).attention == 1.0
    assert Inputs(attention=np.array([True, False])).attention.tolist() == [1.0, 0.0]


def test_what_is_masked_is_not_given():
    masked = np.ma.array([100, 200], mask=[False, True])
    assert scenario(prompt=masked, context=512).workload.prompt_len.tolist() == [100, 512]
    with pytest.raises(ValueError, match=r"^batch=nan: allowed is"):
        Inputs(batch=masked)


NO_NUMBER = r"^batch must be a number, or an array of numbers, not "


@pytest.mark.parametrize(
    "value",
    [
        *(
            "8",
            "",
            b"8",
            None,
            {},
            {1},
            1j,
            [1j],
            ["8"],
            [None],
            [1, "2"],
            object(),
            len,
            iter([1]),
        ),
        *(np.array(["8"]), np.datetime64("2020"), np.timedelta64(1, "s"), np.array([1 + 0j])),
    ],
    ids=repr,
)
def test_what_is_no_number_is_a_type_error(value):
    for made in (Inputs, scenario, levers):
        with pytest.raises(TypeError, match=NO_NUMBER) as refused:
            made(batch=value)
        assert len(str(refused.value)) < 110
    with pytest.raises(TypeError, match=NO_NUMBER):
        Workload(1024, value, 1024)


@pytest.mark.parametrize(
    "value",
    [
        *(
            10**401,
            -(10**401),
            [10**401],
            10**5000,
            Decimal("sNaN"),
            Fraction(10**999),
            [],
            np.zeros((2, 0)),
            [[1], [1, 2]],
        ),
        *(0, -1, [1, 0], float("nan"), float("inf"), Decimal("1e999"), np.float16(np.inf), [1, -8]),
    ],
    ids=lambda value: (
        ascii(value)[:20]
        if not isinstance(value, int)
        else f"{value:e}"[:9]
        if abs(value) < 1e9
        else "digits"
    ),
)
def test_a_number_that_formulas_cannot_take_is_a_value_error(value):
    for made in (Inputs, scenario, levers):
        with pytest.raises(ValueError, match=r"^batch") as refused:
            made(batch=value)
        assert len(str(refused.value)) < 110


@pytest.mark.parametrize("value", [1.5, [2, 1.5], 2000, np.float32(8.5)])
def test_a_mean_of_counts_is_for_formulas_not_for_people(value):
    assert np.all(evaluate(Inputs(batch=value).scenario()).step_s > 0)
    for door in (scenario, levers, lambda **inputs: Inputs(**inputs).validate()):
        with pytest.raises(ValueError, match=r"^batch=[\d.]+: allowed is a whole number from 1 to"):
            door(batch=value)


@pytest.mark.parametrize(
    ("inputs", "error", "said"),
    [
        (
            {"gpu": "nope"},
            ValueError,
            "gpu=nope: allowed is custom, or a name that `decode-arithmetic gpus` lists",
        ),
        (
            {"gpu": "H100-SXM "},
            ValueError,
            "gpu=H100-SXM : did you mean h100-sxm or h200-sxm or b200-sxm? "
            "allowed is custom, or a name that `decode-arithmetic gpus` lists",
        ),
        (
            {"weights": float("nan")},
            TypeError,
            "weights must be a name or a record of type WeightFormat, not nan",
        ),
        ({"kv": None}, TypeError, "kv must be a name or a record of type KvFormat, not None"),
        (
            {"model": ["llama-3-8b"]},
            TypeError,
            "model must be a name or a record of type Model, not ['llama-3-8b']",
        ),
        (
            {"bach": 3},
            TypeError,
            "bach: there is no such input; did you mean batch? "
            "`decode-arithmetic inputs` lists them all",
        ),
        (
            {"batch": [1, 2, 3], "context": [1, 2]},
            ValueError,
            "batch has the shape (3,), which does not go with (2,) before it",
        ),
    ],
)
def test_names_and_shapes(inputs, error, said):
    with pytest.raises(error) as refused:
        scenario(**inputs)
    assert str(refused.value) == said


def test_records_are_records():
    with pytest.raises(TypeError, match=r"^model must be a record of type Model, not 'llama'$"):
        Scenario("llama", GPUS["h100-sxm"], scenario().precision, scenario().workload)
    for wrong in (None, Inputs(), {}):
        with pytest.raises(TypeError, match=r"^scenario must be a record of type Scenario, not "):
            evaluate(wrong)


def test_shapes_of_records_are_checked():
    together = Scenario(
        Model.dense([7e9, 8e9], 32, 32, 8, 128),
        GPUS["h100-sxm"],
        scenario().precision,
        Workload([1, 2, 3], 1, 1),
    )
    with pytest.raises(ValueError, match=r"^context_len has the shape"):
        together.validate()


def test_a_dense_model_does_not_overflow():
    assert Model.dense(7e9, 32, np.int8(100), 4, np.int8(100)).d_model == 10_000


@pytest.mark.parametrize("largest", [0, -1, 1e12, float("nan"), 10**401, "8", None, [8, 9]])
def test_the_search_for_a_crossing_is_bounded(largest):
    with pytest.raises((TypeError, ValueError), match=r"^largest must be "):
        crossing_batch(largest)


def test_levers_are_pulled_at_one_point():
    with pytest.raises(TypeError, match=r"^batch must be a single value, not "):
        levers(batch=[1, 2])
    assert levers(batch=np.int8(100))[1][0].inputs["batch"] == 200


@pytest.mark.parametrize("source", [3, None, [], 1.5, object()])
def test_a_config_is_a_text_or_a_mapping(source):
    with pytest.raises(TypeError, match=r"^A config\.json is a text, bytes or a mapping, not "):
        read_config(source)
