"""The explorer's studies say in the page what `calc.studies` says in Python."""

from __future__ import annotations

import math

import pytest

from calc import levers, routing
from calc.studies.fit import FOUND, fit
from tests.assets.test_agreement import address, answers

#: Dense and with experts, one GPU and several, guesses, an estimate, what does not fit.
STATES = [
    {},
    {"batch": 256.0, "context": 1024.0, "gqa": 8.0},
    {"assumptions": "engine", "spec_k": 4.0},
    {"model": "llama-3-70b", "gpus": 4.0, "kv": "fp8"},
    {"model": "mixtral-8x7b", "gpus": 2.0, "weights": "int4", "batch": 64.0},
    {"model": "deepseek-v3", "gpus": 8.0, "weights": "fp8", "context": 32768.0},
    {"params_b": 1.0, "context": 128.0},
    {"params_b": 405.0, "prompt": 2000.0, "prefix_hit": 0.5, "usd_per_gpu_hour": 2.0},
    {"params_b": 13.0, "gpus": 4.0, "gqa": 5.0, "batch": 1024.0},
]


def test_levers(written):
    said = answers(levers=[address(inputs) for inputs in STATES])["levers"]
    for inputs, page in zip(STATES, said, strict=True):
        pulls = levers(**inputs)[1]
        assert page == [
            [pull.lever.name, float(pull.report.tokens_per_s), float(pull.report.max_batch)]
            for pull in pulls
        ], inputs


@pytest.mark.parametrize(("users", "speed"), [(64, 30), (5000, 1), (3, 200)])
def test_fits(written, users, speed):
    said = answers(wishes=[(address(inputs), users, speed) for inputs in STATES])["fits"]
    for inputs, page in zip(STATES, said, strict=True):
        others = {key: each for key, each in inputs.items() if key not in FOUND}
        assert page == [
            [
                *(each.gpu, each.n_gpus, each.n_replicas, each.batch, each.binds),
                *(known(each.usd_per_hour), float(each.report.usd_per_million_output_tokens)),
            ]
            for each in fit(users, speed, **others)
        ], inputs


def known(usd):
    """In JSON there is no NaN."""
    return None if math.isnan(usd) else usd


#: Requests, judges and prices of all kinds: easy, both errors, worse, saved, cheap, strong.
ROUTED = [
    (0.8, 0.1, 0.1, 0.03, 0.3, 1.0, 10.0),
    (0.0, 0.1, 0.1, 0.03, 0.3, 1.0, 10.0),
    (1.0, 0.02, 0.4, 0.0, 0.5, 0.001, 0.01),
    (0.5, 0.5, 0.5, 0.2, 0.0, 2.0, 3.0),
    (0.6, 0.05, 0.3, 0.01, 0.1, 5.0, 4.0),
]


def test_routing(written):
    names = ("easy", "easyError", "hardError", "worse", "saved")
    asked = [(dict(zip(names, each[:5], strict=True)), *each[5:]) for each in ROUTED]
    for (e, p, q, worse, saved, cheap, strong), page in zip(
        ROUTED, answers(routed=asked)["routed"], strict=True
    ):
        prices = {"cheap_usd": cheap, "strong_usd": strong}
        found = routing(e, p, q, most_worse=worse, least_saved=saved, **prices)
        assert page["point"] == {"cheap": found.cheap_fraction, "worse": found.worse_fraction}
        assert (page["usd"], page["saved"]) == (found.request_usd, found.saved_fraction)
        assert page["fails"] == found.fails
        band = found.band
        assert page["band"] == (
            band and {"least": band.least_cheap_fraction, "most": band.most_cheap_fraction}
        )
