"""The batching lab's own settings: which requests come, and how each of two replays serves them.

What they mean and take is `calc.serving`'s; here is how the page calls them, and where they begin.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace

from app.contract import Setting
from calc.inputs.declaration import Choice, Number
from calc.quantity import Value
from calc.serving.inputs import SERVING_INPUTS, ServingInputs


@dataclass(frozen=True)
class Field:
    """A setting of the lab: the input that it sets, its label and default here, its names."""

    input: Number | Choice
    label: str
    default: str
    names: dict[str, str] = field(default_factory=dict)

    @property
    def meaning(self) -> str:
        """What it says, in a few words."""
        first = re.split(r"[.:;]", self.input.doc)[0]
        return first[0].lower() + first[1:]

    @property
    def unit(self) -> str:
        """What stands behind a number."""
        return self.input.unit if isinstance(self.input, Number) else ""


def _of(key: str, label: str, default: str, names: dict[str, str] | None = None) -> Field:
    return Field(SERVING_INPUTS[key], label, default, names or {})


_POLICIES = {
    "static": "Static batch",
    "continuous": "Continuous batch",
    "chunked": "Chunked prefill",
    "disaggregated": "Prefill on GPUs of its own",
}
_ALLOCATORS = {"paged": "paged, in blocks", "contiguous": "contiguous, at full length"}
_PREEMPTIONS = {"recompute": "is computed again", "swap": "is copied away and back"}
_LENGTHS = {"bimodal": "chat and a few long", "lognormal": "as chat's", "fixed": "all alike"}

#: By their keys in the address.
FIELDS = {
    "requests": _of("requests", "Requests", "40"),
    "lengths": _of("lengths", "Lengths", "bimodal", _LENGTHS),
    "rate": _of("rate", "Arrivals", "0"),
    "slots": _of("slots", "Slots", "8"),
    "chunk": _of("chunk", "Chunk", "512"),
    "block": _of("block", "Block", "16"),
    "preemption": _of("preemption", "Who gives way", "recompute", _PREEMPTIONS),
    "watermark": _of("watermark", "Kept free", "0.01"),
    "burst": _of("burst", "In groups of", "1"),
    "seed": _of("seed", "Draw", "1"),
    "policy": _of("policy", "First", "static", _POLICIES),
    "allocator": _of("allocator", "memory", "paged", _ALLOCATORS),
    "other_policy": _of("policy", "Second", "continuous", _POLICIES),
    "other_allocator": _of("allocator", "memory", "paged", _ALLOCATORS),
    "ttft_limit": _of("ttft_limit", "First token within", "2"),
    "tpot_limit": _of("tpot_limit", "each next within", "100"),
}

#: Those of the trace and of both engines; those that few need; waits that the reader allows; of
#: each replay.
SHARED = ("requests", "rate", "slots", "chunk", "lengths")
MORE = ("block", "watermark", "burst", "seed", "preemption")
LIMITS = ("ttft_limit", "tpot_limit")
REPLAYS = {"first": ("policy", "allocator"), "second": ("other_policy", "other_allocator")}

#: No more is replayed while a reader waits; of a trace of one's own, of which a picture is all
#: that is wanted, these lines and bytes.
MOST = {"requests": 2000, "slots": 256}
MOST_LINES, MOST_BYTES = 10_000, 2_000_000

#: Blocks that a reader waits for, in a replay; in each of many, such as those of the load curve and
#: of an exercise. [count]
MOST_BLOCKS, MOST_BLOCKS_OF_MANY = 2_000_000, 250_000


def blocks_per_request(
    prompt_len: Value, output_len: Value, block_len: Value, chunk_len: Value, n_slots: Value
) -> Value:
    """How long the replay of a request takes here, in blocks that are taken meanwhile.

    Parameters
    ----------
    prompt_len, output_len : scalar
        In the mean. [tokens]
    block_len, chunk_len : scalar
        Of a block, and of a piece of a prompt; infinite where prompts are in one piece. [tokens]
    n_slots : scalar
        [count]

    Returns
    -------
    scalar
        [count]

    Notes
    -----
    o/block + s/chunk · slots: a piece is a pass of its own, which looks at each slot, and that
    takes as long as a block. Measured in Node and in Python, to within a factor of a few.
    """
    return output_len / block_len + prompt_len / chunk_len * n_slots


def blocks_each(
    serving: ServingInputs, prompt_len: float, output_len: float, n_slots: float
) -> float:
    """The same of a request that is served so. [count]"""
    chunk_len = serving.chunk if serving.policy == "chunked" else math.inf
    return float(blocks_per_request(prompt_len, output_len, serving.block, chunk_len, n_slots))


def _taken(key: str) -> Number | Choice:
    """What a setting takes while a reader waits."""
    each = FIELDS[key].input
    if isinstance(each, Choice) or key not in MOST:
        return each
    return replace(each, range=(each.range[0], MOST[key]))


#: What one replay takes, by its keys in `simulate`.
OF_ONE = {key: _taken(key) for key in (*SHARED, *MORE, *REPLAYS["first"])}


def lab_settings() -> dict[str, Setting]:
    """The lab's settings by their keys, as the address has them.

    Returns
    -------
    dict of str to Setting
    """
    return {key: _setting(key, each) for key, each in FIELDS.items()}


def _setting(key: str, each: Field) -> Setting:
    meaning = f"in the view `lab`: {each.meaning}"
    what = _taken(key)
    if isinstance(what, Choice):
        return Setting(meaning, "option", key, each.default, tuple(what.table))
    return Setting(
        meaning, "number", key, each.default, range=what.range, whole=what.whole, unit=each.unit
    )


@dataclass(frozen=True)
class LabChart:
    """A chart of both replays: its title, and what its axes show."""

    title: str
    axes: str


CHARTS = {
    "gaps": LabChart("One reader’s waits", "wait for each token, over the time since the first"),
    "load": LabChart("Under load", "first token within, 99 in 100; requests per second"),
}
