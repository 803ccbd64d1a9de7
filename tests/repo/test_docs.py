"""Numbers and commands in the documentation are those of the code."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from app.__main__ import _parser
from app.inputs import from_texts
from calc import evaluate

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
ARITHMETIC = (ROOT / "docs/arithmetic.md").read_text()


def readme_rows():
    return re.findall(r"^\| `([^`]+=[^`]+)` \| .* \| `(\w+)` = ([\d.,]+)( GB)? \|$", README, re.M)


def report(**texts):
    return evaluate(from_texts(texts).scenario())


@pytest.mark.parametrize(("inputs", "field", "number", "unit"), readme_rows())
def test_readme_numbers(inputs, field, number, unit):
    value = getattr(report(**dict(pair.split("=") for pair in inputs.split())), field)
    value = value / 1e9 if unit else value
    digits = len(number.partition(".")[2])
    assert f"{value:,.{digits}f}" == number


def test_readme_has_its_three_numbers():
    assert len(readme_rows()) == 3


def test_readme_names_every_room():
    named = set(re.findall(r"`(\w+)/?`", README.partition("## How it is built")[2]))
    for top in ("calc", "app", "assets", "examples"):
        folders = {path.name for path in (ROOT / top).iterdir() if path.is_dir()}
        assert folders - {"__pycache__", "built"} <= named


def test_readme_python_runs():
    for block in re.findall(r"```python\n(.*?)```", README, re.S):
        exec(compile(block, "README.md", "exec"), {})


def test_readme_commands_exist():
    for line in re.findall(r"^(make .*?|decode-arithmetic .*?)(?:  +#.*)?$", README, re.M):
        program, *words = line.split()
        if program == "make":
            dry = subprocess.run(
                ["make", "--dry-run", *words], cwd=ROOT, capture_output=True, check=False
            )
            assert dry.returncode == 0, line
        else:
            _parser().parse_args(words)


def test_contributing_names_what_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    scripts = json.loads((ROOT / "package.json").read_text())["scripts"]
    assert set(re.findall(r"npm run (\w+)", text)) == set(scripts)
    for path in re.findall(r"\b(?:app|tests|assets)/[\w./]+\w", text):
        assert (ROOT / path).exists(), path
    for words in re.findall(r"\bmake (\w+)(?=[ `;\n])", text):
        make = ["make", "--dry-run", words]
        assert subprocess.run(make, cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_readme_pictures_and_links_are_there():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize(
    ("printed", "inputs", "field", "scale"),
    [
        ("14.0 GB", {}, "weight_bytes", 1e9),
        ("131,072 bytes", {}, "kv_bytes_per_token", 1),
        ("1.07 GB", {}, "kv_bytes_per_sequence", 1e9),
        ("8.59 GB", {}, "kv_bytes", 1e9),
        ("61 |", {}, "max_batch", 1),
        ("524,288 bytes", {"gqa": "1"}, "kv_bytes_per_token", 1),
        ("17.2 GB", {"gqa": "1", "context": "32768"}, "kv_bytes_per_sequence", 1e9),
        ("22.6 GB", {}, "decode_bytes", 1e9),
        ("6.85 ms", {}, "step_s", 1e-3),
        ("0.113 ms", {}, "compute_s", 1e-3),
        ("61 times", {}, "decode_times_from_ridge", 1),
        ("1,169 tokens/s", {}, "tokens_per_s", 1),
        ("146.1", {}, "tokens_per_s_per_user", 1),
        ("82.7 GB", {"batch": "64"}, "hbm_used_bytes", 1e9),
        ("8,192 by default", {}, "prefill_flops_per_byte", 1),
        ("27 times", {}, "prefill_times_from_ridge", 1),
        ("300 FLOP/byte", {}, "ridge_flops_per_byte", 1),
        ("721.5", {"batch": "1", "weights": "int4"}, "tokens_per_s", 1),
        ("218.9 tokens/s", {"batch": "1"}, "tokens_per_s", 1),
        ("2.77 tokens", {"spec_k": "4"}, "spec_tokens_per_pass", 1),
        ("2.31 times", {"spec_k": "4"}, "spec_speedup", 1),
    ],
)
def test_numbers_of_the_arithmetic_page(printed, inputs, field, scale):
    assert printed in " ".join(ARITHMETIC.split())
    number = re.match(r"[\d.,]+", printed).group()
    value = getattr(report(**inputs), field) / scale
    assert f"{value:,.{len(number.partition('.')[2])}f}" == number
