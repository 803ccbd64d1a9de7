"""Every input that people set, once; and the full scenario that they describe.

The keywords of `scenario`, the keys of the address and of the command line, the page's
controls and the documentation's list are all made from this one table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from inspect import signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

from calc.architecture.sizes import gqa_stops, usual_architecture
from calc.conversion import check_record, convert
from calc.formulas.moe import n_expert_params
from calc.presets.acceptances import ACCEPTANCES
from calc.presets.assumptions import ASSUMPTIONS, OVERLAPS, Overlap
from calc.presets.formats import KV_FORMATS, WEIGHT_FORMATS
from calc.presets.hardware import GPUS, OWN_GPU, gpu_rows
from calc.presets.models import MODELS, OWN_MODELS, model_rows
from calc.primitives import floor, given, maximum, minimum, where
from calc.quantity import Flag, Value, Word
from calc.rules import RULES, broken
from calc.scenario import (
    AcceptedTokens,
    Assumptions,
    Gpu,
    KvFormat,
    Model,
    Precision,
    Scenario,
    Speculation,
    WeightFormat,
    Workload,
)
from calc.text import shortened, suggestion
from calc.units import BILLION, GB, MICROSECOND, MILLISECOND, TERA

_Record = TypeVar("_Record")
_Keywords = ParamSpec("_Keywords")

_NAN = float("nan")

#: What is divided by less would overflow.
SMALLEST = 1e-9


@dataclass(frozen=True, kw_only=True)
class Number:
    """An input that is a number: what it is called, means and takes, and what it sets.

    `default` is NaN where the model or the set of assumptions decides. `sets` names fields of
    the scenario's records, in their unit after multiplying by `factor`; `symbol` is stated
    where it is not the field's.
    """

    group: str
    label: str
    doc: str
    default: float
    range: tuple[float, float]
    whole: bool = False
    stops: tuple[float, ...] = ()
    unit: str = ""
    symbol: str = ""
    sets: tuple[str, ...]
    factor: float = 1.0

    @property
    def allowed(self) -> str:
        """What this input takes, in words."""
        low, high = self.range
        return f"{'a whole number' if self.whole else 'a number'} from {low:,} to {high:,}"

    @property
    def usual(self) -> str:
        """The default in words; "" where there is none."""
        return "" if math.isnan(self.default) else f"{self.default:g}"

    def takes(self, value: Value) -> Flag:
        """Whether a value is in the range; open (NaN) is, where the default is.

        Between 0 and `SMALLEST` is nothing that anybody means.
        """
        low, high = self.range
        value = self._filled(value)
        within = where(value < SMALLEST, low, minimum(maximum(value, low), high))
        return value == (floor(within) if self.whole else within)

    def suits(self, value: Value) -> Flag:
        """Whether formulas can take a value, in its range or not: it is finite and not negative.

        Nor 0, unless the range begins there: they divide by it.
        """
        value = self._filled(value)
        return (value >= 0 if self.range[0] == 0 else value > 0) & (value < math.inf)

    def _filled(self, value: Value) -> Value:
        """A value, or one that this input takes where it may be open and is."""
        return given(value, self.range[0]) if math.isnan(self.default) else value


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An input that is one of the names of a table of records, read when it is needed.

    `listed` says in words where the names stand, if they are too many for a sentence.
    """

    group: str
    label: str
    doc: str
    default: str
    table: Mapping[str, Any]
    listed: str = ""

    @property
    def record(self) -> type:
        """What a name stands for."""
        return type(self.table[self.default])

    @property
    def allowed(self) -> str:
        """What this input takes, in words."""
        return self.listed or f"one of {', '.join(self.table)}"

    @property
    def usual(self) -> str:
        """The default."""
        return self.default


def _number(group: str, default: float, range: tuple[float, float], **words: Any) -> Any:
    number = Number(group=group, default=default, range=range, **words)
    return field(default=default, metadata={"input": number})


def _choice(group: str, default: str, table: Mapping[str, Any], **words: Any) -> Any:
    choice = Choice(group=group, default=default, table=table, **words)
    return field(default=default, metadata={"input": choice})


def _figure(sets: str, range: tuple[float, float], factor: float, **words: Any) -> Any:
    """One figure of an own card."""
    return _number("Hardware", _NAN, range, sets=(sets,), factor=factor, **words)


def _assumption(sets: str, range: tuple[float, float], **words: Any) -> Any:
    """One field of the set of assumptions, as the set has it unless given."""
    return _number("Assumptions", _NAN, range, sets=(sets,), **words)


def _effect(sets: str, *, label: str, doc: str) -> Any:
    """One effect that the set of assumptions counts or leaves out."""
    return _assumption(sets, (0, 1), whole=True, label=label, doc=f"{doc} 1 = yes, 0 = no.")


def _doubling_stops(lowest: int, highest: int) -> tuple[int, ...]:
    """Powers of two from lowest to highest, with 1.5 times each (where whole) between."""
    powers = [2**e for e in range(int(math.log2(lowest)), int(math.log2(highest)) + 1)]
    halves = [3 * p // 2 for p in powers if p > 1 and 3 * p // 2 < highest]
    return tuple(sorted({*powers, *halves}))


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The scenario as people set it. Defaults are the serving lesson's; NaN = not given.

    What is neither a number that formulas can take nor a name is refused at once. `validate`
    refuses the rest: formulas go beyond the ranges, and a mean of counts need not be whole.
    """

    model: str | Model = _choice(
        "Model",
        "7b-class",
        MODELS,
        listed=f"{', '.join(OWN_MODELS)}, or a name that `decode-arithmetic models` lists",
        label="Model",
        doc="A published model. 7b-class and custom follow the parameters, g and the "
        "architecture below; any other model is what its config.json says.",
    )
    params_b: Value = _number(
        "Model",
        7.0,
        (0.5, 1000),
        # Round steps with every published size among them.
        stops=(
            *(0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9),
            *(10, 12, 13, 15, 18, 20, 25, 27, 30, 34, 40, 50, 60, 70, 80, 90),
            *(100, 120, 150, 200, 250, 300, 350, 405, 500, 600, 700, 800, 900, 1000),
        ),
        unit="billion",
        symbol="N/10⁹",
        sets=("n_params",),
        factor=BILLION,
        label="Parameters",
        doc="Size of the model in billions of parameters. Layers and heads follow the "
        "published Llama-style models, in between interpolated.",
    )
    gqa: Value = _number(
        "Model",
        4.0,
        (1, 128),
        whole=True,
        stops=tuple(gqa_stops(32)),
        symbol="g",
        sets=("full_n_kv_heads",),
        label="GQA group size, g",
        doc="How many query heads share one pair of key and value. 1 is multi-head "
        "attention (MHA); the cache shrinks by exactly g.",
    )
    layers: Value = _number(
        "Model",
        _NAN,
        (1, 1000),
        whole=True,
        sets=("n_layers",),
        label="Layers",
        doc="Layers of an own model.",
    )
    heads: Value = _number(
        "Model",
        _NAN,
        (1, 1024),
        whole=True,
        sets=("n_heads",),
        label="Query heads",
        doc="Query heads of an own model.",
    )
    kv_heads: Value = _number(
        "Model",
        _NAN,
        (1, 1024),
        whole=True,
        sets=("full_n_kv_heads",),
        label="KV heads",
        doc="KV heads of an own model; heads / g unless given.",
    )
    d_head: Value = _number(
        "Model",
        _NAN,
        (1, 1024),
        whole=True,
        sets=("full_d_head",),
        label="Head size",
        doc="Head size of an own model.",
    )
    d_model: Value = _number(
        "Model",
        _NAN,
        (1, 2**17),
        whole=True,
        sets=("d_model",),
        label="Width",
        doc="Width of an own model; heads times head size unless given.",
    )
    vocab: Value = _number(
        "Model",
        32000.0,
        (1, 2**20),
        whole=True,
        symbol="V",
        sets=("n_input_table",),
        label="Vocabulary",
        doc="Rows of an own model's embedding.",
    )
    active_b: Value = _number(
        "Model",
        _NAN,
        (0.01, 1000),
        unit="billion",
        symbol="N_active/10⁹",
        sets=("n_active",),
        factor=BILLION,
        label="Active parameters",
        doc="Active parameters of an own MoE model; all, unless given. Needs experts.",
    )
    experts: Value = _number(
        "Model",
        0.0,
        (0, 4096),
        whole=True,
        sets=("n_experts",),
        label="Experts",
        doc="Routed experts per layer; 0 = dense.",
    )
    top_k: Value = _number(
        "Model",
        0.0,
        (0, 4096),
        whole=True,
        sets=("n_experts_per_token",),
        label="Experts per token",
        doc="Experts per token.",
    )

    context: Value = _number(
        "Workload",
        8192.0,
        (1, 2**20),
        whole=True,
        stops=_doubling_stops(512, 2**20),
        unit="tokens",
        sets=("context_len",),
        label="Context, T",
        doc="Tokens that each sequence holds in its KV cache.",
    )
    batch: Value = _number(
        "Workload",
        8.0,
        (1, 1024),
        whole=True,
        stops=_doubling_stops(1, 1024),
        unit="sequences",
        sets=("batch",),
        label="Batch, B",
        doc="Sequences in flight: they all get one token per decode step.",
    )

    weights: str | WeightFormat = _choice(
        "Precision",
        "bf16",
        WEIGHT_FORMATS,
        label="Weights",
        doc="Number format of the weights. fp8 and int8 also multiply at the 8-bit rate; "
        "int4 is weight-only and multiplies in bf16.",
    )
    kv: str | KvFormat = _choice(
        "Precision",
        "bf16",
        KV_FORMATS,
        label="KV cache",
        doc="Number format of the cached keys and values.",
    )

    spec_k: Value = _number(
        "Speculation",
        0.0,
        (0, 8),
        whole=True,
        stops=tuple(range(9)),
        unit="tokens",
        sets=("n_drafted",),
        label="Drafted tokens, k",
        doc="Speculative decoding: tokens that a small draft model proposes for each "
        "pass of the big one. 0 switches it off.",
    )
    alpha: Value = _number(
        "Speculation",
        0.7,
        (0, 1),
        stops=tuple(step / 100 for step in range(101)),
        sets=("acceptance",),
        label="Acceptance, α",
        doc="Chance that the big model accepts a drafted token.",
    )
    draft_cost: Value = _number(
        "Speculation",
        0.05,
        (0, 1),
        sets=("draft_cost",),
        label="Draft size",
        doc="Size and step time of the draft model as a share of the big one.",
    )
    acceptance: str | AcceptedTokens = _choice(
        "Speculation",
        "constant",
        ACCEPTANCES,
        label="Measured acceptance",
        doc="Measured tokens per pass instead of a constant acceptance.",
    )

    gpu: str | Gpu = _choice(
        "Hardware",
        "h100-80gb-lesson",
        GPUS,
        listed=f"{OWN_GPU}, or a name that `decode-arithmetic gpus` lists",
        label="GPU",
        doc="A card that is sold. custom is one of your own, by the figures below; what is not "
        "given is as the lesson's H100 has it.",
    )
    hbm_gb: Value = _figure(
        "hbm_marketed_bytes", (1, 100_000), GB, unit="GB", label="Memory", doc="HBM of an own card."
    )
    hbm_gb_per_s: Value = _figure(
        "hbm_bytes_per_s",
        (1, 1_000_000),
        GB,
        unit="GB/s",
        label="Bandwidth",
        doc="HBM bandwidth of an own card.",
    )
    bf16_tflops: Value = _figure(
        "peak_16bit_flops_per_s",
        (0.1, 1_000_000),
        TERA,
        unit="TFLOP/s",
        label="16-bit peak",
        doc="Dense 16-bit peak of an own card.",
    )
    fp8_tflops: Value = _figure(
        "peak_8bit_flops_per_s",
        (0, 1_000_000),
        TERA,
        unit="TFLOP/s",
        label="8-bit peak",
        doc="Dense peak of an own card in fp8 and int8; twice the 16-bit peak unless given, "
        "0 = it has none.",
    )
    fp4_tflops: Value = _figure(
        "peak_4bit_flops_per_s",
        (0, 1_000_000),
        TERA,
        unit="TFLOP/s",
        label="4-bit peak",
        doc="Dense fp4 peak of an own card; it has none unless given.",
    )
    link_gb_per_s: Value = _figure(
        "link_bytes_per_s",
        (0.1, 1_000_000),
        GB,
        unit="GB/s",
        label="Link",
        doc="From an own card to the other GPUs, each way.",
    )
    gpus: Value = _number(
        "Hardware",
        1.0,
        (1, 64),
        whole=True,
        sets=("n_gpus",),
        label="GPUs",
        doc="GPUs that share the model, tensor-parallel.",
    )
    bandwidth_factor: Value = _number(
        "Hardware",
        1.0,
        (0.1, 100),
        symbol="×BW",
        sets=("hbm_bytes_per_s",),
        label="Bandwidth, times",
        doc="What if HBM were so many times as fast?",
    )
    peak_factor: Value = _number(
        "Hardware",
        1.0,
        (0.1, 100),
        symbol="×peak",
        sets=(
            "peak_16bit_flops_per_s",
            "peak_8bit_flops_per_s",
            "peak_int8_flops_per_s",
            "peak_4bit_flops_per_s",
        ),
        label="Peak, times",
        doc="What if arithmetic were so many times as fast?",
    )
    usd_per_gpu_hour: Value = _number(
        "Hardware",
        3.0,
        (0, 1000),
        unit="USD/h",
        sets=("usd_per_hour",),
        label="Price",
        doc="Price of one GPU hour. Choosing a GPU on the page also sets it, to what that one "
        "costs if that is known.",
    )

    prompt: Value = _number(
        "Request",
        _NAN,
        (1, 2**20),
        whole=True,
        unit="tokens",
        sets=("prompt_len",),
        label="Prompt",
        doc="Prompt of one request; as long as the context unless given.",
    )
    output: Value = _number(
        "Request",
        500.0,
        (1, 2**20),
        whole=True,
        unit="tokens",
        sets=("output_len",),
        label="Output",
        doc="Output of one request.",
    )
    prefix_hit: Value = _number(
        "Request",
        0.0,
        (0, 1),
        sets=("prefix_hit",),
        label="Cached prefix",
        doc="Share of the prompt that is in the cache already.",
    )

    assumptions: str | Assumptions = _choice(
        "Assumptions",
        "lesson",
        ASSUMPTIONS,
        label="Assumptions",
        doc="What the roofline leaves out: the lesson's ideal leaves out everything.",
    )
    mbu: Value = _assumption(
        "bandwidth_efficiency",
        (0.01, 1),
        label="Bandwidth reached",
        doc="Share of HBM bandwidth reached.",
    )
    mfu: Value = _number(
        "Assumptions",
        _NAN,
        (0.01, 1),
        symbol="mfu",
        sets=("prefill_efficiency", "decode_efficiency"),
        label="Peak reached",
        doc="Share of the peak reached.",
    )
    mfu_prefill: Value = _assumption(
        "prefill_efficiency",
        (0.01, 1),
        label="Peak reached in prefill",
        doc="The same, in prefill only.",
    )
    mfu_decode: Value = _assumption(
        "decode_efficiency",
        (0.01, 1),
        label="Peak reached in decode",
        doc="The same, in decode only.",
    )
    usable: Value = _assumption(
        "usable_fraction", (0.01, 1), label="Usable HBM", doc="Share of HBM in use at most."
    )
    reserve_gb: Value = _assumption(
        "reserve_bytes",
        (0, 1000),
        unit="GB",
        factor=GB,
        label="Reserve",
        doc="Kept free on each GPU for activations and workspace.",
    )
    overlap: str | Overlap = _choice(
        "Assumptions",
        "assumed",
        OVERLAPS,
        label="Overlap",
        doc="Whether a whole step overlaps memory with arithmetic, or each operator does.",
    )
    attention: Value = _effect(
        "attention_counted",
        label="Attention's arithmetic",
        doc="Whether attention's own FLOPs are counted.",
    )
    kv_write: Value = _effect(
        "kv_write_counted",
        label="Writing the cache",
        doc="Whether the cache that prefill writes is counted.",
    )
    input_table: Value = _effect(
        "input_table_read",
        label="Reading the input embedding",
        doc="Whether a step reads all of an input embedding of its own.",
    )
    driver_capacity: Value = _effect(
        "reported_capacity",
        label="Capacity as reported",
        doc="Whether HBM is as large as the driver says, not the vendor.",
    )
    real_checkpoint: Value = _effect(
        "real_checkpoint",
        label="Real checkpoint",
        doc="Whether quantised weights bring their scales and their 16-bit tables.",
    )
    communication: Value = _effect(
        "communication_counted",
        label="Communication",
        doc="Whether what the GPUs tell each other takes time.",
    )
    allreduce_us: Value = _assumption(
        "allreduce_latency_s",
        (0, 10_000),
        unit="µs",
        factor=MICROSECOND,
        label="Latency of one all-reduce",
        doc="Latency of one all-reduce between GPUs.",
    )
    step_overhead_ms: Value = _assumption(
        "step_overhead_s",
        (0, 1000),
        unit="ms",
        factor=MILLISECOND,
        label="Overhead per step",
        doc="Time per step that is neither memory nor arithmetic.",
    )
    batched_tokens: Value = _assumption(
        "batched_tokens",
        (1, 2**20),
        whole=True,
        unit="tokens",
        label="Tokens batched per step",
        doc="Most tokens that an engine brings in per step: what a sliding window reserves.",
    )

    def __post_init__(self) -> None:
        values = vars(self)
        keys = [key for key, number in NUMBERS.items() if values[key] is not number.default]
        convert(self, keys)
        for key in keys:
            value = values[key]
            if not isinstance(value, float | np.ndarray):
                continue
            suits = NUMBERS[key].suits(value)
            if suits is not True and not np.all(suits):
                raise ValueError(refusal(key, _text(np.extract(~np.asarray(suits), value)[0])))
        for key, choice in CHOICES.items():
            value = values[key]
            if value is choice.default:
                continue
            if not isinstance(value, str):
                check_record(key, value, choice.record, "a name or ")
            elif value not in choice.table:
                raise ValueError(refusal(key, value))

    def scenario(self) -> Scenario:
        """The scenario that these inputs describe; not yet validated."""
        # What overflows is refused by its `validate`.
        with np.errstate(over="ignore", invalid="ignore"):
            return Scenario(
                model=self._model(),
                gpu=self._gpu(),
                precision=Precision(
                    _record(WEIGHT_FORMATS, self.weights), _record(KV_FORMATS, self.kv)
                ),
                workload=Workload(
                    self.context,
                    self.batch,
                    given(self.prompt, self.context),
                    self.output,
                    self.prefix_hit,
                ),
                speculation=Speculation(
                    self.spec_k, self.alpha, self.draft_cost, _record(ACCEPTANCES, self.acceptance)
                ),
                assumptions=self._assumptions(),
                n_gpus=self.gpus,
            )

    def validate(self) -> Inputs:
        """These inputs themselves, if they break no rule.

        Raises
        ------
        ValueError
            Names the first input that is not allowed, or says what does not go together.
        """
        values = {key: getattr(self, key) for key in INPUTS}
        keys = {
            key
            for key, value in values.items()
            if not _is_open(value) and np.any(value != INPUTS[key].default)
        }
        if complaint := self.complaint(keys):
            raise ValueError(complaint)
        return self

    def as_dict(self) -> dict[str, Any]:
        """Value by key, as in JSON: null is what NaN is in Python, not given."""
        return {key: None if _is_open(value) else value for key, value in vars(self).items()}

    def complaint(self, keys: Collection[str]) -> str:
        """What is wrong with these inputs, in a sentence; "" if they break no rule.

        Parameters
        ----------
        keys : collection of str
            The inputs that were set, be it to their default.
        """
        # Ranges first: rules divide by what has none.
        for key, within in self.within().items():
            if not np.all(within):
                value = np.broadcast_to(getattr(self, key), np.shape(within))
                return refusal(key, _text(float(value[~np.asarray(within)].flat[0])))
        own = [key for key in MODEL_KEYS if key in keys]
        own_card = [key for key in CARD_KEYS if key in keys]
        names = np.asarray(self.broken(len(own), len(own_card)))
        if not np.any(names != ""):
            return ""
        place = np.flatnonzero(names != "")[0]
        name, n_heads = str(names.flat[place]), self._model().n_heads

        def there(value: Value) -> float:
            return float(np.broadcast_to(value, names.shape).flat[place])

        return RULES[name].sentence.format(
            keys=", ".join(own),
            model=_model_name(self.model),
            card_keys=", ".join(own_card),
            card=_card_name(self.gpu),
            gqa=_text(there(self.gqa)),
            n_heads=_text(there(n_heads)),
            divisors=_either(gqa_stops(int(there(n_heads)))),
        )

    def within(self) -> dict[str, Flag]:
        """By key, whether each number is in its range."""
        return {key: number.takes(getattr(self, key)) for key, number in NUMBERS.items()}

    def broken(self, n_own: Value, n_own_card: Value) -> Word:
        """Name of the first rule that these inputs break: see `calc.rules.broken`."""
        presets = _record(MODELS, self.model), _record(GPUS, self.gpu)
        return broken(self, *presets, self._model(), n_own, n_own_card)

    def _model(self) -> Model:
        """The record itself; where it is open, the inputs; where they are, the usual one."""
        record = _record(MODELS, self.model)
        billions = self.params_b * BILLION
        usual_layers, usual_heads, usual_d_head = usual_architecture(billions)
        n_params = given(record.n_params, billions)
        n_layers = given(record.n_layers, given(self.layers, usual_layers))
        n_heads = given(record.n_heads, given(self.heads, usual_heads))
        full = record.full
        head = given(full.d_head, given(self.d_head, usual_d_head))
        width = given(record.d_model, given(self.d_model, n_heads * head))
        n_active = given(record.n_active, given(self.active_b * BILLION, n_params))
        n_experts = given(record.n_experts, self.experts)
        per_token = given(record.n_experts_per_token, self.top_k)
        # A table larger than a quarter of the model would not be that model's.
        table = given(record.n_input_table, minimum(self.vocab * width, n_params / 4))
        return replace(
            record,
            n_params=n_params,
            n_layers=n_layers,
            n_heads=n_heads,
            d_model=width,
            n_active=n_active,
            n_input_table=table,
            n_16bit=given(record.n_16bit, 2 * table),
            n_experts=n_experts,
            n_experts_per_token=per_token,
            n_expert_params=given(
                record.n_expert_params, n_expert_params(n_params, n_active, n_experts, per_token)
            ),
            full=replace(
                full,
                n_layers=given(full.n_layers, n_layers),
                n_kv_heads=given(full.n_kv_heads, given(self.kv_heads, n_heads / self.gqa)),
                d_head=head,
                decode_attention_width=given(full.decode_attention_width, 2 * n_heads * head),
                prefill_attention_width=given(full.prefill_attention_width, 2 * n_heads * head),
            ),
        )

    def _gpu(self) -> Gpu:
        """The card at its price, as many times as fast as asked."""
        card = self._card()
        rates = {
            name: getattr(card, name) * getattr(self, key)
            for key in ("bandwidth_factor", "peak_factor")
            for name in NUMBERS[key].sets
        }
        return replace(card, usd_per_hour=self.usd_per_gpu_hour, **rates)

    def _card(self) -> Gpu:
        """The record itself; where it is open, the inputs; where they are, the lesson's card."""
        record, usual = _record(GPUS, self.gpu), GPUS[CHOICES["gpu"].default]

        def figure(key: str, otherwise: Value) -> Value:
            name, factor = NUMBERS[key].sets[0], NUMBERS[key].factor
            return given(getattr(record, name), given(getattr(self, key) * factor, otherwise))

        hbm_bytes = figure("hbm_gb", usual.hbm_marketed_bytes)
        peak_16bit = figure("bf16_tflops", usual.peak_16bit_flops_per_s)
        peak_8bit = figure("fp8_tflops", 2 * peak_16bit)
        return replace(
            record,
            hbm_marketed_bytes=hbm_bytes,
            hbm_bytes_per_s=figure("hbm_gb_per_s", usual.hbm_bytes_per_s),
            peak_16bit_flops_per_s=peak_16bit,
            peak_8bit_flops_per_s=peak_8bit,
            peak_int8_flops_per_s=given(record.peak_int8_flops_per_s, peak_8bit),
            peak_4bit_flops_per_s=figure("fp4_tflops", 0.0),
            hbm_reported_bytes=given(record.hbm_reported_bytes, hbm_bytes),
            link_bytes_per_s=figure("link_gb_per_s", usual.link_bytes_per_s),
        )

    def _assumptions(self) -> Assumptions:
        """The set of assumptions, changed where an input is given."""
        usual = _record(ASSUMPTIONS, self.assumptions)
        operator = _record(OVERLAPS, self.overlap).operator
        changes = {"operator_overlap": given(operator, usual.operator_overlap)}
        for key, number in _ASSUMPTION_NUMBERS.items():
            value = getattr(self, key)
            if _is_open(value):
                continue
            for name in number.sets:
                otherwise = changes.get(name, getattr(usual, name))
                changes[name] = given(value * number.factor, otherwise)
        return replace(usual, **changes)


#: Every input by its key, in the order in which they are shown.
INPUTS: dict[str, Number | Choice] = {each.name: each.metadata["input"] for each in fields(Inputs)}
NUMBERS = {key: each for key, each in INPUTS.items() if isinstance(each, Number)}
CHOICES = {key: each for key, each in INPUTS.items() if isinstance(each, Choice)}

#: Inputs that say what an own model is: a published one and a config.json have their own.
MODEL_KEYS = tuple(key for key, number in NUMBERS.items() if number.group == "Model")

#: Inputs that say what an own card is: all others have their own.
CARD_KEYS = tuple(
    key
    for key, number in NUMBERS.items()
    if number.group == "Hardware" and math.isnan(number.default)
)

#: Inputs that change one field of the set of assumptions.
ASSUMPTION_KEYS = tuple(
    key for key, each in INPUTS.items() if each.group == "Assumptions" and key != "assumptions"
)


def refusal(key: str, text: str) -> str:
    """What is said to a value that an input does not take.

    Parameters
    ----------
    key : str
        One of `INPUTS`.
    text : str
        The value as it was written.

    Returns
    -------
    str
        Names the input, the value, what may have been meant, and what is allowed.
    """
    what = INPUTS[key]
    hint = suggestion(text, what.table) if isinstance(what, Choice) else ""
    return f"{key}={shortened(text)}: {hint}allowed is {what.allowed}"


def unknown(key: str) -> str:
    """What is said to a key that is none.

    Parameters
    ----------
    key : str
        As it was text.

    Returns
    -------
    str
        Names it, what may have been meant, and where the keys are listed.
    """
    hint = suggestion(key, INPUTS)
    return (
        f"{shortened(key)}: there is no such input; {hint}`decode-arithmetic inputs` lists them all"
    )


def _with_keywords_of(
    record: Callable[_Keywords, Inputs],
) -> Callable[[Callable[..., Scenario]], Callable[_Keywords, Scenario]]:
    """Types a function's keywords as those of a record, which documents them."""

    def with_keywords(function: Callable[..., Scenario]) -> Callable[_Keywords, Scenario]:
        keywords = signature(record).replace(return_annotation="Scenario")
        function.__signature__ = keywords  # type: ignore[attr-defined]
        return function

    return with_keywords


@_with_keywords_of(Inputs)
def scenario(**inputs: Any) -> Scenario:
    """The scenario that these inputs describe; without arguments, the lesson's default.

    Parameters
    ----------
    **inputs : scalar, array, name or record
        Fields of `Inputs`, each in its own unit; `INPUTS` says what each one takes and
        means. What is not given, or NaN, is as the model or the set of assumptions has it.

    Returns
    -------
    Scenario
        Not yet validated: call `.validate()` on it.

    Raises
    ------
    TypeError
        A keyword that is none, or a value that is neither a number nor a name.
    ValueError
        A name that is not in its table, a number that is negative or infinite, or arrays that do
        not go together.

    Notes
    -----
    N = params_b · 1e9; layers, heads and head size from `sizes.usual_architecture`;
    n_kv = h / g. With `active_b`, the experts hold (N − N_active)·E/(E − k).

    References
    ----------
    The serving lesson, section 7.
    """
    for key in inputs:
        if key not in INPUTS:
            raise TypeError(unknown(key))
    return Inputs(**inputs).scenario()


_ASSUMPTION_NUMBERS = {
    key: number for key, number in NUMBERS.items() if number.group == "Assumptions"
}


def _record(table: Mapping[str, _Record], choice: str | _Record) -> _Record:
    return table[choice] if isinstance(choice, str) else choice


def _model_name(model: str | Model) -> str:
    if isinstance(model, str) and model not in OWN_MODELS:
        return str(model_rows()[model]["name"])
    return "the model"


def _card_name(gpu: str | Gpu) -> str:
    return str(gpu_rows()[gpu]["name"]) if isinstance(gpu, str) and gpu != OWN_GPU else "the card"


def _is_open(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _either(numbers: list[int]) -> str:
    """1, 2 or 4."""
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


def _text(value: float) -> str:
    """A number as one would type it: 2000, 2.5, 1e+300; the page writes it alike."""
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e21 else str(value)
