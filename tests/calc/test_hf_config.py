"""Reading config.json: what is used, derived, ignored, guessed, and every way to refuse."""

from __future__ import annotations

import json
import math
import random
import time

import pytest

from calc import ConfigError, evaluate, read_config, scenario
from calc.hf_config.fields import LARGEST_COUNT
from calc.presets.models import model_rows
from calc.quantity import numbers
from tests.helpers.cases import configs

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
    "attention_bias": False,
}


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("meta-llama/Llama-2-7b", 6_738_415_616),
        ("meta-llama/Llama-3.1-8B", 8_030_261_248),
        ("meta-llama/Llama-3.1-70B", 70_553_706_496),
        ("meta-llama/Llama-3.1-405B", 405_853_388_800),
        ("mistralai/Mixtral-8x7B-v0.1", 46_702_792_704),
    ],
)
def test_golden_counts(name, count):
    assert read_config(json.dumps(configs()[name])).model.n_params == count


def test_llama_by_hand():
    # Two tables; per layer q and o of 4096², k and v of 4096 x 1024, three MLP matrices
    # and two norms; one last norm.
    layer = 2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14336 + 2 * 4096
    assert read_config(LLAMA).model.n_params == 2 * 128256 * 4096 + 32 * layer + 4096


def test_says_what_it_used_derived_and_ignored():
    reading = read_config(LLAMA | {"mystery": 3, "rms_norm_eps": 1e-5})
    assert "hidden_size" in reading.used
    assert reading.derived == ("head_dim = hidden_size / num_attention_heads = 128",)
    assert reading.ignored == ("mystery",)
    assert reading.guesses == ()


def test_an_unknown_family_is_counted_and_marked_as_a_guess():
    reading = read_config(LLAMA | {"model_type": "brand_new", "hidden_act": "silu"})
    assert reading.model.n_params == read_config(LLAMA).model.n_params
    assert reading.guesses == (
        "model_type brand_new is not known: biases and norms are counted as in Llama, and 3 "
        "matrices per MLP, as its activation suggests",
    )
    # Squared ReLU has no gate.
    plain = read_config(LLAMA | {"model_type": "brand_new", "hidden_act": "relu2"})
    assert reading.model.n_params - plain.model.n_params == 32 * 4096 * 14336


V4 = configs()["deepseek-ai/DeepSeek-V4-Flash"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"compress_ratios": None}, "o_groups is stated, but no list says which layers compress"),
        (
            {"compress_ratios": [2] * 43},
            "compress_ratios names a kind of layer that is not known: 2",
        ),
        ({"compress_ratios": [4] * 42}, "compress_ratios has 42 entries, but there are 43 layers"),
        ({"num_key_value_heads": 2}, "one KV head, but num_key_value_heads is 2"),
        ({"q_lora_rank": 0}, "q_lora_rank is 0"),
        ({"o_groups": 3}, "64 query heads do not go evenly into 3 groups \\(o_groups\\)"),
        ({"compress_rate_csa": 8}, "compress_rate_csa is 8, but compress_ratios says 4"),
        ({"index_n_heads": 0}, "index_head_dim is stated, but index_n_heads is missing"),
        (
            {"index_topk": None, "index_n_heads": 0, "index_head_dim": 0},
            "21 layers read the best of a compressed cache, but nothing says by which keys",
        ),
        ({"qk_nope_head_dim": 448}, "qk_nope_head_dim is stated, but a compressed cache has one"),
        ({"v_head_dim": 128}, "v_head_dim is stated, but a compressed cache has one vector"),
        ({"kv_source_layer_ids": [2, 8, 14]}, "kv_source_layer_ids is not understood"),
        ({"model_type": "mistral"}, "counted in deepseek_v4 alone; model_type is mistral"),
        ({"model_type": "brand_new"}, "counted in deepseek_v4 alone; model_type is brand_new"),
    ],
    ids=str,
)
def test_a_compressed_cache_is_never_silently_another_one(changes, sentence):
    with pytest.raises(ConfigError, match=sentence):
        read_config(V4 | changes)


V3 = configs()["deepseek-ai/DeepSeek-V3"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"n_group": 6}, "256 experts do not go evenly into 6 groups"),
        ({"topk_group": 9}, "9 of 8 groups do not have 8 experts"),
        ({"topk_group": 2, "num_experts_per_tok": 65}, "2 of 8 groups do not have 65 experts"),
        ({"n_group": "8"}, "n_group must be a number, not '8'"),
    ],
    ids=str,
)
def test_experts_go_into_their_groups(changes, sentence):
    with pytest.raises(ConfigError, match=sentence):
        read_config(V3 | changes)
    dense = LLAMA | {"n_group": 6}
    assert read_config(dense).model == read_config(LLAMA).model


def test_query_heads_share_kv_heads_in_each_layer():
    by_layer = {"num_key_value_heads_per_layer": [8] * 31 + [4]}
    plain = {key: LLAMA[key] for key in LLAMA if key != "num_key_value_heads"}
    assert read_config(plain | by_layer).model.main.n_kv_heads == 4
    by_layer["num_key_value_heads_per_layer"][7] = 5
    with pytest.raises(ConfigError, match=r"per_layer has 5 in layer 7, where 32 query"):
        read_config(plain | by_layer)


def test_a_class_that_compresses_does_not_say_where():
    silent = {key: V4[key] for key in ("model_type", "hidden_size", "num_attention_heads")}
    silent |= {key: V4[key] for key in ("num_hidden_layers", "vocab_size", "moe_intermediate_size")}
    with pytest.raises(ConfigError, match="deepseek_v4 compresses its cache, but nothing says"):
        read_config(silent)


@pytest.mark.parametrize("name", ["compress_ratio", "compress_ratios", "o_lora_rank", "hc_mult"])
def test_what_a_compressed_cache_brings_is_refused_elsewhere(name):
    value = [4] * 32 if name == "compress_ratios" else 4
    with pytest.raises(ConfigError, match=name):
        read_config(LLAMA | {name: value})


def test_a_class_of_transformers_says_the_same_of_compressed_layers():
    """Its own files name each layer's kind, and the tokens of an entry."""
    kinds = {0: "sliding_attention", 4: "compressed_sparse_attention"}
    kinds[128] = "heavily_compressed_attention"
    own = {key: value for key, value in V4.items() if key != "compress_ratios"}
    own["layer_types"] = [kinds[each] for each in V4["compress_ratios"][:43]]
    own["compress_rates"] = {kinds[4]: 4, kinds[128]: 128}
    own["mlp_layer_types"] = ["hash_moe"] * 3 + ["moe"] * 40
    assert read_config(own).model == read_config(V4).model
    wider = read_config(own | {"compress_rates": {kinds[4]: 8, kinds[128]: 128}}).model
    assert (wider.full.tokens_per_entry, wider.full.state_len) == (8, 16)


def test_a_multimodal_wrapper_is_unpacked_and_its_tower_ignored():
    wrapped = {"model_type": "llava", "text_config": LLAMA, "vision_config": {"hidden_size": 1024}}
    reading = read_config(wrapped)
    assert reading.model == read_config(LLAMA).model
    assert "text_config.hidden_size" in reading.used
    assert "what encodes images is missing from the count (vision_config)" in reading.derived


def test_a_list_that_agrees_is_used_and_its_period_too():
    lists = {"layer_types": ["full_attention"] * 32, "attn_type_list": [1] * 32}
    reading = read_config(LLAMA | lists)
    assert reading.model == read_config(LLAMA).model
    assert {*lists} <= {*reading.used}


def test_what_a_class_has_where_a_file_is_silent():
    # Qwen2's windows are off unless a file switches them on, then from `max_window_layers` on.
    qwen = LLAMA | {"model_type": "qwen2", "sliding_window": 4096, "max_window_layers": 28}
    assert read_config(qwen).model.window.n_layers == 0
    assert read_config(qwen | {"use_sliding_window": True}).model.window.n_layers == 4
    # Every fourth layer of Qwen3-Next is full.
    config = configs()["Qwen/Qwen3-Next-80B-A3B-Instruct"]
    silent = {name: each for name, each in config.items() if name != "full_attention_interval"}
    assert "layer_types" not in silent
    assert read_config(silent).model == read_config(config).model


@pytest.mark.parametrize(
    ("name", "silent"),
    [
        ("mistralai/Mixtral-8x7B-v0.1", "num_local_experts num_experts_per_tok"),
        ("MiniMaxAI/MiniMax-M2.5", "head_dim num_key_value_heads num_local_experts"),
        ("deepseek-ai/DeepSeek-V3", "first_k_dense_replace n_shared_experts num_experts_per_tok"),
        ("deepseek-ai/DeepSeek-V3", "kv_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim"),
        ("zai-org/GLM-5", "index_topk index_n_heads index_head_dim first_k_dense_replace"),
        ("zai-org/GLM-5", "kv_lora_rank q_lora_rank qk_nope_head_dim v_head_dim"),
    ],
)
def test_a_file_that_leaves_out_what_its_class_has_means_that(name, silent):
    # Counted as Llama, these had a head of another size, plain heads or no experts.
    config = {key: each for key, each in configs()[name].items() if key not in silent.split()}
    assert len(config) < len(configs()[name])
    reading = read_config(config)
    assert reading.model == read_config(configs()[name]).model
    assert any("family has it" in each for each in reading.derived)


@pytest.mark.parametrize("field", [{"index_topk_freq": 4}, {"index_topk_pattern": "FSSF"}])
def test_indexers_of_some_layers_need_their_list(field):
    with pytest.raises(ConfigError, match="only indexers in every layer, or indexer_types"):
        read_config(configs()["zai-org/GLM-5"] | field)
    listed = configs()["zai-org/GLM-5.2"]
    assert read_config(listed | field).model == read_config(listed).model


def test_head_size_of_its_own():
    assert read_config(configs()["Qwen/Qwen3-0.6B"]).model.full.d_head == 128


def test_mla_keeps_one_latent():
    model = read_config(configs()["deepseek-ai/DeepSeek-V3"]).model
    assert (model.full.cache_width, model.full.n_kv_heads) == (576, 1)


def test_values_of_another_width_are_cached_as_wide_as_they_are():
    def bytes_per_token(config, **changes) -> float:
        model = read_config(config | changes).model
        return evaluate(scenario(model=model)).kv_bytes_per_token

    llama = LLAMA | {"head_dim": 128}
    # 2 bytes of 32 layers with 8 heads of one key and one value.
    assert bytes_per_token(llama) == 2 * 32 * 8 * (128 + 128)
    assert bytes_per_token(llama, v_head_dim=256) == 2 * 32 * 8 * (128 + 256) == 196_608
    assert bytes_per_token(llama, v_head_dim=64) == 2 * 32 * 8 * (128 + 64)


@pytest.mark.parametrize("d_value", [64, 192, 320])
def test_values_of_window_layers_have_a_width_of_their_own(d_value):
    # MiMo: 4 KV heads of 192 in full layers, 8 in windows, where values are wider or narrower.
    config = model_rows()["mimo-v2-flash"]["config"]
    model = read_config(config | {"v_head_dim": d_value, "swa_v_head_dim": 2 * d_value}).model
    assert model.full.cache_width == (0 if d_value == 192 else 4 * (192 + d_value))
    assert model.window.cache_width == 8 * (192 + 2 * d_value)
    assert read_config(config | {"v_head_dim": d_value}).model.window.cache_width == (
        8 * (192 + d_value)
    )


LLAMA_4 = model_rows()["llama-4-scout"]["config"]


@pytest.mark.parametrize(
    ("stated", "n_full"),
    [
        ({}, 12),
        ({"no_rope_layers": []}, 12),
        ({"no_rope_layer_interval": 4, "no_rope_layers": [1, 1, 1, 0] * 12}, 12),
        ({"no_rope_layer_interval": 8}, 6),
        ({"no_rope_layer_interval": 8, "no_rope_layers": []}, 6),
        ({"no_rope_layers": [1] * 47 + [0]}, 1),
        ({"no_rope_layers": [0] * 48}, 48),
    ],
)
def test_layers_of_llama_4_without_rope_are_full(stated, n_full):
    reading = read_config(LLAMA_4 | stated)
    assert (reading.model.full.n_layers, reading.model.window.n_layers) == (n_full, 48 - n_full)
    # The list says it where there is one.
    told = [name for name, value in stated.items() if value]
    assert {*told[-1:]} <= {*reading.used}


def test_layers_without_rope_say_nothing_in_other_families():
    # SmolLM3 leaves out RoPE in every fourth layer; all of them are full.
    stated = {"no_rope_layer_interval": 4, "no_rope_layers": [1, 1, 1, 0] * 8}
    for config in (LLAMA, LLAMA | {"model_type": "smollm3"}):
        reading = read_config(config | stated)
        assert reading.model == read_config(config).model
        assert reading.ignored == tuple(stated)


def test_a_cache_across_layers_that_is_switched_off():
    # Hunyuan's files keep the factor all the same.
    plain = read_config(LLAMA)
    assert read_config(LLAMA | {"use_cla": False, "cla_share_factor": 2}).model == plain.model
    assert read_config(LLAMA | {"use_cla": True, "cla_share_factor": 1}).model == plain.model


def test_kv_heads_of_falcons():
    # The newer decoder counts them; of the older one they are one, or counted if not shared.
    falcon = configs()["tiiuae/falcon-40b"]

    def n_kv_heads(**changes) -> float:
        return read_config(falcon | changes).model.full.n_kv_heads

    assert n_kv_heads() == 8
    assert n_kv_heads(new_decoder_architecture=False, multi_query=True) == 1
    assert n_kv_heads(new_decoder_architecture=False, multi_query=False) == 8


def test_a_shared_head_that_is_not_counted_is_no_guess():
    for switch in ("multi_query", "multi_query_attention"):
        shared = LLAMA | {"num_key_value_heads": None, switch: True}
        with pytest.raises(ConfigError, match="but the number of KV heads is missing"):
            read_config(shared)


FALCON = {
    "model_type": "falcon",
    "alibi": False,
    "bias": False,
    "hidden_size": 4544,
    "multi_query": True,
    "new_decoder_architecture": False,
    "num_attention_heads": 71,
    "num_hidden_layers": 32,
    "parallel_attn": True,
    "vocab_size": 65024,
}
FALCON_40B = FALCON | {
    "hidden_size": 8192,
    "new_decoder_architecture": True,
    "num_attention_heads": 128,
    "num_hidden_layers": 60,
    "num_kv_heads": 8,
}


def test_falcons_own_files():
    def count(config, **changes) -> float:
        return read_config(config | changes).model.n_params

    # The published totals have two tables: 7,217,189,760, and 41.8 billion, which by hand is, per
    # layer, q and o, k and v of 8 heads of 64, two matrices of 4 times the width, two norms.
    assert count(FALCON) == 7_217_189_760
    layer = 2 * 8192**2 + 2 * 8 * 64 * 8192 + 2 * 4 * 8192**2 + 2 * 2 * 8192
    assert count(FALCON_40B) == 2 * 65024 * 8192 + 60 * layer + 2 * 8192
    assert count(FALCON_40B, num_ln_in_parallel_attn=2) == count(FALCON_40B)
    # Falcon 2 has one norm in its newer decoder; one after the other, there are always two.
    assert count(FALCON_40B) - count(FALCON_40B, num_ln_in_parallel_attn=1) == 60 * 2 * 8192
    assert count(FALCON, parallel_attn=False) - count(FALCON) == 32 * 2 * 4544
    # Biases of q, k, v, of the output, and of both matrices of the MLP.
    biases = (4544 + 2 * 64) + 4544 + 4 * 4544 + 4544
    assert count(FALCON, bias=True) - count(FALCON) == 32 * biases


EXPERTS_OFF = {"num_experts": 4, "num_experts_per_tok": 1, "moe_intermediate_size": 512}
LATENT_OFF = {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64}


@pytest.mark.parametrize(
    ("switch", "sizes"),
    [
        ("use_moe", EXPERTS_OFF),
        ("enable_moe_block", EXPERTS_OFF),
        ("use_mla", LATENT_OFF | {"v_head_dim": 64}),
        ("use_mla", dict.fromkeys([*LATENT_OFF, "v_head_dim"], 0)),
        ("use_mla", dict.fromkeys([*LATENT_OFF, "v_head_dim"], 0) | {"kv_lora_rank": None}),
    ],
)
def test_a_switch_that_says_no_is_obeyed(switch, sizes):
    reading = read_config(LLAMA | sizes | {switch: False})
    assert reading.model == read_config(LLAMA).model
    assert switch in reading.used
    assert {*sizes}.isdisjoint(reading.used)
    if sizes.get("kv_lora_rank", 1):
        assert any(each.startswith(f"{switch} is false: ") for each in reading.derived)


def test_heads_that_are_not_shared_by_a_switch():
    # ChatGLM keeps the number of groups in files whose heads have a key each.
    glm = configs()["THUDM/chatglm3-6b"]
    assert read_config(glm).model.full.n_kv_heads == 2
    reading = read_config(glm | {"multi_query_attention": False})
    assert reading.model.full.n_kv_heads == 32
    more = 28 * 2 * 30 * 128 * (4096 + 1)
    assert reading.model.n_params - read_config(glm).model.n_params == more
    assert "multi_query_attention is false: one KV head per query head" in reading.derived


GEMMA_E2B = {
    "model_type": "gemma4_text",
    "hidden_size": 1536,
    "num_hidden_layers": 35,
    "intermediate_size": 6144,
    "num_attention_heads": 8,
    "num_key_value_heads": 1,
    "head_dim": 256,
    "global_head_dim": 512,
    "vocab_size": 262144,
    "vocab_size_per_layer_input": 262144,
    "hidden_size_per_layer_input": 256,
    "num_kv_shared_layers": 20,
    "use_double_wide_mlp": True,
    "sliding_window": 512,
    "layer_types": (["sliding_attention"] * 4 + ["full_attention"]) * 7,
}


def test_gemma_4_e2b_by_hand():
    # 2.3 B without the table of the layers, as its card has it; 15 of 35 layers have keys.
    queries = 2 * 1536 * 8 * (28 * 256 + 7 * 512)
    keys = 2 * 1536 * (12 * 256 + 3 * 512)
    head_norms = (28 + 12) * 256 + (7 + 3) * 512
    mlps = 3 * 1536 * 6144 * (15 + 20 * 2)
    inputs = 1536 * 35 * 256 + 256 + 35 * 2 * 256 * 1536
    norms = (35 * 5 + 1) * 1536
    dense = 262144 * 1536 + queries + keys + head_norms + mlps + inputs + norms
    reading = read_config(GEMMA_E2B)
    assert reading.model.n_params == dense + 262144 * 35 * 256
    assert round(dense / 1e9, 1) == 2.3
    assert (reading.model.full.n_layers, reading.model.window.n_layers) == (3, 12)
    double = "the MLPs of the last 20 layers are twice as wide (use_double_wide_mlp)"
    assert double in reading.derived
    narrow = read_config(GEMMA_E2B | {"use_double_wide_mlp": False}).model.n_params
    assert reading.model.n_params - narrow == 20 * 3 * 1536 * 6144
    # No layer shares a cache, so none is twice as wide.
    own = read_config(GEMMA_E2B | {"num_kv_shared_layers": 0})
    assert own.model == read_config(GEMMA_E2B | {"num_kv_shared_layers": 0} | SINGLE).model


SINGLE = {"use_double_wide_mlp": False}


def test_what_gemma_4_adds_beside_experts():
    # Three norms more and a scale of the router's input, and one of each expert.
    def count(**changes) -> float:
        return read_config(GEMMA_E2B | SINGLE | changes).model.n_params

    experts = {"num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 512}
    assert count(**experts) == count()
    more = 35 * (4 * 3 * 512 * 1536 + 4 * 1536 + 4 + 4 * 1536)
    assert count(enable_moe_block=True, **experts) - count() == more


LING = {
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 1408,
    "num_shared_experts": 2,
}


@pytest.mark.parametrize(
    ("family", "stated", "width", "said"),
    [
        ("bailing_moe", 1408, 2 * 1408, "each of 2 experts"),
        ("bailing_moe", 512, 2 * 512, "each of 2 experts"),
        ("llama", 2816, 2816, "all 2 experts"),
    ],
)
def test_the_width_of_several_shared_experts(family, stated, width, said):
    # The engines multiply it in Ling's families; elsewhere it is that of all.
    name = "moe_shared_expert_intermediate_size"
    config = LLAMA | LING | {"model_type": family, name: stated}
    none = {"num_shared_experts": 0, name: None}
    reading, plain = read_config(config), read_config(config | none)
    assert reading.model.n_params - plain.model.n_params == 32 * 3 * 4096 * width
    assert f"{name} is the width of {said}" in reading.derived


def test_norms_of_queries_and_keys_that_are_switched_on():
    # Command R+: a norm of each of 96 + 8 heads of 128 in 64 layers.
    command = {
        "model_type": "cohere",
        "hidden_size": 12288,
        "intermediate_size": 33792,
        "num_hidden_layers": 64,
        "num_attention_heads": 96,
        "num_key_value_heads": 8,
        "vocab_size": 256000,
    }
    on = read_config(command | {"use_qk_norm": True})
    assert on.model.n_params - read_config(command).model.n_params == 64 * (96 + 8) * 128
    assert "use_qk_norm" in on.used
    assert "use_qk_norm" not in read_config(LLAMA | {"use_qk_norm": True}).used
    other = read_config(LLAMA | {"model_type": "new", "hidden_act": "silu", "qk_norm": True})
    said = "qk_norm: norms of queries and keys are not counted"
    assert said in other.guesses


@pytest.mark.parametrize(
    ("around", "said"),
    [
        ({"moe_num_experts": 16}, "moe_num_experts stands outside of text_config."),
        ({"moe_k": 2}, "moe_k is stated, but no layer has experts."),
        ({"ffn_dim": 77}, "text_config.intermediate_size and ffn_dim are not the same."),
    ],
)
def test_a_size_outside_of_the_language_model_stops_the_reading(around, said):
    with pytest.raises(ConfigError) as refused:
        read_config({"model_type": "llava", "text_config": LLAMA} | around)
    assert str(refused.value) == said


def test_what_a_class_has_is_no_quotient():
    # 3840 / 16 would be 240.
    gemma = {
        "model_type": "gemma3_text",
        "hidden_size": 3840,
        "intermediate_size": 15360,
        "num_attention_heads": 16,
        "num_hidden_layers": 48,
        "num_key_value_heads": 8,
        "sliding_window": 1024,
        "vocab_size": 262208,
    }
    said = read_config(gemma).derived
    assert "head_dim is missing: 256, as the gemma3_text family has it" in said
    table = "tie_word_embeddings is missing: one table, as the gemma3_text family has it"
    assert table in said


def test_a_padded_table():
    config = LLAMA | {"padded_vocab_size": 128512}
    assert read_config(config).model.n_input_table == 128512 * 4096


def test_a_gate_of_full_rank():
    # One matrix of 2304 x 32·128 in each of 20 layers, for 2304 x 128 and 128 x 32·128.
    config = json.loads(json.dumps(configs()["moonshotai/Kimi-Linear-48B-A3B-Instruct"]))
    low = read_config(config).model.n_params
    config["linear_attn_config"]["use_full_rank_gate"] = True
    full = read_config(config).model.n_params
    assert full - low == 20 * (2304 * 4096 - (2304 * 128 + 128 * 4096))


def test_kinds_of_layers():
    gemma = read_config(configs()["google/gemma-3-27b-it"]).model
    assert (gemma.full.n_layers, gemma.window.n_layers) == (10, 52)
    assert gemma.window.kept_len == 1024
    qwen = read_config(configs()["Qwen/Qwen3.5-27B"]).model
    assert (qwen.full.n_layers, qwen.state.n_layers) == (16, 48)
    # One state of 48 heads x 128 x 128 in fp32 and three inputs of the convolution.
    assert qwen.state.state_bytes == 48 * 128 * 128 * 4 + 3 * (2 * 16 * 128 + 48 * 128) * 2


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("", "The file is not JSON: Expecting value in line 1."),
        ("[1, 2]", "The file holds no JSON object, so it is not a config.json."),
        ("{" * 100_000, None),
        ("[" * 100_000, None),
        (json.dumps(LLAMA).encode("utf-16"), "The file is not UTF-8 text."),
        (b"\xff\xfe\x00", "The file is not UTF-8 text."),
        (" " * 50 * 2**20, "The file is larger than 8 MiB, as no config.json is."),
        ('{"hidden_size": 1, "hidden_size": 2}', "hidden_size stands twice with different values."),
        ('{"hidden_size": ' + "9" * 400 + "}", None),
        (
            '{"hidden_size": ' + "9" * 5000 + "}",
            "The file holds a number with thousands of digits.",
        ),
        ({}, "hidden_size is missing."),
        (LLAMA | {"hidden_size": None}, "hidden_size is missing."),
        (LLAMA | {"hidden_size": -1}, "hidden_size must be between 1 and 100,000,000, not -1."),
        (LLAMA | {"hidden_size": 1e300}, None),
        (LLAMA | {"hidden_size": math.nan}, "hidden_size must be a whole number, not nan."),
        (LLAMA | {"hidden_size": "4096"}, "hidden_size must be a number, not '4096'."),
        (LLAMA | {"hidden_size": True}, "hidden_size must be a number, not True."),
        (LLAMA | {"num_hidden_layers": 10**6}, None),
        (LLAMA | {"num_key_value_heads": 5}, "32 query heads cannot share 5 KV heads evenly."),
        (LLAMA | {"num_attention_heads": 33}, None),
        (LLAMA | {"layer_types": ["full_attention"]}, None),
        (LLAMA | {"layer_types": ["quantum_attention"] * 32}, None),
        (
            LLAMA | {"tie_word_embeddings": "true"},
            "tie_word_embeddings must be true or false, not 'true'.",
        ),
        (LLAMA | {"n_embd": "4096"}, "hidden_size is 4096, but n_embd is '4096'."),
        (
            LLAMA | {"layer_types": ["1"] * 32},
            "layer_types names a kind of layer that is not known: '1'.",
        ),
        (LLAMA | {"intermediate_size": None}, "intermediate_size is missing."),
    ],
)
def test_refuses_in_one_clear_sentence(source, sentence):
    with pytest.raises(ConfigError) as caught:
        read_config(source)
    message = str(caught.value)
    assert message == sentence or sentence is None
    assert message.endswith((".", "…"))
    assert "\n" not in message
    assert len(message) < 250


def test_the_same_field_twice_with_the_same_value_is_fine():
    text = json.dumps(LLAMA)[:-1] + ', "hidden_size": 4096}'
    assert read_config(text).model == read_config(LLAMA).model


# --- fuzz -----------------------------------------------------------------------------------

NASTY = [
    *(None, True, False, 0, -1, 1, 2, 3.5, 1e308, -1e308, 10**30, math.nan, math.inf, -math.inf),
    *("", "4096", "nan", "\u0000", "💥" * 1000, [], [[]], [1] * 20_000, {}, {"a": {"b": []}}),
    *(LARGEST_COUNT, LARGEST_COUNT + 1, ["full_attention"] * 64, "M*E-" * 8),
]


def mutated(chance: random.Random) -> object:
    config = json.loads(json.dumps(chance.choice(list(configs().values()))))
    target = config
    if isinstance(config.get("text_config"), dict) and chance.random() < 0.8:
        target = config["text_config"]
    for _ in range(chance.randint(1, 4)):
        key = chance.choice(list(target)) if target else "hidden_size"
        action = chance.randrange(6)
        if action == 0:
            target.pop(key, None)
        elif action == 1 and isinstance(target.get(key), int | float):
            target[key] = target[key] * chance.choice([-1, 0, 0.5, 2, 3, 1000, 1e9])
        elif action == 2:
            target[chance.choice(list(target) or ["x"])] = target.get(key)
        elif action == 3:
            config = {"text_config": config}
            target = config
        else:
            target[key] = chance.choice(NASTY)
    return config


def broken(chance: random.Random, config: object) -> object:
    text = json.dumps(config)
    form = chance.randrange(6)
    if form == 0:
        cut = chance.randrange(len(text))
        return text[:cut] + chance.choice(["", "}", "\x00", ",", "NaN"]) + text[cut + 1 :]
    if form == 1:
        return text.encode(chance.choice(["utf-8", "utf-16", "utf-32", "utf-8-sig"]))
    return config if form == 2 else text


def test_fuzz_never_a_traceback_never_slow_never_a_silent_guess():
    chance = random.Random(20261129)
    outcomes = {"refused": 0, "read": 0}
    sentences: set[str] = set()
    slowest = 0.0
    for _ in range(6000):
        source = broken(chance, mutated(chance))
        start = time.perf_counter()
        try:
            reading = read_config(source)
        except ConfigError as problem:
            outcomes["refused"] += 1
            sentences.add(str(problem))
        else:
            outcomes["read"] += 1
            model = reading.model
            assert all(math.isfinite(value) and value >= 0 for _, _, value in numbers(model))
            assert model.n_params == math.floor(model.n_params)
            assert model.n_active <= model.n_params
            assert reading.used
        slowest = max(slowest, time.perf_counter() - start)
    assert min(outcomes.values()) > 1000
    assert all("\n" not in each and len(each) < 250 for each in sentences)
    assert slowest < 1


#: What says how wide experts are: a number of another name is another's.
EXPERT_WIDTHS = ("moe_intermediate_size", "expert_ffn_hidden_size")


def without(config, path):
    """A config without one of its fields, and the others as they are."""
    name, *inside = path
    if inside:
        return config | {name: without(config[name], inside)}
    return {key: value for key, value in config.items() if key != name}


def paths_of(config):
    for name, value in config.items():
        yield (name,)
        if isinstance(value, dict):
            yield from ((name, *inside) for inside in paths_of(value))


@pytest.mark.parametrize("name", [name for name in configs() if "E4B" not in name])
def test_a_missing_field_is_never_replaced_in_silence(name):
    # Each in turn: it says nothing of the count, or what stands in for it is said, or it is missed.
    config = configs()[name]
    whole = read_config(config)
    for path in paths_of(config):
        try:
            reading = read_config(without(config, path))
        except ConfigError:
            continue
        if reading.model != whole.model:
            assert {*reading.derived, *reading.guesses} - {*whole.derived, *whole.guesses}, path
            assert path[-1] not in EXPERT_WIDTHS or reading.guesses, path


@pytest.mark.parametrize(
    "end", ["Mixtral-8x7B-v0.1", "gpt-oss-20b", "MiniMax-M2.5", "Phi-3.5-MoE-instruct"]
)
def test_experts_without_any_width_are_missed_by_name(end):
    # Mixtral had 1.6 B parameters instead of 46.7 B, of which nothing was said.
    (config,) = (each for name, each in configs().items() if name.endswith(end))
    with pytest.raises(ConfigError, match="intermediate_size, the width of the experts"):
        read_config(without(config, ("intermediate_size",)))


def test_what_is_read_can_be_evaluated():
    for name, config in configs().items():
        if "E4B" in name:
            continue
        report = evaluate(scenario(model=read_config(config).model))
        assert report.n_params > 0
