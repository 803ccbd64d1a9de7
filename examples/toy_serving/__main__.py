"""Measure the toy: python -m examples.toy_serving."""

from __future__ import annotations

import os

# One core, so that figures of different machines can be compared; NumPy asks once, as it loads.
for library in ("OPENBLAS_NUM", "MKL_NUM", "OMP_NUM", "VECLIB_MAXIMUM"):
    os.environ.setdefault(f"{library}_THREADS", "1")

from examples.toy_serving.measure import main  # noqa: E402

if __name__ == "__main__":
    main()
