"""How requests are served, and which: what people set beside the scenario's inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from calc.conversion import convert
from calc.inputs.declaration import OPEN, Number, choice, inputs_of, is_open, number
from calc.inputs.table import Inputs, refusal
from calc.serving.engine import CHUNKED, CONTINUOUS, DISAGGREGATED, STATIC, Rules
from calc.serving.requests import BIMODAL, FIXED, LATEST_S, LOGNORMAL, Mix
from calc.text import quoted
from calc.units import GB, MILLISECOND

#: By name, how requests are put into passes.
POLICIES = {
    "static": STATIC,
    "continuous": CONTINUOUS,
    "chunked": CHUNKED,
    "disaggregated": DISAGGREGATED,
}

#: By name, whether the cache is cut into blocks.
ALLOCATORS = {"contiguous": 0.0, "paged": 1.0}

#: By name, whether what is preempted is copied away and back, or computed again.
PREEMPTIONS = {"recompute": 0.0, "swap": 1.0}

#: By name, how lengths are spread.
LENGTHS = {"fixed": FIXED, "lognormal": LOGNORMAL, "bimodal": BIMODAL}

#: Prompt of a request where none is given: the scenario's own would fill the whole context.
USUAL_PROMPT_LEN = 512.0

#: Of PCIe 5.0 with 16 lanes, each way: over it the cache is swapped to the host. [B/s]
HOST_LINK_BYTES_PER_S = 64 * GB


@dataclass(frozen=True, kw_only=True)
class ServingInputs:
    """How requests are served, and which."""

    policy: str = choice(
        "Serving",
        "continuous",
        POLICIES,
        label="Policy",
        doc="How requests are put into passes: batches that run to their end; a free slot taken "
        "at once; the same with prompts in chunks beside decode; prefill on GPUs of its own.",
    )
    allocator: str = choice(
        "Serving",
        "paged",
        ALLOCATORS,
        label="Allocator",
        doc="Whether a sequence has room for `context` tokens at once, or gets blocks as it grows.",
    )
    preemption: str = choice(
        "Serving",
        "recompute",
        PREEMPTIONS,
        label="Preemption",
        doc="What happens to a sequence that gives way when blocks run out: computed again, or "
        "copied to the host and back at 64 GB/s.",
        only={"allocator": "paged"},
    )
    slots: float = number(
        "Serving",
        OPEN,
        (1, 4096),
        whole=True,
        sets=(),
        label="Slots",
        doc="Sequences in flight at most; as many as `batch` unless given.",
    )
    requests: float = number(
        "Serving",
        1000.0,
        (1, 1_000_000_000),
        whole=True,
        sets=(),
        label="Requests",
        doc="How many requests arrive.",
    )
    rate: float = number(
        "Serving",
        0.0,
        (0, 1_000_000),
        unit="requests/s",
        sets=(),
        label="Rate",
        doc="Requests that arrive per second, at random (Poisson); 0 = all at once.",
    )
    burst: float = number(
        "Serving",
        1.0,
        (1, 1_000_000),
        whole=True,
        sets=(),
        label="Burst",
        doc="Requests that arrive together; the rate stays.",
        unless={"rate": 0.0},
    )
    lengths: str = choice(
        "Serving",
        "lognormal",
        LENGTHS,
        label="Lengths",
        doc="How prompts and outputs spread around `prompt` and `output`, which are their means: "
        "not; as chat does; or chat and one answer in eight that is four means long.",
    )
    chunk: float = number(
        "Serving",
        512.0,
        (1, 2**20),
        whole=True,
        unit="tokens",
        sets=(),
        label="Chunk",
        doc="Prompt tokens beside each decode step where prompts come in chunks.",
        only={"policy": "chunked"},
    )
    block: float = number(
        "Serving",
        16.0,
        (1, 2**20),
        whole=True,
        unit="tokens",
        sets=(),
        label="Block",
        doc="Tokens per block of a paged cache.",
        only={"allocator": "paged"},
    )
    watermark: float = number(
        "Serving",
        0.01,
        (0, 1),
        sets=(),
        label="Watermark",
        doc="Share of the cache that stays free when a request is admitted beside others.",
    )
    seed: float = number(
        "Serving",
        1.0,
        (0, 2147483398),
        whole=True,
        sets=(),
        label="Seed",
        doc="The same seed draws the same requests.",
    )

    ttft_limit: float = number(
        "Serving",
        2.0,
        (0.001, 10_000),
        unit="s",
        sets=(),
        label="First token within",
        doc="An answer counts as good if its first token comes within this time.",
    )
    tpot_limit: float = number(
        "Serving",
        100.0,
        (0.1, 1_000_000),
        unit="ms",
        sets=(),
        label="each next within",
        doc="An answer counts as good if its next tokens come within this time, in the mean.",
    )

    def __post_init__(self) -> None:
        numbers = [key for key, what in SERVING_INPUTS.items() if isinstance(what, Number)]
        convert(self, numbers)
        for key, what in SERVING_INPUTS.items():
            value: Any = getattr(self, key)
            if isinstance(what, Number):
                _check_type(key, value, float, "a number")
                is_taken = bool(what.takes(value))
            else:
                _check_type(key, value, str, "a name")
                is_taken = value in what.table
            if not is_taken:
                raise ValueError(refusal(key, str(value), SERVING_INPUTS))


def _check_type(key: str, value: Any, wanted: type, in_words: str) -> None:
    if not isinstance(value, wanted):
        raise TypeError(f"{key} must be {in_words}, not {quoted(value)}")


#: The inputs of `simulate` beside the scenario's.
SERVING_INPUTS = inputs_of(ServingInputs)

#: Inputs that say what is drawn: a trace of one's own has its own.
OF_DRAWN = ("requests", "lengths", "rate", "burst", "seed", "prompt", "output")


def rules(inputs: Inputs, serving: ServingInputs) -> Rules:
    """How requests are served, from what people set.

    Parameters
    ----------
    inputs : Inputs
        Its `context` is the longest sequence that is served.
    serving : ServingInputs

    Returns
    -------
    Rules

    Raises
    ------
    ValueError
        They ask for speculation, or for several batches at once, which the replay has not.

    Notes
    -----
    A contiguous cache is one block of the longest sequence.

    References
    ----------
    Kwon et al., PagedAttention, 2023 (arXiv:2309.06180), section 3.
    """
    if float(inputs.spec_k) > 0:
        raise ValueError("spec_k: the replay decodes without speculation, leave this key out")
    if float(inputs.dp) * float(inputs.pp) > 1:
        raise ValueError("dp, pp: the replay has one batch at a time, leave these keys out")
    context = float(inputs.context)
    slots = inputs.batch if is_open(serving.slots) else serving.slots
    paged, swaps = ALLOCATORS[serving.allocator] > 0, PREEMPTIONS[serving.preemption] > 0
    return Rules(
        policy=POLICIES[serving.policy],
        n_slots=int(float(slots)),
        chunk_len=serving.chunk,
        block_len=min(serving.block, context) if paged else context,
        max_len=context,
        watermark=serving.watermark,
        swap_bytes_per_s=HOST_LINK_BYTES_PER_S if swaps else 0.0,
    )


def limits_s(serving: ServingInputs) -> tuple[float, float]:
    """Within which a request counts as good: its first token, and each next one in the mean.

    Parameters
    ----------
    serving : ServingInputs

    Returns
    -------
    tuple of two float
        [s]

    Notes
    -----
    TPOT is set in milliseconds.

    References
    ----------
    `replay.is_good`.
    """
    return serving.ttft_limit, serving.tpot_limit * MILLISECOND


def mix(inputs: Inputs, serving: ServingInputs) -> Mix:
    """What requests are like, from what people set.

    Parameters
    ----------
    inputs : Inputs
        Its `prompt` and `output` are means; without a prompt, 512 tokens.
    serving : ServingInputs

    Returns
    -------
    Mix

    Raises
    ------
    ValueError
        The mean request is longer than the longest sequence that is served, or the last one
        comes too late.

    Notes
    -----
    The last one comes after about n / rate, n being the requests, or a burst of more.

    References
    ----------
    `requests.LATEST_S`.
    """
    if serving.rate > 0 and max(serving.requests, serving.burst) / serving.rate > LATEST_S:
        raise ValueError(
            f"rate={serving.rate:g}: the last request comes after more than {LATEST_S:,.0f} s, "
            "where the clock is no longer exact to microseconds; ask for a higher rate, or fewer "
            "requests"
        )
    prompt = USUAL_PROMPT_LEN if is_open(inputs.prompt) else float(inputs.prompt)
    output, context = float(inputs.output), float(inputs.context)
    if prompt + output > context:
        raise ValueError(
            f"prompt={prompt:.0f} and output={output:.0f} are longer than "
            f"context={context:.0f}, the longest sequence that is served"
        )
    return Mix(
        rate_per_s=serving.rate,
        burst=serving.burst,
        lengths=LENGTHS[serving.lengths],
        prompt_len=prompt,
        output_len=output,
        max_len=context,
    )
