"""A trace that is at hand is refused by request and field, as a file is by line and field."""

from __future__ import annotations

import numpy as np
import pytest

from calc import Inputs
from calc.serving.costs import costs
from calc.serving.inputs import ServingInputs, rules
from calc.serving.replay import replay
from calc.serving.requests import Requests
from calc.serving.scheduler import DONE, NEVER_FITS
from calc.serving.trace import requests_of
from calc.serving.trace_file import TraceError

WHOLE = "a whole number from 1 to 1,048,576"
LISTS = "arrival_s, prompt, output have to be lists of"


@pytest.mark.parametrize(
    ("trace", "sentence"),
    [
        (([0], [10], [0]), f"request 1, output=0: allowed is {WHOLE}"),
        (([0, 1], [10, 10], [1, 2.5]), f"request 2, output=2.5: allowed is {WHOLE}"),
        (([0], [float("nan")], [1]), f"request 1, prompt=nan: allowed is {WHOLE}"),
        (([0], [-5], [1]), f"request 1, prompt=-5: allowed is {WHOLE}"),
        (
            ([3, 2], [1, 1], [1, 1]),
            "request 2, arrival_s=2: allowed is no time before the request above",
        ),
        (
            ([-1], [1], [1]),
            "request 1, arrival_s=-1: allowed is a number of seconds from 0 to 10,000,000,000",
        ),
        (([0, 1], [1], [1, 1]), f"{LISTS} the same length"),
        ((0, 1, 1), f"{LISTS} the same length"),
        ((["soon"], [1], [1]), f"{LISTS} numbers"),
        ((["1"], [1], [1]), f"{LISTS} numbers"),
        (([10**400], [1], [1]), f"{LISTS} numbers"),
        ((np.array([1j]), [1], [1]), f"{LISTS} numbers"),
        ((np.array(["2026-11-30"], dtype="datetime64[s]"), [1], [1]), f"{LISTS} numbers"),
        (([0], np.ma.array([1.0], mask=[True]), [1]), f"request 1, prompt=nan: allowed is {WHOLE}"),
        (([0], [float("inf")], [1]), f"request 1, prompt=inf: allowed is {WHOLE}"),
        (([], [], []), "there is no request"),
    ],
)
def test_what_is_no_trace_is_refused_in_a_sentence(trace, sentence):
    with pytest.raises(TraceError) as refused:
        requests_of(*trace)
    assert str(refused.value) == sentence


def test_a_trace_of_arrays_is_served():
    requests = requests_of(np.array([0, 1]), np.array([5, 6], dtype=np.int32), [2, 3])
    found = replay(rules(Inputs(), ServingInputs()), costs(Inputs().scenario()), requests)
    assert found.totals.output_tokens == 5


@pytest.mark.parametrize("policy", ["static", "continuous", "chunked", "disaggregated"])
@pytest.mark.parametrize(("output", "outcome"), [(0.0, NEVER_FITS), (2.5, DONE)])
def test_a_request_that_nobody_has_checked_ends_all_the_same(policy, output, outcome):
    requests = Requests(*(np.array([each]) for each in (0.0, 10.0, output)))
    how = rules(Inputs(), ServingInputs(policy=policy))
    assert replay(how, costs(Inputs().scenario()), requests).outcome == outcome
