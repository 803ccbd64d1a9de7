"""Kinds of layers and families in public config.json files: parameters, and what they cache."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace

import pytest

from calc import ConfigError, evaluate, read_config, scenario
from calc.architecture import parameters
from calc.hf_config.derive import derive
from calc.hf_config.family import Family
from calc.hf_config.fields import Fields
from calc.hf_config.layers import NO_BLOCKS, ROWS, Layers
from calc.hf_config.numbers import language_part, numbers
from tests.helpers.cases import configs, records

CASES = {each["id"]: each for each in records("configs")}


def config(name):
    return deepcopy(CASES[name]["config"])


@pytest.mark.parametrize("name", CASES)
def test_counts_and_caches(name):
    case = CASES[name]
    reading = read_config(json.dumps(case["config"]))
    assert reading.guesses == ()
    if published := case.get("published"):
        n_draft_params = beside(case["config"]).n_draft_params if "draft" in published else 0
        assert reading.model.n_params + n_draft_params == published["total_params"]
    report = evaluate(scenario(model=reading.model).validate())
    for quantity, value in case.get("cache", {}).items():
        found = reading.model.window.kept_len if quantity == "window" else getattr(report, quantity)
        assert found == value, quantity


TOTALS = {each["id"]: each["total_params"] for each in records("hub_totals")}


@pytest.mark.parametrize("name", TOTALS)
def test_totals_of_checkpoints(name):
    assert read_config(configs()[name]).model.n_params == TOTALS[name]


def test_files_and_families_are_many():
    """Public files by id, and the families of their language models."""
    files = configs() | {name: case["config"] for name, case in CASES.items()}
    kinds = {language_part(each).part.get("model_type") for each in files.values()}
    assert len(files) >= 130
    assert len(kinds) >= 60


@pytest.mark.parametrize("count", ROWS["attention"].counts)
def test_each_listed_layer_is_one_of_some_kind(count):
    counts = dict.fromkeys(ROWS["attention"].counts, 0.0) | {count: 2.0}
    layers = Layers(n_attention=2.0, **counts)
    model = parameters.model(derive(Fields(n_layers=2.0), layers, NO_BLOCKS, Family()).architecture)
    # Beside a compressed cache each has a window, too.
    kinds = {name: kind.n_layers for name, kind in model.kinds.items() if kind.n_layers}
    compressed = {"n_csa": "full", "n_hca": "hca"}
    assert kinds == (
        {compressed[count]: 2, "window": 2}
        if count in compressed
        else {count.removeprefix("n_"): 2}
    )


# --- values per layer -------------------------------------------------------------------------


def test_kv_heads_that_differ_by_layer():
    # DeciLM-7B: 4 KV heads in some layers, 2 or 1 in others. A head is 2·128 numbers of 2 bytes.
    llama = configs()["meta-llama/Llama-3.1-8B"]
    stated = [4] * 8 + [2] * 12 + [1] * 12
    reading = read_config(
        llama | {"num_key_value_heads_per_layer": stated, "num_key_value_heads": 4}
    )
    model = reading.model
    assert evaluate(scenario(model=model).validate()).full_bytes_per_token == sum(stated) * 512
    assert model.full.n_kv_heads == 1
    alike = read_config(llama | {"num_key_value_heads": 4}).model
    # Each head less spares a key and a value projection.
    assert alike.n_params - model.n_params == (32 * 4 - sum(stated)) * 2 * 4096 * 128
    assert any("KV heads differ by layer" in each for each in reading.derived)


def test_query_heads_that_differ_by_kind_of_layer():
    # Laguna: 48 heads in full layers, 64 in windows.
    kinds = ["full_attention", "sliding_attention", "sliding_attention", "sliding_attention"] * 8
    base = configs()["meta-llama/Llama-3.1-8B"] | {"layer_types": kinds, "sliding_window": 512}
    by_layer = [48 if kind == "full_attention" else 64 for kind in kinds]
    model = read_config(
        base
        | {"num_attention_heads_per_layer": by_layer, "head_dim": 128}
        | {"num_attention_heads": 48}
    ).model
    alike = read_config(base | {"num_attention_heads": 48, "head_dim": 128}).model
    assert model.n_params - alike.n_params == 24 * 16 * 128 * 2 * 4096
    assert model.full.decode_attention_width == 48 * 2 * 128
    assert model.window.decode_attention_width == 64 * 2 * 128


def test_widths_that_differ_by_layer():
    llama = configs()["meta-llama/Llama-3.1-8B"]
    widths = [14336] * 16 + [7168] * 16
    alike, other = (
        read_config(llama | {"intermediate_size": each}).model for each in (14336, widths)
    )
    assert alike.n_params - other.n_params == 16 * 7168 * 3 * 4096


@pytest.mark.parametrize(
    ("name", "q_rank"),
    [
        # `configuration_*.py` of Hugging Face transformers; moonshotai's own for Kimi-K2.
        ("deepseek-ai/DeepSeek-V2-Lite", 1536),
        ("deepseek-ai/DeepSeek-V3", 1536),
        ("moonshotai/Kimi-K2-Instruct", 1536),
        ("zai-org/GLM-5", 2048),
    ],
)
def test_null_means_none_and_absence_what_the_class_has(name, q_rank):
    whole = {**configs()[name]}
    whole.pop("q_lora_rank", None)
    absent, null, zero = (
        read_config(whole | more) for more in ({}, {"q_lora_rank": None}, {"q_lora_rank": 0})
    )
    assert absent.architecture.q_rank == q_rank
    (said,) = (each for each in absent.derived if "q_lora_rank" in each)
    assert said.startswith(f"q_lora_rank is missing: {q_rank}, as the ")
    assert null.model == zero.model
    assert null.architecture.q_rank == 0


def test_null_of_any_field_that_a_class_has_is_as_without_the_class():
    # Mistral's class has 8 KV heads, and as many as query heads where a file says null.
    mistral = {**configs()["mistralai/Mistral-7B-v0.3"]}
    mistral.pop("num_key_value_heads")
    assert read_config(mistral).model.full.n_kv_heads == 8
    assert read_config(mistral | {"num_key_value_heads": None}).model.full.n_kv_heads == 32
    # DeepSeek-V3's class has one expert that is shared, and none where a file says null.
    v3 = {**configs()["deepseek-ai/DeepSeek-V3"]} | {"n_shared_experts": None}
    assert read_config(v3).architecture.shared_width == 0
    v3.pop("n_shared_experts")
    assert read_config(v3).architecture.shared_width == 2048


def test_tables_of_a_family_are_tied_where_its_file_is_silent():
    # The published file of StarCoder2 15B says that they are two; its class would have one.
    two = config("bigcode/starcoder2-15b")
    silent = {name: value for name, value in two.items() if name != "tie_word_embeddings"}
    reading = read_config(silent)
    table = "tie_word_embeddings is missing: one table, as the starcoder2 family has it"
    assert table in reading.derived
    assert read_config(two).model.n_params == 15_957_889_024
    assert read_config(two).model.n_params - reading.model.n_params == 49152 * 6144


def test_a_list_of_equal_entries_is_that_value():
    llama = configs()["meta-llama/Llama-3.1-8B"]
    lists = {name: [llama[name]] * 32 for name in ("num_key_value_heads", "hidden_size")}
    assert read_config(llama | lists).model == read_config(llama).model


# --- two mechanisms, and others than attention --------------------------------------------------


def test_attention_beside_a_state_in_every_layer():
    model = read_config(config("tiiuae/Falcon-H1-1.5B-Base")).model
    assert (model.full.n_layers, model.state.n_layers) == (24, 24)
    # llama.cpp prints 72.00 MiB of states, and 0.98 of convolutions, which it keeps at 32 bit
    # whatever the family; vLLM, and we, at 16.
    assert 24 * 48 * 64 * 256 * 4 == 72 * 2**20
    conv_bytes = model.state.state_bytes * 24 - 72 * 2**20
    assert round(2 * conv_bytes / 2**20, 2) == 0.98


def test_states_at_16_bit():
    nemotron = config("nvidia/NVIDIA-Nemotron-Nano-9B-v2")
    wide, narrow = (
        read_config(nemotron | {"mamba_ssm_cache_dtype": each}).model.state.state_bytes
        for each in ("float32", "bfloat16")
    )
    assert wide - narrow == 128 * 80 * 128 * 2


def test_mamba_1_by_hand():
    # Jamba: 4096 wide, 8192 inside, state 16, step of rank 256; 28 of 32 layers.
    layer = 4096 * 16384 + 8192 * 4 + 8192 + 8192 * (256 + 32) + 256 * 8192 + 8192
    layer += 8192 * 16 + 8192 + 8192 * 4096 + 256 + 16 + 16
    reading = read_config(config("ai21labs/Jamba-v0.1"))
    assert (reading.model.full.n_layers, reading.model.state.n_layers) == (4, 28)
    attention = 2 * 4096**2 + 2 * 4096 * 1024
    mlp = 3 * 4096 * 14336
    rest = 2 * 65536 * 4096 + 4096 + 32 * 2 * 4096
    experts = 16 * (16 * mlp + 16 * 4096)
    assert reading.model.n_params == rest + 28 * layer + 4 * attention + 16 * mlp + experts


def test_layers_that_look_at_an_image_do_not_grow():
    reading = read_config(config("meta-llama/Llama-3.2-11B-Vision"))
    assert reading.model.full.n_layers == 32
    assert any("does not grow with the text" in each for each in reading.derived)


def test_two_attention_blocks_in_a_layer():
    reading = read_config(config("meituan-longcat/LongCat-Flash-Chat"))
    assert (reading.model.n_layers, reading.model.full.n_layers) == (28, 56)
    # A third of the experts has no weights: 8 of 12 are read.
    assert reading.model.n_experts_per_token == 8


# --- families -------------------------------------------------------------------------------


def test_an_mlp_some_times_as_wide():
    # MPT: twice as many times, twice the two matrices of each MLP.
    mpt = {"model_type": "mpt", "d_model": 4096, "n_heads": 32, "n_layers": 32, "vocab_size": 50432}
    four, eight = (read_config(mpt | {"expansion_ratio": each}).model for each in (4, 8))
    assert read_config(mpt).model == four
    assert eight.n_params - four.n_params == 32 * 2 * 4 * 4096**2
    with pytest.raises(ConfigError, match="expansion_ratio is stated, but"):
        read_config(LLAMA | {"expansion_ratio": 8})


@pytest.mark.parametrize(
    ("family", "name", "n_added"),
    [
        # Queries, keys, values and the output: 4096 + 2 · 1024 + 4096; two of 14336, one of 4096.
        ("granite", "attention_bias", 32 * (2 * 4096 + 2 * 1024)),
        ("granite", "mlp_bias", 32 * (2 * 14336 + 4096)),
        ("gpt_neox", "attention_bias", 32 * (2 * 4096 + 2 * 1024)),
    ],
)
def test_biases_that_a_switch_says(family, name, n_added):
    without, with_ = (
        read_config(LLAMA | {"model_type": family, name: each}).model for each in (False, True)
    )
    assert with_.n_params - without.n_params == n_added


@pytest.mark.parametrize(
    ("family", "name"),
    [
        ("phi", "qk_layernorm"),
        ("internlm2", "bias"),
        ("nemotron", "mlp_bias"),
        ("llama", "qk_norm"),
    ],
)
def test_biases_and_norms_that_are_not_counted_are_told(family, name):
    reading = read_config(LLAMA | {"model_type": family, name: True})
    assert reading.guesses == (f"{name} is true, and what it adds is not counted",)
    assert not read_config(LLAMA | {"model_type": family, name: False}).guesses


def test_a_width_around_a_wrapper_is_another_ones():
    # PaliGemma's own is that of its projection.
    whole = {"model_type": "paligemma", "hidden_size": 2048, "text_config": LLAMA}
    assert read_config(whole).model == read_config(LLAMA).model


def test_what_a_class_has_is_said():
    derived = read_config(config("google/gemma-3-4b-it")).derived
    assert "num_attention_heads is missing: 8, as the gemma3_text family has it" in derived


def test_wrappers_nest():
    reading = read_config(config("Qwen/Qwen2.5-Omni-7B"))
    assert "thinker_config.text_config.hidden_size" in reading.used


@pytest.mark.parametrize("family", ["t5", "whisper", "some_translator"])
def test_an_encoder_decoder_is_refused_by_its_name(family):
    stated = {"model_type": family, "is_encoder_decoder": True, "d_model": 1024}
    with pytest.raises(ConfigError, match=f"model_type {family} is an encoder-decoder"):
        read_config(stated)


@pytest.mark.parametrize(
    ("family", "why"),
    [
        ("rwkv", "recurrent: it has no attention, and its state is not counted here"),
        ("recurrent_gemma", "partly recurrent: layers of RG-LRU are not counted here"),
        ("zamba2", "a model whose layers share attention blocks, which is not counted here"),
        ("bert", "an encoder: it decodes nothing"),
    ],
)
def test_what_is_out_of_scope_is_refused_by_its_name(family, why):
    with pytest.raises(ConfigError, match=f"model_type {family} is {why}"):
        read_config(LLAMA | {"model_type": family})


def test_a_wrapper_that_only_names_its_model_is_refused_by_its_name():
    stated = {"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064}}
    with pytest.raises(
        ConfigError, match=r"text_config\.hidden_size is missing, and model_type llama"
    ):
        read_config(stated)


# --- number formats that a file states --------------------------------------------------------

LLAMA = configs()["meta-llama/Llama-3.1-8B"]
INT4 = {"num_bits": 4, "type": "int", "group_size": 32}
FP4 = {"num_bits": 4, "type": "float"}


def groups(weights, **rest):
    return {
        "quant_method": "compressed-tensors",
        "config_groups": {"g": {"weights": weights} | rest},
        "ignore": ["lm_head"],
    }


@pytest.mark.parametrize(
    ("stated", "weights"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8"),
        ({"quant_method": "fbgemm_fp8"}, "fp8"),
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, "int4"),
        ({"quant_method": "gptq", "bits": 8}, "int8-wo"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "int4"),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "int8"),
        ({"quant_method": "mxfp4"}, "mxfp4"),
        ({"bits": 4, "group_size": 64}, "int4"),
        ({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4"}}}, "mxfp4"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4"),
        ({"quant_method": "modelopt", "quant_algo": "FP8"}, "fp8"),
        (groups(INT4), "int4"),
        (groups(FP4 | {"group_size": 16}), "nvfp4"),
        (groups(FP4 | {"group_size": 32}), "mxfp4"),
        (groups({"num_bits": 8, "type": "float"}, input_activations={}), "fp8"),
        (groups({"num_bits": 8, "type": "int"}, input_activations={}), "int8"),
        (groups({"num_bits": 8, "type": "int"}), "int8-wo"),
    ],
)
def test_a_stated_precision(stated, weights):
    reading = read_config(LLAMA | {"quantization_config": stated})
    assert (reading.weights, reading.guesses) == (weights, ())
    assert "quantization_config" in reading.used
    assert f"weights are {weights} (quantization_config)" in reading.derived
    assert reading.model.n_params == read_config(LLAMA).model.n_params


@pytest.mark.parametrize(
    "stated",
    [
        {"quant_method": "hqq"},
        {"quant_method": {"a": 10**5000}},
        {"group_size": 64, "bits": 6},
        {"quant_method": "gptq", "bits": 3},
        {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION"},
        {"config_groups": {"a": {"weights": INT4}, "b": {"weights": {"num_bits": 8}}}},
    ],
)
def test_a_precision_that_is_not_known_is_said(stated):
    reading = read_config(LLAMA | {"quantization_config": stated})
    assert reading.weights == ""
    assert "weights are as chosen" in reading.guesses[0]


def test_parts_that_stay_at_16_bit():
    tables = read_config(LLAMA).model.n_16bit
    attention = 32 * (2 * 4096**2 + 2 * 4096 * 1024)

    def n_16bit(*modules, **rest):
        stated = {"quant_method": "fp8", "ignore": [*modules]} | rest
        return read_config(LLAMA | {"quantization_config": stated}).model.n_16bit - tables

    assert n_16bit("lm_head", "model.embed_tokens", "re:.*norm.*", "re:vision_tower.*") == 0
    assert n_16bit("re:.*self_attn.*") == attention
    assert n_16bit("model.layers.*.self_attn.q_proj") == 32 * 4096**2
    assert n_16bit(*(f"model.layers.{layer}.self_attn" for layer in range(8))) == attention / 4
    assert n_16bit(r"re:.*mlp\.(gate|up|gate_up|down)_proj.*") == 32 * 3 * 4096 * 14336
    assert n_16bit(modules_to_not_convert=["model.layers.0.mlp.gate", 3, None]) == 0


def test_a_published_checkpoint_weighs_what_it_says():
    # 1,560.86 GB: the index of Kimi-K3's safetensors, its vision part 0.92 GB.
    reading = read_config(config("moonshotai/Kimi-K3"))
    own = scenario(weights=reading.weights, model=reading.model, assumptions="engine")
    assert evaluate(own).weight_bytes == pytest.approx(1560.86e9 - 0.92e9, rel=0.001)
    stated = {"quant_method": "fp8", "weight_block_size": [128, 128]}
    deepseek = read_config(configs()["deepseek-ai/DeepSeek-V3"] | {"quantization_config": stated})
    own = scenario(weights=deepseek.weights, model=deepseek.model, assumptions="engine")
    assert 670e9 < evaluate(own).weight_bytes < 690e9


# --- beside the model -------------------------------------------------------------------------


def beside(stated):
    taken = numbers(language_part(stated))
    return derive(taken.fields, taken.layers, taken.blocks, taken.family).beside


#: Totals on the Hub, with the draft layer. Some hold a copy of both tables for it.
WITH_DRAFT = {
    "zai-org/GLM-5": (753_864_139_008, 0),
    "zai-org/GLM-5.1": (753_864_139_008, 0),
    "zai-org/GLM-5.2": (753_329_940_480, 0),
    "zai-org/GLM-4.5": (358_337_791_296, 2),
    "deepseek-ai/DeepSeek-V3.2": (685_355_329_792, 2),
    "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8": (123_611_012_096, 0),
}


@pytest.mark.parametrize("name", WITH_DRAFT)
def test_draft_layers(name):
    total, n_tables = WITH_DRAFT[name]
    reading = read_config(configs()[name])
    table = reading.architecture.n_vocab * reading.architecture.d_model
    n_draft_params = beside(configs()[name]).n_draft_params
    assert reading.model.n_params + n_draft_params + n_tables * table == total
    assert any("loaded only with speculation" in each for each in reading.derived)


QWEN_TOWER = {
    "depth": 27,
    "hidden_size": 1152,
    "intermediate_size": 4304,
    "patch_size": 16,
    "temporal_patch_size": 2,
    "in_channels": 3,
    "num_position_embeddings": 2304,
    "spatial_merge_size": 2,
}


@pytest.mark.parametrize(
    ("name", "tower", "total"),
    [
        (
            "Qwen/Qwen3-VL-8B-Instruct",
            QWEN_TOWER | {"out_hidden_size": 4096, "deepstack_visual_indexes": [8, 16, 24]},
            8_767_123_696,
        ),
        (
            "Qwen/Qwen3-VL-30B-A3B-Instruct",
            QWEN_TOWER | {"out_hidden_size": 2048, "deepstack_visual_indexes": [8, 16, 24]},
            31_070_754_032,
        ),
        ("Qwen/Qwen3.8-27B", QWEN_TOWER | {"out_hidden_size": 5120}, 27_781_427_952),
        ("Qwen/Qwen3.5-9B", QWEN_TOWER | {"out_hidden_size": 4096}, 9_653_104_368),
        (
            "google/gemma-3-27b-it",
            {
                "hidden_size": 1152,
                "image_size": 896,
                "intermediate_size": 4304,
                "num_hidden_layers": 27,
                "patch_size": 14,
            },
            27_432_406_640,
        ),
    ],
)
def test_what_encodes_images(name, tower, total):
    inner = configs()[name]
    whole = {"model_type": "a wrapper", "vision_config": tower, "text_config": inner}
    aside = beside(whole)
    reading = read_config(whole)
    assert reading.model.n_params + aside.n_draft_params + aside.n_tower_params == total
    assert any(f"{aside.n_tower_params:,.0f} parameters" in each for each in reading.derived)
    # It is held, at 16 bit whatever the rest is, and no step reads it.
    assert reading.model.n_tower == aside.n_tower_params
    inputs = {"weights": "int4", "real_checkpoint": 1.0, "gpus": 2.0, "gpu": "h100-sxm"}
    with_tower, without = (
        evaluate(scenario(model=replace(reading.model, n_tower=each), **inputs))
        for each in (reading.model.n_tower, 0.0)
    )
    held_bytes = with_tower.weight_bytes_per_gpu - without.weight_bytes_per_gpu
    assert held_bytes == pytest.approx(2 * aside.n_tower_params / 2)
    assert with_tower.weight_bytes_read == pytest.approx(without.weight_bytes_read, rel=1e-12)
    assert with_tower.tokens_per_s == pytest.approx(without.tokens_per_s, rel=1e-12)


@pytest.mark.parametrize(
    ("n_layers", "width", "heads", "without_tables"),
    [
        (6, 512, 8, 18_915_328),
        (12, 768, 12, 85_056_000),
        (24, 1024, 16, 302_311_424),
        (16, 2048, 8, 805_736_448),
        (24, 2048, 16, 1_208_602_624),
        (32, 2560, 32, 2_517_652_480),
        (32, 4096, 32, 6_444_163_072),
        (36, 5120, 40, 11_327_027_200),
    ],
)
def test_all_sizes_of_pythia(n_layers, width, heads, without_tables):
    # Table 1 of its paper (arXiv:2304.01373): parameters without both tables.
    stated = {
        "model_type": "gpt_neox",
        "hidden_size": width,
        "intermediate_size": 4 * width,
        "num_hidden_layers": n_layers,
        "num_attention_heads": heads,
        "vocab_size": 50304,
        "tie_word_embeddings": False,
    }
    assert read_config(stated).model.n_params == without_tables + 2 * 50304 * width


def test_a_published_file_of_fp8_with_a_cache_of_8_bit():
    # Laguna-XS.2-FP8's own: attention stays at 16 bit, its routers too.
    scheme = {"num_bits": 8, "type": "float"}
    stated = groups(scheme, input_activations=scheme) | {
        "ignore": [
            "lm_head",
            *(rf"re:.*\.self_attn\.{each}_proj$" for each in "qkvog"),
            r"re:.*\.mlp\.gate$",
        ],
        "kv_cache_scheme": scheme,
    }
    laguna = config("poolside/Laguna-XS.2")
    reading = read_config(laguna | {"quantization_config": stated})
    assert (reading.weights, reading.kv) == ("fp8", "fp8")
    kept = reading.model.n_16bit - read_config(laguna).model.n_16bit
    # q, k, v, o and a gate per head, of 10 layers with 48 heads and 30 with 64; two head norms.
    heads = 10 * 48 + 30 * 64
    attention = 2048 * (heads * (2 * 128 + 1) + 40 * 2 * 8 * 128) + 40 * 2 * 128
    # And the routers of all layers but the first, with a bias per expert.
    assert kept == attention + 39 * 256 * (2048 + 1)


def test_32_bit_checkpoints_are_loaded_at_16():
    reading = read_config(LLAMA | {"torch_dtype": "float32"})
    assert reading.weights == ""
    assert "torch_dtype is float32: engines load the weights at 16 bit" in reading.derived
