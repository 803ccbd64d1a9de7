"""What a `quantization_config` says: what weights are stored as, and rules for modules.

Each method has its own words: `METHODS`. The first rule that means a module counts. Fields of it
that are not known here and say something are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calc.text import shortened

#: Bytes per weight of each format, scales included, as `presets.formats` has them.
FORMATS: Mapping[str, float] = {
    "fp8": 1 + 4 / 128**2,
    "int8": 1.0,
    "int8-wo": 1.0,
    "int4": 0.5 + 2.5 / 128,
    "mxfp4": 0.5 + 1 / 32,
    "nvfp4": 0.5 + 1 / 16,
}


@dataclass(frozen=True)
class Storage:
    """What weights are stored as: its format if it is one, its bytes, and what it is called."""

    format: str
    bytes_per_weight: float
    label: str


WIDE = Storage("", 2.0, "16 bit")
MXFP8 = Storage("fp8", 1 + 1 / 32, "mxfp8")


@dataclass(frozen=True)
class Rule:
    """What the modules that a text means are stored as; one that is exact may mean tables, too."""

    field: str
    text: str
    kind: str
    storage: Storage
    is_exact: bool = False


@dataclass(frozen=True)
class Quantization:
    """What is read: without a default, weights are as chosen."""

    is_known: bool
    default: Storage
    rules: tuple[Rule, ...]
    tables: Storage
    kv: str
    guesses: tuple[str, ...]
    head_open: bool = False


#: What a word says by itself: a method, an algorithm or a type.
WORDS: Mapping[str, str] = {
    "fp8": "fp8",
    "fbgemm_fp8": "fp8",
    "fp8_e4m3": "fp8",
    "fp8_pb_wo": "fp8",
    "fp8_pb_real": "fp8",
    "fp8_per_channel_per_token": "fp8",
    "fp4": "mxfp4",
    "mxfp4": "mxfp4",
    "nvfp4": "nvfp4",
    "nvfp4_awq": "nvfp4",
    "w4a16_awq": "int4",
    "w4a8_awq": "int4",
    "int4": "int4",
    "uint4": "int4",
    "int8": "int8",
    "int8_sq": "int8",
}

#: Where the modules are listed that are not converted.
LISTS = (
    *("modules_to_not_convert", "llm_int8_skip_modules", "ignore", "ignored_layers"),
    *("exclude_modules", "exclude"),
)

#: Fields that are read, or say how something is computed, calibrated or packed.
KNOWN = frozenset(
    [
        *LISTS,
        *("quant_method", "quant_algo", "bits", "w_bit", "group_size", "q_group_size", "mode"),
        *("load_in_4bit", "load_in_8bit", "_load_in_4bit", "_load_in_8bit", "config_groups"),
        *("bnb_4bit_compute_dtype", "bnb_4bit_quant_type", "bnb_4bit_use_double_quant"),
        *("bnb_4bit_quant_storage", "llm_int8_threshold", "llm_int8_has_fp16_weight"),
        *("llm_int8_enable_fp32_cpu_offload", "dynamic", "extra_config", "quantized_layers"),
        *("layer_quant_config", "global_quant_config", "kv_cache_quant_config"),
        *("kv_cache_scheme", "kv_cache_quant_algo", "lm_head", "sparsity_config", "format"),
        *("quantization_status", "version", "zero_point", "backend", "sym", "desc_act"),
        *("damp_percent", "damp_auto_increment", "static_groups", "true_sequential", "act_order"),
        *("model_name_or_path", "model_file_base_name", "model_seqlen", "checkpoint_format"),
        *("meta", "dataset", "tokenizer", "batch_size", "block_name_to_quantize", "use_exllama"),
        *("exllama_config", "max_input_length", "cache_block_outputs", "use_cuda_fp16"),
        *("module_name_preceding_first_block", "pad_token_id", "modules_in_block_to_quantize"),
        *("packing_format", "data_type", "act_bits", "act_data_type", "act_dynamic", "act_sym"),
        *("act_group_size", "amp", "autoround_version", "enable_minmax_tuning", "iters", "lr"),
        *("enable_norm_bias_tuning", "enable_quanted_input", "gradient_accumulate_steps"),
        *("low_gpu_mem_usage", "lr_scheduler", "minmax_lr", "nsamples", "quant_block_list"),
        *(
            "scale_dtype",
            "seqlen",
            "train_bs",
            "super_bits",
            "super_group_size",
            "to_quant_block_names",
        ),
        *("activation_scheme", "fmt", "weight_block_size", "scale_fmt", "activation_scale_ub"),
        *("is_checkpoint_fp8_serialized", "dequantize", "use_per_tensor_scale", "producer"),
        *("global_compression_ratio", "observer", "quantized_weight_dtype", "transform_config"),
        *(
            "algo_config",
            "export",
            "pack_method",
            "softmax_quant_spec",
            "quant_mode",
            "has_zero_point",
        ),
        *("pre_quant_scale", "smoothquant_val", "use_double_quant", "do_fuse", "modules_to_fuse"),
        *(
            "fuse_max_seq_len",
            "kv_cache_post_rope",
            "min_kv_scale",
            "custom_mode",
            "quant_type_name",
        ),
        *("is_marlin_format", "hyb", "pack_dtype", "adapter", "offload_to_disk", "v2"),
    ]
)

#: What a field that is not read says unless it says nothing.
_NOTHING = (None, False, "", 0)


def quantization(stated: Mapping[str, Any], experts: str = "") -> Quantization:
    """What a `quantization_config` says.

    Parameters
    ----------
    stated : mapping
    experts : str
        What experts are stored as, where it is said of them alone.

    Returns
    -------
    Quantization

    Notes
    -----
    Modules that are not converted come first, then what is said of experts, then rules of the
    method, then what is said of all.

    References
    ----------
    As of `precision.stated_precision`.
    """
    method = _word(stated.get("quant_method"))
    kv, guesses = _kv(stated)
    told = [*guesses, *_unknown(stated, method)]
    try:
        default, rules = _weights(method, stated)
        if experts:
            rules = [Rule("expert_dtype", "experts", "name", _worded(experts)), *rules]
    except _UnknownError as problem:
        return Quantization(False, WIDE, (), WIDE, kv, (f" {problem}", *told))
    listed = [*_listed(stated)]
    is_mlx = not method and "bits" in stated
    head = _by_switch(stated, default)
    # Linear layers are said to be converted, of which the head may be one.
    head_open = bool(stated.get("config_groups")) and default != WIDE
    return Quantization(
        True,
        default,
        # Of tables the last word counts: a switch turns the head on, a rule may except it again.
        rules=(*head, *listed, *rules),
        tables=default if is_mlx else WIDE,
        kv=kv,
        guesses=tuple(told),
        head_open=head_open and not any("head" in each.text for each in (*listed, *rules)),
    )


class _UnknownError(Exception):
    """What is not known, as the end of a sentence."""


def _word(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""


def _count(value: Any) -> int:
    return value if type(value) is int else 0


def _member(part: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object inside of another, empty if there is none."""
    inner = part.get(name)
    return inner if isinstance(inner, Mapping) else {}


def _plain(name: str, label: str = "") -> Storage:
    return Storage(name, FORMATS[name], label or name)


def _worded(word: str) -> Storage:
    """What a word means."""
    if word not in WORDS:
        raise _UnknownError(f"names {shortened(word) or 'a format'}, which is not known: {_CHOSEN}")
    return _plain(WORDS[word])


_CHOSEN = "weights are as chosen"


# --- methods ----------------------------------------------------------------------------------


def _weights(method: str, stated: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    """What most weights are stored as, which must be a format, and the method's rules."""
    default, rules = _of_method(method, stated)
    if not default.format and default != WIDE:
        raise _UnknownError(f"has {default.label}, which is not counted here: {_CHOSEN}")
    return default, rules


def _of_method(method: str, stated: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    groups = stated.get("config_groups")
    if isinstance(groups, Mapping) and groups:
        return _of_groups(groups)
    if "quant_algo" in stated and _word(stated["quant_algo"]) == "mixed_precision":
        return _of_layers(stated)
    if method in METHODS and "quant_algo" not in stated:
        return METHODS[method](stated)
    word = _word(stated.get("quant_algo")) or method
    if word not in WORDS:
        raise _UnknownError(f"of {shortened(method) or 'no method'} is not known: {_CHOSEN}")
    return _plain(WORDS[word]), []


def _of_bitsandbytes(stated: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    if stated.get("load_in_4bit") is True:
        # One 32-bit scale per 64 weights; or 8 bit, with one of 32 bit per 256 of these.
        scale = (1 + 4 / 256) if stated.get("bnb_4bit_use_double_quant") is True else 4.0
        return Storage("int4", 0.5 + scale / 64, "4 bit of bitsandbytes"), []
    if stated.get("load_in_8bit") is True:
        return _plain("int8"), []
    raise _UnknownError(f"of bitsandbytes loads neither 4 nor 8 bit: {_CHOSEN}")


def _of_gptq(stated: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    default = _integer(stated)
    rules = []
    for text, own in _member(stated, "dynamic").items():
        sign, pattern = (text[:2], text[2:]) if text[:2] in ("-:", "+:") else ("", text)
        storage = WIDE
        if sign != "-:":
            changes = own if isinstance(own, Mapping) else {}
            storage = _integer({**stated, **changes}) if changes else default
        # The head is one of the modules where a switch says so.
        rules.append(Rule("dynamic", pattern, "regex", storage, stated.get("lm_head") is True))
    return default, rules


def _of_auto_round(stated: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    rules = []
    for text, own in _member(stated, "extra_config").items():
        storage = _of_data_type({**stated, **(own if isinstance(own, Mapping) else {})})
        is_pattern = any(each in text for each in "*^$(|\\[+?")
        kind, pattern = ("regex", f".*(?:{text})") if is_pattern else ("name", text)
        rules.append(Rule("extra_config", pattern, kind, storage, is_exact=True))
    return _of_data_type(stated), rules


def _of_data_type(stated: Mapping[str, Any]) -> Storage:
    """AutoRound's types."""
    bits, word = _count(stated.get("bits")), _word(stated.get("data_type")) or "int"
    if bits >= 16:
        return WIDE
    if word.startswith("int"):
        return _integer(stated)
    of_float = {("mx_fp", 4): _plain("mxfp4"), ("mx_fp", 8): MXFP8, ("nv_fp", 4): _plain("nvfp4")}
    for (start, width), storage in of_float.items():
        if word.startswith(start) and bits == width:
            return storage
    if word.startswith("fp") and bits == 8:
        return _plain("fp8")
    raise _UnknownError(f"names {shortened(word)} of {bits} bit, which is not known: {_CHOSEN}")


def _of_mlx(stated: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    default = _of_mode(stated)
    rules = []
    for text, own in stated.items():
        if _is_mlx_rule(text, own):
            storage = default if own is True else WIDE
            if isinstance(own, Mapping):
                # What a layer does not say is what MLX has, not what the rest is.
                storage = _of_mode({"bits": 4, **own})
            rules.append(Rule("modules", text, "name", storage, is_exact=True))
    return default, rules


def _is_mlx_rule(name: str, value: Any) -> bool:
    """Whether a member is of a module: MLX has them beside the rest."""
    if isinstance(value, bool):
        return "." in name or name == "lm_head"
    return isinstance(value, Mapping) and not {"bits", "group_size", "mode"}.isdisjoint(value)


def _of_mode(stated: Mapping[str, Any]) -> Storage:
    """MLX's modes; by default a scale and an offset of 16 bit per group."""
    bits, mode = _count(stated.get("bits")), _word(stated.get("mode")) or "affine"
    if mode in ("mxfp4", "nvfp4"):
        return _plain(mode)
    if mode == "mxfp8":
        return MXFP8
    if mode != "affine":
        raise _UnknownError(f"has mode {shortened(mode)}, which is not known: {_CHOSEN}")
    return _integers(bits, 4.0, _count(stated.get("group_size")) or 64)


def _of_quark(stated: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    default = _of_quark_layer(_member(stated, "global_quant_config"))
    return default, [
        Rule("layer_quant_config", text, _kind(text), _of_quark_layer(own), is_exact=True)
        for text, own in _member(stated, "layer_quant_config").items()
    ]


def _of_quark_layer(own: Any) -> Storage:
    weight = own.get("weight") if isinstance(own, Mapping) else None
    if weight is None:
        return WIDE
    return _worded(_word(weight.get("dtype")) if isinstance(weight, Mapping) else "")


def _of_layers(stated: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    """ModelOpt's mixed precision: each layer that is quantised by its name."""
    layers = _member(stated, "quantized_layers")
    if not layers:
        raise _UnknownError(f"is of mixed precision, and names no layers: {_CHOSEN}")
    return WIDE, [
        Rule(
            *("quantized_layers", text, _kind(text)),
            _worded(_word(own.get("quant_algo")) if isinstance(own, Mapping) else ""),
            is_exact=True,
        )
        for text, own in layers.items()
    ]


def _of_groups(groups: Mapping[str, Any]) -> tuple[Storage, list[Rule]]:
    """compressed-tensors' groups: by name, and by class, of which only linear layers count."""
    defaults: list[Storage] = []
    rules = []
    for group in groups.values():
        own = group if isinstance(group, Mapping) else {}
        storage = _of_group(own)
        targets = own.get("targets")
        for text in targets if isinstance(targets, list) and targets else ["Linear"]:
            if text == "Linear":
                defaults.append(storage)
            elif isinstance(text, str):
                kind, pattern = _regex_or(text)
                rules.append(Rule("config_groups", pattern, kind, storage, is_exact=True))
            else:
                raise _UnknownError(f"has targets that are no names: {_CHOSEN}")
    if len({*defaults}) > 1:
        raise _UnknownError(f"names several formats: {_CHOSEN}")
    return defaults[0] if defaults else WIDE, rules


def _of_group(group: Mapping[str, Any]) -> Storage:
    """What one of `config_groups` stores weights as."""
    weights = _member(group, "weights")
    bits, kind = _count(weights.get("num_bits")), _word(weights.get("type")) or "int"
    size = _count(weights.get("group_size"))
    activations = group.get("input_activations")
    if (bits, kind) == (4, "float") and size in (16, 32):
        return _plain("nvfp4" if size == 16 else "mxfp4")
    if (bits, kind) == (8, "float"):
        return MXFP8 if size == 32 else _plain("fp8")
    if kind == "int" and bits == 8 and isinstance(activations, Mapping):
        return _plain("int8")
    if kind == "int" and bits:
        offset = 0 if weights.get("symmetric") is not False else bits / 8
        return _integers(bits, 2 + offset, size)
    raise _UnknownError(f"has {shortened(kind)} of {bits} bit, which is not known: {_CHOSEN}")


def _integer(stated: Mapping[str, Any]) -> Storage:
    """What stores integers with a scale of 16 bit and an offset per group."""
    bits = _count(stated.get("bits", stated.get("w_bit")))
    size = stated.get("group_size", stated.get("q_group_size"))
    return _integers(bits, 2 + bits / 8, 128 if size is None else _count(size))


def _integers(bits: int, bytes_per_group: float, group_size: int) -> Storage:
    """Integers of so many bits; without a group's size a scale stands for a whole row."""
    if bits not in (3, 4, 5, 6, 8):
        what = f"has {bits} bit" if bits else "names no bits"
        raise _UnknownError(f"{what}, which is not known: {_CHOSEN}")
    scale = bytes_per_group / group_size if group_size > 0 else 0.0
    label = f"{bits} bit with a scale per {group_size} weights" if scale else f"{bits} bit"
    return Storage({4: "int4", 8: "int8-wo"}.get(bits, ""), bits / 8 + scale, label)


METHODS: Mapping[str, Callable[[Mapping[str, Any]], tuple[Storage, list[Rule]]]] = {
    "bitsandbytes": _of_bitsandbytes,
    "gptq": _of_gptq,
    "awq": lambda stated: (_integer(stated), []),
    "auto-round": _of_auto_round,
    "intel/auto-round": _of_auto_round,
    "quark": _of_quark,
    "": _of_mlx,
}


# --- modules that are not converted, tables, cache ---------------------------------------------


def _regex_or(text: str) -> tuple[str, str]:
    """The kind of a name, and the name itself; regular expressions begin with "re:"."""
    if text.startswith("re:"):
        return "regex", text[3:]
    return _kind(text), text


def _kind(text: str) -> str:
    return "glob" if any(each in text for each in "*?[") else "name"


def _listed(stated: Mapping[str, Any]) -> Iterator[Rule]:
    """Modules that are not converted, each once."""
    for name in LISTS:
        modules = stated.get(name)
        texts = [modules] if isinstance(modules, str) else modules
        for text in dict.fromkeys(
            each for each in (texts if isinstance(texts, list) else ()) if isinstance(each, str)
        ):
            kind, pattern = _regex_or(text)
            yield Rule(name, pattern, kind, WIDE, is_exact=True)


def _by_switch(stated: Mapping[str, Any], default: Storage) -> Iterator[Rule]:
    """The head, where a switch says that it is quantised, too."""
    if stated.get("lm_head") is True and stated.get("quant_method"):
        yield Rule("lm_head", "lm_head", "name", default, is_exact=True)


def _kv(stated: Mapping[str, Any]) -> tuple[str, list[str]]:
    """What the cache is said to be stored as, and what is not known of it."""
    word = ""
    scheme = stated.get("kv_cache_scheme")
    if isinstance(scheme, Mapping) and scheme:
        kind = _word(scheme.get("type")) or "float"
        word = f"{kind}{_count(scheme.get('num_bits'))}"
    elif isinstance(scheme, str):
        word = scheme.lower()
    word = word or _word(stated.get("kv_cache_quant_algo"))
    for own in _member(stated, "kv_cache_quant_config").values():
        output = _member(own, "output_tensors") if isinstance(own, Mapping) else {}
        each = _word(output.get("dtype")) or "none"
        word = each if word in ("", each) else "of several formats"
    kv = {"float8": "fp8", "fp8": "fp8", "fp8_e4m3": "fp8"} | {"int8": "int8", "int4": "int4"}
    if word in ("", "auto", "none"):
        return "", []
    if word in kv:
        return kv[word], []
    return "", [f" says that the cache is {shortened(word)}, which is not known: it is as chosen"]


def _unknown(stated: Mapping[str, Any], method: str) -> Iterator[str]:
    """What else is stated and may change what weights weigh."""
    for name, value in stated.items():
        is_rule = not method and _is_mlx_rule(name, value)
        if name not in KNOWN and not is_rule and value not in _NOTHING and value not in ([], {}):
            yield f".{shortened(name)} is not understood, and may change what weights weigh"
        elif name in LISTS and not isinstance(value, list | str | None):
            yield f".{name} is no list of names: not counted"
    sparsity = _member(stated, "sparsity_config")
    if sparsity and _word(sparsity.get("format")) != "dense":
        yield ".sparsity_config: weights that are stored without their zeros are counted in full"
    blocks = stated.get("block_name_to_quantize") or stated.get("modules_in_block_to_quantize")
    if blocks and not (isinstance(blocks, str) and blocks.endswith(("layers", ".h", "blocks"))):
        yield ": only some blocks are quantised, but all are counted so (block_name_to_quantize)"
    if _word(stated.get("format")) == "dense" and stated.get("config_groups"):
        yield ".format is dense: the weights may be stored at 16 bit"
