from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from app.__main__ import main
from calc.inputs.table import INPUTS
from tests.helpers.refusals import REFUSALS

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


def test_tokens_that_are_free_are_no_number(capsys):
    assert main(["report", "--json", "usd_per_gpu_hour=0"]) == 0
    report = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert report["usd_per_million_output_tokens"] == 0
    assert report["output_tokens_per_usd"] is None
    assert report["input_tokens_per_usd"] is None
    assert main(["report", "usd_per_gpu_hour=0"]) == 0
    assert re.search(r"^output_tokens_per_usd +free tokens/USD", capsys.readouterr().out, re.M)


def test_report_as_text(capsys):
    assert main(["report", "context=32768", "gqa=1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    used = next(line for line in lines if line.startswith("hbm_used_bytes"))
    assert used.split() == ["hbm_used_bytes", "151,438,953,472", "B", "HBM", "asked", "for"]


HELP = "`decode-arithmetic report --help` says what there is"
LISTED = "`decode-arithmetic inputs` lists them all"


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
            "weights=int3: did you mean int8 or int4? "
            "allowed is one of fp32, bf16, fp8, int8, int8-wo, int4, mxfp4, nvfp4, q8_0, q6_k, "
            "q5_k, q4_k, q3_k, q2_k, iq4_xs, iq3_xxs, iq2_s, iq2_xxs, iq1_m, iq1_s",
        ),
        ("bach=3", f"bach: there is no such input; did you mean batch? {LISTED}"),
        ("xyz=3", f"xyz: there is no such input; {LISTED}"),
        (
            "model=lama-3-8b",
            "model=lama-3-8b: did you mean llama-3-8b or llama-3-70b or llama-3.2-1b? allowed is "
            "7b-class, custom, a name that `decode-arithmetic models` lists, or the text of a "
            "config.json",
        ),
        (
            "model=deepseek-v4",
            "model=deepseek-v4: did you mean deepseek-v4-pro or deepseek-v4-flash? allowed is "
            "7b-class, custom, a name that `decode-arithmetic models` lists, or the text of a "
            "config.json",
        ),
        ("batch=9 batch=8", "batch is given twice: leave one out"),
        ("batch", "batch: write key=value, such as batch=64"),
        ("=8", "=8: write key=value, such as batch=64"),
        ("batch=8 --config a --config b", "--config is given twice: leave one out; " + HELP),
        ("--config=a batch=8 --config=a", "--config is given twice: leave one out; " + HELP),
    ],
)
def test_bad_input_is_one_line_and_exit_2(capsys, typed, complaint):
    assert main(["report", "--json", "prompt=8", *typed.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"decode-arithmetic: {complaint}\n"


@pytest.mark.parametrize(("typed", "said"), REFUSALS)
def test_what_may_not_go_together_is_said_as_everywhere(capsys, typed, said):
    assert main(["report", *(f"{key}={text}" for key, text in typed.items())]) == 2
    assert capsys.readouterr() == ("", f"decode-arithmetic: {said}\n")


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


LLAMA_3_8B = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}


def test_report_of_a_config(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(LLAMA_3_8B))
    assert main(["report", "--json", "--config", str(config), "batch=1"]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    # The model card's own count, and 2 · 32 · 8 · 128 · 2 bytes.
    assert report["n_params"] == 8_030_261_248
    assert report["kv_bytes_per_token"] == 131_072
    assert err.startswith("parameters: 8,030,261,248, active 8,030,261,248; every tensor of the ")
    assert "\nused: " in err


def test_number_formats_of_a_config_count_unless_others_are_given(tmp_path, capsys):
    config = tmp_path / "config.json"
    stated = {"quant_method": "fp8", "kv_cache_quant_algo": "FP8"}
    config.write_text(json.dumps(LLAMA_3_8B | {"quantization_config": stated}))

    def report(*inputs):
        assert main(["report", "--json", "--config", str(config), *inputs]) == 0
        return json.loads(capsys.readouterr().out)

    # Two tables of 525,336,576 at 16 bit, the rest with a scale of 4 bytes per 128 · 128.
    tables = 1_050_673_152
    stored = 2 * tables + (8_030_261_248 - tables) * (1 + 4 / 128**2)
    assert report()["weight_bytes"] == round(stored)
    assert report("real_checkpoint=0")["weight_bytes"] == 8_030_261_248
    assert report("assumptions=lesson")["weight_bytes"] == 8_030_261_248
    assert report()["kv_bytes_per_token"] == 131_072 / 2
    assert report("weights=bf16", "kv=bf16")["weight_bytes"] == 2 * 8_030_261_248
    assert report("kv=bf16")["kv_bytes_per_token"] == 131_072


@pytest.mark.parametrize(
    ("content", "inputs", "complaint"),
    [
        ("[1, 2]", [], "The file holds no JSON object"),
        ("{", [], "The file is not JSON"),
        ("{}", [], ""),
        (json.dumps(LLAMA_3_8B), ["params_b=7"], "leave this key out"),
    ],
)
def test_a_bad_config_is_one_sentence_and_exit_2(tmp_path, capsys, content, inputs, complaint):
    config = tmp_path / "config.json"
    config.write_text(content)
    assert main(["report", "--json", "--config", str(config), *inputs]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert err.count("\n") == 1


def test_presets_are_listed_with_their_sources(capsys):
    assert main(["models"]) == 0
    models = capsys.readouterr().out.splitlines()
    assert len(models) >= 30
    assert any(line.startswith("llama-3-8b") and "8,030,261,248" in line for line in models)
    assert main(["gpus"]) == 0
    gpus = capsys.readouterr().out
    assert "h100-sxm: " in gpus
    assert "InferenceX-app" in gpus


def test_inputs_are_listed_with_what_they_take(capsys):
    assert main(["inputs"]) == 0
    listed = capsys.readouterr().out
    assert "a whole number from 1 to 1,024; default 8" in listed
    for key in INPUTS:
        assert f"\n{key} " in f"\n{listed}"


def test_options_may_stand_between_inputs(capsys):
    lines = [
        ["report", "--json", "batch=64", "context=1024"],
        ["report", "batch=64", "--json", "context=1024"],
        ["report", "batch=64", "context=1024", "--json"],
    ]
    reports = []
    for line in lines:
        assert main(line) == 0
        reports.append(capsys.readouterr().out)
    assert len(set(reports)) == 1
