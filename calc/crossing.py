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
        Keywords of `calc.scenario`, without `batch`. [as there]

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
    """Smallest batch from which on speculation is a loss.

    Parameters
    ----------
    largest : int
        Where the search ends. [count]
    **inputs : scalar
        Keywords of `calc.scenario`, without `batch`. [as there]

    Returns
    -------
    float
        NaN if it still pays at `largest`; 1 if it never does. [count]

    Notes
    -----
    The first whole batch whose speed-up is below 1 and stays there. With a KV cache that
    grows with the batch there may be none: its traffic keeps the step memory-bound.

    References
    ----------
    The inference-economics lesson, module on speculative decoding.
    """
    batches = np.arange(1.0, largest + 1.0)
    loses = speedup_over_batch(batches, **inputs) < 1
    if not loses[-1]:
        return float("nan")
    pays = np.flatnonzero(~loses)
    return float(batches[pays[-1] + 1]) if pays.size else 1.0
