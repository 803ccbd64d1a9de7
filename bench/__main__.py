"""Run all measurements, print them as tables, write them to build/bench.json."""

from __future__ import annotations

import json
from pathlib import Path

from bench import drag, evaluate, lab, replay, storm, strain, weight


def main() -> None:
    """Everything, one after the other."""
    results = {
        "page_weight": weight.main(),
        "page": drag.main(),
        "evaluations_per_s": evaluate.main(),
        "passes_per_s": replay.main(),
        "lab_ms": lab.main(),
        "join_storm": storm.main(),
        "strain": strain.main(),
    }
    target = Path("build/bench.json")
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(results, indent=1))
    print(f"\nWritten to {target}")


if __name__ == "__main__":
    main()
