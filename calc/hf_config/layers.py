"""Which lists of a config.json say what each layer is, and what is counted in them: tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calc.quantity import Value

MOST_LAYERS = 10_000

#: Lists with one entry per layer: field → the count that an entry adds to.
ENTRIES: Mapping[str, Mapping[str, str]] = {
    "layer_types": {
        "full_attention": "n_full",
        "sliding_attention": "n_window",
        "chunked_attention": "n_window",
        "linear_attention": "n_state",
    },
    "layers_block_type": {
        "attention": "n_full",
        "mamba": "n_state",
        "moe": "n_moe",
        "mlp": "n_dense",
    },
    "hybrid_override_pattern": {"*": "n_full", "M": "n_state", "E": "n_moe", "-": "n_dense"},
    "hybrid_layer_pattern": {"0": "n_full", "1": "n_window"},
    "attn_type_list": {"1": "n_full", "0": "n_state"},
    "mlp_layer_types": {"dense": "n_dense", "sparse": "n_moe"},
    "moe_layer_freq": {"0": "n_dense", "1": "n_moe"},
}

#: Of each row the first list counts that is there: how many layers there are, how they attend,
#: which have experts.
LAYER_LISTS = ("hybrid_override_pattern", "layers_block_type")
ATTENTION_LISTS = (
    "layer_types",
    "layers_block_type",
    "hybrid_override_pattern",
    "hybrid_layer_pattern",
    "attn_type_list",
)
MLP_LISTS = ("layers_block_type", "hybrid_override_pattern", "mlp_layer_types", "moe_layer_freq")

#: Some files have a number under this name, which is no list and says something else; and this
#: list may be a text, with a letter per layer.
MAYBE_A_NUMBER = "moe_layer_freq"
MAYBE_A_TEXT = "hybrid_override_pattern"

#: Where no list says how layers attend: which ones attend to everything; others keep a state.
FULL_LAYERS = "linear_attn_config.full_attn_layers"

#: A list of layers with sizes of their own, and the parts that each must have.
BLOCKS = "block_configs"
BLOCK_PARTS = ("attention", "ffn")

#: What the entries of a list of each row are counted as; and what of it keeps a cache that the
#: last layers may share, then counted once more, with "_own" behind it.
ATTENTION_COUNTS = ("n_full", "n_window", "n_state")
CACHED_COUNTS = ("n_full", "n_window")
MLP_COUNTS = ("n_dense", "n_moe")

_NAN = float("nan")


@dataclass
class Layers:
    """What the lists add up to; NaN = there is no such list.

    `n_full_own` and `n_window_own` are before the last layers, which share a cache.
    """

    n_layers: Value = _NAN

    n_attention: Value = _NAN
    n_full: Value = _NAN
    n_window: Value = _NAN
    n_state: Value = _NAN
    n_full_own: Value = _NAN
    n_window_own: Value = _NAN
    n_full_places: Value = _NAN
    last_full_place: Value = _NAN

    n_mlp: Value = _NAN
    n_dense: Value = _NAN
    n_moe: Value = _NAN


@dataclass
class Blocks:
    """What blocks with sizes of their own add up to; `n_blocks` is NaN where there are none."""

    n_blocks: Value = _NAN
    n_full: Value = 0.0
    n_kv_heads: Value = 1.0
    n_mlps: Value = 0.0
    dense_width: Value = 0.0
    n_uneven: Value = 0.0
    n_other_kv_heads: Value = 0.0
    n_without_width: Value = 0.0
    n_linear: Value = 0.0


NO_BLOCKS = Blocks()
