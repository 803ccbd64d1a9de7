"""The projections of a model's layers by their modules' names, and which of them a name means.

Names differ by family: `BLOCKS` and `PROJECTIONS` have those of all, of which one that is not a
family's own means nothing there. Layers count from 0. A path begins with "model.layers.", whatever
it is called in a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from calc.architecture.projections import projection_sizes
from calc.architecture.record import Architecture
from calc.hf_config.family import Family
from calc.hf_config.fields import Fields
from calc.hf_config.numbers import Numbers
from calc.hf_config.patterns import Pattern, PatternError, glob

#: What a part's modules are called, below a layer; beside Mamba-2 all of them may be mixers.
BLOCKS: Mapping[str, str] = {
    "attention": "self_attn attn attention self_attention",
    "n_delta": "linear_attn",
    "n_mamba": "mamba",
    "n_selective": "mixer mamba",
    "n_conv": "conv",
    "n_kda": "self_attn linear_attn",
    "n_lightning": "self_attn attention linear_attn",
    "dense": "mlp feed_forward ffn",
    "shared": "mlp block_sparse_moe feed_forward ffn moe",
    "experts": "mlp block_sparse_moe feed_forward ffn moe",
}
MIXER = "mixer"

#: In such names no pattern is looked for: it could mean an MLP's.
NAMES_ONLY = ("switch_mlp.", "shared_mlp.")

#: Of which part, its size below, and what it is called in a block; {e} is an expert's number.
PROJECTIONS: tuple[tuple[str, str, str], ...] = (
    ("attention", "q", "q_proj qkv_proj query_key_value c_attn Wqkv wqkv W_pack wq"),
    ("attention", "k", "k_proj qkv_proj query_key_value c_attn Wqkv wqkv W_pack wk"),
    ("attention", "v", "v_proj qkv_proj query_key_value c_attn Wqkv wqkv W_pack wv"),
    ("attention", "o", "o_proj dense c_proj out_proj wo"),
    ("attention", "gate", "g_proj"),
    ("attention", "q_a", "q_a_proj fused_qkv_a_proj_with_mqa wq_a"),
    ("attention", "q_b", "q_b_proj wq_b"),
    ("attention", "kv_a", "kv_a_proj_with_mqa fused_qkv_a_proj_with_mqa kv_proj wkv"),
    ("attention", "kv_b", "kv_b_proj"),
    ("attention", "o_a", "o_a_proj wo_a"),
    ("attention", "o_b", "o_b_proj wo_b"),
    ("attention", "index", "indexer.wq_b indexer.wk compressor.indexer.q_b_proj"),
    ("states", "delta_in", "in_proj_qkvz in_proj_qkv in_proj_z in_proj"),
    ("states", "delta_steps", "in_proj_ba in_proj_b in_proj_a"),
    ("states", "state_in", "in_proj"),
    ("states", "state_step", "x_proj dt_proj"),
    ("states", "state_qkv", "qkv_proj query_key_value q_proj k_proj v_proj"),
    ("states", "state_gate", "output_gate g_proj g_a_proj g_b_proj f_a_proj f_b_proj b_proj"),
    ("states", "state_conv", "conv1d conv q_conv1d k_conv1d v_conv1d"),
    ("states", "state_out", "out_proj o_proj dense"),
    ("dense", "gate", "gate_proj gate_up_proj w1"),
    ("dense", "up", "up_proj gate_up_proj w3 c_fc fc1 dense_h_to_4h"),
    ("dense", "down", "down_proj w2 c_proj fc2 dense_4h_to_h"),
    ("shared", "router", "gate router"),
    ("shared", "shared_gate", "shared_expert_gate"),
    (
        *("shared", "shared_w1"),
        "shared_expert.gate_proj shared_experts.gate_proj shared_expert.gate_up_proj "
        "shared_experts.gate_up_proj shared_mlp.gate_proj share_expert.gate_proj shared_experts.w1",
    ),
    (
        *("shared", "shared_w3"),
        "shared_expert.up_proj shared_experts.up_proj shared_expert.gate_up_proj "
        "shared_experts.gate_up_proj shared_mlp.up_proj share_expert.up_proj shared_experts.w3",
    ),
    (
        *("shared", "shared_w2"),
        "shared_expert.down_proj shared_experts.down_proj shared_mlp.down_proj "
        "share_expert.down_proj shared_experts.w2",
    ),
    ("shared", "narrow", "fc1_latent_proj fc2_latent_proj"),
    (
        *("experts", "w1"),
        "experts.{e}.gate_proj experts.{e}.w1 experts.gate_up_proj switch_mlp.gate_proj",
    ),
    (
        *("experts", "w3"),
        "experts.{e}.up_proj experts.{e}.w3 experts.gate_up_proj switch_mlp.up_proj",
    ),
    (
        *("experts", "w2"),
        "experts.{e}.down_proj experts.{e}.w2 experts.down_proj switch_mlp.down_proj",
    ),
)

#: What a reader calls them.
LABELS: Mapping[str, str] = {
    "attention": "attention",
    "dense": "dense MLPs",
    "shared": "shared experts",
    "router": "routers",
    "shared_gate": "routers",
    "narrow": "projections around experts",
    "experts": "routed experts",
    "states": "layers with a state",
    "head": "the head",
    "embedding": "the embedding",
}

#: Sizes of what no method but MLX's converts unless it is named.
STAYING = frozenset(["router", "shared_gate", "narrow"])

#: Beside the layers; what a file may call them.
TABLES: Mapping[str, str] = {
    "head": "lm_head output_layer embed_out",
    "embedding": "embed_tokens wte word_embeddings embeddings",
}

#: What another name is a part of, by the first of these that is in it; "" is none that counts.
PARTS: tuple[tuple[str, str], ...] = (
    (r"vision|visual|vit|image|audio|speech|talker|mtp|nextn|eagle|draft|tower|projector", ""),
    (
        r"merger|modal|projection|eh_proj|lm_head|embed|norm|shared_head|score|classifier|rotary|bias|sink|conv1d",
        "",
    ),
    (r"shared_expert_gate|router|gate$|gate\.weight$|_log$|wte|wpe|correction", ""),
    (r"shared_expert|share_expert|shared_mlp", "shared"),
    (r"experts|moe", "experts"),
    (r"linear_attn|mamba|mixer|conv|ssm", "states"),
    (r"attn|attention|indexer", "attention"),
    (r"mlp|ffn|feed_forward|(gate|up|down)_proj", "dense"),
)

#: Layers of a file, whatever it calls them; what stands before them if they are another part's.
_LAYERS = re.compile(r"^\^?(?:model\\?\.)?((?:[A-Za-z_]+\\?\.)*)(?:layers|h|blocks)(?=\\?\.|\*|$)")
_NUMBERED = re.compile(r"model\.layers\.(\d{1,6})([.*])")
OTHERS = re.compile(
    r"vision|visual|vit|image|audio|speech|talker|mtp|nextn|eagle|draft|tower|projector|merger"
)
#: Patterns are run on each layer; no real file has so many.
MOST_RUNS = 20_000
LONGEST_NAME = 200

#: Different names below a layer; no real file has so many.
MOST_NAMES = 2_000


@dataclass(frozen=True)
class Projection:
    """One projection of each layer of a part: parameters of one, and how many there are alike."""

    part: str
    label: str
    paths: tuple[str, ...]
    n_params: float
    n_alike: int
    #: No method but MLX's converts it unless it is named.
    stays: bool
    #: Of each layer, whether it has it, or how likely where that is open.
    layers: tuple[float, ...]


@dataclass(frozen=True)
class Covered:
    """What a name means: of projections and layers, the share of those alike; None = all layers."""

    shares: Mapping[tuple[int, int | None], float]
    tables: frozenset[str] = frozenset()
    is_elsewhere: bool = False


class Modules:
    """The modules of a model's layers.

    `open_parts` are in some layers only, and nothing that is read here says in which ones.
    """

    def __init__(self, numbers: Numbers, fields: Fields, architecture: Architecture) -> None:
        a, f = _plain(architecture), _plain(fields)
        self.n_layers = int(a.n_layers)
        self.projections: list[Projection] = []
        self.open_parts: list[str] = []
        self._by_suffix: dict[str, dict[int, float]] = {}
        self._runs = 0
        self._experts: dict[object, Counter[frozenset[int]]] = {}
        sizes = vars(projection_sizes(a))
        placed, blocks = _placed(numbers, f, a), _blocks(a)
        for part, size, names in PROJECTIONS:
            n_params = float(sizes[f"{part}_{size}"])
            if n_params <= 0:
                continue
            layers = placed[part]
            if any(0 < each < 1 for each in layers) and part not in self.open_parts:
                self.open_parts.append(part)
            self.projections.append(
                Projection(
                    part=part,
                    label=LABELS.get(size, LABELS[part]),
                    paths=tuple(
                        f"{block}.{name}" for block in blocks[part] for name in names.split()
                    ),
                    n_params=n_params,
                    n_alike=max(int(a.n_experts), 1) if part == "experts" else 1,
                    stays=size in STAYING,
                    layers=layers,
                )
            )
        rows = float(a.n_lookup + (a.n_more_rows + a.n_position_rows) * a.d_model)
        table = float(a.n_vocab * a.d_model)
        self.tables = {
            "head": 0.0 if a.tied > 0 else table + float(a.head_bias * a.n_vocab),
            "embedding": table + rows,
        }

    def named(self, name: str) -> Covered:
        """What a plain name means: a module, what is inside of it, and of that name anywhere."""
        name = name[:LONGEST_NAME]
        canonical = _canonical(name)
        if canonical is None:
            return Covered({}, is_elsewhere=True)
        tables = frozenset(
            table
            for table, its in TABLES.items()
            if name.removesuffix(".weight").rpartition(".")[2] in its.split()
        )
        _, _, suffix = canonical.partition("model.layers.")
        number, _, inside = suffix.partition(".")
        if number.isdigit() and len(number) <= len(str(self.n_layers)):
            layer = int(number)
            if layer >= self.n_layers:
                return Covered({}, is_elsewhere=True)
            return Covered({(n, layer): each for n, each in self._inside(inside, True).items()})
        if canonical == "model.layers":
            suffix = ""
        elif not suffix:
            suffix = name
        inner = {} if tables else self._inside(suffix, False)
        return Covered({(n, None): each for n, each in inner.items()}, tables)

    def _inside(self, suffix: str, is_whole: bool) -> dict[int, float]:
        """The projections that a name below a layer means, and their shares of those alike."""
        suffix = suffix.removesuffix(".weight")
        expert = re.search(r"(?:^|\.)experts\.(\d{1,6})(?=\.|$)", suffix)
        if expert:
            suffix = f"{suffix[: expert.start(1)]}{{e}}{suffix[expert.end(1) :]}"
        key = f"{is_whole}{suffix}"
        if key not in self._by_suffix:
            # What means all layers is tried in each of them.
            self._count(MOST_RUNS // MOST_NAMES if is_whole else self.n_layers // 10 + 1)
            wanted = f".{suffix}." if suffix else "."
            self._by_suffix[key] = {
                n: 1.0
                for n, each in enumerate(self.projections)
                if any(
                    f".{path}.".startswith(wanted) if is_whole else wanted in f".{path}."
                    for path in each.paths
                )
            }
        found = self._by_suffix[key]
        if not expert:
            return found
        return {
            n: 1.0 / self.projections[n].n_alike
            for n in found
            if int(expert[1]) < self.projections[n].n_alike
        }

    def matching(self, text: str, kind: str) -> Covered:
        """What a pattern means, a "glob" or a "regex".

        Raises
        ------
        PatternError
            It is not understood, or there are too many.
        """
        canonical = _canonical(text)
        if canonical is None:
            return Covered({}, is_elsewhere=True)
        numbered = _NUMBERED.match(canonical) if kind == "glob" else None
        layers = range(self.n_layers)
        is_beyond = numbered is not None and int(numbered[1]) >= self.n_layers
        if numbered and numbered[2] == ".":
            layers = range(int(numbered[1]), min(int(numbered[1]) + 1, self.n_layers))
        self._count(len(layers) + 1)
        self._experts.clear()
        pattern = glob(canonical) if kind == "glob" else Pattern(canonical)
        ends: dict[object, dict[int, float]] = {}
        shares: dict[tuple[int, int | None], float] = {}
        begun = pattern.step(pattern.start, "model.layers.")
        for layer in layers:
            states = pattern.step(begun, f"{layer}.")
            if states not in ends:
                ends[states] = dict(self._ending(pattern, states))
            shares |= {(n, layer): each for n, each in ends[states].items()}
        tables = frozenset(
            table
            for table, names in TABLES.items()
            for name in names.split()
            if pattern.matches(name) or pattern.matches(f"model.{name}")
        )
        return Covered(shares, tables, is_elsewhere=is_beyond)

    def _ending(self, pattern: Pattern, states: frozenset[int]) -> Iterator[tuple[int, float]]:
        """The projections whose paths have the rest of a pattern, and their shares."""
        for n, each in enumerate(self.projections):
            share = 0.0
            for path in each.paths:
                if share < 1 and not any(name in path for name in NAMES_ONLY):
                    start, number, end = path.partition("{e}")
                    begun = pattern.step(states, start)
                    open_ones = (
                        self._numbered(pattern, begun, each.n_alike) if number else {begun: 1}
                    )
                    n_held = sum(
                        n_experts
                        for reached, n_experts in open_ones.items()
                        if pattern.holds(pattern.step(reached, end))
                    )
                    share = max(share, n_held / (each.n_alike if number else 1))
            if share:
                yield n, share

    def _numbered(
        self, pattern: Pattern, begun: frozenset[int], n_experts: int
    ) -> Counter[frozenset[int]]:
        """The states after an expert's number, and how many experts lead there."""
        if not begun or pattern.is_done(begun):
            return Counter({begun: n_experts})
        key = (begun, n_experts)
        if key not in self._experts:
            self._count(n_experts)
            self._experts[key] = Counter(
                pattern.step(begun, str(expert)) for expert in range(n_experts)
            )
        return self._experts[key]

    def _count(self, n_runs: int) -> None:
        self._runs += n_runs
        if self._runs > MOST_RUNS:
            raise PatternError

    def has_nothing_of(self, text: str) -> bool:
        """Whether a name is known to mean nothing that counts here."""
        name = text[:LONGEST_NAME].lower().replace("\\", "").rstrip("*$.")
        part = next((part for words, part in PARTS if re.search(words, name)), None)
        return part == "" or (
            part is not None and all(each.part != part for each in self.projections)
        )


def _canonical(text: str) -> str | None:
    """A name or pattern whose layers are at "model.layers"; None if it is of other layers."""
    found = _LAYERS.match(text[:LONGEST_NAME])
    if not found:
        return text
    if OTHERS.search(found[1].lower()):
        return None
    return f"model.layers{text[found.end() :]}"


def _plain(record: Architecture | Fields) -> Any:
    """A record's numbers, which are no arrays where they come from a file."""
    return SimpleNamespace(**{name: float(value) for name, value in vars(record).items()})


def _blocks(a: Any) -> dict[str, list[str]]:
    """What each part's modules may be called in this model."""
    mixers = [MIXER] if a.n_mamba else []
    kinds = [name for name in BLOCKS if name.startswith("n_") and getattr(a, name)]
    states = [block for kind in kinds for block in BLOCKS[kind].split()]
    return {part: [*names.split(), *mixers] for part, names in BLOCKS.items()} | {
        "states": [*states, *mixers]
    }


def _placed(numbers: Numbers, f: Any, a: Any) -> dict[str, tuple[float, ...]]:
    """Of each part, whether each layer has it, or how likely that is."""
    n_layers = int(a.n_layers)
    attends = [float(each in ("n_full", "n_window")) for each in numbers.kinds.get("attention", ())]
    keeps = [float(each == "n_state") for each in numbers.kinds.get("attention", ())]
    if f.full_every > 0 and not attends:
        attends = [float(n % f.full_every == f.full_offset) for n in range(n_layers)]
        keeps = [1 - each for each in attends]
    moe, dense = _mlps_placed(numbers, f, numbers.family, n_layers)
    n_states = a.n_delta + a.n_mamba + a.n_selective + a.n_kda + a.n_conv + a.n_lightning
    n_attending = (a.n_full + a.n_window) / numbers.family.sublayers
    n_dense = n_layers if numbers.family.moe_beside_mlp else n_layers - a.n_moe
    n_dense = n_dense if a.dense_width else 0.0
    stated = {
        "attention": (attends, n_attending),
        "states": (keeps, n_states),
        "dense": (dense, n_dense),
        "shared": (moe, a.n_moe),
        "experts": (moe, a.n_moe),
    }
    return {part: _spread(each, n_layers, n_has) for part, (each, n_has) in stated.items()}


def _spread(stated: list[float], n_layers: int, n_has: float) -> tuple[float, ...]:
    """What is stated of each layer, if that is as many as are counted; or else alike in all."""
    if len(stated) == n_layers and sum(stated) == n_has:
        return tuple(stated)
    return (min(n_has / max(n_layers, 1), 1.0),) * n_layers


def _mlps_placed(
    numbers: Numbers, f: Any, family: Family, n_layers: int
) -> tuple[list[float], list[float]]:
    """Of each layer, whether it has experts, and whether an MLP."""
    kinds = numbers.kinds.get("mlp")
    if kinds:
        return (
            [float(each == "n_moe") for each in kinds],
            [float(each == "n_dense") for each in kinds],
        )
    placed = numbers.places.get("n_moe_placed")
    dense_only = {*numbers.places.get("n_mlp_only", ())}
    moe = [
        float(
            n in placed
            if placed
            else f.n_first_dense <= n <= f.n_before_dense
            and (n - f.moe_offset) % max(f.moe_every, 1.0) == 0
            and n not in dense_only
        )
        for n in range(n_layers)
    ]
    if family.moe_beside_mlp:
        return moe, [1.0] * n_layers
    return moe, [1 - each for each in moe]
