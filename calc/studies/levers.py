"""Single changes to a scenario, each tried alone: which one helps, from where one stands?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from calc.conversion import as_number, check_keywords
from calc.evaluate import evaluate
from calc.inputs.table import INPUTS, scenario
from calc.report import Report


@dataclass(frozen=True)
class Lever:
    """One change: an input, and by what it is multiplied, or what it becomes."""

    name: str
    label: str
    key: str
    times: float = 1.0
    becomes: str | float | None = None

    def change(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """The one input that it changes, as it is afterwards.

        Parameters
        ----------
        inputs : mapping of str to scalar
            Keywords of `calc.scenario`; those that are not there have their default.

        Returns
        -------
        dict of str to scalar
        """
        if self.becomes is not None:
            return {self.key: self.becomes}
        before = as_number(self.key, inputs.get(self.key, INPUTS[self.key].default))
        return {self.key: before * self.times}


#: In no order: which lever is best depends on the scenario.
LEVERS: tuple[Lever, ...] = (
    Lever("batch", "Batch × 2", "batch", times=2),
    Lever("gqa", "Query heads per KV head × 2", "gqa", times=2),
    Lever("kv_8bit", "KV cache at 8 bit", "kv", becomes="fp8"),
    Lever("weights_8bit", "Weights and arithmetic at 8 bit", "weights", becomes="fp8"),
    Lever("weights_4bit", "Weights alone at 4 bit", "weights", becomes="int4"),
    Lever("speculation", "Speculation with 4 drafted tokens", "spec_k", becomes=4.0),
    Lever("bandwidth", "Bandwidth × 2", "bandwidth_factor", times=2),
    Lever("peak", "FLOP/s × 2", "peak_factor", times=2),
    Lever("gpu", "GPUs × 2", "gpus", times=2),
    Lever("prefix", "Half of each prompt cached", "prefix_hit", becomes=0.5),
    Lever("price", "Price − 20 %", "usd_per_gpu_hour", times=0.8),
)


@dataclass(frozen=True)
class Pull:
    """What a lever does: inputs after it, the report here, and at its own largest batch."""

    lever: Lever
    inputs: dict[str, Any]
    report: Report
    report_at_max_batch: Report | None


def levers(**inputs: Any) -> tuple[Report, list[Pull]]:
    """Every lever pulled alone, at the current point and at each one's own largest batch.

    Parameters
    ----------
    **inputs : scalar
        Keywords of `calc.scenario`.

    Returns
    -------
    tuple of Report and list of Pull
        The current point, then each lever that can be pulled there, in the order of
        `LEVERS`. Without a report at its largest batch where nothing fits at all.

    Raises
    ------
    TypeError, ValueError
        The current point itself is not valid, or is more than one.

    Notes
    -----
    A lever that is not valid here (a group size that does not divide the heads, g of a
    model that is fixed, what is beyond its range) or that changes nothing is left out. None is
    ranked: sort by the field that matters.

    References
    ----------
    The inference-economics lesson, module 9.
    """
    start = scenario(**inputs)
    check_keywords(inputs)
    pulls = []
    for lever in LEVERS:
        before = inputs.get(lever.key, INPUTS[lever.key].default)
        inputs_after = inputs | lever.change(inputs)
        if inputs_after[lever.key] == before:
            continue
        try:
            after = scenario(**inputs_after)
        except ValueError:
            continue
        report = evaluate(after)
        largest = float(np.asarray(report.max_batch))
        full = evaluate(after.at_batch(largest)) if largest >= 1 else None
        pulls.append(Pull(lever, inputs_after, report, full))
    return evaluate(start), pulls
