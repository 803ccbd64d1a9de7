"""What is right of each shipped exercise, worked by hand from the lessons' formulas.

A step reads the weights once and each reader's cache: bytes / bandwidth. It computes 2 FLOP per
active parameter and reader: FLOPs / peak. It lasts as long as the longer of the two.
"""

from __future__ import annotations

import math
import re

import pytest

from app.exercises.answers import answer, questions, report, setups, value
from app.exercises.check import findings
from app.exercises.read import shipped_course
from app.exercises.record import Exercise
from app.exercises.replays import is_replayed

# The lesson's card, and its model of 32 layers, 32 query heads of size 128, 8 KV heads.
BANDWIDTH, PEAK, HBM = 3.3e12, 990e12, 80e9
N, WEIGHTS = 7e9, 14e9
TOKEN = 2 * 32 * 8 * 128 * 2
CACHE = 8192 * TOKEN

# The H100 of the datasheet, four of them; Llama 3 70B: 80 layers, 8 KV heads of size 128.
FOUR = 4 * 3.35e12
N_70B = 70_553_706_496
TOKEN_70B = 2 * 80 * 8 * 128 * 2


def step_s(readers: float, weights: float = WEIGHTS, cache: float = CACHE) -> float:
    """One step of the lesson's model."""
    return max((weights + readers * cache) / BANDWIDTH, 2 * N * readers / PEAK)


def step_of_70b_s(readers: int, context: int, tokens_each: int = 1) -> float:
    read_s = (2 * N_70B + readers * context * TOKEN_70B) / FOUR
    return max(read_s, 2 * N_70B * readers * tokens_each / (4 * 989.5e12))


def guessed(acceptance: float) -> float:
    """Tokens per pass with four guesses."""
    return sum(acceptance**n for n in range(5))


def gain_of_70b(readers: int, context: int) -> float:
    """Speed with four guesses of a draft a twentieth the size, over the speed without."""
    plain = step_of_70b_s(readers, context)
    cycle = 4 * 0.05 * plain + step_of_70b_s(readers, context, tokens_each=5)
    return guessed(0.7) * plain / cycle


def direction(ratio: float) -> str:
    if abs(ratio - 1) < 0.01:
        return "same"
    return "up" if ratio > 1 else "down"


def usd(readers: int = 8, weights: float = WEIGHTS, price: float = 3.0) -> float:
    """Price per token of requests with 1,000 tokens in and 500 out."""
    prefill_s = 2 * N * 1000 / PEAK
    step = step_s(readers, weights, (1000 + 500 / 2) * TOKEN)
    return price * (prefill_s + 500 * step / readers) / 500


#: Four cards of 80 GiB, 32 GiB of them in reserve.
ROOM_70B = 4 * 80 * 2**30 - 32 * 2**30 - 2 * N_70B
PRICES = {"price": usd(price=2.4), "batch": usd(16), "weights_4bit": usd(weights=WEIGHTS / 4)}
PREFILL_S = 2 * N * 8192 / PEAK
MEAN_STEP_S = step_s(8, cache=(8192 + 500 / 2) * TOKEN)

#: The id of what is right, ids with commas between, or a number in the exercise's unit.
BY_HAND = {
    "what-it-waits-for": "reading" if (WEIGHTS + CACHE) / BANDWIDTH > 2 * N / PEAK else "computing",
    "twice-the-flops": step_s(1) / max((WEIGHTS + CACHE) / BANDWIDTH, N / PEAK),
    "prefill-waits-for": "computing" if PREFILL_S > WEIGHTS / BANDWIDTH else "reading",
    "intensity-is-batch": 2 * N * 16 / (WEIGHTS + 16 * 512 * TOKEN),
    "one-read-for-all": 32 / step_s(32) * step_s(1),
    "what-one-of-them-gets": direction(step_s(1) / step_s(32)),
    "int4-one-reader": step_s(1) / step_s(1, weights=WEIGHTS / 4),
    # Arithmetic stays 16 bit wide, and is longer than reading either way.
    "int4-prefill": direction(PREFILL_S / max(PREFILL_S, WEIGHTS / 4 / BANDWIDTH)),
    "fp8-doubles": (2 * N_70B + 64 * 4096 * TOKEN_70B) / (N_70B + 64 * 4096 * TOKEN_70B),
    "eight-long-conversations": (HBM - WEIGHTS) // (32768 * 2 * 32 * 32 * 128 * 2),
    "what-the-label-promises": ROOM_70B // (131072 * TOKEN_70B),
    "what-a-step-reads-most": "cache" if 125 * 4096 * TOKEN_70B > 2 * N_70B else "weights",
    "guess-ahead": guessed(0.7) / (1 + 4 * 0.05),
    "guess-for-a-crowd": direction(gain_of_70b(256, 512)),
    # A step reads the whole cache, whoever has computed it.
    "the-same-beginning": "same",
    "how-many-experts": 256 * (1 - (1 - 8 / 256) ** 64),
    "what-a-request-costs": 100 * PREFILL_S / (PREFILL_S + 500 * MEAN_STEP_S / 8),
    "what-makes-it-cheaper": ",".join(sorted(PRICES, key=PRICES.__getitem__)),
    # 85 % of the bandwidth; the input embedding of 32,000 · 4,096 weights is not read; each of
    # 32 layers takes 80 µs more.
    "ceiling-and-estimate": 100
    * step_s(1)
    / (step_s(1, weights=WEIGHTS - 2 * 32000 * 4096) / 0.85 + 32 * 80e-6),
    # 66 GB of caches of 4.29 GB: 15; of half of that 30; 76.5 GB of whole ones 17.
    "which-knob-first": "cache",
    "one-long-conversation": 32768 * 2 * 32 * 32 * 128 * 2 / 1e9,
    "it-worked-in-the-test": 100 * (WEIGHTS + 64 * 32768 * TOKEN) / HBM,
    "four-bits-for-the-cache": (66e9 // (32768 * TOKEN / 4)) / (66e9 // (32768 * TOKEN)),
    "the-last-one-writing": 100 * step_s(32) / step_s(1) / 32,
    "guess-for-long-conversations": direction(gain_of_70b(120, 4096)),
    "a-poor-draft": direction(guessed(0.3) / (1 + 4 * 0.25)),
    # A GPU keeps whole heads: one of eight, and one again.
    "sixteen-gpus": direction(max(1, 8 / 16) / (8 / 8)),
    "all-of-them-together": "they-fit" if 64 * 32768 * TOKEN / 4 + 3.5e9 < HBM else "they-do-not",
}


def test_each_has_an_answer_by_hand():
    """Those of the batching lab come after these: see test_replays.py."""
    asked = [each.id for each in shipped_course().exercises if not is_replayed(each.setup)]
    assert asked == list(BY_HAND)


@pytest.mark.parametrize("id_", BY_HAND)
def test_the_answer_is_the_one_by_hand(id_):
    (exercise,) = (each for each in shipped_course().exercises if each.id == id_)
    found, by_hand = answer(exercise), BY_HAND[id_]
    if isinstance(by_hand, str):
        assert ",".join(found.right) == by_hand
    else:
        assert found.value == pytest.approx(by_hand, rel=1e-9)
        nearest = min(exercise.prediction.options, key=lambda each: abs(each - by_hand))
        assert found.right == (f"{nearest:g}",)


def test_the_lessons_table_of_conversations():
    (exercise,) = (e for e in shipped_course().exercises if e.id == "what-the-label-promises")
    by_context = {
        setup["context"]: float(report(setup).max_batch) for setup in setups(exercise).values()
    }
    assert by_context == {1024: 501, 4096: 125, 32768: 15, 131072: 3}


def test_no_answer_turns_with_a_small_change():
    assert [each.id for each in findings(shipped_course()) if each.turns] == []


def everything() -> list[Exercise]:
    course = shipped_course()
    return [*course.exercises, *course.clearing.questions]


@pytest.mark.parametrize("exercise", everything(), ids=lambda each: each.id)
def test_numbers_in_explanations_are_cited(exercise):
    """But for those of the set-up, and the widths of number formats."""
    stated = " ".join([exercise.text, exercise.question])
    allowed = {*re.findall(r"\d+(?:,\d{3})*", stated)}
    allowed |= {f"{each:g}" for each in exercise.setup.values() if not isinstance(each, str)}
    for text in exercise.explain.values():
        plain = re.sub(r"\{[^}]*\}|\b(?:int|fp|bf|FP)\d+\b|\b\d+ bit\b", "", text)
        assert {*re.findall(r"\d+(?:,\d{3})*", plain)} <= allowed


def cited(exercise: Exercise) -> list[float | str]:
    """The values of all places in what is said after the prediction."""
    named = setups(exercise)
    texts = " ".join([*exercise.explain.values(), *(task.say for task in exercise.tasks)])
    found = []
    for place in re.findall(r"\{([\w/-]+\.\w+)\}", texts):
        names, _, quantity = place.partition(".")
        one, _, other = names.partition("/")
        number = value(named[one], quantity)
        found.append(number / value(named[other], quantity) if other else number)
    return found


def test_whatever_is_cited_is_a_number_or_a_word():
    course = shipped_course()
    exercises = [*course.exercises]
    for each in course.clearing.deployments:
        exercises += questions(course.clearing, each)
    for exercise in exercises:
        values = cited(exercise)
        assert values
        assert all(isinstance(each, str) or 0 <= each < math.inf for each in values), exercise.id


#: What the texts say beside numbers: of an exercise, and its reports by the names of set-ups.
CLAIMS = {
    "twice-the-flops": lambda at: at("after").memory_s == at("before").memory_s,
    "intensity-is-batch": lambda at: (
        abs(
            report({"batch": 16, "context": 512, "params_b": 70}).decode_flops_per_byte
            / at("before").decode_flops_per_byte
            - 1
        )
        < 0.05
    ),
    "one-read-for-all": lambda at: at("after").fits and at("most").max_batch == 61,
    "int4-one-reader": lambda at: at("after").bound == at("short_int4").bound == "memory",
    "int4-prefill": lambda at: (
        at("fp8").ttft_s == pytest.approx(at("before").ttft_s / 2)
        and report({"batch": 1, "weights": "int8"}).ttft_s == at("fp8").ttft_s
    ),
    "fp8-doubles": lambda at: (
        at("after").fits
        and at("after").bound == "memory"
        # On all four GPUs together.
        and at("before").weight_bytes == 4 * at("before").weight_bytes_per_gpu
        and at("before").kv_bytes == 4 * at("before").kv_bytes_per_gpu
    ),
    "one-long-conversation": lambda at: (
        at("before").kv_bytes_per_sequence > at("before").weight_bytes
    ),
    "eight-long-conversations": lambda at: not at("after").fits and at("grouped").fits,
    "it-worked-in-the-test": lambda at: at("before").fits and not at("after").fits,
    # However many share the weights, a reader's cache is read for that reader alone.
    "what-a-step-reads-most": lambda at: (
        at("before").ridge_flops_per_byte > 2 * N_70B / (4096 * TOKEN_70B)
        and at("few").kv_read_fraction < 0.5
        # On all four cards together.
        and at("before").weight_bytes == 4 * at("before").weight_bytes_per_gpu
        and at("before").kv_bytes == 4 * at("before").kv_bytes_per_gpu
    ),
    "how-many-experts": lambda at: (
        # On eight GPUs together, of which each keeps its share.
        at("before").weight_bytes == 8 * at("before").weight_bytes_per_gpu
    ),
    "guess-ahead": lambda at: at("after").verify_bound == "memory" and at("after").fits,
    "guess-for-a-crowd": lambda at: (
        at("before").fits and at("after").fits and at("long").fits and at("long").spec_speedup > 2
    ),
    "guess-for-long-conversations": lambda at: (
        at("after").fits and at("after").verify_bound == "memory"
    ),
    "sixteen-gpus": lambda at: (
        at("after").weight_bytes_per_gpu == at("before").weight_bytes_per_gpu / 2
        and at("after").max_batch < 2 * at("before").max_batch
    ),
    "what-a-request-costs": lambda at: at("full").prefill_fraction > at("before").prefill_fraction,
    "what-makes-it-cheaper": lambda at: at("full").fits and at("before").kv_read_fraction < 0.5,
    "which-knob-first": lambda at: not at("best").fits and at("together").fits,
    "all-of-them-together": lambda at: (
        not at("weights_as_before").fits
        and not at("cache_as_before").fits
        and at("before").bound == "memory"
    ),
}


@pytest.mark.parametrize("id_", CLAIMS)
def test_what_an_explanation_claims(id_):
    (exercise,) = (each for each in shipped_course().exercises if each.id == id_)
    named = setups(exercise)
    assert CLAIMS[id_](lambda name: report(named[name]))
