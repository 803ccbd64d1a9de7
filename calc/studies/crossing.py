"""From which batch on does speculation lose?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from calc.conversion import as_number, check_keywords
from calc.evaluate import evaluate
from calc.inputs.table import scenario
from calc.text import shortened

#: So many batches are evaluated at once. [count]
LARGEST = 2**16


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

    Raises
    ------
    TypeError, ValueError
        The batches are no numbers, or the inputs are not valid.

    Notes
    -----
    As `Report.spec_speedup`; whether a batch fits does not matter here.

    References
    ----------
    The inference-economics lesson, module on speculative decoding.
    """
    check_keywords(inputs, ("batch",))
    batches = np.asarray(as_number("batches", batches))
    report = evaluate(scenario(**inputs).at_batch(batches))
    return np.broadcast_to(np.asarray(report.spec_speedup, dtype=float), batches.shape)


def crossing_batch(largest: int = 4096, **inputs: Any) -> float:
    """Largest batch at which speculation still pays: where its speed-up crosses 1.

    Parameters
    ----------
    largest : int
        Where the search ends, at most `LARGEST`. [count]
    **inputs : scalar
        Keywords of `calc.scenario`, without `batch`.

    Returns
    -------
    float
        NaN if it still pays at `largest`; 0 if it never does. [count]

    Raises
    ------
    TypeError, ValueError
        `largest` is no such number, or the inputs are not valid.

    Notes
    -----
    The last whole batch whose speed-up is at least 1. With a KV cache that grows with
    the batch there may be no crossing: its traffic keeps the step memory-bound.

    References
    ----------
    The inference-economics lesson, module on speculative decoding.
    """
    end = as_number("largest", largest)
    if not isinstance(end, float) or not 1 <= end <= LARGEST:
        raise ValueError(f"largest must be between 1 and {LARGEST:,}, not {shortened(largest)}")
    batches = np.arange(1.0, math.floor(end) + 1.0)
    pays = np.flatnonzero(speedup_over_batch(batches, **inputs) >= 1)
    if pays.size == 0:
        return 0.0
    return float("nan") if pays[-1] == batches.size - 1 else float(batches[pays[-1]])
