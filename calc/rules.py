"""What may not go together: said once, for Python, command line, address, messages, sliders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calc.primitives import floor, maximum, total, word
from calc.quantity import Value, Word


@dataclass(frozen=True)
class Rule:
    """What is said where it is broken, and which inputs have to give way.

    The sentence names inputs and quantities in braces; `{keys}` and `{card_keys}` are those of its
    inputs that were given, `{model}` and `{card}` the names of what was chosen, `{divisors}` those
    of the query heads. Without `keys`, what was given of an own model or card gives way.
    """

    sentence: str
    keys: tuple[str, ...] = ()


_EXPERTS = ("active_b", "experts", "top_k")

#: Rules by name, beside the ranges of single inputs.
RULES: dict[str, Rule] = {
    "own_keys": Rule("{keys}: {model} has its own"),
    "own_card_keys": Rule("{card_keys}: {card} has its own"),
    "group_of_heads": Rule(
        "gqa={gqa}: allowed is a divisor of the {n_heads} query heads: {divisors}", ("gqa", "heads")
    ),
    "kv_heads_of_heads": Rule(
        "the query heads (heads) must be a whole multiple of the KV heads (kv_heads = heads / gqa)",
        ("heads", "kv_heads"),
    ),
    "active_of_all": Rule(
        "there cannot be more active parameters (active_b) than parameters (params_b)", _EXPERTS
    ),
    "top_k_of_experts": Rule(
        "a token cannot go to more experts (top_k) than there are (experts)", _EXPERTS
    ),
    "active_of_experts": Rule(
        "fewer active parameters (active_b) than the experts' share, params_b · top_k / experts",
        _EXPERTS,
    ),
    "experts_without_top_k": Rule("experts need their number per token (top_k)", _EXPERTS),
    "active_without_experts": Rule(
        "fewer active parameters (active_b) need experts and top_k", _EXPERTS
    ),
    "no_layers": Rule("a model needs layers of at least one kind"),
    "no_cache": Rule("a model needs layers that cache something of each token or sequence"),
    "n_16bit_of_all": Rule("n_16bit must not be above n_params"),
    "n_input_table_of_all": Rule("n_input_table must not be above n_params - n_expert_params"),
}


def broken_in_model(model: Any) -> Word:
    """The first rule that a model breaks.

    Parameters
    ----------
    model : Model
        Of numbers, arrays or symbols.

    Returns
    -------
    same shape, of str
        A key of `RULES`; "" if it breaks none.

    Notes
    -----
    Query heads are a whole multiple of whole KV heads; no more is active than there is; fewer
    are active only with experts, and then no fewer than the experts' share, N·k/E.

    References
    ----------
    Ainslie et al., GQA, 2023 (arXiv:2305.13245); Fedus et al., Switch Transformers, 2021
    (arXiv:2101.03961).
    """
    kinds, n_kv_heads = model.kinds.values(), model.main.n_kv_heads
    groups = model.n_heads / n_kv_heads
    n_layers = total([each.n_layers for each in kinds])
    n_outside = model.n_params - model.n_expert_params
    name = word(model.n_input_table > n_outside, "n_input_table_of_all", "")
    name = word(model.n_16bit > model.n_params, "n_16bit_of_all", name)
    cache_sizes = [
        each.n_layers * maximum(each.cache_width, maximum(each.d_head, each.state_bytes))
        for each in kinds
    ]
    name = word(total(cache_sizes) > 0, name, "no_cache")
    name = word(n_layers < 1, "no_layers", name)
    fewer = model.n_active < model.n_params
    name = word(
        model.n_experts > 0,
        word(model.n_experts_per_token > 0, name, "experts_without_top_k"),
        word(fewer, "active_without_experts", name),
    )
    name = word(model.n_expert_params > model.n_params, "active_of_experts", name)
    name = word(model.n_experts_per_token > model.n_experts, "top_k_of_experts", name)
    name = word(model.n_active > model.n_params, "active_of_all", name)
    name = word(groups > floor(groups), "kv_heads_of_heads", name)
    return word(n_kv_heads > floor(n_kv_heads), "kv_heads_of_heads", name)


def broken(
    inputs: Any, preset: Any, card: Any, model: Any, n_own: Value, n_own_card: Value
) -> Word:
    """The first rule that inputs break which are each in their range.

    Parameters
    ----------
    inputs : Inputs
        Of numbers, arrays or symbols.
    preset, card : Model, Gpu
        The records that the inputs `model` and `gpu` name: open where they are the reader's own.
    model : Model
        What the record and the inputs make together.
    n_own, n_own_card : scalar
        How many inputs were given that say what an own model, and what an own card is. [count]

    Returns
    -------
    same shape, of str
        A key of `RULES`; "" if they break none.

    Notes
    -----
    First what a published model or card has its own of (an own record has NaN where the inputs
    are to fill it), then what goes together.

    References
    ----------
    Ainslie et al., GQA, 2023 (arXiv:2305.13245).
    """
    name, n_kv_heads = broken_in_model(model), model.main.n_kv_heads
    uneven = word(n_kv_heads > floor(n_kv_heads), "group_of_heads", name)
    name = word(np.isnan(inputs.kv_heads), uneven, name)
    card_name = word(n_own_card > 0, "own_card_keys", name)
    name = word(np.isnan(card.hbm_marketed_bytes), name, card_name)
    return word(np.isnan(preset.n_params), name, word(n_own > 0, "own_keys", name))
