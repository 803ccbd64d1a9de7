"""What may not go together: said once, for Python, command line, address, messages, sliders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from calc.primitives import divisors, floor, maximum, minimum, total, word
from calc.quantity import Flag, Value, Word
from calc.text import either, typed


@dataclass(frozen=True)
class Rule:
    """What is said where it is broken, and which inputs have to give way.

    The sentence names inputs and quantities in braces; `{keys}` and `{card_keys}` are those of its
    inputs that were given, `{model}` and `{card}` the names of what was chosen, `{divisors}` those
    of the query heads, `{shared}` those of them that can share the `{kv_heads}`, of which there are
    `{copies}`; `{n_tp_dp_pp}` and `{n_dp_pp}` are products. Without `keys`, what was given of an
    own model or card gives way.
    """

    sentence: str
    keys: tuple[str, ...] = ()


_EXPERTS = ("active_b", "experts", "top_k")
_GPUS = ("gpus", "tp", "dp", "pp", "ep", "dcp", "redundant_experts")

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
    "kv_of_latent": Rule(
        "this KV format (kv) is for models that cache one vector of {latent_width} numbers, key "
        "and value at once: choose another format",
        ("kv",),
    ),
    "gpus_of_factors": Rule(
        "gpus={n_gpus}: allowed is tp · dp · pp, here {tensor_parallel} · {data_parallel} · "
        "{pipeline_parallel} = {n_tp_dp_pp}",
        _GPUS,
    ),
    "tp_of_gpus": Rule(
        "gpus={n_gpus}: allowed is a whole multiple of dp · pp, here {data_parallel} · "
        "{pipeline_parallel} = {n_dp_pp}",
        _GPUS,
    ),
    "heads_of_gpus": Rule(
        "tp={tensor_parallel} (gpus / dp / pp): allowed is a divisor of the {n_heads} query heads: "
        "{divisors}",
        _GPUS,
    ),
    "kv_heads_of_gpus": Rule(
        "tp={tensor_parallel} (gpus / dp / pp): it must divide the {kv_heads} KV heads, or be a "
        "multiple of them; with {n_heads} query heads these do: {shared}",
        _GPUS,
    ),
    "stages_of_layers": Rule(
        "there cannot be more pipeline stages (pp={pipeline_parallel}) than layers, {n_layers}",
        _GPUS,
    ),
    "dcp_of_copies": Rule(
        "context parallelism (dcp={context_parallel}) must divide the copies of the KV cache, "
        "tp / KV heads: {copies} here",
        _GPUS,
    ),
    "sharing_without_experts": Rule(
        "expert parallelism (ep) and redundant experts need a model with experts", _GPUS
    ),
    "ep_of_gpus": Rule(
        "expert parallelism (ep={expert_parallel}) must divide tp · dp, "
        "{tensor_parallel} · {data_parallel}",
        _GPUS,
    ),
    "ep_of_experts": Rule(
        "expert parallelism (ep={expert_parallel}) is over no more GPUs than a layer has experts: "
        "{n_experts}, and {n_redundant_experts} redundant",
        _GPUS,
    ),
    "redundant_without_ep": Rule(
        "redundant experts (redundant_experts) need expert parallelism (ep)", _GPUS
    ),
}


def broken_in_model(model: Any, otherwise: Word = "") -> Word:
    """The first rule that a model breaks.

    Parameters
    ----------
    model : Model
        Of numbers, arrays or symbols.
    otherwise : str, optional
        What it is if the model breaks none.

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
    name = word(model.n_input_table > n_outside, "n_input_table_of_all", otherwise)
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


def broken_in_parallelism(parallelism: Any, model: Any) -> Word:
    """The first rule that GPUs break which share a model.

    Parameters
    ----------
    parallelism : Parallelism
    model : Model
        Of numbers, arrays or symbols.

    Returns
    -------
    same shape, of str
        A key of `RULES`; "" if they break none.

    Notes
    -----
    As engines demand. n = tp · dp · pp; tp divides the query heads, and the KV heads of each
    kind, or is a multiple of them. ep divides tp · dp. dcp divides the tp / n_kv copies. Heads
    of recurrent layers, widths and groups of quantised weights are not asked for.

    References
    ----------
    vLLM, `vllm/config/model.py` (heads) and `vllm/config/parallel.py`; vLLM's article on decode
    context parallelism, 2026-08-07 (copies).
    """
    tp, dcp = parallelism.tensor_parallel, parallelism.context_parallel
    ep, n_redundant = parallelism.expert_parallel, parallelism.n_redundant_experts
    n_sharing = tp * parallelism.data_parallel
    name = word(n_redundant > 0, word(ep > 1, "", "redundant_without_ep"), "")
    name = word(ep > model.n_experts + n_redundant, word(ep > 1, "ep_of_experts", name), name)
    name = word(_is_whole(n_sharing / ep), name, "ep_of_gpus")
    shares_whole = maximum(ep, n_redundant + 1) > 1
    without = word(model.n_experts > 0, name, "sharing_without_experts")
    name = word(shares_whole, without, name)
    copies = maximum(tp / model.main.n_kv_heads, 1.0)
    name = word(_is_whole(copies / dcp), name, "dcp_of_copies")
    name = word(parallelism.pipeline_parallel > model.n_layers, "stages_of_layers", name)
    for each in model.kinds.values():
        uneven = word(shares_evenly(each.n_kv_heads, tp), name, "kv_heads_of_gpus")
        name = word(each.n_layers > 0, uneven, name)
    name = word(_is_whole(model.n_heads / tp), name, "heads_of_gpus")
    n_gpus = n_sharing * parallelism.pipeline_parallel
    name = word(n_gpus == parallelism.n_gpus, name, "gpus_of_factors")
    return word(_is_whole(tp), name, "tp_of_gpus")


def broken_in_precision(precision: Any, model: Any, otherwise: Word = "") -> Word:
    """The first rule that number formats break beside a model.

    Parameters
    ----------
    precision : Precision
    model : Model
        Of numbers, arrays or symbols.
    otherwise : str, optional
        What it is if they break none.

    Returns
    -------
    same shape, of str
        A key of `RULES`; "" if they break none.

    Notes
    -----
    A format for a latent goes with layers that keep one of just that width.

    References
    ----------
    As of `calc.presets.formats.KV_FORMATS`.
    """
    latent_width = precision.kv.latent_width
    fits = word(model.main.cache_width == latent_width, otherwise, "kv_of_latent")
    return word(latent_width > 0, fits, otherwise)


def words_of(scenario: Any, there: Callable[[Value], float]) -> dict[str, str]:
    """What sentences of rules say of a scenario.

    Parameters
    ----------
    scenario : Scenario
    there : callable
        Of an array, the one number that is spoken of.

    Returns
    -------
    dict of str to str
        Its numbers by name; `divisors` of the query heads, `kv_heads` of each kind of layers, the
        divisors that can be `shared` among all of these, and the `copies` of the cache; the
        products of tp, dp and pp.

    Notes
    -----
    What `shares_evenly` says of each.

    References
    ----------
    As `broken_in_parallelism`.
    """
    model, tp = scenario.model, there(scenario.parallelism.tensor_parallel)
    n_dp_pp = there(scenario.parallelism.data_parallel * scenario.parallelism.pipeline_parallel)
    layered = [each for each in model.kinds.values() if there(each.n_layers) > 0]
    kv_heads = sorted({there(each.n_kv_heads) for each in layered})
    ways = divisors(int(there(model.n_heads)))
    # One GPU alone has them all, be they no whole number: of those another sentence is said.
    shared = [n for n in ways if n == 1 or all(shares_evenly(each, n) for each in kv_heads)]
    numbers = {name: typed(there(value)) for name, value in scenario.leaves().items()}
    return numbers | {
        "divisors": either(ways),
        "kv_heads": " and ".join(map(typed, kv_heads)),
        "shared": either(shared),
        "copies": typed(max(1.0, tp / there(model.main.n_kv_heads))),
        "n_dp_pp": typed(n_dp_pp),
        "n_tp_dp_pp": typed(tp * n_dp_pp),
    }


def shares_evenly(n_kv_heads: Value, tensor_parallel: Value) -> Flag:
    """Whether GPUs can share KV heads: each has as many of them, or each of them as many copies.

    Parameters
    ----------
    n_kv_heads, tensor_parallel : quantity

    Returns
    -------
    same shape, of bool

    Notes
    -----
    One number divides the other.

    References
    ----------
    vLLM: `assert total_num_kv_heads % tp_size == 0`, or the other way round, in the attention of
    its models.
    """
    larger, smaller = maximum(n_kv_heads, tensor_parallel), minimum(n_kv_heads, tensor_parallel)
    return _is_whole(larger / smaller)


def _is_whole(value: Value) -> Flag:
    return value == floor(value)


def broken(
    inputs: Any,
    preset: Any,
    card: Any,
    model: Any,
    precision: Any,
    sharing: Any,
    n_own: Value,
    n_own_card: Value,
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
    precision : Precision
        The number formats of its weights and cache.
    sharing : Parallelism
        How the GPUs share it.
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
    in_sharing = broken_in_parallelism(sharing, model)
    in_precision = broken_in_precision(precision, model, in_sharing)
    name, n_kv_heads = broken_in_model(model, in_precision), model.main.n_kv_heads
    uneven = word(n_kv_heads > floor(n_kv_heads), "group_of_heads", name)
    name = word(np.isnan(inputs.kv_heads), uneven, name)
    card_name = word(n_own_card > 0, "own_card_keys", name)
    name = word(np.isnan(card.hbm_marketed_bytes), name, card_name)
    return word(np.isnan(preset.n_params), name, word(n_own > 0, "own_keys", name))
