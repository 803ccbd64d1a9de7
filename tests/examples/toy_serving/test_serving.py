"""The four ways of serving: the same tokens, and pass by pass what the replay predicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.toy_serving.engine import Engine, NeverFitsError, Request
from examples.toy_serving.measure import (
    BOTH,
    LOOPS,
    NAIVE,
    ONLY_CONTINUOUS,
    ONLY_PAGED,
    WAYS,
    engine,
    figures,
)
from examples.toy_serving.model import Transformer
from examples.toy_serving.paged import Paged
from examples.toy_serving.prediction import PassCost, Setting, pass_cost, predicted, toy_costs
from tests.examples.toy_serving.test_model import SIZES, piece

#: So little memory that sequences have to give way.
TIGHT = Setting(requests=24, prompt=10, output=16, slots=6, pool=144, context=96, block=8)

COST = PassCost(pass_s=0.007, row_s=0.0003)


class Silent(Transformer):
    """A transformer that says the same token always, in no time: for what no token changes."""

    def next_tokens(self, pieces, pool):
        return [0 for _ in pieces]


SILENT = Silent(SIZES)


def served(model, setting, way):
    done = engine(model, setting, way)
    LOOPS[way.policy](done)
    return done


def without_time(passes):
    return [each._replace(took_s=0.0) for each in passes]


@pytest.mark.parametrize("seed", range(3))
def test_the_same_tokens_in_all_four_ways(seed):
    model, setting = Transformer(SIZES, seed), replace(TIGHT, seed=seed)
    alone = []
    for each in engine(model, setting, NAIVE).all:
        tokens, pool = list(each.request.prompt), model.pool(setting.context)
        new = tokens
        for _ in range(each.request.output_len):
            new = model.next_tokens([piece(new, len(tokens) - len(new))], pool)
            tokens += new
        alone.append(tokens[len(each.request.prompt) :])
    for way in WAYS:
        assert [each.output for each in served(model, setting, way).all] == alone


def test_a_tight_pool_makes_sequences_give_way():
    done = served(SILENT, TIGHT, BOTH)
    n_prompt = sum(len(each.request.prompt) for each in done.all)
    assert sum(each.prefilled_tokens for each in done.passes) > n_prompt


@st.composite
def any_settings(draw):
    context = draw(st.integers(4, 60))
    block = draw(st.integers(1, context))
    prompt = draw(st.integers(1, context - 1))
    return Setting(
        requests=draw(st.integers(1, 30)),
        prompt=prompt,
        output=draw(st.integers(1, context - prompt)),
        lengths=draw(st.sampled_from(["fixed", "lognormal", "bimodal"])),
        seed=draw(st.integers(0, 1000)),
        slots=draw(st.integers(1, 12)),
        pool=context + block + draw(st.integers(0, 200)),
        context=context,
        block=block,
    )


@settings(max_examples=60)
@given(any_settings(), st.sampled_from(WAYS))
def test_every_pass_is_the_replays(setting, way):
    done = served(SILENT, setting, way)
    replayed = predicted(setting, toy_costs(setting, SILENT, COST), *way)
    assert without_time(done.passes) == without_time(replayed)
    for each in replayed:
        rows = each.n_decoding + each.n_padding + each.prefilled_tokens
        assert each.took_s == pytest.approx(COST.pass_s + COST.row_s * rows, rel=1e-6)


@settings(max_examples=40)
@given(any_settings(), st.sampled_from(WAYS))
def test_tokens_and_memory_are_conserved(setting, way):
    done = served(SILENT, setting, way)
    assert [len(each.output) for each in done.all] == list(map(int, setting.drawn().output_len))
    assert done.batch == []
    assert len(done.memory.free) == setting.pool // done.memory.unit_len
    assert len(set(done.memory.free)) == len(done.memory.free)
    for each in done.passes:
        assert 0 < each.tokens_held <= each.reserved_entries <= setting.pool
        assert each.n_decoding + each.n_padding <= setting.slots


def test_blocks_hold_more_and_free_slots_work_more():
    found = {
        way: figures(served(SILENT, Setting(), way).passes, n_tokens=1, took_s=1) for way in WAYS
    }
    for before, after in ((NAIVE, ONLY_PAGED), (ONLY_CONTINUOUS, BOTH)):
        assert found[after].holding_fraction > 3 * found[before].holding_fraction
        assert found[after].mean_decoding > 2 * found[before].mean_decoding
    for before, after in ((NAIVE, ONLY_CONTINUOUS), (ONLY_PAGED, BOTH)):
        assert found[after].n_passes < found[before].n_passes / 2


def test_alike_answers_need_no_continuous_batching():
    alike = Setting(lengths="fixed")
    static, continuous = served(SILENT, alike, ONLY_PAGED), served(SILENT, alike, BOTH)
    assert without_time(static.passes) == without_time(continuous.passes)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (Request([1] * 30, 35), "a prompt of 30 and an output of 35 tokens, can never fit"),
        (Request([1] * 40, 10), "the longest sequence has 64 tokens, and the cache 48"),
    ],
)
def test_what_never_fits_is_refused_by_name(request_, said):
    with pytest.raises(NeverFitsError, match=f"^request 2, with .*{said}"):
        Engine(SILENT, Paged(48, 8), 4, 64, [Request([1], 1), request_])


def test_what_just_fits_is_served():
    # The last token is never cached: 48 entries are enough for 49 tokens.
    last = Request([1] * 40, 9)
    done = Engine(SILENT, Paged(48, 8), 4, 64, [last])
    LOOPS["continuous"](done)
    assert done.all[0].has_ended


def test_the_cost_of_a_pass_is_found_again():
    setting = Setting(requests=40)
    passes = predicted(setting, toy_costs(setting, SILENT, COST), *NAIVE)
    found = pass_cost(passes)
    assert found == pytest.approx(COST, rel=1e-6)


def test_where_no_cost_can_be_measured_it_is_said():
    setting = Setting(requests=4, lengths="fixed", output=1)
    with pytest.raises(ValueError, match=r"^the naive run does not show what a row costs"):
        pass_cost(served(SILENT, setting, NAIVE).passes)
