"""What the config files of a family of models do not state."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from calc.quantity import Value


@dataclass(frozen=True)
class Family:
    """Numbers and switches (0 or 1) of a family; the defaults are Llama's."""

    unknown: Value = 0.0

    # Norm vectors of width d per layer, one of the table, more in layers with experts; biases, and
    # what follows a stated switch.
    norms: Value = 2.0
    table_norm: Value = 0.0
    moe_norms: Value = 0.0
    norm_bias: Value = 0.0
    qkv_bias: Value = 0.0
    o_bias: Value = 0.0
    o_bias_follows: Value = 0.0
    mlp_bias: Value = 0.0
    mlp_follows_bias: Value = 0.0
    head_bias: Value = 0.0
    biases_follow_use: Value = 0.0
    qk_norm_heads: Value = 0.0
    qk_norm_width: Value = 0.0
    qk_norm_follows_use: Value = 0.0
    qk_norm_width_follows_use: Value = 0.0
    head_gate: Value = 0.0

    # Engines keep the whole context all the same; values, and window layers, have widths of
    # their own; an older decoder shares one KV head, and files may leave it unsaid.
    window_ignored: Value = 0.0
    values_differ: Value = 0.0
    two_decoders: Value = 0.0
    # A switch says whether KV heads are shared; whether the MLP is beside attention.
    heads_by_switch: Value = 0.0
    may_be_parallel: Value = 0.0

    # Rows of the input table beyond the vocabulary; some layers may attend to an image; there is a
    # table of positions, which begin at this one.
    n_more_rows: Value = 0.0
    may_cross: Value = 0.0
    learned_positions: Value = 0.0
    first_position: Value = 0.0

    # Matrices per MLP: 3 with a gate, 2 without; the stated width, or where there is none d_model,
    # times this is an MLP's; what its activation learns; layers have no MLP; experts have no width
    # of their own name.
    mlp_matrices: Value = 3.0
    d_inner_share: Value = 1.0
    d_inner_over_width: Value = 0.0
    activation_params: Value = 0.0
    no_mlps: Value = 0.0
    moe_beside_mlp: Value = 0.0
    shared_is_mlp: Value = 0.0
    experts_as_mlp: Value = 0.0
    shared_width_each: Value = 0.0
    shared_gate: Value = 0.0
    router_bias: Value = 0.0
    expert_bias: Value = 0.0
    keeps_only_experts_quantised: Value = 0.0

    # Attention blocks, each with an MLP, per layer. Which kind of layer keeps a constant state;
    # all do, beside attention, or all and none attends; those that a period leaves over attend;
    # caches are compressed over tokens; heads of states are those of attention.
    sublayers: Value = 1.0
    delta: Value = 0.0
    mamba: Value = 0.0
    selective: Value = 0.0
    step_norms: Value = 0.0
    kda: Value = 0.0
    conv: Value = 0.0
    lightning: Value = 0.0
    state_beside: Value = 0.0
    only_state: Value = 0.0
    rest_full: Value = 0.0
    compressing: Value = 0.0
    heads_alike: Value = 0.0

    # Draft layers are of another kind; how what encodes images is built.
    draft_differs: Value = 0.0
    merger_tower: Value = 0.0
    siglip_tower: Value = 0.0


class FamilyRow(NamedTuple):
    """A family, what its class has where a file has nothing, and names that count in it alone.

    Or what it is instead of a decoder that can be counted.
    """

    family: Family
    fields: Mapping[str, float]
    names: frozenset[str]
    refusal: str = ""


ENCODER_DECODER = "an encoder-decoder: its cross-attention's cache is not modelled here"

#: A family that is not known is counted like Llama, as far as it says enough.
UNKNOWN = FamilyRow(Family(unknown=1.0), {}, frozenset())


@cache
def families() -> Mapping[str, FamilyRow]:
    """All families that are counted to the tensor.

    Returns
    -------
    mapping of str to FamilyRow
        By `model_type`, from `families.toml`.
    """
    text = files("calc.hf_config").joinpath("families.toml").read_text(encoding="utf-8")
    rows = {}
    for name, row in tomllib.loads(text).items():
        refusal = row.pop("refusal", "")
        class_fields = row.pop("fields", {})
        names = frozenset(row.pop("names", ()))
        family = Family(**{key: float(value) for key, value in row.items()})
        values = {key: float(value) for key, value in class_fields.items()}
        rows[name] = FamilyRow(family, values, names, refusal)
    return rows
