"""How many forward passes the replay runs per second: in Python, with Numba, in the page."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.build.page import page
from app.build.replay import replay_module
from app.simulate.compiled import compiled, numba_is_there
from calc import Inputs
from calc.serving.costs import costs
from calc.serving.inputs import ServingInputs, mix, rules
from calc.serving.requests import draw
from calc.serving.scheduler import advance
from calc.serving.stream import Stream, drawn

#: The lesson's mix over 8 slots, as many as a reader of the page may ask for.
REQUESTS = 2000
SERVING = ServingInputs(lengths="bimodal", slots=8.0)


def _passes_per_s(advance: Callable[..., Any], draw: Callable[..., Any], n: int) -> float:
    inputs = Inputs()
    how, of = rules(inputs, SERVING), costs(inputs.scenario())
    stream = Stream(how, of, drawn(mix(inputs, SERVING), SERVING.seed, n, draw), advance)
    start = time.perf_counter()
    for _ in stream.finished():
        pass
    return stream.totals().n_steps / (time.perf_counter() - start)


def python_per_s() -> float:
    """Passes per second in plain Python."""
    return _passes_per_s(advance, draw, REQUESTS)


def numba_per_s() -> float:
    """Passes per second of Numba's machine code; NaN where it is not installed."""
    if not numba_is_there():
        return float("nan")
    quick = compiled(advance), compiled(draw)
    _passes_per_s(*quick, 10)
    return _passes_per_s(*quick, 10 * REQUESTS)


def page_per_s() -> float:
    """Passes per second of the page's module in Node; NaN where there is none."""
    node = shutil.which("node")
    if node is None:
        return float("nan")
    inputs = Inputs()
    asked = [rules(inputs, SERVING)._asdict(), mix(inputs, SERVING)._asdict(), inputs.as_dict()]
    script = (
        "import {arrays, costs, draw, NO_LIMIT, replay, Requests, source} from './replay.mjs';\n"
        f"const [rules, mix, inputs] = {json.dumps(asked)};\n"
        "for (const key in inputs) inputs[key] ??= NaN;\n"
        "const run = n => {\n"
        "  const requests = arrays(Requests, n);\n"
        "  draw(mix, source(1), requests, n);\n"
        "  const start = performance.now();\n"
        "  const {totals} = replay(rules, costs(inputs), requests, NO_LIMIT);\n"
        "  return totals.n_steps / (performance.now() - start) * 1000; };\n"
        f"run({REQUESTS // 10});\n"
        f"console.log(run({REQUESTS}));\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "replay.mjs").write_text(replay_module(), encoding="utf-8")
        Path(folder, "presets.mjs").write_text(page().presets, encoding="utf-8")
        Path(folder, "run.mjs").write_text(script, encoding="utf-8")
        run = subprocess.run(
            [node, "run.mjs"], cwd=folder, capture_output=True, text=True, check=True
        )
    return float(run.stdout)


def main() -> dict[str, float]:
    """Print the rates, and give them."""
    measured = {
        "the replay in plain Python": python_per_s(),
        "the replay with Numba, once compiled": numba_per_s(),
        "the replay in the page's module, in Node": page_per_s(),
    }
    print("\nForward passes per second")
    for name, rate in measured.items():
        print(f"{name:52} {rate:12,.0f}")
    return measured


if __name__ == "__main__":
    main()
