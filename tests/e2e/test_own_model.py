"""A model of the reader's own: its config.json pasted, changed, shared and taken out again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from app.__main__ import main
from tests.e2e.test_explorer import Explorer
from tests.helpers.cases import configs, records

STUDY = "/index.html?view=explorer&study=config"

#: Public files of families of their own, whose parameters somebody has counted; KV cache of a token
#: by hand: layers · what each keeps · 2 bytes.
FILES = {
    "meta-llama/Llama-3.1-70B": (80 * 2 * 8 * 128, "GQA: 2 × 8 × 128 numbers per token"),
    "mistralai/Mistral-7B-v0.3": (32 * 2 * 8 * 128, "GQA: 2 × 8 × 128 numbers per token"),
    "google/gemma-2-9b": (21 * 2 * 8 * 256, "GQA: 2 × 8 × 256 numbers in 21, the last 4,096"),
    "google/gemma-3-1b-it": (4 * 2 * 1 * 256, "MQA: 2 × 1 × 256 numbers in 4, the last 512"),
    "microsoft/phi-2": (32 * 2 * 32 * 80, "MHA: 2 × 32 × 80 numbers per token"),
    "microsoft/Phi-3-mini-4k-instruct": (32 * 2 * 32 * 96, "MHA: 2 × 32 × 96 numbers per token"),
    "CohereForAI/aya-23-8B": (32 * 2 * 8 * 128, "GQA: 2 × 8 × 128 numbers per token"),
    "THUDM/chatglm3-6b": (28 * 2 * 2 * 128, "GQA: 2 × 2 × 128 numbers per token"),
    "Qwen/Qwen2.5-0.5B": (24 * 2 * 2 * 64, "GQA: 2 × 2 × 64 numbers per token"),
    "Qwen/Qwen3-14B": (40 * 2 * 8 * 128, "GQA: 2 × 8 × 128 numbers per token"),
    "tiiuae/falcon-7b": (32 * 2 * 1 * 64, "MQA: 2 × 1 × 64 numbers per token"),
}
PUBLISHED = {
    each["id"]: each["published"]["total_params"]
    for each in records("models")
    if "published" in each
}
LLAMA = configs()["meta-llama/Llama-3.1-8B"]


class OwnModel(Explorer):
    """One open page with the study of an own model."""

    def paste(self, text: str) -> None:
        self.page.get_by_label("The text of a config.json").fill(text)

    def use(self) -> None:
        self.page.get_by_role("button", name="Use this model").click()
        expect(self.page.get_by_role("button", name="In use")).to_be_disabled()

    def size(self, path: str) -> object:
        return self.page.locator(f'.sizes input[name="{path}"]')

    @property
    def said(self) -> object:
        return self.page.locator(".study.config > .said")

    @property
    def wrong(self) -> object:
        return self.page.locator(".study.config > .wrong")


@pytest.fixture
def own(browser: Browser, site: str) -> Iterator[OwnModel]:
    made = OwnModel(browser, site)
    yield made
    made.close()


def test_public_files_of_eleven_families(own: OwnModel) -> None:
    own.open(STUDY)
    for name, (elements, attention) in FILES.items():
        own.paste(json.dumps(configs()[name]))
        expect(own.said).to_contain_text(f"{PUBLISHED[name]:,} parameters")
        expect(own.said).to_contain_text("Every tensor of its family is known.")
        own.use()
        kept = own.text("kv_bytes_per_token_sub")
        expect(kept).to_contain_text(f"{2 * elements:,} bytes · {attention}")


def test_a_link_opens_with_the_same_numbers_elsewhere(own: OwnModel, browser: Browser) -> None:
    own.open(STUDY)
    own.paste(json.dumps(configs()["deepseek-ai/DeepSeek-V3"] | {"_name_or_path": "lab/My-V3"}))
    # 61 layers of a latent of 512 + 64 (arXiv:2412.19437, section 2.1.1), in bf16.
    expect(own.said).to_contain_text("My-V3: 671,026,419,200 parameters, 37.6 billion of them")
    own.use()
    own.says("model", "My-V3")
    sub = "70,272 bytes · MLA: 576 numbers per token and layer, on each GPU"
    own.says("kv_bytes_per_token_sub", sub)
    own.address_has("model=%7B%22model_type%22:%22deepseek_v3%22")
    speed = own.text("tokens_per_s").inner_text()
    other = OwnModel(browser, own.address)
    other.open(own.page.url.removeprefix(own.address))
    other.says("model", "My-V3")
    other.says("kv_bytes_per_token_sub", sub)
    other.says("tokens_per_s", speed)
    # The address has what its family does not have anyway.
    expect(other.size("hidden_size")).to_have_value("7168")
    expect(other.size("kv_lora_rank")).to_have_count(0)
    other.close()


def test_a_size_is_changed_and_the_model_taken_out_again(own: OwnModel) -> None:
    own.open("/index.html?view=explorer&study=config&model=qwen3-8b&batch=16")
    own.paste(json.dumps(LLAMA))
    own.use()
    own.says("kv_bytes_per_token", "128")
    own.size("num_hidden_layers").fill("64")
    own.size("num_hidden_layers").press("Enter")
    own.says("kv_bytes_per_token", "256")
    own.address_has("num_hidden_layers%22:64")
    # What cannot be is one sentence in place, and changes nothing.
    own.size("num_key_value_heads").fill("7")
    own.size("num_key_value_heads").press("Enter")
    expect(own.wrong).to_have_text("32 query heads cannot share 7 KV heads evenly.")
    expect(own.size("num_key_value_heads")).to_have_value("8")
    own.says("kv_bytes_per_token", "256")
    own.page.get_by_label("Name").fill("Twice as deep")
    own.page.get_by_label("Name").press("Enter")
    own.says("model", "Twice as deep")
    own.page.get_by_role("button", name="Take it out").click()
    own.says("model", "Qwen3 8B")
    own.address_has("model=qwen3-8b")
    own.holds("batch", "16")
    own.page.get_by_role("button", name="Undo").click()
    own.says("model", "Twice as deep")


def test_a_family_that_is_not_known_is_marked_wherever_it_counts(own: OwnModel) -> None:
    own.open(STUDY)
    own.paste(json.dumps(LLAMA | {"model_type": "brand_new", "hidden_act": "silu"}))
    expect(own.said).to_contain_text("Partly a guess")
    expect(own.page.locator("[data-fate=guesses] li")).to_contain_text("brand_new is not known")
    own.use()
    own.says("model", "Own brand_new (partly a guess)")
    for name in ("kv_bytes_per_token", "tokens_per_s", "tokens_per_s_per_user", "ttft_s"):
        expect(own.text(name)).to_contain_text("≈ ")
        expect(own.text(f"{name}_sub")).to_contain_text("partly a guess")
    own.page.get_by_role("button", name="Take it out").click()
    own.says("tokens_per_s", "1,170")


def deep(config: dict) -> dict:
    config = deepcopy(config)
    config["x"] = inner = {}
    for _ in range(900):
        inner["x"] = inner = {}
    return config


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (json.dumps(LLAMA)[:-1], "The file is not JSON: a comma or bracket is missing in line 1."),
        (json.dumps(deep(LLAMA)), "The file is nested too deeply to be a config.json."),
        (json.dumps(LLAMA | {"hidden_size": "wide"}), "hidden_size must be a number, not 'wide'."),
        (json.dumps(LLAMA | {"hidden_size": None}), "hidden_size is missing."),
        (
            json.dumps(LLAMA | {"model_type": "t5"}),
            "model_type t5 is an encoder-decoder: its cross-attention's cache is not modelled "
            "here.",
        ),
        (
            json.dumps(LLAMA | {"<img src=x onerror=alert(1)>": 1, "moe_<b>_heads": 3}),
            "moe_<b>_heads is not understood, and may say what layers are.",
        ),
    ],
    ids=["cut", "deep", "a word", "missing", "another family", "markup"],
)
def test_what_is_no_config_changes_nothing(own: OwnModel, text: str, sentence: str) -> None:
    own.open(STUDY + "&batch=16")
    own.paste(text)
    expect(own.wrong).to_have_text(sentence)
    expect(own.page.get_by_role("button", name="Use this model")).to_be_disabled()
    own.says("model", "7B class")
    own.paste(json.dumps(LLAMA))
    expect(own.wrong).to_have_text("")
    own.use()


def test_fifty_megabytes_are_refused_at_once(own: OwnModel, tmp_path: Path) -> None:
    large = tmp_path / "config.json"
    large.write_bytes(b'{"a": "' + b"x" * 50_000_000 + b'"}')
    own.open(STUDY)
    chooser = own.page.locator(".study.config [type=file]")
    chooser.set_input_files(large)
    expect(own.wrong).to_have_text("The file is larger than 8 MiB, as no config.json is.")
    small = tmp_path / "small.json"
    small.write_text(json.dumps(LLAMA))
    chooser.set_input_files(small)
    expect(own.said).to_contain_text("8,030,261,248 parameters")
    own.page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "config.json"));
          document.querySelector(".study.config")
            .dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }""",
        json.dumps(configs()["Qwen/Qwen3-14B"]),
    )
    expect(own.said).to_contain_text("14,768,307,200 parameters")


def test_a_bad_config_in_an_address_is_one_sentence_and_the_rest_holds(own: OwnModel) -> None:
    own.open('/index.html?batch=16&model={"model_type":"llama","hidden_size":4096}')
    notes = own.page.locator(".notes li")
    expect(notes).to_have_count(1)
    expect(notes).to_have_text(
        'model={"model_type":"llama","hidden_size":409…: vocab_size is missing'
    )
    own.holds("batch", "16")
    own.says("model", "7B class")


def test_every_door_takes_the_text(own: OwnModel, capsys: pytest.CaptureFixture[str]) -> None:
    own.open("/index.html?view=explorer&study=config&batch=16")
    own.paste(json.dumps(LLAMA | {"_name_or_path": "it's mine"}))
    own.use()
    own.tab("Take it away").click()
    command = own.text("command").inner_text()
    words = shlex.split(command)
    assert words[:2] == ["decode-arithmetic", "report"]
    assert main([words[1], "--json", *words[2:]]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["n_params"] == 8_030_261_248
    program = own.text("python").inner_text()
    exec(program, {})
    assert f"tokens_per_s {report['tokens_per_s']}" in capsys.readouterr().out


def test_the_formats_that_a_file_states_come_with_it(
    own: OwnModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = configs()["deepseek-ai/DeepSeek-V3"] | {
        "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}
    }
    own.open(STUDY)
    own.paste(json.dumps(config))
    expect(own.said).to_contain_text("The file states weights in fp8.")
    own.use()
    own.address_has("weights=fp8")
    own.tab("Take it away").click()
    words = shlex.split(own.text("command").inner_text())
    assert main([words[1], "--json", *words[2:]]) == 0
    report = json.loads(capsys.readouterr().out)
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config))
    assert main(["report", "--json", "--config", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == report
    own.tab("Own model").click()
    own.page.get_by_role("button", name="Take it out").click()
    own.says("model", "7B class")
    own.says("tokens_per_s", "1,170")


def test_it_can_be_pinned_and_the_link_has_both(own: OwnModel, browser: Browser) -> None:
    own.open(STUDY)
    own.paste(json.dumps(LLAMA | {"_name_or_path": "mine, of 8B"}))
    own.use()
    own.tab("Compare").click()
    own.page.get_by_role("button", name="Pin as A").click()
    own.address_has("&a=model")
    other = OwnModel(browser, own.address)
    other.open(own.page.url.removeprefix(own.address))
    expect(other.page.locator(".notes li")).to_have_count(0)
    other.says("model", "mine, of 8B")
    expect(other.text("tokens_per_s_sub")).to_contain_text("A ")
    other.close()
