"""One pass over a config.json: takes its fields, and keeps account of them."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from calc.architecture.parameters import Architecture

#: Layers and widths beyond this are typing errors, not models. [count]
LARGEST_COUNT = 100_000_000
MOST_LAYERS = 10_000

#: Where multimodal configs keep the language model.
WRAPPERS = ("text_config", "language_config", "llm_config", "thinker_config")

#: Caches that are compressed over time have no formula here.
_UNKNOWN_CACHE = ("compress_ratios", "compress_ratio")


class ConfigError(ValueError):
    """A config.json that says too little, or nonsense: one sentence that names the field."""


@cache
def _fields() -> dict[str, Any]:
    text = files("calc.hf_config").joinpath("fields.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def short(value: Any) -> str:
    """A value as it can stand in a sentence.

    Parameters
    ----------
    value : any
        From a file, of any size.

    Returns
    -------
    str
        One line of at most 60 characters.

    Notes
    -----
    No formula.
    """
    text = repr(value) if not isinstance(value, str) else value
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "…"


@dataclass
class Reader:
    """One pass over a config: takes fields, and keeps account of them."""

    whole: Mapping[str, Any]
    used: set[str] = field(default_factory=set)
    derived: list[str] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    inside: str = ""

    def __post_init__(self) -> None:
        self.config: Mapping[str, Any] = self.whole
        for wrapper in WRAPPERS:
            inner = self.config.get(wrapper)
            if isinstance(inner, Mapping) and "hidden_size" in inner:
                self.inside = f"{wrapper}."
                self.config = inner
        name = self.config.get("model_type", self.whole.get("model_type"))
        self.family_name = name if isinstance(name, str) else ""
        families = _fields()["families"]
        known = next(
            (n for n in (self.family_name, f"{self.family_name}_text") if n in families), None
        )
        self.family: Mapping[str, Any] = families.get(known, {}) if known else {}
        if known is None:
            self.guesses.append(
                f"model_type {short(self.family_name) or 'missing'} is not known: biases and "
                "norms are counted as in Llama"
            )

    # --- taking fields -------------------------------------------------------------

    def find(self, name: str) -> tuple[str, Any]:
        """Where a field stands and what it holds; its value is None where it is missing."""
        for alias in _fields()["aliases"][name]:
            outer, _, inner = alias.partition(".")
            for place, config in ((self.inside, self.config), ("", self.whole)):
                value = config.get(outer)
                if inner:
                    value = value.get(inner) if isinstance(value, Mapping) else None
                if value is not None and (place or config is self.config or name == "tied"):
                    return f"{place}{alias}", value
        return "", None

    def count(
        self, name: str, default: float | None = None, *, low: int = 0, said: bool = False
    ) -> float:
        """A whole number; `default` where it is missing (noted if `said`), else an error."""
        where, value = self.find(name)
        if value is None:
            if default is None:
                aliases = _fields()["aliases"][name]
                raise ConfigError(f"{aliases[-1 if name == 'n_vocab' else 0]} is missing.")
            if said:
                self.note(f"{_fields()['aliases'][name][0]} is missing: {default:.0f}")
            return default
        number = _whole(where, value, low=low)
        self.used.add(where)
        return number

    def switch(self, name: str, default: float, *, said: bool = False) -> float:
        """True or false, as 1 or 0; `default` where it is missing (noted if `said`)."""
        where, value = self.find(name)
        if value is None:
            if said:
                is_so = "true" if default else "false"
                self.note(f"{_fields()['aliases'][name][0]} is missing: {is_so}")
            return default
        if not isinstance(value, bool):
            raise ConfigError(f"{where} must be true or false, not {short(value)}.")
        self.used.add(where)
        return float(value)

    def family_count(self, name: str, default: float = 0.0) -> float:
        """What the family says where config files say nothing."""
        return float(self.family.get(name, default))

    def note(self, text: str) -> None:
        """Remember how something was derived."""
        self.derived.append(text)

    def unread(self) -> Iterator[str]:
        """Fields that were not used and might say something about sizes."""
        silent = set(_fields()["no_size"]["names"])
        outer = {w.rstrip(".") for w in (self.inside,) if w}
        places = [("", self.whole)]
        if self.inside:
            places.append((self.inside, self.config))
        roots = {name.split(".")[0] for name in self.used} | {
            ".".join(name.split(".")[:2]) for name in self.used
        }
        for place, config in places:
            for name in config:
                path = f"{place}{name}"
                if name not in silent and path not in roots and str(name) not in outer:
                    yield short(path)

    # --- layers --------------------------------------------------------------------

    def kinds(self, field_name: str) -> dict[str, float] | None:
        """How many layers of each kind a per-layer list names; None where there is none."""
        value = self.config.get(field_name)
        table = _fields()["layer_lists"][field_name]
        if value is None or (field_name == "moe_layer_freq" and not isinstance(value, list | str)):
            return None
        if not isinstance(value, list | str):
            raise ConfigError(f"{field_name} must be a list with one entry per layer.")
        if len(value) > MOST_LAYERS:
            raise ConfigError(f"{field_name} has {len(value):,} entries; no model has so many.")
        found: dict[str, float] = {}
        for entry in value:
            kind = table.get(str(entry)) if isinstance(entry, str | int) else None
            if kind is None:
                raise ConfigError(
                    f"{field_name} names a kind of layer that is not known: {short(entry)}."
                )
            found[kind] = found.get(kind, 0.0) + 1
        self.used.add(f"{self.inside}{field_name}")
        return found

    def layers(self) -> float:
        """Blocks in all."""
        for name in ("hybrid_override_pattern", "layers_block_type"):
            value = self.config.get(name)
            if isinstance(value, list | str) and value:
                return float(len(value))
        number = self.count("n_layers", low=1)
        if number > MOST_LAYERS:
            raise ConfigError(f"num_hidden_layers is {number:,.0f}; no model has so many layers.")
        return number

    def attention_kinds(self, n_layers: float) -> tuple[float, float, float]:
        """Layers with full attention, with a window, with a constant state."""
        for name in (
            "layer_types",
            "layers_block_type",
            "hybrid_override_pattern",
            "hybrid_layer_pattern",
            "attn_type_list",
        ):
            found = self.kinds(name)
            if found is not None:
                total = sum(found.values())
                if total != n_layers:
                    raise ConfigError(
                        f"{name} has {total:.0f} entries, but there are {n_layers:.0f} layers."
                    )
                return found.get("full", 0.0), found.get("window", 0.0), found.get("state", 0.0)
        listed = self.config.get("linear_attn_config")
        if isinstance(listed, Mapping) and isinstance(listed.get("full_attn_layers"), list):
            full = float(len(listed["full_attn_layers"]))
            if full > n_layers:
                raise ConfigError("linear_attn_config names more full layers than there are.")
            self.used.add(f"{self.inside}linear_attn_config.full_attn_layers")
            return full, 0.0, n_layers - full
        where, _ = self.find("full_every")
        every = self.count("full_every", self.family_count("full_every"))
        if every and ("state" in self.family or self.has_window()):
            full = n_layers // every
            source = where or f"the {self.family_name} family"
            self.note(f"every {every:.0f}th layer is full: {full:.0f} of {n_layers:.0f} ({source})")
            rest = n_layers - full
            return (full, 0.0, rest) if "state" in self.family else (full, rest, 0.0)
        if self.has_window() and not self.find("full_every")[0]:
            if self.family.get("window") == "ignored":
                self.note("sliding_window is ignored: engines keep the whole context")
                return n_layers, 0.0, 0.0
            first = self.count("n_before_window", 0.0) if self.uses_window() else 0.0
            first = min(first, n_layers)
            self.note(f"{n_layers - first:.0f} of {n_layers:.0f} layers slide")
            return first, n_layers - first, 0.0
        if "state" in self.family:
            self.note("no kinds of layers are given: all are full")
        return n_layers, 0.0, 0.0

    def uses_window(self) -> bool:
        """Whether use_sliding_window is there and true."""
        return self.switch("uses_window", 0.0) > 0

    def has_window(self) -> bool:
        """Whether some layers slide."""
        _, value = self.find("window_len")
        if value is None or self.family_name.startswith("deepseek"):
            return False
        return self.switch("uses_window", 1.0) > 0

    # --- putting it together -----------------------------------------------------------

    def architecture(self) -> Architecture:
        """Every count of the architecture."""
        d_model = self.count("d_model", low=1)
        n_vocab = self.count("n_vocab", low=1)
        n_heads = self.count("n_heads", low=1)
        n_layers = self.layers()
        n_full, n_window, n_state = self.attention_kinds(n_layers)
        kv_rank = self.count("kv_rank", 0.0)
        heads = self.heads(d_model, n_heads, kv_rank)
        blocks = self.config.get("block_configs")
        if isinstance(blocks, list):
            n_full, dense_width, n_norms, heads["n_kv_heads"] = self.block_configs(
                blocks, d_model, n_heads
            )
            moe: dict[str, float] = {}
        else:
            dense_width, moe = self.mlps(n_layers, d_model)
            n_norms = self.norms(n_layers)
        states = self.states(n_state)
        cached = self.cached(n_layers, n_full, n_window)
        for name in _UNKNOWN_CACHE:
            if name in self.config:
                self.guesses.append(
                    f"{name}: a cache that is compressed over time is counted as a plain one"
                )
        attention_bias = self.switch("attention_bias", self.family_count("qkv_bias"), said=True)
        mlp_bias = self.family_count("mlp_bias")
        if self.family.get("mlp_follows_bias"):
            mlp_bias = self.switch("mlp_bias", mlp_bias)
        follows = self.family.get("qk_norm_follows_use", False)
        uses_norm = self.switch("use_qk_norm", 0.0, said=follows)
        tied_default = self.family_count("tied")
        own = "d_value" in self.family
        return Architecture(
            d_model=d_model,
            n_vocab=n_vocab,
            n_layers=n_layers,
            n_heads=n_heads,
            tied=self.tied(tied_default),
            head_bias=self.family_count("head_bias"),
            n_lookup=self.lookup(n_layers),
            n_norms=n_norms + 1,
            norm_bias=self.family_count("norm_bias"),
            n_full=n_full,
            n_window=n_window,
            qkv_bias=max(attention_bias, self.family_count("qkv_bias")),
            o_bias=attention_bias
            if self.family.get("o_bias_follows")
            else self.family_count("o_bias"),
            qk_norm_heads=uses_norm if follows else self.family_count("qk_norm_heads"),
            qk_norm_width=self.family_count("qk_norm_width"),
            output_gate=self.switch("output_gate", self.family_count("output_gate")),
            full_sinks=self.switch("full_sinks", self.family_count("full_sinks"), said=own),
            window_sinks=self.switch("window_sinks", self.family_count("window_sinks"), said=own),
            dense_width=dense_width,
            mlp_matrices=self.family_count("mlp", 3.0),
            mlp_bias=mlp_bias,
            keeps_only_experts_quantised=self.family_count("keeps_only_experts_quantised"),
            **heads,
            **moe,
            **states,
            **cached,
        )

    def tied(self, default: float) -> float:
        """Whether the output head is the embedding table."""
        where, _ = self.find("tied")
        if not where:
            self.note(
                "tie_word_embeddings is missing: "
                + ("one table, as the family has it" if default else "two tables")
            )
        return self.switch("tied", default)

    def heads(self, d_model: float, n_heads: float, kv_rank: float) -> dict[str, float]:
        """Heads and their widths, of full and of window layers."""
        if self.family_name == "falcon" and not self.switch("new_decoder", 0.0):
            n_kv_heads = 1.0 if self.switch("multi_query", 1.0) else n_heads
            self.note("falcon without the new decoder shares one KV head")
        else:
            where, _ = self.find("n_kv_heads")
            n_kv_heads = self.count("n_kv_heads", n_heads, low=1)
            if not where:
                self.note("num_key_value_heads is missing: one per query head")
        if n_kv_heads > n_heads or n_heads % n_kv_heads:
            raise ConfigError(
                f"{n_heads:.0f} query heads cannot share {n_kv_heads:.0f} KV heads evenly."
            )
        if kv_rank:
            d_nope, d_rope = self.count("d_nope", low=1), self.count("d_rope", 0.0, said=True)
            d_value = self.count("d_value", d_nope, low=1, said=True)
            self.note("MLA: one latent of kv_lora_rank + qk_rope_head_dim per token and layer")
            return {
                "n_kv_heads": n_kv_heads,
                "d_head": d_nope + d_rope,
                "d_value": d_value,
                "kv_rank": kv_rank,
                "q_rank": self.count("q_rank", 0.0, said=True),
                "d_nope": d_nope,
                "d_rope": d_rope,
                "n_index_heads": self.count("n_index_heads", 0.0, said=True),
                "d_index": self.count("d_index", 0.0, said=True),
            }
        where, _ = self.find("d_head")
        d_head = self.count("d_head", d_model // n_heads, low=1)
        if not where:
            if d_model % n_heads:
                raise ConfigError(
                    f"head_dim is missing, and {n_heads:.0f} heads do not divide a width of "
                    f"{d_model:.0f}."
                )
            self.note(f"head_dim = hidden_size / num_attention_heads = {d_head:.0f}")
        d_value = self.count("d_value", d_head, low=1, said="d_value" in self.family)
        own = "d_value" in self.family
        n_window_heads = self.count("n_window_heads", n_heads, low=1, said=own)
        d_window_head = self.count("d_window_head", d_head, low=1, said=own)
        found = {
            "n_kv_heads": n_kv_heads,
            "d_head": d_head,
            "d_value": d_value,
            "n_window_heads": n_window_heads,
            "n_window_kv_heads": self.count("n_window_kv_heads", n_kv_heads, low=1, said=own),
            "d_window_head": d_window_head,
            "d_window_value": self.count("d_window_value", d_value, low=1, said=own),
        }
        if self.find("d_global_head")[0]:
            # Gemma 4: the plain names are those of the window layers.
            found["d_head"] = found["d_value"] = self.count("d_global_head", low=1)
            found["n_kv_heads"] = self.count("n_global_kv_heads", n_kv_heads, low=1, said=True)
            found["values_are_keys"] = self.switch("values_are_keys", 0.0, said=True)
            if n_heads % found["n_kv_heads"]:
                raise ConfigError("num_global_key_value_heads does not divide the query heads.")
        return found

    def mlps(self, n_layers: float, d_model: float) -> tuple[float, dict[str, float]]:
        """Summed width of the dense MLPs, and what the MoE layers hold."""
        listed = None
        for name in (
            "layers_block_type",
            "hybrid_override_pattern",
            "mlp_layer_types",
            "moe_layer_freq",
        ):
            listed = self.kinds(name)
            if listed is not None:
                break
        n_experts = self.count("n_experts", 0.0)
        d_inner = self.count("d_inner", self.family_count("d_inner_over_width") * d_model)
        if n_experts and not self.find("d_inner")[0]:
            self.note("intermediate_size is missing: no dense MLP")
        if (
            not n_experts
            or self.switch("has_moe_block", 1.0, said="moe_beside_mlp" in self.family) == 0
        ):
            n_mlps = listed.get("dense", 0.0) if listed is not None else n_layers
            if not d_inner:
                raise ConfigError("intermediate_size is missing.")
            return d_inner * n_mlps, {}
        if listed is not None:
            n_moe, n_dense = listed.get("moe", 0.0), listed.get("dense", 0.0)
        elif self.family.get("moe_beside_mlp"):
            n_moe = n_dense = n_layers
        else:
            first = min(self.count("n_first_dense", 0.0, said=True), n_layers)
            every = max(self.count("moe_every", 1.0, said=True), 1.0)
            n_moe = (n_layers - first) // every
            n_dense = n_layers - n_moe
        where, _ = self.find("d_expert")
        d_expert = self.count("d_expert", d_inner, low=1)
        if not where:
            self.note("experts are as wide as intermediate_size says")
        d_dense = self.count("d_dense", d_inner, said=True)
        n_shared = self.count(
            "n_shared", 1.0 if self.family.get("shared_is_expert") else 0.0, said=True
        )
        shared_width = self.count("shared_width", 0.0, said=True)
        if n_shared and not shared_width:
            shared_width = n_shared * d_expert
        per_token = self.count("n_experts_per_token", low=1)
        if per_token > n_experts:
            raise ConfigError(
                f"{per_token:.0f} experts per token, but only {n_experts:.0f} experts."
            )
        if n_dense and not d_dense:
            raise ConfigError("intermediate_size is missing.")
        return d_dense * n_dense, {
            "n_moe": n_moe,
            "n_experts": n_experts,
            "n_experts_per_token": per_token,
            "d_expert": d_expert,
            "d_expert_input": self.count("d_expert_input", d_model, said=True),
            "shared_width": shared_width,
            "shared_gate": self.family_count("shared_gate"),
            "router_bias": self.family_count("router_bias"),
            "expert_bias": self.family_count("expert_bias"),
        }

    def block_configs(
        self, blocks: list[Any], d_model: float, n_heads: float
    ) -> tuple[float, float, float, float]:
        """Blocks that each have a size of their own (Nemotron-NAS)."""
        n_full = width = n_norms = 0.0
        n_kv_heads = n_heads
        if len(blocks) > MOST_LAYERS:
            raise ConfigError(f"block_configs has {len(blocks):,} entries; no model has so many.")
        for block in blocks:
            attention, ffn = (
                block.get(part) if isinstance(block, Mapping) else None
                for part in ("attention", "ffn")
            )
            if not isinstance(attention, Mapping) or not isinstance(ffn, Mapping):
                raise ConfigError("block_configs must hold an attention and an ffn per layer.")
            if not attention.get("no_op"):
                group = _whole(
                    "block_configs.n_heads_in_group", attention.get("n_heads_in_group"), low=1
                )
                n_kv_heads = n_heads / group
                if n_kv_heads != math.floor(n_kv_heads):
                    raise ConfigError("block_configs.n_heads_in_group does not divide the heads.")
                n_full, n_norms = n_full + 1, n_norms + 1
            if not ffn.get("no_op"):
                multiple = ffn.get("ffn_mult")
                if not isinstance(multiple, int | float) or not 0 < multiple < 1000:
                    raise ConfigError("block_configs.ffn_mult must be a positive number.")
                width += math.ceil(int(2 * multiple * d_model / 3) / 256) * 256
                n_norms += 1
        if not n_full:
            raise ConfigError("block_configs has no layer with attention.")
        self.used.add(f"{self.inside}block_configs")
        self.note(f"{n_full:.0f} of {len(blocks)} blocks have attention (block_configs)")
        return n_full, width, n_norms, n_kv_heads

    def norms(self, n_layers: float) -> float:
        """Norm vectors in all layers."""
        if self.family_name == "falcon" and self.switch("new_decoder", 0.0):
            return 2 * n_layers
        return self.family_count("norms", 2.0) * n_layers

    def states(self, n_state: float) -> dict[str, float]:
        """What layers with a constant state hold."""
        if not n_state:
            return {}
        kind = self.family.get("state")
        if kind is None:
            kind = "delta"
            self.guesses.append("layers with a state are counted as gated delta rule")
        return {
            f"n_{kind}": n_state,
            "n_state_key_heads": self.count("n_state_key_heads", low=1),
            "n_state_heads": self.count("n_state_heads", low=1),
            "d_state_key": self.count("d_state_key", low=1),
            "d_state_value": self.count("d_state_value", low=1),
            "conv_len": self.count("conv_len", low=1),
        }

    def cached(self, n_layers: float, n_full: float, n_window: float) -> dict[str, float]:
        """Layers that keep a cache of their own, and the window."""
        n_sharing = min(self.count("n_sharing_cache", 0.0), n_layers)
        keep_full, keep_window = n_full, n_window
        types = self.config.get("layer_types")
        if n_sharing and isinstance(types, list):
            own = types[: int(n_layers - n_sharing)]
            keep_full = float(sum(t == "full_attention" for t in own))
            keep_window = float(sum(t == "sliding_attention" for t in own))
            self.note(f"the last {n_sharing:.0f} layers use the cache of earlier ones")
        window_len = self.count("window_len", 0.0) if n_window else 0.0
        if n_window and not window_len:
            raise ConfigError("sliding_window is missing, but some layers slide.")
        return {
            "n_full_cached": keep_full,
            "n_window_cached": keep_window,
            "window_len": window_len,
        }

    def lookup(self, n_layers: float) -> float:
        """Tables of which each token reads one row per layer (Gemma 3n and 4 E-models)."""
        width = self.count("d_layer_table", 0.0)
        return width * n_layers * self.count("n_layer_vocab", 0.0) if width else 0.0


def _whole(where: str, value: Any, *, low: int) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{where} must be a number, not {short(value)}.")
    if not math.isfinite(value) or value != math.floor(value):
        raise ConfigError(f"{where} must be a whole number, not {short(value)}.")
    if not low <= value <= LARGEST_COUNT:
        raise ConfigError(
            f"{where} must be between {low} and {LARGEST_COUNT:,}, not {short(value)}."
        )
    return float(value)
