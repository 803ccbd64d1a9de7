"""From the handful of inputs that people set to a full scenario."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from calc.ladder import architecture
from calc.presets import ASSUMPTIONS, GPUS, KV_FORMATS, WEIGHT_FORMATS
from calc.quantity import Value
from calc.specs import (
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
from calc.units import BILLION

_Record = TypeVar("_Record")


def scenario(
    *,
    params_b: Value = 7.0,
    gqa: Value = 4.0,
    context: Value = 8192.0,
    batch: Value = 8.0,
    weights: str | WeightFormat = "bf16",
    kv: str | KvFormat = "bf16",
    spec_k: Value = 0.0,
    alpha: Value = 0.7,
    draft_cost: Value = 0.05,
    gpu: str | Gpu = "h100-80gb-lesson",
    prompt: Value = np.nan,
    output: Value = 500.0,
    usd_per_gpu_hour: Value = 3.0,
    assumptions: str | Assumptions = "lesson",
) -> Scenario:
    """The scenario of a dense Llama-style model; without arguments, the lesson's default.

    Parameters
    ----------
    params_b : scalar or array
        Parameters in billions; the architecture follows the ladder. [1e9]
    gqa : scalar or array
        Query heads per KV head; must divide the query heads. [count]
    context : scalar or array
        Tokens that each sequence holds in its cache. [tokens]
    batch : scalar or array
        Sequences in flight. [count]
    weights : str or WeightFormat
        A key of `WEIGHT_FORMATS`, or an own format.
    kv : str or KvFormat
        A key of `KV_FORMATS`, or an own format.
    spec_k : scalar or array
        Drafted tokens per pass; 0 = no speculation. [count]
    alpha : scalar or array
        Acceptance per drafted token. [ratio]
    draft_cost : scalar or array
        Size of the draft model as a share of the target. [ratio]
    gpu : str or Gpu
        A key of `GPUS`, or an own card.
    prompt : scalar or array
        Prompt of one request; NaN = as long as `context`. [tokens]
    output : scalar or array
        Output of one request. [tokens]
    usd_per_gpu_hour : scalar or array
        Price. [USD/h]
    assumptions : str or Assumptions
        A key of `ASSUMPTIONS`, or an own set.

    Returns
    -------
    Scenario
        Not yet validated: call `.validate()` on it.

    Raises
    ------
    KeyError
        A name that is not in its table.

    Notes
    -----
    N = params_b · 1e9; layers, heads and head size from `ladder.architecture`;
    n_kv = h / g. Not for MoE, MLA or sliding-window models.

    References
    ----------
    The serving lesson, section 7.
    """
    n_params = params_b * BILLION
    n_layers, n_heads, d_head = architecture(n_params)
    return Scenario(
        model=Model(n_params, n_layers, n_heads, n_heads / gqa, d_head),
        gpu=replace(_named(GPUS, gpu), usd_per_hour=usd_per_gpu_hour),
        precision=Precision(_named(WEIGHT_FORMATS, weights), _named(KV_FORMATS, kv)),
        workload=Workload(context, batch, np.where(np.isnan(prompt), context, prompt), output),
        speculation=Speculation(spec_k, alpha, draft_cost),
        assumptions=_named(ASSUMPTIONS, assumptions),
    )


def _named(table: dict[str, _Record], choice: str | _Record) -> _Record:
    return table[choice] if isinstance(choice, str) else choice
