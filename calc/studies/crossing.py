"""From which batch on does speculation lose?"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from calc.evaluate import evaluate
from calc.inputs import scenario


def speedup_over_batch(batches: npt.NDArray[np.float64], **inputs: Any) -> npt.NDArray[np.float64]:
    """Speed-up by speculation at each batch.

    Parameters
    ----------
    batches : array
        [count]
    **inputs : scalar
        Keywords of `calc.scenario`, without `batch`.

    Returns
    -------
    array
        In the shape of `batches`. [ratio]

    Notes
    -----
    As `Report.spec_speedup`; whether a batch fits does not matter here.

    References
    ----------
    The inference-economics lesson, module on speculative decoding.
    """
    report = evaluate(scenario(batch=batches, **inputs))
    return np.broadcast_to(np.asarray(report.spec_speedup, dtype=float), batches.shape)


def crossing_batch(largest: int = 4096, **inputs: Any) -> float:
    """Largest batch at which speculation still pays: where its speed-up crosses 1.

    Parameters
    ----------
    largest : int
        Where the search ends. [count]
    **inputs : scalar
        Keywords of `calc.scenario`, without `batch`.

    Returns
    -------
    float
        NaN if it still pays at `largest`; 0 if it never does. [count]

    Notes
    -----
    The last whole batch whose speed-up is at least 1. With a KV cache that grows with
    the batch there may be no crossing: its traffic keeps the step memory-bound.

    References
    ----------
    The inference-economics lesson, module on speculative decoding.
    """
    batches = np.arange(1.0, largest + 1.0)
    pays = np.flatnonzero(speedup_over_batch(batches, **inputs) >= 1)
    if pays.size == 0:
        return 0.0
    return float("nan") if pays[-1] == largest - 1 else float(batches[pays[-1]])
