"""The command, as a student runs it, and what the example's README says of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from calc import Inputs, evaluate
from examples.toy_serving import measure
from examples.toy_serving.engine import Engine
from examples.toy_serving.measure import GAINS, WAYS, Figures, main, replays
from examples.toy_serving.model import Transformer
from examples.toy_serving.prediction import PassCost, Setting, gpu_costs, toy_costs
from tests.examples.toy_serving.test_model import SIZES

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples/toy_serving"
README = (FOLDER / "README.md").read_text()

SMALL = ("--requests", "10", "--output", "8", "--context", "96", "--pool", "288", "--slots", "8")


@pytest.fixture(scope="module")
def printed() -> str:
    (command,) = re.findall(r"^python (-m .*)$", README, re.M)
    done = subprocess.run(
        [sys.executable, *command.split(), *SMALL],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def rows_of_ways(text: str) -> dict[tuple[str, str], list[str]]:
    """What stands beside each allocator and loop, measured and replayed in turn."""
    rows = re.findall(r"^(contiguous|paged) +(static|continuous) +(.*)$", text, re.M)
    return {(allocator, policy): cells.split() for allocator, policy, cells in rows}


def test_it_prints_all_four_ways_and_the_replay_agrees(printed):
    rows = rows_of_ways(printed)
    assert list(rows) == [tuple(way) for way in WAYS]
    for tokens_per_s, replayed, *exact in rows.values():
        assert float(tokens_per_s.replace(",", "")) > 0 < float(replayed.replace(",", ""))
        assert exact[::2] == exact[1::2]


def test_it_prints_what_each_change_brought(printed):
    for name, *_ in GAINS:
        (gains,) = re.findall(rf"^{name} +(.*)$", printed, re.M)
        assert all(float(gain) > 0 for gain in gains.split())
        assert len(gains.split()) == 3
    assert "All four gave the same " in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--slots 0", "slots=0.0: allowed is a whole number from 1 to 4,096"),
        ("--prompt 0", "prompt=0: allowed is a whole number from 1 to 1,048,576"),
        ("--prompt 300", "are longer than context=256, the longest sequence"),
        ("--lengths long", "lengths=long: allowed is one of fixed, lognormal, bimodal"),
        ("--pool 100", "can never fit: the longest sequence has 256 tokens, and the cache 100"),
        ("--pool many", "argument --pool: invalid int value: 'many'"),
    ],
)
def test_what_cannot_be_served_is_refused_in_a_sentence(words, said, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_mistake_in_a_loop_is_found_by_its_tokens(monkeypatch):
    def careless(engine: Engine) -> None:
        measure.static.serve(engine)
        engine.all[2].tokens[-1] += 1

    monkeypatch.setattr(measure, "Sizes", lambda: SIZES)
    monkeypatch.setitem(measure.LOOPS, "continuous", careless)
    with pytest.raises(SystemExit, match=r"^contiguous, continuous: request 3 got other tokens"):
        main([*SMALL])


def replay_of(costs) -> dict[measure.Way, Figures]:
    return replays(Setting(), costs, n_tokens=int(sum(Setting().drawn().output_len)))


def test_the_numbers_of_the_readme():
    cost = PassCost(pass_s=0.007, row_s=0.0003)
    found = replay_of(toy_costs(Setting(), Transformer(SIZES), cost))
    rows = rows_of_ways(README)
    for way, (_, n_passes, mean_decoding, holding) in found.items():
        exact = [f"{n_passes:,}", f"{mean_decoding:.1f}", f"{holding:.0%}"]
        assert rows[way][2::2] == rows[way][3::2] == exact
    on_gpu = replay_of(gpu_costs(Setting()))
    for name, start, end in GAINS:
        gain = on_gpu[end].tokens_per_s / on_gpu[start].tokens_per_s
        assert re.search(rf"^{name} .* {gain:.2f}$", README, re.M)
    assert f"the same {sum(Setting().drawn().output_len):,.0f} tokens" in README


def test_a_gpu_fetches_its_weights_in_the_time_of_300_rows():
    # At 2 bytes per weight, and 2 FLOP per weight and row, these are the ridge's FLOP per byte.
    assert evaluate(Inputs().scenario()).ridge_flops_per_byte == pytest.approx(300, rel=0.02)


def test_the_readme_tells_each_file_once():
    told = re.findall(r"^\| \[(\w+\.py)\]\(\1\)", README, re.M)
    assert sorted(told) == sorted(p.name for p in FOLDER.glob("*.py") if p.name[0] != "_")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", README):
        assert (FOLDER / target).exists(), target


def test_the_exercises_options_are_the_commands():
    for option in re.findall(r"--(\w+) ", README):
        assert option in Setting.__dataclass_fields__
