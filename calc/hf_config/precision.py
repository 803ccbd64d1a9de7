"""The number formats that a config.json states, and which tensors they leave at 16 bit.

`TYPES` and `METHODS` say which format a `quantization_config` means; lists of modules that are
not converted are matched by words in their names, without running the patterns in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calc.text import shortened

#: Where it stands; MLX writes the second.
QUANTIZATIONS = ("quantization_config", "quantization")

#: What the weights are stored as, where nothing is quantised: 16 bit, or once loaded.
DTYPES = ("torch_dtype", "dtype")

#: Weights of so many bits and a type → a format; integers are multiplied as such only with
#: activations that are integers, too.
TYPES: Mapping[tuple[int, str, bool], str] = {
    (8, "float", False): "fp8",
    (8, "float", True): "fp8",
    (8, "int", False): "int8-wo",
    (8, "int", True): "int8",
    (4, "int", False): "int4",
    (4, "int", True): "int4",
}

#: Four bits of floating point, by the weights that share a scale.
FOUR_BIT_FLOATS: Mapping[int, str] = {16: "nvfp4", 32: "mxfp4"}

#: What a word says by itself: `quant_method`, or in it `quant_algo`.
WORDS: Mapping[str, str] = {
    "fp8": "fp8",
    "fbgemm_fp8": "fp8",
    "fp8_e4m3": "fp8",
    "fp4": "mxfp4",
    "fp8_pb_wo": "fp8",
    "mxfp4": "mxfp4",
    "nvfp4": "nvfp4",
    "nvfp4_awq": "nvfp4",
    "w4a16_awq": "int4",
    "w4a8_awq": "int4",
    "int8_sq": "int8",
}

#: Methods that state the bits of integers; MLX, which does too, names none.
INTEGERS = frozenset(["awq", "gptq", "auto-round", "intel/auto-round", ""])

#: Where the modules are listed that are not converted.
LISTS = ("modules_to_not_convert", "ignore", "exclude_modules", "ignored_layers", "exclude")

#: What a module is a part of, by the first of these that is in its name; "" is none that counts.
PARTS: tuple[tuple[str, str], ...] = (
    (r"vision|visual|audio|mtp|eh_proj|lm_head|embed|norm|shared_head", ""),
    (r"shared_expert_gate|router|gate$|gate\.weight$", ""),
    (r"shared_expert", "shared"),
    (r"experts", "experts"),
    (r"linear_attn|mamba|mixer|conv|ssm", "states"),
    (r"attn|attention|indexer", "attention"),
    (r"mlp|ffn|feed_forward|(gate|up|down)_proj", "dense"),
)
NAMES: Mapping[str, str] = {
    "attention": "attention",
    "dense": "dense MLPs",
    "shared": "shared experts",
    "experts": "routed experts",
    "states": "layers with a state",
}

#: So many modules are read of a list; models have a few thousand.
MOST_MODULES = 100_000


@dataclass(frozen=True)
class Formats:
    """Formats of weights and cache, "" = not stated; shares of parts that stay at 16 bit.

    `remarks` say what follows, `guesses` what is open; `path` is where the formats stand.
    """

    weights: str = ""
    kv: str = ""
    shares: Mapping[str, float] | None = None
    path: str = ""
    remarks: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()


def stated_precision(places: Mapping[str, Mapping[str, Any]], n_layers: float) -> Formats:
    """The number formats that a config states.

    Parameters
    ----------
    places : mapping
        Parts of the config by their path, the one that counts last.
    n_layers : quantity

    Returns
    -------
    Formats

    Notes
    -----
    A module that is listed for some layers counts as that share of them.

    References
    ----------
    Configuration classes in `transformers/utils/quantization_config.py`; compressed-tensors and
    ModelOpt, for theirs.
    """
    for path, part in reversed([*places.items()]):
        for name in QUANTIZATIONS:
            quantization = part.get(name)
            if isinstance(quantization, Mapping) and quantization:
                return _formats(f"{path}{name}", quantization, n_layers)
    for path, part in reversed([*places.items()]):
        for name in DTYPES:
            if _word(part.get(name)) == "float32":
                return Formats(
                    remarks=(f"{path}{name} is float32: engines load the weights at 16 bit",)
                )
    return Formats()


def _formats(path: str, quantization: Mapping[str, Any], n_layers: float) -> Formats:
    names = {each for each in _names(quantization) if each}
    kv = "fp8" if _is_8bit_kv(quantization) else ""
    if len(names) != 1:
        method = _word(quantization.get("quant_method")) or "no method"
        why = "names several formats" if names else f"of {shortened(method)} is not known"
        return Formats(guesses=(f"{path} {why}: weights are as chosen",), kv=kv, path=path)
    (weights,) = names
    shares = {name: 0.0 for name in NAMES} | _shares(quantization, n_layers)
    parts = ", ".join(NAMES[name] for name, share in shares.items() if share > 0)
    remarks = [f"weights are {weights} ({path})"]
    remarks += [f"at 16 bit stay {parts} ({path})"] if parts else []
    remarks += [f"the cache is {kv} ({path})"] if kv else []
    return Formats(weights, kv, shares, path, tuple(remarks))


def _names(quantization: Mapping[str, Any]) -> Iterator[str]:
    """The formats that are named, "" for one that is not known."""
    method = _word(quantization.get("quant_method"))
    groups = quantization.get("config_groups")
    if isinstance(groups, Mapping) and groups:
        for group in groups.values():
            yield _of_group(group if isinstance(group, Mapping) else {})
    elif method == "bitsandbytes":
        yield "int4" if quantization.get("load_in_4bit") is True else "int8"
    elif method == "quark":
        weights = _member(_member(quantization, "global_quant_config"), "weight")
        yield WORDS.get(_word(weights.get("dtype")), "")
    elif method in INTEGERS and "quant_algo" not in quantization:
        yield TYPES.get((_count(quantization.get("bits")), "int", False), "")
    else:
        yield WORDS.get(_word(quantization.get("quant_algo")) or method, "")


def _member(part: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object inside of another, empty if there is none."""
    inner = part.get(name)
    return inner if isinstance(inner, Mapping) else {}


def _of_group(group: Mapping[str, Any]) -> str:
    """The format of one of `config_groups`."""
    weights = _member(group, "weights")
    bits, kind = _count(weights.get("num_bits")), _word(weights.get("type")) or "int"
    if (bits, kind) == (4, "float"):
        return FOUR_BIT_FLOATS.get(_count(weights.get("group_size")), "")
    return TYPES.get((bits, kind, isinstance(group.get("input_activations"), Mapping)), "")


def _word(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""


def _count(value: Any) -> int:
    return value if type(value) is int else 0


def _is_8bit_kv(quantization: Mapping[str, Any]) -> bool:
    """Whether the cache is said to be fp8."""
    scheme = quantization.get("kv_cache_scheme")
    if isinstance(scheme, Mapping):
        return scheme.get("num_bits") == 8
    return _word(quantization.get("kv_cache_quant_algo")) == "fp8"


def _shares(quantization: Mapping[str, Any], n_layers: float) -> dict[str, float]:
    """Parts that stay at 16 bit, as a share of the layers."""
    layers: dict[str, set[str]] = {}
    for name in LISTS:
        modules = quantization.get(name)
        for module in modules[:MOST_MODULES] if isinstance(modules, list) else ():
            if isinstance(module, str) and (part := _part(module)):
                number = re.search(r"layers?\D{1,3}(\d+)", module[:200])
                layers.setdefault(part, set()).add(number.group(1) if number else "")
    return {
        part: 1.0 if "" in places else min(1.0, len(places) / max(n_layers, 1.0))
        for part, places in layers.items()
    }


def _part(module: str) -> str:
    """What a module, or a pattern of modules, is a part of."""
    name = module[:200].lower().replace("\\", "").rstrip("*$.")
    return next((part for words, part in PARTS if re.search(words, name)), "")
