"""The page's replay is Python's, bit for bit: what comes in by chance, and what comes out."""

from __future__ import annotations

import json
import subprocess
from array import array
from hashlib import sha256
from pathlib import Path
from random import Random

from calc import ASSUMPTIONS, MODELS, Inputs
from calc.presets.models import OWN_MODELS
from calc.serving.arrays import arrays
from calc.serving.blocks import cache_bytes
from calc.serving.costs import costs
from calc.serving.engine import Rules
from calc.serving.replay import Replay, replay
from calc.serving.requests import Mix, Requests, draw, source
from calc.serving.scheduler import DONE, NEVER_FITS
from tests.helpers.node import node

N_TRACES = 1000


def random_inputs(chance: Random) -> Inputs:
    return Inputs(
        model=chance.choice([name for name in MODELS if name not in OWN_MODELS]),
        gpu=chance.choice(["h100-sxm", "a100-sxm-80gb", "rtx-4090"]),
        gpus=chance.choice([1.0, 4.0, 16.0]),
        weights=chance.choice(["bf16", "fp8", "int4"]),
        kv=chance.choice(["bf16", "fp8"]),
        assumptions=chance.choice(sorted(ASSUMPTIONS)),
        prefix_hit=chance.choice([0.0, 0.0, 0.3]),
    )


def told(chance: Random) -> dict:
    max_len = chance.choice([64.0, 512.0, 3000.0])
    contiguous = chance.random() < 0.3
    rules = Rules(
        policy=chance.choice([0.0, 1.0, 2.0, 3.0]),
        n_slots=chance.randint(1, 6),
        chunk_len=chance.choice([3.0, 16.0, 512.0]),
        block_len=max_len if contiguous else chance.choice([1.0, 16.0, 40.0]),
        max_len=max_len,
        watermark=chance.choice([0.0, 0.01, 0.3]),
        swap_bytes_per_s=chance.choice([0.0, 64e9]),
    )
    mix = Mix(
        rate_per_s=chance.choice([0.0, 0.5, 20.0]),
        burst=chance.choice([1.0, 3.0]),
        lengths=chance.choice([0.0, 1.0, 2.0]),
        prompt_len=float(chance.randint(1, 40)),
        output_len=float(chance.randint(1, 24)),
        max_len=max_len,
    )
    inputs = random_inputs(chance)
    # Room for a few sequences, so that some have to give way.
    own_bytes = cache_bytes(costs(inputs.scenario()), mix.prompt_len + mix.output_len)
    return {
        "inputs": inputs,
        "pool_bytes": own_bytes * chance.choice([3, 5, 1e6]),
        "rules": rules,
        "mix": mix,
        "seed": chance.randrange(2**31 - 249),
        "n": chance.randint(1, 12),
    }


def replayed(inputs, pool_bytes, rules, mix, seed, n) -> Replay:
    requests = arrays(Requests, n)
    draw(mix, source(seed), requests, n)
    return replay(rules, costs(inputs.scenario())._replace(pool_bytes=pool_bytes), requests)


def fingerprint(found: Replay, n: int) -> str:
    values = sha256()
    for field in found.requests:
        values.update(field[:n])
    for field in found.passes:
        values.update(field[: found.n_runs])
    for field in found.phases:
        values.update(field[: found.n_phases])
    values.update(array("d", [found.outcome, found.n_runs, found.n_phases, *found.totals]))
    return values.hexdigest()


def test_the_page_replays_what_python_replays(written):
    chance = Random(12)
    cases = [told(chance) for _ in range(N_TRACES)]
    plain = [
        each
        | {name: each[name]._asdict() for name in ("rules", "mix")}
        | {"inputs": each["inputs"].as_dict()}
        for each in cases
    ]
    script = Path(__file__).with_name("replay.mjs")
    run = subprocess.run(
        [node(), script], input=json.dumps(plain).encode(), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode()
    found = [replayed(**each) for each in cases]
    pages = json.loads(run.stdout)
    for each, here, there in zip(cases, found, pages, strict=True):
        assert fingerprint(here, each["n"]) == there, each
    # These traces go everywhere: some do not fit, and of the others some are preempted.
    assert {each.outcome for each in found} == {DONE, NEVER_FITS}
    assert 0 < sum(each.totals.n_preemptions > 0 for each in found) < N_TRACES / 2
