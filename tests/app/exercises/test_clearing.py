"""The clearing test: what is right of its dense deployments, worked by hand.

Output per second = O / (prefill + O · step / (tokens per step · readers)). A pass lasts as long as
the longer of reading and computing; the cache is that of the mean, prompt and half of the output.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from app.exercises.answers import answer, questions
from app.exercises.read import shipped_course

CLEARING = shipped_course().clearing


@dataclass(frozen=True)
class Served:
    """A deployment: parameters, cached numbers per token, card (B/s, FLOP/s in 16 and 8 bit)."""

    n_params: float
    cached: float
    card: tuple[float, float, float]
    gpus: int
    bytes_per_weight: float
    readers: int
    prompt: int
    output: int
    acceptance: float
    bytes_per_kv: float = 2
    computed: float = 1
    guesses: int = 0

    def pass_s(self, tokens: float, cache_len: float) -> float:
        """So many tokens through the model, beside so many cached ones."""
        bandwidth, peak_16, peak_8 = (each * self.gpus for each in self.card)
        read = self.n_params * self.bytes_per_weight + cache_len * self.cached * self.bytes_per_kv
        peak = peak_8 if self.bytes_per_weight == 1 else peak_16
        return max(read / bandwidth, 2 * self.n_params * tokens / peak)

    def prefill_s(self) -> float:
        return self.pass_s(self.prompt * self.computed, 0)

    def token_s(self) -> float:
        """Time per token of one reader."""
        cache_len = self.readers * (self.prompt + self.output / 2)
        plain = self.pass_s(self.readers, cache_len)
        verify = self.pass_s(self.readers * (1 + self.guesses), cache_len)
        tokens = sum(self.acceptance**n for n in range(self.guesses + 1))
        return (self.guesses * 0.05 * plain + verify) / tokens

    def decode_s(self) -> float:
        """Decode's share of the time for a request."""
        return self.output * self.token_s() / self.readers

    def rate(self) -> float:
        return self.output / (self.prefill_s() + self.decode_s())

    def levers(self) -> dict[str, float]:
        return {
            "batch": replace(self, readers=2 * self.readers).rate(),
            "prefix": replace(self, computed=0.5).rate(),
            "kv_8bit": replace(self, bytes_per_kv=1).rate(),
            "weights_4bit": replace(self, bytes_per_weight=0.5).rate(),
            "speculation": replace(self, guesses=4).rate(),
        }


#: Bandwidth, 16-bit and 8-bit peak of the datasheets; Apple's chip and the A100 have no fp8.
RTX_4090 = (1.008e12, 165.2e12, 660.6e12)
M2_ULTRA = (0.8e12, 27.2e12, 27.2e12)
L4 = (0.3e12, 121e12, 242e12)
A100 = (2.039e12, 312e12, 624e12)
H100 = (3.35e12, 989.5e12, 1979e12)
H200 = (4.8e12, 989.5e12, 1979e12)

#: Parameters; keys and values of all layers and KV heads, of size 128.
LLAMA_2_7B = 6_738_415_616, 2 * 32 * 32 * 128
LLAMA_2_13B = 13_015_864_320, 2 * 40 * 40 * 128
LLAMA_3_8B = 8_030_261_248, 2 * 32 * 8 * 128
LLAMA_3_70B = 70_553_706_496, 2 * 80 * 8 * 128
LLAMA_3_405B = 405_853_388_800, 2 * 126 * 8 * 128
MISTRAL_LARGE = 122_610_069_504, 2 * 88 * 8 * 128
QWEN25_7B = 7_615_616_512, 2 * 28 * 4 * 128
QWEN3_32B = 32_762_123_264, 2 * 64 * 8 * 128

#: By the deployment's id: itself, where the time goes, and the best lever.
BY_HAND = {
    "editor": (Served(*LLAMA_3_8B, RTX_4090, 1, 2, 1, 1000, 60, 0.6), "decode", "weights_4bit"),
    "workstation": (
        Served(*LLAMA_3_70B, M2_ULTRA, 1, 1, 1, 500, 500, 0.8),
        "decode",
        "speculation",
    ),
    "assistant": (Served(*LLAMA_3_70B, H100, 4, 1, 32, 1000, 500, 0.4), "decode", "batch"),
    "contracts": (Served(*LLAMA_3_8B, H100, 1, 2, 16, 24000, 200, 0.5), "prefill", "prefix"),
    "search": (Served(*LLAMA_3_70B, H100, 4, 2, 32, 8000, 150, 0.6), "prefill", "prefix"),
    "sorting": (Served(*QWEN25_7B, L4, 1, 2, 8, 3000, 10, 0.5), "prefill", "prefix"),
    "code": (Served(*LLAMA_3_70B, H200, 2, 1, 16, 2000, 1000, 0.85), "decode", "speculation"),
    "reasoning": (Served(*QWEN3_32B, H100, 2, 1, 32, 500, 12000, 0.8), "decode", "speculation"),
    "largest": (Served(*LLAMA_3_405B, H100, 8, 1, 8, 300, 800, 0.75), "decode", "speculation"),
    "stories": (Served(*LLAMA_2_7B, RTX_4090, 1, 1, 6, 2000, 1000, 0.3), "decode", "kv_8bit"),
    "characters": (Served(*LLAMA_2_13B, A100, 1, 1, 18, 3000, 1000, 0.3), "decode", "kv_8bit"),
    "letters": (Served(*MISTRAL_LARGE, H100, 4, 1, 8, 2000, 600, 0.4), "decode", "batch"),
}

#: The others route their tokens to experts.
OF_EXPERTS = {"experts-busy": "speculation", "experts-quiet": "weights_4bit"} | {
    "small-experts": "weights_4bit"
}


def answers(id_: str):
    (deployment,) = (each for each in CLEARING.deployments if each.id == id_)
    return map(answer, questions(CLEARING, deployment))


def test_each_deployment_has_its_answers_by_hand():
    ids = {each.id for each in CLEARING.deployments}
    assert ids == BY_HAND.keys() | OF_EXPERTS.keys()
    assert len(ids) >= 12
    assert CLEARING.drawn == 5


@pytest.mark.parametrize("id_", BY_HAND)
def test_the_answers_are_those_by_hand(id_):
    served, part, best = BY_HAND[id_]
    phase, lever, gain = answers(id_)
    share = served.prefill_s() / (served.prefill_s() + served.decode_s())
    assert phase.right == (part,)
    assert phase.value == pytest.approx(share)
    assert lever.right == (best,)
    assert lever.values == pytest.approx(served.levers())
    assert gain.value == pytest.approx(served.levers()[best] / served.rate())


@pytest.mark.parametrize("id_", OF_EXPERTS)
def test_the_best_lever_where_tokens_choose_experts(id_):
    phase, lever, gain = answers(id_)
    assert phase.right == ("decode",)
    assert lever.right == (OF_EXPERTS[id_],)
    assert gain.value > 1.5


def test_every_lever_is_the_best_one_more_than_once():
    best = [best for _, _, best in BY_HAND.values()] + list(OF_EXPERTS.values())
    assert all(best.count(lever) > 1 for lever in ("batch", "prefix", "kv_8bit"))
    assert {*best} == {"batch", "prefix", "kv_8bit", "weights_4bit", "speculation"}


def test_the_touched_experts_make_speculation_a_loss_at_night():
    # Of 256 experts 4 tokens touch 256 · (1 − (1 − 8/256)^4), 20 tokens many more.
    plain, checked = (256 * (1 - (1 - 8 / 256) ** tokens) for tokens in (4, 20))
    assert checked / plain > 3.9
    _, lever, _ = answers("experts-quiet")
    assert lever.values["speculation"] < lever.values["prefix"]
