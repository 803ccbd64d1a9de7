"""What reads a config.json also runs in the page: traced, printed, and in Node bit for bit."""

from __future__ import annotations

import gzip
import json
import math
import random
import subprocess
from dataclasses import asdict, fields, is_dataclass

import pytest

from app.tracing import javascript
from app.tracing.module import NAMES
from app.tracing.trace import trace_function
from app.tracing.tree import Tree
from calc import ConfigError, read_config
from calc.architecture import parameters
from calc.hf_config.derive import derive, with_block
from calc.hf_config.fields import Block
from calc.hf_config.layers import Blocks
from calc.hf_config.numbers import language_part, numbers
from calc.presets.models import model_rows
from tests.calc.test_hf_config import mutated
from tests.helpers.cases import configs
from tests.helpers.node import node

FUNCTIONS = (derive, with_block, parameters.model)


@pytest.fixture(scope="module")
def printed() -> str:
    functions = (
        javascript.function(Tree(trace_function(each)), each.__name__) for each in FUNCTIONS
    )
    return "\n".join([*NAMES, *functions])


def ran(module: str, program: str, rows: object, folder) -> list[object]:
    """What a program makes of each row, in Node; NaN is a word."""
    found = node()
    assert found, "Node is missing: python -m tests.helpers.node"
    path = folder / "rows.mjs"
    path.write_text(
        f"{module}\nconst rows = {json.dumps(rows)};\n{program}\n"
        "const text = (_, value) => Number.isNaN(value) ? 'NaN' : value;\n"
        "console.log(JSON.stringify(rows.map(row => answer(...row)), text));\n"
    )
    run = subprocess.run([found, path], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def leaves(record: object, path: str = "") -> dict[str, float]:
    """Numbers by their path, of nested records or of nested objects."""
    pairs = record.items() if isinstance(record, dict) else vars(record).items()
    found = {}
    for name, value in pairs:
        if isinstance(value, dict) or is_dataclass(value):
            found |= leaves(value, f"{path}{name}.")
        else:
            found[f"{path}{name}"] = float(value)
    return found


def differences(here: object, there: object) -> dict[str, tuple[float, float]]:
    ours, theirs = leaves(here), leaves(there)
    assert ours.keys() == theirs.keys()
    return {
        name: (value, theirs[name])
        for name, value in ours.items()
        if not (value == theirs[name] or (math.isnan(value) and math.isnan(theirs[name])))
    }


def readable() -> list[object]:
    """Configs of the golden file and of the presets, and 2,000 mutated ones."""
    chance = random.Random(20261130)
    known = [*configs().values(), *(row["config"] for row in model_rows().values())]
    found = []
    for config in [*known, *(mutated(chance) for _ in range(2000))]:
        try:
            found.append((config, numbers(language_part(config))))
        except ConfigError:
            continue
    return found


def test_architecture_remarks_and_model_are_the_same(printed, tmp_path):
    cases = readable()
    records = [(s.fields, s.layers, s.blocks, s.family) for _, s in cases]
    rows = [[asdict(record) for record in each] for each in records]
    answers = ran(
        printed,
        "const answer = (...row) => {\n"
        "  const derived = derive(...row);\n"
        "  return [derived, model(derived.architecture)];\n"
        "};",
        rows,
        tmp_path,
    )
    n_read = 0
    for (config, _), row, (derived, model) in zip(cases, records, answers, strict=True):
        assert differences(derive(*row), derived) == {}
        try:
            reading = read_config(config)
        except ConfigError:
            continue
        assert differences(reading.architecture, derived["architecture"]) == {}
        assert differences(reading.model, model) == {}
        n_read += 1
    assert n_read > 800


def test_blocks_add_up_to_the_same(printed, tmp_path):
    chance = random.Random(20261201)
    values = [math.nan, 0.0, 1.0, 3.0, 8.0, 0.5, 5.25, 1000.0]
    rows = [
        [
            asdict(Blocks(*(float(chance.randrange(100)) for _ in fields(Blocks)))),
            asdict(Block(*(chance.choice(values) for _ in fields(Block)))),
            float(chance.choice([2048, 4096, 8192])),
            float(chance.choice([32, 64])),
        ]
        for _ in range(500)
    ]
    answers = ran(printed, "const answer = with_block;", rows, tmp_path)
    for (total, block, *sizes), there in zip(rows, answers, strict=True):
        assert differences(with_block(Blocks(**total), Block(**block), *sizes), there) == {}


def test_it_is_small(printed):
    # As it is sent: what each family adds to it is much alike.
    assert len(gzip.compress(printed.encode(), mtime=0)) < 9_500
