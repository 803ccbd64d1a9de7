"""What goes in: frozen records of a model, GPUs, precisions, a workload and speculation.

Every field is one number, or an array, or (while tracing) a symbol. All are SI.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache

import numpy as np

from calc.conversion import FloatRecord, as_number, check_shapes
from calc.primitives import given, where
from calc.quantity import Value, kind, numbers, quantity
from calc.rules import (
    RULES,
    broken_in_model,
    broken_in_parallelism,
    broken_in_precision,
    words_of,
)

_NAN = float("nan")


#: No context is longer than this. [tokens]
LONGEST_CONTEXT = 1e9

#: The kind of layers of `Model.main`.
MAIN_KIND = "full"

#: As many tokens as no context has: a kind of layer that keeps, or reads, them all. [tokens]
ALL_TOKENS = 1e12


@dataclass(frozen=True)
class LayerKind(FloatRecord):
    """Layers that cache alike: what each keeps and reads of tokens, and keeps of a sequence.

    Without layers a kind adds nothing. What a new architecture keeps is a new kind of `Model`,
    or a new field of all kinds.
    """

    n_layers: Value = quantity("layers", symbol="L", default=0.0, bounds=(0, 10_000), neutral=0)
    kept_len: Value = quantity(
        "tokens that are kept",
        unit="tokens",
        symbol="kept",
        default=ALL_TOKENS,
        bounds=(0, ALL_TOKENS),
        neutral=ALL_TOKENS,
    )
    tokens_per_entry: Value = quantity(
        "tokens that share an entry of the cache",
        symbol="r",
        default=1.0,
        bounds=(1, 1e6),
        neutral=1,
    )
    most_entries_read: Value = quantity(
        "entries that a step reads at most",
        symbol="top",
        default=ALL_TOKENS,
        bounds=(1, ALL_TOKENS),
        neutral=ALL_TOKENS,
    )
    n_kv_heads: Value = quantity("KV heads", symbol="n_kv", default=1.0, bounds=(1, 10_000))
    d_head: Value = quantity("head size", symbol="d_head", default=0.0, bounds=(0, 10_000))
    cache_width: Value = quantity(
        "own cache width; 0 = 2·n_kv·d_head", symbol="w", default=0.0, bounds=(0, 1e7)
    )
    element_bytes: Value = quantity(
        "own bytes per cached element; 0 = the format's",
        unit="B",
        symbol="b_own",
        default=0.0,
        bounds=(0, 8),
        neutral=0,
    )
    decode_attention_width: Value = quantity(
        "attention's multiply-adds per cached entry",
        symbol="a_dec",
        default=0.0,
        bounds=(0, 1e9),
    )
    prefill_attention_width: Value = quantity(
        "attention's multiply-adds per pair of tokens in prefill",
        symbol="a_pre",
        default=0.0,
        bounds=(0, 1e9),
    )
    state_bytes: Value = quantity(
        "constant state per sequence",
        unit="B",
        symbol="state",
        default=0.0,
        bounds=(0, 1e12),
        neutral=0,
    )
    state_len: Value = quantity(
        "tokens that have a row in the state",
        unit="tokens",
        symbol="rows",
        default=0.0,
        bounds=(0, 1e6),
        neutral=0,
    )

    @property
    def entry_width(self) -> Value:
        """Numbers in an entry of all layers: their own, or a key and a value of each head."""
        return where(
            self.cache_width > 0,
            self.n_layers * self.cache_width,
            2 * self.n_layers * self.n_kv_heads * self.d_head,
        )


@dataclass(frozen=True)
class Model(FloatRecord):
    """A decoder-only transformer: what it weighs, and its kinds of layers.

    One record covers every architecture; `Model.dense` makes the usual one.
    """

    n_params: Value = quantity("parameters", symbol="N", bounds=(1e6, 1e14))
    n_layers: Value = quantity("layers", symbol="L_all", bounds=(1, 10_000))
    n_heads: Value = quantity("query heads", symbol="h", bounds=(1, 10_000))
    d_model: Value = quantity("width", symbol="d", bounds=(1, 1e7))
    n_active: Value = quantity(
        "active parameters", symbol="N_active", same_as="n_params", bounds=(1e5, 1e14)
    )
    n_input_table: Value = quantity(
        "parameters of an input embedding of its own",
        symbol="N_in",
        default=0.0,
        bounds=(0, 1e12),
    )
    n_16bit: Value = quantity(
        "parameters kept at 16 bit", symbol="N_16", default=0.0, bounds=(0, 1e13)
    )

    n_experts: Value = quantity(
        "routed experts per layer", symbol="E", default=0.0, bounds=(0, 1e5)
    )
    n_experts_per_token: Value = quantity(
        "experts per token", symbol="k_E", default=0.0, bounds=(0, 1e5)
    )
    n_expert_params: Value = quantity(
        "parameters in routed experts", symbol="N_E", default=0.0, bounds=(0, 1e14)
    )
    n_tower: Value = quantity(
        "parameters of what encodes images",
        symbol="N_img",
        default=0.0,
        bounds=(0, 1e13),
        neutral=0,
    )
    n_whole: Value = quantity(
        "parameters whole on each GPU",
        symbol="N_whole",
        default=0.0,
        bounds=(0, 1e13),
        neutral=0,
    )
    n_whole_16bit: Value = quantity(
        "parameters whole on each GPU, at 16 bit",
        symbol="N_whole,16",
        default=0.0,
        bounds=(0, 1e13),
        neutral=0,
    )

    full: LayerKind = kind(LayerKind, "layers that keep everything", default=LayerKind())
    window: LayerKind = kind(
        LayerKind, "sliding-window layers", subscript="win", default=LayerKind()
    )
    state: LayerKind = kind(
        LayerKind, "layers with a constant state", subscript="st", default=LayerKind()
    )
    index: LayerKind = kind(LayerKind, "index keys", subscript="idx", default=LayerKind())
    hca: LayerKind = kind(
        LayerKind, "heavily compressed layers", subscript="hca", default=LayerKind()
    )

    @property
    def kinds(self) -> dict[str, LayerKind]:
        """All kinds by name, in the order of the fields that hold them."""
        return {name: getattr(self, name) for name in _kind_names()}

    @property
    def main(self) -> LayerKind:
        """The kind that is meant by "the" KV heads of a model, its g and its share per GPU."""
        return self.kinds[MAIN_KIND]

    @classmethod
    def dense(
        cls, n_params: Value, n_layers: Value, n_heads: Value, n_kv_heads: Value, d_head: Value
    ) -> Model:
        """A model whose layers are all alike: full attention, no experts.

        Parameters
        ----------
        n_params, n_layers, n_heads, n_kv_heads, d_head : quantity

        Returns
        -------
        Model

        Notes
        -----
        d = h · d_head, which holds for most models; attention multiplies 2 · h · d_head
        numbers per cached token. All parameters are active, and none is kept at 16 bit.

        References
        ----------
        Vaswani et al., 2017 (arXiv:1706.03762), section 3.2.
        """
        n_heads, d_head = as_number("n_heads", n_heads), as_number("d_head", d_head)
        width = 2 * n_heads * d_head
        full = LayerKind(
            n_layers=n_layers,
            n_kv_heads=n_kv_heads,
            d_head=d_head,
            decode_attention_width=width,
            prefill_attention_width=width,
        )
        return cls(n_params, n_layers, n_heads, n_heads * d_head, n_params, full=full)


def _fill(record: FloatRecord, name: str, otherwise: Value) -> None:
    """Set a field of a new record that was left open (NaN). A symbol is never open."""
    value = getattr(record, name)
    if isinstance(value, int | float | np.ndarray):
        object.__setattr__(record, name, given(value, otherwise))


@cache
def _kind_names() -> tuple[str, ...]:
    return tuple(each.name for each in fields(Model) if "kind" in each.metadata)


@dataclass(frozen=True)
class Gpu(FloatRecord):
    """One accelerator: capacity, bandwidth and *dense* peaks (never "with sparsity").

    A peak of 0 means that the chip lacks that rate; formulas then fall back to a wider one.
    """

    hbm_marketed_bytes: Value = quantity(
        "HBM as marketed", unit="B", symbol="HBM_mkt", bounds=(1e6, 1e15)
    )
    hbm_bytes_per_s: Value = quantity("HBM bandwidth", unit="B/s", symbol="BW", bounds=(1e6, 1e16))
    peak_16bit_flops_per_s: Value = quantity(
        "dense bf16 peak", unit="FLOP/s", symbol="peak_16", bounds=(1e6, 1e20)
    )
    peak_8bit_flops_per_s: Value = quantity(
        "dense fp8 peak", unit="FLOP/s", symbol="peak_8", bounds=(0, 1e20)
    )
    usd_per_hour: Value = quantity(
        "price", unit="USD/h", symbol="price", default=3.0, bounds=(0, 1e6)
    )
    peak_int8_flops_per_s: Value = quantity(
        "dense int8 peak; as fp8 if not given",
        unit="FLOP/s",
        symbol="peak_i8",
        default=_NAN,
        bounds=(0, 1e20),
    )
    peak_4bit_flops_per_s: Value = quantity(
        "dense fp4 peak", unit="FLOP/s", symbol="peak_4", default=0.0, bounds=(0, 1e20)
    )
    hbm_reported_bytes: Value = quantity(
        "HBM as the driver reports it", unit="B", symbol="HBM_drv", default=_NAN, bounds=(1e6, 1e15)
    )
    link_bytes_per_s: Value = quantity(
        "link to the other GPUs, each way",
        unit="B/s",
        symbol="link",
        default=64e9,
        bounds=(1e6, 1e16),
    )
    host_link_bytes_per_s: Value = quantity(
        "link to host memory, each way, as reached",
        unit="B/s",
        symbol="link_host",
        default=50e9,
        bounds=(1e6, 1e16),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _fill(self, "peak_int8_flops_per_s", self.peak_8bit_flops_per_s)
        _fill(self, "hbm_reported_bytes", self.hbm_marketed_bytes)


@dataclass(frozen=True)
class WeightFormat(FloatRecord):
    """How weights are stored, and how many bits wide the multiplications then are."""

    bytes_per_weight: Value = quantity(
        "bytes per weight", unit="B", symbol="b_w", bounds=(1 / 8, 8)
    )
    math_bits: Value = quantity("width of the arithmetic in bits", symbol="bits", bounds=(4, 64))
    scale_bytes_per_weight: Value = quantity(
        "bytes of scales per weight", unit="B", symbol="b_scale", default=0.0, bounds=(0, 1)
    )
    integer_math: Value = quantity(
        "1 = multiplies integers", symbol="int", default=0.0, bounds=(0, 1)
    )
    wide_bytes_per_weight: Value = quantity(
        "bytes per weight of what is kept at 16 bit",
        unit="B",
        symbol="b_wide",
        default=2.0,
        bounds=(1 / 8, 8),
    )


@dataclass(frozen=True)
class KvFormat(FloatRecord):
    """How keys and values are stored."""

    bytes_per_kv: Value = quantity(
        "bytes per cached element", unit="B", symbol="b_kv", bounds=(1 / 8, 8)
    )
    latent_width: Value = quantity(
        "width of the latent that the format is for; 0 = of any keys and values",
        symbol="w_lat",
        default=0.0,
        bounds=(0, 1e7),
    )


@dataclass(frozen=True)
class Precision(FloatRecord):
    """Number formats of weights and KV cache."""

    weights: WeightFormat
    kv: KvFormat


@dataclass(frozen=True)
class Workload(FloatRecord):
    """What is being served: sequences in flight, tokens each holds, shape of one request."""

    context_len: Value = quantity(
        "tokens in cache per sequence", unit="tokens", symbol="T", bounds=(1, LONGEST_CONTEXT)
    )
    batch: Value = quantity("sequences in flight", symbol="B", bounds=(1, 1e7))
    prompt_len: Value = quantity("prompt", unit="tokens", symbol="P", bounds=(1, LONGEST_CONTEXT))
    output_len: Value = quantity(
        "output", unit="tokens", symbol="O", default=500.0, bounds=(1, LONGEST_CONTEXT)
    )
    prefix_hit: Value = quantity(
        "share of the prompt already cached", symbol="hit", default=0.0, bounds=(0, 1)
    )


@dataclass(frozen=True)
class AcceptedTokens(FloatRecord):
    """Measured tokens per pass for 1 to 8 drafted tokens; 0 = use the constant acceptance."""

    tokens_at_1: Value = quantity(
        "tokens per pass, k = 1", unit="tokens", symbol="τ₁", default=0.0, bounds=(0, 2)
    )
    tokens_at_2: Value = quantity(
        "tokens per pass, k = 2", unit="tokens", symbol="τ₂", default=0.0, bounds=(0, 3)
    )
    tokens_at_3: Value = quantity(
        "tokens per pass, k = 3", unit="tokens", symbol="τ₃", default=0.0, bounds=(0, 4)
    )
    tokens_at_4: Value = quantity(
        "tokens per pass, k = 4", unit="tokens", symbol="τ₄", default=0.0, bounds=(0, 5)
    )
    tokens_at_5: Value = quantity(
        "tokens per pass, k = 5", unit="tokens", symbol="τ₅", default=0.0, bounds=(0, 6)
    )
    tokens_at_6: Value = quantity(
        "tokens per pass, k = 6", unit="tokens", symbol="τ₆", default=0.0, bounds=(0, 7)
    )
    tokens_at_7: Value = quantity(
        "tokens per pass, k = 7", unit="tokens", symbol="τ₇", default=0.0, bounds=(0, 8)
    )
    tokens_at_8: Value = quantity(
        "tokens per pass, k = 8", unit="tokens", symbol="τ₈", default=0.0, bounds=(0, 9)
    )


@dataclass(frozen=True)
class Speculation(FloatRecord):
    """Speculative decoding: drafted tokens per pass (0 = off), acceptance, draft size."""

    n_drafted: Value = quantity("drafted tokens per pass", symbol="k", default=0.0, bounds=(0, 64))
    acceptance: Value = quantity(
        "acceptance per drafted token", symbol="α", default=0.7, bounds=(0, 1)
    )
    draft_cost: Value = quantity(
        "draft model's share of the target", symbol="c", default=0.05, bounds=(0, 1)
    )
    accepted_tokens: AcceptedTokens = AcceptedTokens()


@dataclass(frozen=True)
class Assumptions(FloatRecord):
    """What the roofline leaves out. The default is the lesson's ideal: nothing is.

    Fields that are 0 or 1 switch one effect; each can be changed alone.
    """

    bandwidth_efficiency: Value = quantity(
        "share of HBM bandwidth reached", symbol="mbu", default=1.0, bounds=(0.01, 1), neutral=1
    )
    prefill_efficiency: Value = quantity(
        "share of the peak reached in prefill",
        symbol="mfu_pre",
        default=1.0,
        bounds=(0.01, 1),
        neutral=1,
    )
    decode_efficiency: Value = quantity(
        "share of the peak reached in decode",
        symbol="mfu_dec",
        default=1.0,
        bounds=(0.01, 1),
        neutral=1,
    )
    usable_fraction: Value = quantity(
        "share of HBM that may be used", symbol="usable", default=1.0, bounds=(0.01, 1), neutral=1
    )
    reserve_bytes: Value = quantity(
        "reserve per GPU", unit="B", symbol="reserve", default=0.0, bounds=(0, 1e15)
    )
    reported_capacity: Value = quantity(
        "1 = capacity as the driver reports it", symbol="driver", default=0.0, bounds=(0, 1)
    )
    operator_overlap: Value = quantity(
        "1 = overlap per operator, 0 = per step", symbol="operator", default=0.0, bounds=(0, 1)
    )
    attention_counted: Value = quantity(
        "1 = attention's FLOPs counted", symbol="att", default=0.0, bounds=(0, 1), neutral=1
    )
    kv_write_counted: Value = quantity(
        "1 = the cache that prefill writes counted",
        symbol="write",
        default=0.0,
        bounds=(0, 1),
        neutral=1,
    )
    input_table_read: Value = quantity(
        "1 = all of the input embedding read per step", symbol="table", default=1.0, bounds=(0, 1)
    )
    real_checkpoint: Value = quantity(
        "1 = with scales and 16-bit tables", symbol="real", default=0.0, bounds=(0, 1), neutral=1
    )
    communication_counted: Value = quantity(
        "1 = tensor-parallel all-reduces counted",
        symbol="comm",
        default=0.0,
        bounds=(0, 1),
    )
    allreduce_latency_s: Value = quantity(
        "latency of one all-reduce", unit="s", symbol="t_lat", default=0.0, bounds=(0, 1)
    )
    pcie_allreduce_latency_s: Value = quantity(
        "latency of one all-reduce over PCIe", unit="s", symbol="t_PCIe", default=0.0, bounds=(0, 1)
    )
    layer_overhead_s: Value = quantity(
        "overhead per layer", unit="s", symbol="t_L", default=0.0, bounds=(0, 1), neutral=0
    )
    expert_overhead_s: Value = quantity(
        "overhead that experts add to a layer",
        unit="s",
        symbol="t_E",
        default=0.0,
        bounds=(0, 1),
        neutral=0,
    )
    step_overhead_s: Value = quantity(
        "overhead per step", unit="s", symbol="t_host", default=0.0, bounds=(0, 10), neutral=0
    )
    batched_tokens: Value = quantity(
        "most tokens that an engine batches per step",
        unit="tokens",
        symbol="chunk",
        default=8192.0,
        bounds=(1, 1e9),
    )
    batches_in_flight: Value = quantity(
        "batches that an engine has in flight", symbol="ahead", default=2.0, bounds=(1, 64)
    )


@dataclass(frozen=True)
class Parallelism(FloatRecord):
    """How GPUs share a model: n = tp · dp · pp. Of n alone, all share each layer.

    Experts are shared by all tp · dp GPUs of a stage: whole ones by ep of them, each cut into
    tp · dp / ep pieces. A cache that tp GPUs hold copies of is split over dcp of them.
    """

    n_gpus: Value = quantity(
        "GPUs that serve the model", symbol="n", default=1.0, bounds=(1, 1024), neutral=1
    )
    tensor_parallel: Value = quantity(
        "GPUs that share each layer",
        symbol="tp",
        default=_NAN,
        bounds=(1, 1024),
        neutral=1,
        same_as="n_gpus",
    )
    data_parallel: Value = quantity(
        "groups of GPUs with sequences of their own",
        symbol="dp",
        default=1.0,
        bounds=(1, 1024),
        neutral=1,
    )
    pipeline_parallel: Value = quantity(
        "stages of layers, each on its own GPUs",
        symbol="pp",
        default=1.0,
        bounds=(1, 1024),
        neutral=1,
    )
    expert_parallel: Value = quantity(
        "GPUs that share out whole experts", symbol="ep", default=1.0, bounds=(1, 1024), neutral=1
    )
    context_parallel: Value = quantity(
        "GPUs that split the tokens of a cache",
        symbol="dcp",
        default=1.0,
        bounds=(1, 1024),
        neutral=1,
    )
    n_redundant_experts: Value = quantity(
        "experts per layer that are kept twice", symbol="R", default=0.0, bounds=(0, 1e5), neutral=0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        usual = self.n_gpus / (self.data_parallel * self.pipeline_parallel)
        _fill(self, "tensor_parallel", usual)


@dataclass(frozen=True)
class Scenario(FloatRecord):
    """Everything `evaluate` needs."""

    model: Model
    gpu: Gpu
    precision: Precision
    workload: Workload
    speculation: Speculation = Speculation()
    assumptions: Assumptions = Assumptions()
    parallelism: Parallelism = Parallelism()

    def at_batch(self, batch: Value) -> Scenario:
        """The same with other sequences in flight: a study may go beyond what people set."""
        return replace(self, workload=replace(self.workload, batch=batch))

    def leaves(self) -> dict[str, Value]:
        """All numbers of the scenario by field name, in order of declaration.

        Returns
        -------
        dict of str to scalar, array or symbol
            SI values. Names are unique across the records.
        """
        return {name: value for name, _, value in numbers(self)}

    def validate(self) -> Scenario:
        """Check every number before any formula sees it.

        Returns
        -------
        Scenario
            Itself, so that calls can be chained.

        Raises
        ------
        ValueError
            Names the field, the value and the allowed range; or says what does not go together.

        Notes
        -----
        Bounds are where the formulas make sense, not where hardware exists; for what
        must go together see `calc.rules`.
        """
        if complaint := self.complaint():
            raise ValueError(complaint)
        return self

    def complaint(self) -> str:
        """What is wrong with its numbers, in a sentence; "" if they break no rule."""
        check_shapes(self.leaves())
        for name, what, value in numbers(self):
            low, high = what.bounds
            values = np.asarray(value)
            outside = values[~((values >= low) & (values <= high))]
            if outside.size:
                return f"{name} must be between {low:g} and {high:g}, not {outside.flat[0]:g}"
        in_sharing = broken_in_parallelism(self.parallelism, self.model)
        in_precision = broken_in_precision(self.precision, self.model, in_sharing)
        broken = np.asarray(broken_in_model(self.model, in_precision))
        if not np.any(broken != ""):
            return ""
        place = np.flatnonzero(broken != "")[0]

        def there(value: Value) -> float:
            return float(np.broadcast_to(value, broken.shape).flat[place])

        return RULES[str(broken.flat[place])].sentence.format(**words_of(self, there))
