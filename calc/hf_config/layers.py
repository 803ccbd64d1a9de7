"""Which lists of a config.json say what each layer is, and what is counted in them: tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calc.quantity import Value

MOST_LAYERS = 10_000

#: Lists with one entry per layer: field → the count that an entry adds to. One that is an object
#: has, for each kind, a list of those layers' numbers, from 1 on.
ENTRIES: Mapping[str, Mapping[str, str]] = {
    "layer_types": {
        "full_attention": "n_full",
        "sliding_attention": "n_window",
        "chunked_attention": "n_window",
        "linear_attention": "n_state",
        "attention": "n_full",
        "mamba": "n_state",
        "conv": "n_state",
        "compressed_sparse_attention": "n_csa",
        "heavily_compressed_attention": "n_hca",
    },
    "compress_ratios": {"0": "n_window", "4": "n_csa", "128": "n_hca"},
    "layers_block_type": {
        "attention": "n_full",
        "mamba": "n_state",
        "moe": "n_moe",
        "mlp": "n_dense",
    },
    "hybrid_override_pattern": {"*": "n_full", "M": "n_state", "E": "n_moe", "-": "n_dense"},
    "hybrid_layer_pattern": {"0": "n_full", "1": "n_window"},
    "no_rope_layers": {"0": "n_full", "1": "n_window"},
    "sliding_window_pattern": {"L": "n_window", "G": "n_full"},
    "attn_type_list": {"1": "n_full", "0": "n_state"},
    "linear_attn_config": {"full_attn_layers": "n_full", "kda_layers": "n_state"},
    "indexer_types": {"full": "n_indexed", "shared": "n_index_shared"},
    "mlp_layer_types": {"dense": "n_dense", "sparse": "n_moe", "moe": "n_moe", "hash_moe": "n_moe"},
    "moe_layer_freq": {"0": "n_dense", "1": "n_moe"},
}


@dataclass(frozen=True)
class Row:
    """Lists that say the same thing of each layer: the first counts, and others must agree.

    `counts` is what their entries add to; those that are `cached` keep a cache that the last
    layers may share, and are counted once more without these, with "_own" behind.
    """

    lists: tuple[str, ...]
    counts: tuple[str, ...] = ()
    cached: tuple[str, ...] = ()


#: What lists say: how many layers there are, how they attend, which have experts. The length of
#: the list that counts is "n_" and its name here.
ROWS: Mapping[str, Row] = {
    "layers": Row(("hybrid_override_pattern", "layers_block_type")),
    "attention": Row(
        (
            "layer_types",
            "layers_block_type",
            "hybrid_override_pattern",
            "hybrid_layer_pattern",
            "no_rope_layers",
            "sliding_window_pattern",
            "attn_type_list",
            "linear_attn_config",
            "compress_ratios",
        ),
        counts=("n_full", "n_window", "n_state", "n_csa", "n_hca"),
        cached=("n_full", "n_window"),
    ),
    "mlp": Row(
        ("layers_block_type", "hybrid_override_pattern", "mlp_layer_types", "moe_layer_freq"),
        counts=("n_dense", "n_moe"),
    ),
    "index": Row(("indexer_types",), counts=("n_indexed", "n_index_shared")),
}

#: Tokens per entry, by own name, that this list says in its entries.
RATIOS = "compress_ratios"
RATIO_LENGTHS: Mapping[str, float] = {"csa_len": 4.0, "hca_len": 128.0}

#: Some files have a number under these names, which is no list; these may be a text, with a
#: letter per layer, and this one's is repeated; one without entries leaves the layers to the class;
#: and this is an object.
MAYBE_A_NUMBER = ("moe_layer_freq", "sliding_window_pattern")
MAYBE_A_TEXT = ("hybrid_override_pattern", "sliding_window_pattern")
REPEATED = "sliding_window_pattern"
MAYBE_EMPTY = "no_rope_layers"
AN_OBJECT = "linear_attn_config"

#: Fields that lists say by layer: own name → the sums in `Layers`, of full layers and of windows.
BY_LAYER: Mapping[str, tuple[str, str]] = {
    "n_heads": ("full_heads", "window_heads"),
    "n_kv_heads": ("full_kv_heads", "window_kv_heads"),
    "d_inner": ("dense_width", "dense_width"),
}

#: Of these the least stands for all layers; of others, the most.
LEAST = frozenset(["n_kv_heads"])

#: A list of layers with sizes of their own, and the parts that each must have.
BLOCKS = "block_configs"
BLOCK_PARTS = ("attention", "ffn")

_NAN = float("nan")


@dataclass
class Layers:
    """What the lists add up to; NaN = there is no such list.

    `n_full_own` and `n_window_own` are before the last layers, which share a cache. Heads are those
    of all layers of a kind together, the width that of all MLPs, where they differ.
    """

    n_layers: Value = _NAN

    n_attention: Value = _NAN
    n_full: Value = _NAN
    n_window: Value = _NAN
    n_state: Value = _NAN
    n_csa: Value = _NAN
    n_hca: Value = _NAN
    n_full_own: Value = _NAN
    n_window_own: Value = _NAN

    n_mlp: Value = _NAN
    n_dense: Value = _NAN
    n_moe: Value = _NAN

    n_index: Value = _NAN
    n_indexed: Value = _NAN
    n_index_shared: Value = _NAN

    full_heads: Value = _NAN
    window_heads: Value = _NAN
    full_kv_heads: Value = _NAN
    window_kv_heads: Value = _NAN
    dense_width: Value = _NAN


@dataclass
class Blocks:
    """What blocks with sizes of their own add up to; `n_blocks` is NaN where there are none."""

    n_blocks: Value = _NAN
    n_full: Value = 0.0
    full_kv_heads: Value = 0.0
    n_least_kv_heads: Value = 0.0
    n_mlps: Value = 0.0
    dense_width: Value = 0.0
    n_uneven: Value = 0.0
    n_without_width: Value = 0.0
    n_linear: Value = 0.0


NO_BLOCKS = Blocks()
