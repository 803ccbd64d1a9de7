"""What is right of the exercises in the batching lab, worked by hand: in steps, and in bytes.

The lesson's 7B model on its card: 14e9 bytes of weights and 131,072 of cache per token at 3.3e12
bytes/s; 14e9 FLOP per token of prompt at 990e12 FLOP/s. What is drawn is given, how it is served
is counted here.
"""

from __future__ import annotations

import heapq
import math

import pytest

from app.build.exercises import exercises_module
from app.exercises.answers import answer, setups, value
from app.exercises.check import turns
from app.exercises.read import read_course, shipped_course
from app.exercises.replays import is_replayed, lab_of, totals
from app.lab import FIELDS
from calc.serving.arrays import arrays
from calc.serving.requests import BIMODAL, LOGNORMAL, Mix, Requests, draw, source
from tests.app.exercises.test_mistakes import REPLAY

BANDWIDTH, PEAK, WEIGHTS, TOKEN = 3.3e12, 990e12, 14e9, 131_072
PROMPT_TOKEN_S = WEIGHTS / PEAK


def outputs(requests: int, lengths: float, prompt: float, output: float) -> list[float]:
    """Lengths of the answers that the first seed draws."""
    drawn = arrays(Requests, requests)
    mix = Mix(0.0, 1.0, lengths, prompt, output, 8192.0)
    draw(mix, source(1.0), drawn, requests)
    return [*drawn.output_len]


def static_steps(lengths: list[float], slots: int) -> float:
    """Steps of batches that run to the end of their longest answer."""
    return sum(max(lengths[at : at + slots]) for at in range(0, len(lengths), slots))


def refilled_steps(lengths: list[float], slots: int) -> float:
    """Steps where a slot takes the next answer as soon as it is free."""
    free_at = [0.0] * slots
    for length in lengths:
        heapq.heapreplace(free_at, free_at[0] + length)
    return max(free_at)


def busy(lengths: list[float], slots: int, steps: float) -> float:
    return sum(lengths) / (slots * steps)


def alike_s(n: int, at_once: int, prompt: int, output: int) -> float:
    """Time for requests that are all alike, so many of them at once."""
    read = WEIGHTS + at_once * (prompt + output / 2) * TOKEN
    each_s = at_once * prompt * PROMPT_TOKEN_S + (output - 1) * read / BANDWIDTH
    return n / at_once * each_s


CHAT = outputs(40, BIMODAL, 512, 200)
BUSY = {
    "slots": busy(CHAT, 16, static_steps(CHAT, 16)),
    # Steps of another length, or half as many of them, are a ratio no more.
    "bandwidth": busy(CHAT, 8, static_steps(CHAT, 8)),
    "shorter": busy(CHAT, 8, static_steps(CHAT, 8)),
    "continuous": busy(CHAT, 8, refilled_steps(CHAT, 8)),
}

#: 66e9 bytes beside the weights, of caches of 32,768 tokens.
AT_FULL_LENGTH = int(66e9 // (32768 * TOKEN))

#: Of 60 chats one GPU prefills what the other one decodes: each at least a read of the weights.
APART_S = sum(max(100 * PROMPT_TOKEN_S, WEIGHTS / BANDWIDTH) for _ in range(60))
CHATS_S = refilled_steps(outputs(60, LOGNORMAL, 100, 300), 16) * WEIGHTS / BANDWIDTH

#: A pause is a prompt between two steps, or a piece of one beside a step. Prompts are lognormal
#: around 2,000 tokens; the median is shorter by exp(1/2).
STEP_S = WEIGHTS / BANDWIDTH
USUAL_PROMPT_S = 2000 * math.exp(-1 / 2) * PROMPT_TOKEN_S
PAUSES = {
    "chunked": (512 + 16) * PROMPT_TOKEN_S,
    "bandwidth": USUAL_PROMPT_S + STEP_S / 2,
    "half": USUAL_PROMPT_S + STEP_S,
    "kv_8bit": USUAL_PROMPT_S + STEP_S,
}

#: The id of what is right, or a number and how near the hand comes to it.
BY_HAND = {
    "waiting-for-the-longest": (static_steps(CHAT, 2) / refilled_steps(CHAT, 2), 0.05),
    "busy-a-third-of-the-time": max(BUSY, key=BUSY.__getitem__),
    "what-paging-buys": (
        alike_s(120, AT_FULL_LENGTH, 512, 200) / alike_s(120, 120, 512, 200),
        0.01,
    ),
    "where-the-pauses-come-from": min(PAUSES, key=PAUSES.__getitem__),
    "a-gpu-for-prefill": ((CHATS_S + APART_S) / CHATS_S, 0.05),
}

REPLAYED = [each for each in shipped_course().exercises if is_replayed(each.setup)]


def shipped(id_: str):
    (exercise,) = (each for each in REPLAYED if each.id == id_)
    return exercise


@pytest.mark.parametrize("id_", BY_HAND)
def test_the_answer_is_the_one_by_hand(id_):
    exercise, by_hand = shipped(id_), BY_HAND[id_]
    found = answer(exercise)
    if isinstance(by_hand, str):
        assert found.right == (by_hand,)
        return
    expected, near = by_hand
    assert found.value == pytest.approx(expected, rel=near)
    nearest = min(exercise.prediction.options, key=lambda it: abs(math.log(it / expected)))
    assert found.right == (f"{nearest:g}",)


def test_the_lab_as_it_opens_does_not_answer_the_first_question():
    # It stands one press away from the question, with as many requests of the same kind.
    static, continuous = (
        totals({"policy": FIELDS[key].default}) for key in ("policy", "other_policy")
    )
    gain = continuous.tokens_per_s / static.tokens_per_s
    exercise = shipped("waiting-for-the-longest")
    nearest = min(exercise.prediction.options, key=lambda it: abs(math.log(it / gain)))
    assert answer(exercise).right != (f"{nearest:g}",)


def test_each_is_worked_by_hand():
    assert [each.id for each in REPLAYED] == list(BY_HAND)


def test_slots_are_busy_by_the_mean_over_the_longest():
    found = answer(shipped("busy-a-third-of-the-time")).values
    # Prefill, in which all slots of a batch are busy, is not counted by hand.
    assert found == pytest.approx(BUSY, rel=0.08)


def test_pauses_last_as_long_as_somebodys_prompt():
    found = answer(shipped("where-the-pauses-come-from")).values
    # One in a hundred is a longer prompt than the usual one, and no shorter than half of it.
    for id_ in ("bandwidth", "half", "kv_8bit"):
        assert PAUSES[id_] / 2 < found[id_] < 4 * PAUSES[id_]
    assert found["chunked"] <= PAUSES["chunked"]


#: What the texts say beside numbers: of an exercise, and a quantity of its set-ups.
CLAIMS = {
    "waiting-for-the-longest": lambda at, also: (
        also("alike", "static") == also("alike", "continuous")
        and at("before", "output_tokens") == at("after", "output_tokens")
    ),
    "busy-a-third-of-the-time": lambda at, _: (
        0.28 < at("before", "slot_utilisation") < 0.38
        and at("slots", "slot_utilisation") < at("before", "slot_utilisation")
        and at("alike", "slot_utilisation") == pytest.approx(1)
    ),
    "what-paging-buys": lambda at, _: (
        at("before", "max_batch") == AT_FULL_LENGTH == 15
        # 120 over 15: that is the wrong answer 8.
        and at("after", "itl_p50_s") > at("before", "itl_p50_s")
    ),
    "where-the-pauses-come-from": lambda at, _: (
        at("best", "prefilled_tokens") == at("before", "prefilled_tokens")
        and 1 < at("best", "ttft_p50_s") / at("before", "ttft_p50_s") < 1.2
        and at("half", "ttft_p50_s") > 10 * at("before", "ttft_p50_s")
        and at("bandwidth", "itl_p50_s") < at("before", "itl_p50_s") / 2
    ),
    "a-gpu-for-prefill": lambda at, _: (
        at("chunked", "itl_p99_s") == pytest.approx(at("after", "itl_p99_s"), rel=0.02)
        and at("after", "n_gpus") == 2 * at("chunked", "n_gpus") == 2
    ),
}


@pytest.mark.parametrize("id_", BY_HAND)
def test_what_an_explanation_claims(id_):
    named = setups(shipped(id_))
    assert CLAIMS[id_](
        lambda name, quantity: value(named[name], quantity),
        lambda name, policy: value({**named[name], "policy": policy}, "tokens_per_s"),
    )


def only(text: str):
    (exercise,) = read_course(text.encode()).exercises
    return exercise


def test_the_lab_has_the_question_first_and_the_answer_second():
    exercise = only(REPLAY)
    lab = lab_of(exercise.setup, setups(exercise)["after"])
    assert lab | {"policy": "static", "other_policy": "continuous", "slots": "2"} == lab
    assert (lab["requests"], lab["allocator"], lab["other_allocator"]) == ("8", "paged", "paged")
    data = exercises_module(read_course(REPLAY.encode()))
    assert '"other_policy": "continuous"' in data
    # Of the scenario alone: what the page computes a report of.
    assert '"setups": {"before": {"output": 20.0}, "after": {"output": 20.0}}' in data


def test_a_single_request_takes_what_the_report_says():
    text = REPLAY.replace(
        "requests = 8, output = 20", 'requests = 1, lengths = "fixed", output = 2'
    )
    text = text.replace(
        'then = { policy = "continuous" }\noptions = [0.6, 0.9]', 'unit = "ms"\ntolerance = 0.1'
    )
    text = text.replace("{after.itl_p99_s} and {after", "{before.itl_p99_s} and {before")
    exercise = only(text)
    # 512 tokens of prompt, and a step that reads the weights and 513 tokens.
    by_hand_s = 512 * PROMPT_TOKEN_S + (WEIGHTS + 513 * TOKEN) / BANDWIDTH
    assert answer(exercise).value == pytest.approx(1e3 * by_hand_s, rel=1e-4)
    # What is asked for itself is told nowhere before.
    with pytest.raises(ValueError, match="it tells makespan_s before the prediction is locked in"):
        only(text.replace("{before.slot_utilisation} of", "{before.makespan_s} of"))


def test_an_answer_that_turns_with_the_draw_is_told():
    # Two of three draws of four requests: whatever lies between their values turns.
    text = REPLAY.replace("requests = 8", 'requests = 4, lengths = "bimodal"')
    values = [
        answer(only(text.replace("slots = 2", f"slots = 2, seed = {seed}"))).value
        for seed in (1, 2)
    ]
    middle = math.sqrt(values[0] * values[1])
    options = f"options = [{middle / 1.2:.6f}, {middle * 1.2:.6f}]"
    found = turns(only(text.replace("options = [0.6, 0.9]", options)))
    assert ("seed", 2.0) in [(each.key, each.value) for each in found]
