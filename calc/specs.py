"""What goes in: frozen records of a model, a GPU, precisions, a workload and speculation.

Every field is one number, or an array, or (while tracing) a symbol. All are SI.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from calc.quantity import Value, quantity


@dataclass(frozen=True)
class Model:
    """A dense decoder-only transformer with grouped-query attention."""

    n_params: Value = quantity("parameters", symbol="N")
    n_layers: Value = quantity("layers", symbol="L")
    n_heads: Value = quantity("query heads", symbol="h")
    n_kv_heads: Value = quantity("KV heads", symbol="n_kv")
    d_head: Value = quantity("head size", symbol="d_head")


@dataclass(frozen=True)
class Gpu:
    """One accelerator: capacity, bandwidth and *dense* peaks (never "with sparsity")."""

    hbm_bytes: Value = quantity("HBM capacity", unit="B", symbol="HBM")
    hbm_bytes_per_s: Value = quantity("HBM bandwidth", unit="B/s", symbol="BW")
    peak_16bit_flops_per_s: Value = quantity("dense bf16 peak", unit="FLOP/s", symbol="peak_16")
    peak_8bit_flops_per_s: Value = quantity("dense 8-bit peak", unit="FLOP/s", symbol="peak_8")
    usd_per_hour: Value = quantity("price", unit="USD/h", symbol="price", default=3.0)


@dataclass(frozen=True)
class WeightFormat:
    """How weights are stored, and how many bits wide the multiplications then are."""

    bytes_per_weight: Value = quantity("bytes per weight", unit="B", symbol="b_w")
    math_bits: Value = quantity("width of the arithmetic in bits", symbol="bits")


@dataclass(frozen=True)
class KvFormat:
    """How keys and values are stored."""

    bytes_per_kv: Value = quantity("bytes per cached element", unit="B", symbol="b_kv")


@dataclass(frozen=True)
class Precision:
    """Number formats of weights and KV cache."""

    weights: WeightFormat
    kv: KvFormat


@dataclass(frozen=True)
class Workload:
    """What is being served: sequences in flight, tokens each holds, shape of one request."""

    context_len: Value = quantity("tokens in cache per sequence", unit="tokens", symbol="T")
    batch: Value = quantity("sequences in flight", symbol="B")
    prompt_len: Value = quantity("prompt", unit="tokens", symbol="P")
    output_len: Value = quantity("output", unit="tokens", symbol="O", default=500.0)


@dataclass(frozen=True)
class Speculation:
    """Speculative decoding: drafted tokens per pass (0 = off), acceptance, draft size."""

    n_drafted: Value = quantity("drafted tokens per pass", symbol="k", default=0.0)
    acceptance: Value = quantity("acceptance per drafted token", symbol="α", default=0.7)
    draft_cost: Value = quantity("draft model's share of the target", symbol="c", default=0.05)


@dataclass(frozen=True)
class Assumptions:
    """What the roofline leaves out. The default is the lesson's ideal: nothing is reserved."""

    reserve_bytes: Value = quantity("reserve", unit="B", symbol="reserve", default=0.0)


#: field → (lowest, highest) that the formulas are meant for. Highest is inclusive.
_BOUNDS: dict[str, tuple[float, float]] = {
    "n_params": (1e6, 1e14),
    "n_layers": (1, 10_000),
    "n_heads": (1, 10_000),
    "n_kv_heads": (1, 10_000),
    "d_head": (1, 10_000),
    "hbm_bytes": (1e6, 1e15),
    "hbm_bytes_per_s": (1e6, 1e16),
    "peak_16bit_flops_per_s": (1e6, 1e20),
    "peak_8bit_flops_per_s": (1e6, 1e20),
    "usd_per_hour": (0, 1e6),
    "bytes_per_weight": (1 / 8, 8),
    "math_bits": (4, 64),
    "bytes_per_kv": (1 / 8, 8),
    "context_len": (1, 1e9),
    "batch": (1, 1e7),
    "prompt_len": (1, 1e9),
    "output_len": (1, 1e9),
    "n_drafted": (0, 64),
    "acceptance": (0, 1),
    "draft_cost": (0, 1),
    "reserve_bytes": (0, 1e15),
}


@dataclass(frozen=True)
class Scenario:
    """Everything `evaluate` needs."""

    model: Model
    gpu: Gpu
    precision: Precision
    workload: Workload
    speculation: Speculation = Speculation()
    assumptions: Assumptions = Assumptions()

    def leaves(self) -> dict[str, Value]:
        """All numbers of the scenario by field name, in order of declaration.

        Returns
        -------
        dict of str to scalar, array or symbol
            SI values. Field names are unique across the records.

        Notes
        -----
        No formula; a flat view of the nested records.
        """
        return _leaves(self)

    def validate(self) -> Scenario:
        """Check every number before any formula sees it.

        Returns
        -------
        Scenario
            Itself, so that calls can be chained.

        Raises
        ------
        ValueError
            Names the field, the value and the allowed range.

        Notes
        -----
        Bounds are where the formulas make sense, not where hardware exists. Query
        heads must be a whole multiple of KV heads.
        """
        for name, value in self.leaves().items():
            low, high = _BOUNDS[name]
            numbers = np.asarray(value, dtype=float)
            if not np.all((numbers >= low) & (numbers <= high)):
                raise ValueError(f"{name} must be between {low:g} and {high:g}, not {value}")
        kv_heads = np.asarray(self.model.n_kv_heads, dtype=float)
        groups = self.model.n_heads / kv_heads
        if not np.all((groups == np.floor(groups)) & (kv_heads == np.floor(kv_heads))):
            raise ValueError("n_heads must be a whole multiple of a whole n_kv_heads")
        return self


def _leaves(record: Any) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for each in fields(record):
        value = getattr(record, each.name)
        found.update(_leaves(value) if is_dataclass(value) else {each.name: value})
    return found
