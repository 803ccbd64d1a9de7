"""How many scenarios `calc.evaluate` computes per second: arrays, single ones, in the page."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from app.build.page import page
from calc import Inputs, evaluate, scenario
from calc.inputs.table import CHOICES
from calc.presets.models import OWN_MODELS
from calc.quantity import record_of_arrays

#: Rows per array: large enough to drown Python's own time, small enough for the cache.
CHUNK = 4096
CHUNKS = 61
SINGLES = 3000
IN_THE_PAGE = 400_000


def _inputs(rows: int, seed: int) -> dict[str, object]:
    random = np.random.default_rng(seed)
    names = {key: list(CHOICES[key].table) for key in ("model", "weights", "kv", "gpu")}
    names["model"] = [name for name in names["model"] if name not in OWN_MODELS]
    return {
        **{
            key: record_of_arrays([CHOICES[key].table[name] for name in random.choice(each, rows)])
            for key, each in names.items()
        },
        "context": random.integers(1, 2**20, rows).astype(float),
        "batch": random.integers(1, 1024, rows).astype(float),
        "gpus": random.choice([1.0, 2.0, 4.0, 8.0], rows),
        "spec_k": random.integers(0, 9, rows).astype(float),
        "alpha": random.random(rows),
        "prompt": random.integers(1, 2**17, rows).astype(float),
        "assumptions": "engine",
    }


def vectorised_per_s() -> float:
    """Scenarios per second in arrays, every model, card and format mixed."""
    # Formulas do not mind heads that as many GPUs do not share.
    built = [Inputs(**_inputs(CHUNK, seed)).scenario() for seed in range(4)]
    evaluate(built[0])
    start = time.perf_counter()
    for n in range(CHUNKS):
        evaluate(built[n % len(built)])
    return CHUNK * CHUNKS / (time.perf_counter() - start)


def scalar_per_s() -> float:
    """Single scenarios per second, from keywords to report."""
    evaluate(scenario(batch=1.0))
    start = time.perf_counter()
    for n in range(SINGLES):
        evaluate(scenario(batch=float(1 + n % 1024)))
    return SINGLES / (time.perf_counter() - start)


def page_per_s() -> float:
    """Evaluations per second of the page's module in Node; NaN where there is none."""
    node = shutil.which("node")
    if node is None:
        return float("nan")
    script = (
        "import {choices} from './presets.mjs';\n"
        "import {evaluate} from './arithmetic.mjs';\n"
        f"const inputs = {json.dumps(Inputs().as_dict())};\n"
        "for (const key in inputs) if (inputs[key] === null) inputs[key] = NaN;\n"
        "const models = Object.keys(choices.model);\n"
        "let sum = 0;\n"
        "const run = times => { for (let n = 0; n < times; n++) {\n"
        "  inputs.batch = 1 + n % 1024; inputs.model = models[n % models.length];\n"
        "  sum += evaluate(inputs).tokens_per_s; } };\n"
        f"run({IN_THE_PAGE // 10});\n"
        "const start = performance.now();\n"
        f"run({IN_THE_PAGE});\n"
        f"console.log({IN_THE_PAGE} / (performance.now() - start) * 1000, sum > 0);\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        built = page()
        Path(folder, "arithmetic.mjs").write_text(built.arithmetic, encoding="utf-8")
        Path(folder, "presets.mjs").write_text(built.presets, encoding="utf-8")
        Path(folder, "run.mjs").write_text(script, encoding="utf-8")
        run = subprocess.run(
            [node, "run.mjs"], cwd=folder, capture_output=True, text=True, check=True
        )
    return float(run.stdout.split()[0])


def rows() -> list[tuple[str, float]]:
    """What is measured, and scenarios per second."""
    return [
        ("evaluate, arrays of every model, card and format", vectorised_per_s()),
        ("evaluate, one scenario at a time", scalar_per_s()),
        ("the page's module, in Node", page_per_s()),
    ]


def main() -> dict[str, float]:
    """Print the rates, and give them."""
    measured = dict(rows())
    print("\nScenarios per second")
    for name, rate in measured.items():
        print(f"{name:52} {rate:12,.0f}")
    return measured


if __name__ == "__main__":
    main()
