from __future__ import annotations

import json
import subprocess
import sys

import pytest

from app.__main__ import main
from app.scenario import keys

FIELDS = {
    "n_params",
    "n_active_params",
    "kv_bytes_per_token",
    "kv_bytes_per_sequence",
    "kv_bytes",
    "weight_bytes",
    "hbm_bytes",
    "hbm_used_bytes",
    "hbm_used_fraction",
    "fits",
    "max_batch",
    "step_s",
    "memory_s",
    "compute_s",
    "bound",
    "tokens_per_s",
    "tokens_per_s_per_user",
    "plain_tokens_per_s",
    "prefill_flops_per_byte",
    "decode_flops_per_byte",
    "ridge_flops_per_byte",
    "ttft_s",
    "spec_tokens_per_pass",
    "spec_speedup",
    "served_tokens_per_s",
    "usd_per_million_output_tokens",
}


def test_report_as_json(capsys):
    assert main(["report", "--json", "batch=64"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report.keys() >= FIELDS
    assert report["fits"] is False
    assert report["max_batch"] == 61
    assert report["bound"] == "memory"
    assert f"{report['tokens_per_s']:.1f}" == "2553.2"


def test_report_as_text(capsys):
    assert main(["report", "context=32768", "gqa=1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    used = next(line for line in lines if line.startswith("hbm_used_bytes"))
    assert used.split() == ["hbm_used_bytes", "151,438,953,472", "B", "HBM", "asked", "for"]


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("batch=0", "batch=0: allowed is a whole number from 1 to 1,024"),
        ("batch=2.5", "batch=2.5: allowed is a whole number from 1 to 1,024"),
        ("batch=", "batch=: allowed is a whole number from 1 to 1,024"),
        ("context=nan", "context=nan: allowed is a whole number from 1 to 1,048,576"),
        ("alpha=1e400", "alpha=1e400: allowed is a number from 0 to 1"),
        (
            "weights=int3",
            "weights=int3: allowed is one of fp32, bf16, fp8, int8, int8-wo, int4, mxfp4, nvfp4",
        ),
        ("bach=3", f"bach: unknown key; allowed are {', '.join(keys())}"),
        ("batch", "batch: write key=value, such as batch=64"),
        ("gqa=5", "gqa=5: g must divide the 32 query heads of this size: 1, 2, 4, 8, 16 or 32"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(capsys, typed, complaint):
    assert main(["report", "--json", "batch=8", typed]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"decode-arithmetic: {complaint}\n"


def test_as_a_program():
    command = [sys.executable, "-m", "app", "report", "--json", "spec_k=x"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == ("decode-arithmetic: spec_k=x: allowed is a whole number from 0 to 8\n")
    assert "Traceback" not in result.stderr


def test_export_into_a_file_s_place(tmp_path, capsys):
    (tmp_path / "taken").write_text("mine")
    assert main(["export", str(tmp_path / "taken")]) == 1
    assert capsys.readouterr().err.startswith("decode-arithmetic: ")
    assert (tmp_path / "taken").read_text() == "mine"
