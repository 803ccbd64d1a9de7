"""One request by itself takes what the arithmetic says, whatever the policy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calc import MODELS, Inputs, evaluate
from calc.serving.costs import costs, pass_s
from calc.serving.engine import CHUNKED, CONTINUOUS, DISAGGREGATED, STATIC
from tests.helpers.replays import rules, served, trace

POLICIES = {"static": STATIC, "continuous": CONTINUOUS, "chunked": CHUNKED}

#: DeepSeek-V3.2, if it read no more than so many latents: fewer than a request comes to.
SPARSE = replace(
    MODELS["deepseek-v3.2"], full=replace(MODELS["deepseek-v3.2"].full, most_entries_read=1030.0)
)

#: Scenarios of every kind of layers, with everything that an engine costs, on several GPUs.
SETUPS = {
    "the lesson's": {},
    "an engine's": {"assumptions": "engine"},
    "windows": {"model": "gemma-3-27b", "assumptions": "engine"},
    "states": {"model": "qwen3-next-80b-a3b", "gpus": 4.0, "assumptions": "engine"},
    "a latent": {"model": "deepseek-v3", "gpus": 16.0, "weights": "fp8", "assumptions": "engine"},
    "experts": {"model": "mixtral-8x7b", "gpus": 2.0},
    "sparse attention": {"model": SPARSE, "gpus": 16.0, "weights": "fp8", "assumptions": "engine"},
    "a cached prefix": {"prefix_hit": 0.5},
    "communication": {"gpus": 4.0, "model": "llama-3-70b", "communication": 1.0},
}

PROMPT, OUTPUT = 1000.0, 60.0


def expected_s(setup):
    """The time to each token, of a report for each step."""
    alone = {**setup, "batch": 1.0, "prompt": PROMPT, "output": OUTPUT}
    at_s = evaluate(Inputs(**alone, context=PROMPT).scenario()).ttft_s
    yield at_s
    for n_output in range(1, int(OUTPUT)):
        at_s += evaluate(Inputs(**alone, context=PROMPT + n_output).scenario()).step_s
        yield at_s


def has_experts(setup):
    """Powers differ in the last bit between machines; the replay multiplies instead."""
    return Inputs(**setup).scenario().model.n_experts > 0


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("setup", SETUPS)
def test_one_request(setup, policy):
    inputs = SETUPS[setup]
    costs_ = costs(Inputs(**inputs).scenario())
    # Chunks as long as the prompt: each further one would read all weights again.
    found = served(
        rules(policy=POLICIES[policy], chunk_len=PROMPT), costs_, trace([(3.0, PROMPT, OUTPUT)])
    )
    first_s, *_, last_s = expected_s(inputs)
    # The clock stands at 3 s, so the last bits of the times are rounded away.
    assert found.requests.first_token_s[0] - 3 == pytest.approx(first_s, rel=1e-12)
    assert found.requests.finish_s[0] - 3 == pytest.approx(last_s, rel=1e-12)
    assert found.totals.n_steps == OUTPUT


@pytest.mark.parametrize("setup", [name for name in SETUPS if not has_experts(SETUPS[name])])
def test_one_request_to_the_last_bit(setup):
    inputs = SETUPS[setup]
    of, alone = costs(Inputs(**inputs).scenario()), trace([(0.0, PROMPT, OUTPUT)])
    found = served(rules(), of, alone, longest_run=1.0)
    assert list(found.passes.end_s[: found.n_runs]) == list(expected_s(inputs))


@pytest.mark.parametrize("setup", ["the lesson's", "a cached prefix", "communication"])
def test_the_request_of_the_report(setup):
    """While memory binds, a step is linear in its cache, and the mean step times steps is all."""
    alone = {**SETUPS[setup], "batch": 1.0, "prompt": PROMPT, "output": OUTPUT}
    report = evaluate(Inputs(**alone).scenario())
    found = served(rules(), costs(Inputs(**alone).scenario()), trace([(0.0, PROMPT, OUTPUT)]))
    assert found.totals.makespan_s == pytest.approx(report.request_s, rel=1e-12)
    assert found.totals.ttft_p50_s == report.ttft_s
    assert found.totals.ttft_p99_s == report.ttft_s


def test_disaggregated_adds_the_transfer_of_the_cache():
    """131,072 B of each of the prompt's tokens, over the H100's 450 GB/s."""
    inputs = Inputs()
    found, *_ = (
        served(rules(policy=policy), costs(inputs.scenario()), trace([(0.0, PROMPT, OUTPUT)]))
        for policy in (DISAGGREGATED,)
    )
    *_, last_s = expected_s({})
    transfer_s = 131_072 * PROMPT / 450e9
    assert found.totals.makespan_s == pytest.approx(last_s + transfer_s, rel=1e-12)
    assert found.totals.n_gpus == 2


def test_a_pass_of_many_takes_what_the_report_says():
    for batch in (2.0, 64.0, 1000.0):
        report = evaluate(Inputs(batch=batch, context=4096.0, assumptions="engine").scenario())
        of = costs(Inputs(assumptions="engine").scenario())
        flops = report.attention_flops
        assert pass_s(of, batch, 0.0, report.kv_read_bytes_per_gpu, flops, 0.0) == report.step_s
