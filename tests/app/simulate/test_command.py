"""`simulate`, by its user's route."""

from __future__ import annotations

import csv
import io
import json

import pytest

from app.__main__ import main
from app.simulate import command
from calc import evaluate, scenario

KEYS = {
    *("n_requests", "n_finished", "n_preemptions", "makespan_s", "output_tokens", "tokens_per_s"),
    *("slot_utilisation", "kv_holding_fraction", "ttft_p50_s", "ttft_p99_s"),
    *("itl_p50_s", "itl_p99_s"),
}


def said(capsys, *words):
    assert main(["simulate", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def totals(capsys, *words):
    return json.loads(said(capsys, "--json", *words))


def complaint(capsys, *words):
    assert main(["simulate", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.removeprefix("decode-arithmetic: ").rstrip("\n")


def test_totals_as_json(capsys):
    found = totals(capsys, "requests=40", "lengths=bimodal", "policy=static", "slots=8", "seed=3")
    assert found.keys() >= KEYS
    assert found["n_requests"] == found["n_finished"] == 40
    assert found["tokens_per_s"] == found["output_tokens"] / found["makespan_s"]


def test_totals_as_text(capsys):
    lines = said(capsys, "requests=1", "output=1", "lengths=fixed").splitlines()
    assert lines[0].split() == ["n_requests", "1", "requests"]
    # Of a single token there is no gap.
    assert [line.split()[1] for line in lines if line.startswith("itl")] == ["none", "none"]


def test_one_request_is_the_report(capsys):
    found = totals(capsys, "requests=1", "lengths=fixed", "prompt=1000", "output=200")
    report = evaluate(scenario(batch=1.0, prompt=1000.0, output=200.0))
    assert found["ttft_p50_s"] == report.ttft_s
    assert found["makespan_s"] == pytest.approx(report.request_s, rel=1e-12)


def test_goodput_counts_who_keeps_both_limits(capsys):
    ask = ["requests=60", "rate=4", "slots=4", "lengths=bimodal"]
    limits = ["ttft_limit=0.5", "tpot_limit=5"]
    found = totals(capsys, *ask, *limits)
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--csv", *ask, *limits))))

    def keeps(row):
        first_s = float(row["first_token_s"]) - float(row["arrival_s"])
        decode_s = float(row["finish_s"]) - float(row["first_token_s"])
        return first_s <= 0.5 and decode_s <= 5e-3 * (int(row["output_len"]) - 1)

    assert [row["is_good"] == "1" for row in rows] == [keeps(row) for row in rows]
    n_good = sum(map(keeps, rows))
    assert 0 < n_good < 60
    assert found["goodput_per_s"] == n_good / found["makespan_s"]
    assert totals(capsys, *ask, "ttft_limit=10000", "tpot_limit=1e6")["goodput_per_s"] == (
        60 / found["makespan_s"]
    )


def test_the_scenario_s_keys_are_keys(capsys):
    slow, fast = (
        totals(capsys, "requests=8", "lengths=fixed", *more)["tokens_per_s"]
        for more in ((), ("weights=int4", "gpu=h200-sxm"))
    )
    assert fast > 3 * slow


def test_the_same_seed_is_the_same_trace(capsys):
    ask = ["requests=20", "rate=3", "burst=2", "lengths=lognormal"]
    assert totals(capsys, *ask, "seed=7") == totals(capsys, *ask, "seed=7")
    assert totals(capsys, *ask, "seed=7") != totals(capsys, *ask, "seed=8")


@pytest.fixture
def trace(tmp_path):
    file = tmp_path / "trace.csv"
    file.write_text("id,prompt,output,arrival_s\na,100,3,0.5\n\nb,50,1,0.5\r\nc,2e2,10,60\n")
    return file


def test_a_trace(capsys, trace):
    found = totals(capsys, "--trace", str(trace), "slots=2")
    assert (found["n_requests"], found["output_tokens"], found["prefilled_tokens"]) == (3, 14, 350)
    assert 59.5 < found["makespan_s"] < 60


def test_requests_as_csv(capsys, trace):
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--csv", "--trace", str(trace)))))
    assert [row["request"] for row in rows] == ["2", "1", "3"]
    assert {row["slot"] for row in rows} <= {str(slot) for slot in range(1, 9)}
    assert [row["output_len"] for row in rows] == ["1", "3", "10"]
    assert float(rows[2]["first_token_s"]) > float(rows[2]["arrival_s"]) == 60


def test_a_request_that_can_never_fit_is_named(capsys, tmp_path):
    file = tmp_path / "trace.csv"
    file.write_text("arrival_s,prompt,output\n0,10,10\n\n1,9000,10\n")
    assert complaint(capsys, "--trace", str(file)) == (
        f"{file}: line 4: request 2, with a prompt of 9,000 and an output of 10 tokens, can never "
        "fit: context=8192 is the longest sequence that is served"
    )
    assert complaint(capsys, "context=1048576", "prompt=1000000", "lengths=fixed") == (
        "request 1, with a prompt of 1,000,000 and an output of 500 tokens, can never fit: "
        "its cache takes 131 GB, and the weights leave 66 GB on each GPU"
    )
    assert complaint(capsys, "model=llama-3-70b", "lengths=fixed") == (
        "request 1, with a prompt of 512 and an output of 500 tokens, can never fit: "
        "the weights leave no room for a cache"
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["policy=greedy"], "policy=greedy: allowed is one of static, continuous, chunked, disagg"),
        (["slots=0"], "slots=0: allowed is a whole number from 1 to 4,096"),
        (["rate=-1"], "rate=-1: allowed is a number from 0 to 1,000,000"),
        (["rate=1e-10"], "rate=1e-10: smaller than 1e-9 is none but 0"),
        (["alpha=1e-10"], "alpha=1e-10: smaller than 1e-9 is none but 0"),
        (["rate=1e-8"], "rate=1e-08: the last request comes after more than 10,000,000,000 s"),
        (["ttft_limit=0"], "ttft_limit=0: allowed is a number from 0.001 to 10,000"),
        (["requests=1e12"], "requests=1e12: allowed is a whole number from 1 to 1,000,000,000"),
        (["polici=static"], "polici: there is no such input; did you mean policy?"),
        (["spec_k=4"], "spec_k: the replay decodes without speculation, leave this key out"),
        (["context=600"], "prompt=512 and output=500 are longer than context=600, the longest"),
        (["--trace", "x.csv", "rate=2"], "rate: the trace has its own, leave this key out"),
        (["--trace", "/dev/zero"], "/dev/zero: this is no plain file; save it in one and name"),
    ],
)
def test_bad_input_is_one_sentence(capsys, words, says):
    assert complaint(capsys, *words).startswith(says)


def test_a_file_that_is_not_there_is_said(capsys, tmp_path):
    assert main(["simulate", "--trace", str(tmp_path / "none.csv")]) == 1
    assert "No such file or directory" in capsys.readouterr().err


def test_long_runs_say_how_far_they_are(capsys, monkeypatch):
    monkeypatch.setattr(command, "_PROGRESS_S", 0.0)
    assert main(["simulate", "--json", "requests=9000", "output=1", "prompt=1"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["n_finished"] == 9000
    first, *_, last = err.splitlines()
    assert first.startswith("8,19")
    assert "of 9,000 requests served" in first
    assert last.startswith("9,000 of 9,000 requests served")
