"""Hostile inputs: a corpus for each boundary, and the loop that all fuzzers share.

A corpus is a file in tests/hostile, in TOML or (where Node reads it, too) in JSON: a table per
kind, which says how its entries are made and in which sentence they must end. A fuzzer is a test
with the mark `fuzz` that calls `fuzz`. `make fuzz` runs them all for long.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

CORPORA = Path(__file__).parents[1] / "hostile"

#: How long `make fuzz` stays with each fuzzer before it goes on to the next. [s]
SECONDS_EACH = 20


def kinds(file: str) -> dict[str, dict[str, Any]]:
    """The kinds of a corpus by name, as they stand in its file."""
    text = (CORPORA / file).read_text(encoding="utf-8")
    return json.loads(text) if file.endswith(".json") else tomllib.loads(text)


def fuzz(attack: Callable[[random.Random], object], rounds: int) -> None:
    """Attack again and again, each time with other numbers; a failure says how to repeat it.

    Without FUZZ_SECONDS in the environment the rounds are the same ones each time; with it, they
    go on until that time is up. FUZZ_SEED is where they begin.
    """
    seconds = float(os.environ.get("FUZZ_SECONDS", "0"))
    seed = int(os.environ.get("FUZZ_SEED", "0"))
    end, n_rounds = time.monotonic() + seconds, 0
    while time.monotonic() < end if seconds else n_rounds < rounds:
        try:
            attack(random.Random(seed))
        except BaseException as failure:
            failure.add_note(f"Repeat it with FUZZ_SEED={seed}")
            raise
        seed, n_rounds = seed + 1, n_rounds + 1


def main(minutes: float) -> int:
    """Go round all fuzzers with fresh seeds until the time is up, or one fails."""
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        fresh = {"FUZZ_SECONDS": str(SECONDS_EACH), "FUZZ_SEED": str(time.time_ns() // 1000)}
        print("Seed", fresh["FUZZ_SEED"], flush=True)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "fuzz"]
        if failed := subprocess.run(command, env=os.environ | fresh, check=False).returncode:
            return failed
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
