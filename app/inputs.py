"""What a reader can set: every input with its bounds, stops, label, unit and meaning.

The command line, the controls and (through `page`) the browser all read this one class.
"""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import Any

import param

from app.errors import InputError
from calc import Scenario, scenario
from calc.architecture.ladder import HEADS_STEP, RUNGS, architecture, gqa_stops
from calc.presets.choices import CHOICES
from calc.presets.models import OWN_MODELS
from calc.units import BILLION

#: Round steps with every rung of the ladder among them. [1e9 parameters]
PARAMS_STOPS = [
    *(0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9),
    *(10, 12, 13, 15, 18, 20, 25, 27, 30, 34, 40, 50, 60, 70, 80, 90),
    *(100, 120, 150, 200, 250, 300, 350, 405, 500, 600, 700, 800, 900, 1000),
]


def doubling_stops(lowest: int, highest: int) -> list[int]:
    """Powers of two from lowest to highest, with 1.5 times each (where whole) between."""
    powers = [2**e for e in range(int(math.log2(lowest)), int(math.log2(highest)) + 1)]
    halves = [3 * p // 2 for p in powers if p > 1 and 3 * p // 2 < highest]
    return sorted({*powers, *halves})


_HEADS = [heads for _, _, heads, _ in RUNGS]
_LADDER_HEADS = range(min(_HEADS), max(_HEADS) + 1, HEADS_STEP)

#: Query heads that the ladder can give → the group sizes that divide them.
HEADS_TO_GQA_STOPS = {heads: gqa_stops(heads) for heads in _LADDER_HEADS}


class Number(param.Number):  # type: ignore[type-arg]
    """A number with the stops of its slider, its unit and its symbol in formulas."""

    __slots__ = ["range", "stops", "symbol", "unit", "whole"]

    def __init__(
        self,
        default: float | None,
        *,
        bounds: tuple[float, float],
        stops: list[Any] | None = None,
        unit: str = "",
        symbol: str = "",
        whole: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(default, bounds=bounds, **settings)
        self.range = bounds
        self.stops = stops or []
        self.unit = unit
        self.symbol = symbol
        self.whole = whole

    def get_range(self) -> dict[str, Any]:
        """The stops by their labels: Panel asks for these as a slider's options."""
        return {f"{stop:,}": stop for stop in self.stops}

    def get_soft_bounds(self) -> tuple[None, None]:
        """None: a slider over stops counts its stops and has no bounds of its own."""
        return None, None

    @property
    def allowed(self) -> str:
        """What this input takes, in words."""
        low, high = self.range
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {low:,} to {high:,}"

    def parse(self, text: str) -> float:
        """The number that a typed text means; ValueError if it is none or out of bounds."""
        value = float(text)
        low, high = self.range
        if not low <= value <= high or (self.whole and value != math.floor(value)):
            raise ValueError
        return value


class Choice(param.Selector):  # type: ignore[type-arg]
    """One of the names of a table in `calc.presets`, which is read when it is needed."""

    __slots__ = ["table"]

    def __init__(self, default: str, *, table: str, **settings: Any) -> None:
        super().__init__(default=default, objects=[default], check_on_set=False, **settings)
        self.table = table

    @property
    def objects(self) -> list[str]:
        """The names."""
        return list(CHOICES[self.table])

    @objects.setter
    def objects(self, names: Any) -> None:
        self.names = {}
        self._objects = names

    def _ensure_value_is_in_objects(self, val: Any) -> None:
        """Nothing: the table is not read until someone looks, and `parse` checks."""

    def get_range(self) -> dict[str, str]:
        """The names, as Panel's controls ask for them."""
        return {name: name for name in self.objects}

    @property
    def allowed(self) -> str:
        """What this input takes, in words."""
        return "one of " + ", ".join(self.objects)

    def parse(self, text: str) -> str:
        """The name itself; ValueError if it is not among the names."""
        if text not in self.objects:
            raise ValueError
        return text


def _flag(symbol: str, doc: str) -> Number:
    """One assumption, on or off; as the set of assumptions has it unless given."""
    return Number(
        None,
        allow_None=True,
        bounds=(0, 1),
        whole=True,
        symbol=symbol,
        doc=f"{doc} 1 = yes, 0 = no.",
    )


class Inputs(param.Parameterized):
    """The scenario as people set it. Defaults are the serving lesson's."""

    params_b = Number(
        7,
        bounds=(0.5, 1000),
        stops=PARAMS_STOPS,
        unit="B",
        symbol="N/10⁹",
        label="Parameters",
        doc="Size of the model in billions of parameters. Layers and heads follow the "
        "published Llama-style models, in between interpolated.",
    )
    gqa = Number(
        4,
        bounds=(1, 128),
        stops=gqa_stops(32),
        symbol="g",
        whole=True,
        label="GQA group size, g",
        doc="How many query heads share one pair of key and value. 1 is multi-head "
        "attention (MHA); the cache shrinks by exactly g.",
    )
    context = Number(
        8192,
        bounds=(1, 2**20),
        stops=doubling_stops(512, 2**20),
        unit="tokens",
        symbol="T",
        whole=True,
        label="Context, T",
        doc="Tokens that each sequence holds in its KV cache.",
    )
    batch = Number(
        8,
        bounds=(1, 1024),
        stops=doubling_stops(1, 1024),
        unit="sequences",
        symbol="B",
        whole=True,
        label="Batch, B",
        doc="Sequences in flight: they all get one token per decode step.",
    )
    weights = Choice(
        default="bf16",
        table="weights",
        label="Weights",
        doc="Number format of the weights. fp8 and int8 also multiply at the 8-bit rate; "
        "int4 is weight-only and multiplies in bf16.",
    )
    kv = Choice(
        default="bf16",
        table="kv",
        label="KV cache",
        doc="Number format of the cached keys and values.",
    )
    spec_k = Number(
        0,
        bounds=(0, 8),
        stops=list(range(9)),
        unit="tokens",
        symbol="k",
        whole=True,
        label="Drafted tokens, k",
        doc="Speculative decoding: tokens that a small draft model proposes for each "
        "pass of the big one. 0 switches it off.",
    )
    alpha = Number(
        0.7,
        bounds=(0, 1),
        stops=[step / 100 for step in range(101)],
        symbol="α",
        label="Acceptance, α",
        doc="Chance that the big model accepts a drafted token.",
    )
    draft_cost = Number(
        0.05,
        bounds=(0, 1),
        symbol="c",
        label="Draft size",
        doc="Size and step time of the draft model as a share of the big one.",
    )
    gpu = Choice(default="h100-80gb-lesson", table="gpu", doc="GPU preset.")
    assumptions = Choice(
        default="lesson",
        table="assumptions",
        doc="What the roofline leaves out: the lesson's ideal leaves out everything.",
    )
    prompt = Number(
        None,
        allow_None=True,
        bounds=(1, 2**20),
        unit="tokens",
        symbol="P",
        whole=True,
        doc="Prompt of one request; as long as the context unless given.",
    )
    output = Number(
        500,
        bounds=(1, 2**20),
        unit="tokens",
        symbol="O",
        whole=True,
        doc="Output of one request.",
    )
    usd_per_gpu_hour = Number(
        3.0, bounds=(0, 1000), unit="USD/h", symbol="price", doc="Price of one GPU hour."
    )
    prefix_hit = Number(
        0, bounds=(0, 1), symbol="hit", doc="Share of the prompt that is in the cache already."
    )
    model = Choice(
        default="7b-class",
        table="model",
        doc="A published model. 7b-class and custom follow the parameters, g and the "
        "architecture below; any other model is what its config.json says.",
    )
    active_b = Number(
        None,
        allow_None=True,
        bounds=(0.01, 1000),
        unit="B",
        symbol="N_active/10⁹",
        doc="Active parameters of an own MoE model; all, unless given. Needs experts.",
    )
    layers = Number(
        None,
        allow_None=True,
        bounds=(1, 1000),
        whole=True,
        symbol="L",
        doc="Own model: layers.",
    )
    heads = Number(
        None,
        allow_None=True,
        bounds=(1, 1024),
        whole=True,
        symbol="h",
        doc="Query heads of an own model.",
    )
    kv_heads = Number(
        None,
        allow_None=True,
        bounds=(1, 1024),
        whole=True,
        symbol="n_kv",
        doc="KV heads of an own model; heads / g unless given.",
    )
    d_head = Number(
        None,
        allow_None=True,
        bounds=(1, 1024),
        whole=True,
        symbol="d_head",
        doc="Head size of an own model.",
    )
    d_model = Number(
        None,
        allow_None=True,
        bounds=(1, 2**17),
        whole=True,
        symbol="d",
        doc="Own model: width.",
    )
    vocab = Number(
        32000, bounds=(1, 2**20), whole=True, symbol="V", doc="Rows of an own model's embedding."
    )
    experts = Number(
        0, bounds=(0, 4096), whole=True, symbol="E", doc="Routed experts per layer; 0 = dense."
    )
    top_k = Number(0, bounds=(0, 4096), whole=True, symbol="k_E", doc="Experts per token.")
    gpus = Number(
        1, bounds=(1, 64), whole=True, symbol="n", doc="GPUs that share the model, tensor-parallel."
    )
    bandwidth_factor = Number(
        1, bounds=(0.1, 100), symbol="×BW", doc="What if HBM were so many times as fast?"
    )
    peak_factor = Number(
        1, bounds=(0.1, 100), symbol="×peak", doc="What if arithmetic were so many times as fast?"
    )
    acceptance = Choice(
        default="constant",
        table="acceptance",
        doc="Measured tokens per pass instead of a constant acceptance.",
    )
    mbu = Number(
        None,
        allow_None=True,
        bounds=(0.01, 1),
        symbol="mbu",
        doc="Share of HBM bandwidth reached.",
    )
    mfu = Number(
        None, allow_None=True, bounds=(0.01, 1), symbol="mfu", doc="Share of the peak reached."
    )
    mfu_prefill = Number(
        None, allow_None=True, bounds=(0.01, 1), symbol="mfu_P", doc="The same, in prefill only."
    )
    mfu_decode = Number(
        None, allow_None=True, bounds=(0.01, 1), symbol="mfu_D", doc="The same, in decode only."
    )
    usable = Number(
        None, allow_None=True, bounds=(0.01, 1), symbol="usable", doc="Share of HBM in use at most."
    )
    reserve_gb = Number(
        None,
        allow_None=True,
        bounds=(0, 1000),
        unit="GB",
        symbol="reserve",
        doc="Kept free on each GPU for activations and workspace.",
    )
    overlap = Choice(
        default="assumed",
        table="overlap",
        doc="Whether a whole step overlaps memory with arithmetic, or each operator does.",
    )

    attention = _flag("attention", "Whether attention's own FLOPs are counted.")
    kv_write = _flag("write", "Whether the cache that prefill writes is counted.")
    input_table = _flag("table", "Whether a step reads all of an input embedding of its own.")
    driver_capacity = _flag("driver", "Whether HBM is as large as the driver says, not the vendor.")
    real_checkpoint = _flag(
        "checkpoint", "Whether quantised weights bring their scales and their 16-bit tables."
    )
    communication = _flag("comms", "Whether what the GPUs tell each other takes time.")
    allreduce_us = Number(
        None,
        allow_None=True,
        bounds=(0, 10_000),
        unit="µs",
        symbol="t_lat",
        doc="Latency of one all-reduce between GPUs.",
    )
    step_overhead_ms = Number(
        None,
        allow_None=True,
        bounds=(0, 1000),
        unit="ms",
        symbol="overhead",
        doc="Time per step that is neither memory nor arithmetic.",
    )
    batched_tokens = Number(
        None,
        allow_None=True,
        bounds=(1, 2**20),
        whole=True,
        unit="tokens",
        symbol="chunk",
        doc="Most tokens that an engine brings in per step: what a sliding window reserves.",
    )

    def scenario(self) -> Scenario:
        """The validated `calc` scenario of these inputs.

        Raises
        ------
        InputError
            The group size does not divide the query heads, or the inputs contradict
            each other.
        """
        follows_ladder = self.model in OWN_MODELS and self.heads is None
        heads = int(architecture(self.params_b * BILLION)[1])
        if follows_ladder and self.kv_heads is None and self.gqa not in HEADS_TO_GQA_STOPS[heads]:
            raise InputError(f"gqa={self.gqa:g}: {group_sizes(heads)}")
        given = {key: getattr(self, key) for key in keys()}
        values: dict[str, Any] = {k: math.nan if v is None else v for k, v in given.items()}
        try:
            return scenario(**values).validate()
        except ValueError as problem:
            raise InputError(str(problem)) from None

    @classmethod
    def from_texts(cls, texts: dict[str, str]) -> Inputs:
        """Inputs from typed texts, such as the command line's.

        Parameters
        ----------
        texts : dict of str to str
            Input → what was typed.

        Raises
        ------
        InputError
            Names the first key or value that is not allowed, and what is.
        """
        values = {}
        for key, text in texts.items():
            if key not in keys():
                allowed = ", ".join(keys())
                raise InputError(f"{key}: unknown key; {_meant(key, keys())}allowed are {allowed}")
            parameter = cls.param[key]
            try:
                values[key] = parameter.parse(text)
            except ValueError:
                meant = _meant(text, getattr(parameter, "objects", []))
                raise InputError(f"{key}={text}: {meant}allowed is {parameter.allowed}") from None
        model = values.get("model")
        if model and model not in OWN_MODELS:
            for key in MODEL_KEYS:
                if key in values:
                    raise InputError(f"{key}: {model} has its own, leave this key out")
        return cls(**values)


#: Inputs that say what an own model is: a published one and a config.json have their own.
MODEL_KEYS = (
    *("params_b", "active_b", "gqa", "layers", "heads", "kv_heads", "d_head"),
    *("d_model", "vocab", "experts", "top_k"),
)

#: Inputs that change one field of the set of assumptions.
ASSUMPTION_KEYS = (
    *("mbu", "mfu", "mfu_prefill", "mfu_decode", "usable", "reserve_gb", "overlap"),
    *("attention", "kv_write", "input_table", "driver_capacity", "real_checkpoint"),
    *("communication", "allreduce_us", "step_overhead_ms", "batched_tokens"),
)


def _meant(text: str, names: list[str]) -> str:
    """What somebody may have meant, as a question; nothing where no name is close."""
    close = get_close_matches(text, names, n=3, cutoff=0.7)
    return f"did you mean {' or '.join(close)}? " if close else ""


def keys() -> list[str]:
    """The names of all inputs, in the order in which they are shown."""
    return [name for name in Inputs.param if name != "name"]


def group_sizes(n_heads: int) -> str:
    """Which group sizes a model with so many query heads allows, in words."""
    *most, last = map(str, gqa_stops(n_heads))
    return f"g must divide the {n_heads} query heads of this size: {', '.join(most)} or {last}"
