"""The number formats that a config.json states, by module.

A `quantization_config` says what weights are stored as, and which modules are not or are stored as
something else. `rules` reads it, `modules` says what its names mean; here they are added up. What
is stored wider than most is counted by its bytes, as a share at 16 bit. What is not understood is
said by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from calc.architecture.record import Architecture
from calc.hf_config.error import ConfigError
from calc.hf_config.fields import Fields
from calc.hf_config.modules import LABELS, Covered, Modules, Projection
from calc.hf_config.numbers import Numbers
from calc.hf_config.patterns import PatternError
from calc.hf_config.rules import FORMATS, WIDE, Quantization, Rule, Storage, quantization
from calc.text import shortened

#: Where it stands; MLX writes the second, compressed-tensors once wrote the third.
QUANTIZATIONS = ("quantization_config", "quantization", "compression_config")

#: What the weights are stored as, where nothing is quantised: 16 bit, or once loaded.
DTYPES = ("torch_dtype", "dtype")
WIDE_DTYPES = frozenset(["", "auto", "float16", "bfloat16", "half", "float", "float32", "float64"])
EXPERT_DTYPE = "expert_dtype"

#: A number of bytes that is not told from another one. [share]
SAME = 0.01

#: So many names are told of those that mean nothing here.
MOST_TOLD = 2


@dataclass(frozen=True)
class Formats:
    """Formats of weights and cache, "" = not stated; shares of parts that stay at 16 bit.

    `remarks` say what follows, `guesses` what is open; `paths` are where the formats stand.
    """

    weights: str = ""
    kv: str = ""
    shares: dict[str, float] = field(default_factory=dict)
    paths: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()


def stated_precision(
    places: Mapping[str, Mapping[str, Any]],
    numbers: Numbers,
    fields: Fields,
    architecture: Architecture,
) -> Formats:
    """The number formats that a config states.

    Parameters
    ----------
    places : mapping
        Parts of the config by their path, the one that counts last.
    numbers : Numbers
    fields : Fields
        Completed.
    architecture : Architecture

    Returns
    -------
    Formats

    Raises
    ------
    ConfigError
        Two statements say different things.

    Notes
    -----
    Weights of b' bytes where most have b count as a share (b' − b) / (2 − b) at 16 bit.

    References
    ----------
    Configuration classes in `transformers/utils/quantization_config.py`; compressed-tensors,
    ModelOpt, GPTQModel, AutoRound, Quark and MLX for theirs.
    """
    stated = {
        f"{path}{name}": part[name]
        for path, part in places.items()
        for name in QUANTIZATIONS
        if isinstance(part.get(name), Mapping) and part[name]
    }
    part_path, part = [*places.items()][-1]
    experts = _word(part.get(EXPERT_DTYPE))
    if not stated:
        return _unquantised(places, f"{part_path}{EXPERT_DTYPE}" if experts else "", experts)
    *others, path = stated
    for other in others:
        if stated[other] != stated[path]:
            raise ConfigError(f"{shortened(other)} and {shortened(path)} are not the same.")
    read = quantization(stated[path], experts)
    paths = (*stated, *([f"{part_path}{EXPERT_DTYPE}"] if experts else []))
    guesses = [f"{path}{each}" for each in read.guesses]
    if not read.is_known:
        return Formats(kv=read.kv, guesses=tuple(guesses), paths=paths)
    formats = _added_up(path, read, Modules(numbers, fields, architecture))
    kv = [f"the cache is {read.kv} ({path})"] if read.kv else []
    if formats.weights and _word(stated[path].get("quant_method")) != "mxfp4":
        # What a family keeps by itself, another method may convert.
        formats = replace(formats, shares=formats.shares | {"keeps_only_experts_quantised": 0.0})
    return replace(
        formats,
        kv=read.kv,
        paths=paths,
        remarks=(*formats.remarks, *kv),
        guesses=(*guesses, *formats.guesses),
    )


def _word(value: Any) -> str:
    return value.lower().removeprefix("torch.") if isinstance(value, str) else ""


def _unquantised(places: Mapping[str, Mapping[str, Any]], path: str, experts: str) -> Formats:
    """What follows where a file has no quantisation."""
    remarks, guesses = [], []
    for name, value in reversed(
        [(f"{path}{name}", part.get(name)) for path, part in places.items() for name in DTYPES]
    ):
        if (word := _word(value)) == "float32":
            remarks = [f"{name} is float32: engines load the weights at 16 bit"]
        elif word not in WIDE_DTYPES:
            guesses = [f"{name} is {shortened(word)}: weights are as chosen"]
    if path:
        guesses.append(f"{path} is {shortened(experts)}: weights are as chosen")
    return Formats(remarks=tuple(remarks[:1]), guesses=tuple(guesses))


# --- adding up --------------------------------------------------------------------------------


@dataclass
class _Sums:
    """Layers' projections that are left to a rule, and parameters by part, label and storage."""

    left: list[list[float]]
    stored: dict[tuple[str, str], dict[Storage, float]]

    def take(self, n: int, layer: int, share: float, projection: Projection, as_: Storage) -> None:
        """Let a share of a layer's projections be stored as something, as far as it is left."""
        taken = min(self.left[n][layer], share * projection.layers[layer])
        self.left[n][layer] -= taken
        sums = self.stored.setdefault((projection.part, projection.label), {})
        sums[as_] = sums.get(as_, 0.0) + taken * projection.n_params * projection.n_alike


def _added_up(path: str, read: Quantization, modules: Modules) -> Formats:
    """Parameters by what they are stored as, and what is to be said of it."""
    sums = _Sums([[*each.layers] for each in modules.projections], {})
    tables = dict.fromkeys(modules.tables, read.tables)
    unknown: dict[str, list[str]] = {}
    open_parts: set[str] = set()
    for rule, covered in _covered(modules, read.rules, unknown):
        if rule.is_exact:
            tables |= dict.fromkeys(covered.tables, rule.storage)
        for (n, layer), share in covered.shares.items():
            projection = modules.projections[n]
            if layer is not None and 0 < projection.layers[layer] < 1:
                open_parts.add(LABELS[projection.part])
            for each in range(modules.n_layers) if layer is None else (layer,):
                sums.take(n, each, share, projection, rule.storage)
    for n, projection in enumerate(modules.projections):
        for layer in range(modules.n_layers):
            rest = read.tables if projection.stays else read.default
            sums.take(n, layer, 1.0, projection, rest)
    for table, n_params in modules.tables.items():
        if n_params:
            sums.stored["tables", LABELS[table]] = {tables[table]: n_params}
    guesses = [f"{path}.{what} ({_some(texts)}): not counted" for what, texts in unknown.items()]
    if open_parts:
        guesses.append(
            f"{path} names modules by layer, and which layers have "
            f"{' and '.join(sorted(open_parts))} is not read: they are counted as alike"
        )
    if read.head_open and modules.tables["head"]:
        guesses.append(f"{path} does not say whether the head is converted: counted at 16 bit")
    formats = _formats(path, sums.stored)
    return replace(formats, guesses=(*guesses, *formats.guesses))


def _covered(
    modules: Modules, rules: tuple[Rule, ...], unknown: dict[str, list[str]]
) -> Iterator[tuple[Rule, Covered]]:
    """What each rule means, once; those that mean nothing known are added to `unknown`."""
    done: set[object] = set()
    for rule in rules:
        try:
            is_name = rule.kind == "name"
            covered = (
                modules.named(rule.text) if is_name else modules.matching(rule.text, rule.kind)
            )
        except PatternError:
            what = f"{rule.field} has patterns that are not understood"
            unknown.setdefault(what, []).append(rule.text)
            continue
        if covered.shares or covered.tables:
            whole = frozenset(n for n, layer in covered.shares if layer is None)
            key = (whole, covered.tables, rule.storage)
            if not (whole and key in done):
                yield rule, covered
            done.add(key)
        elif not covered.is_elsewhere and not modules.has_nothing_of(rule.text):
            what = f"{rule.field} names modules that are not known"
            unknown.setdefault(what, []).append(rule.text)


def _some(texts: list[str]) -> str:
    more = len(texts) - MOST_TOLD
    told = ", ".join(shortened(each) for each in texts[:MOST_TOLD])
    return f"{told} and {more:,} more" if more > 0 else told


def _formats(path: str, stored: Mapping[tuple[str, str], Mapping[Storage, float]]) -> Formats:
    """The format of most weights, and the others as shares at 16 bit."""
    totals: dict[Storage, float] = {}
    for by_storage in stored.values():
        for storage, n_params in by_storage.items():
            totals[storage] = totals.get(storage, 0.0) + n_params
    formats = {
        each: sum(n for storage, n in totals.items() if storage.format == each) for each in FORMATS
    }
    base = max(formats, key=lambda each: formats[each])
    if not formats[base]:
        return Formats(remarks=(f"no weights are quantised ({path})",))
    base_bytes = FORMATS[base]
    span = WIDE.bytes_per_weight - base_bytes

    def at_16_bit(storage: Storage) -> float:
        is_same = storage.bytes_per_weight < base_bytes * (1 + SAME)
        return 0.0 if is_same else (storage.bytes_per_weight - base_bytes) / span

    parts: dict[str, tuple[float, float]] = {}
    for (part, _), by_storage in stored.items():
        kept, whole = parts.get(part, (0.0, 0.0))
        kept += sum(n * at_16_bit(storage) for storage, n in by_storage.items())
        parts[part] = (kept, whole + sum(by_storage.values()))
    shares = {
        f"{part}_kept": kept / whole if whole else 0.0 for part, (kept, whole) in parts.items()
    }
    remarks = [f"weights are {base} ({path})"]
    if kept_parts := ", ".join(_kept(stored)):
        remarks.append(f"at 16 bit stay {kept_parts} ({path})")
    remarks += _by_bytes(path, totals, base)
    guesses = [
        f"{path}: {n_params:,.0f} weights are {storage.label}, of {storage.bytes_per_weight:.4g} B "
        f"each, counted as {base} of {base_bytes:.4g} B"
        for storage, n_params in totals.items()
        if n_params and storage.bytes_per_weight < base_bytes * (1 - SAME)
    ]
    return Formats(base, "", shares, (), tuple(remarks), tuple(guesses))


def _kept(stored: Mapping[tuple[str, str], Mapping[Storage, float]]) -> Iterator[str]:
    """What stays at 16 bit, beside tables, which do as a rule."""
    for (part, label), by_storage in stored.items():
        share = by_storage.get(WIDE, 0.0) / max(sum(by_storage.values()), 1.0)
        if share and part != "tables":
            yield label if share > 1 - 1e-9 else f"{min(100 * share, 99.9):.3g}% of {label}"


def _by_bytes(path: str, totals: Mapping[Storage, float], base: str) -> Iterator[str]:
    """What is counted by its own bytes, as it is stored neither at 16 bit nor as most."""
    for storage, n_params in totals.items():
        is_wider = storage.bytes_per_weight >= FORMATS[base] * (1 + SAME)
        if storage != WIDE and n_params and is_wider:
            yield (
                f"{n_params:,.0f} weights are {storage.label}, counted at "
                f"{storage.bytes_per_weight:.4g} B each ({path})"
            )
