"""The numbers that a config.json states, taken by the tables of `fields` and `layers`.

The steps know no field and no family by name, so that the page can take the same ones in its
own language, from the same tables:

1. A wrapper that holds a width is entered. `model_type`, or that with "_text" behind it, is
   the family's name.
2. Each field takes the first of its names that is there and is not null; a dot leads into an
   object. Else it has what the family's class has, else its default.
3. Of each row of lists the first one that is there is counted: its entries, those of each kind,
   and those before the last `n_sharing_cache`. Blocks are added up by `derive.with_block`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from calc.hf_config import layers as lists
from calc.hf_config.derive import with_block
from calc.hf_config.error import ConfigError
from calc.hf_config.family import UNKNOWN, Family, FamilyRow, families
from calc.hf_config.fields import BLOCK_FORMS, FORMS, LARGEST_COUNT, WRAPPERS, Block, Fields, Form
from calc.hf_config.layers import MOST_LAYERS, NO_BLOCKS, Blocks, Layers
from calc.text import shortened


@dataclass(frozen=True)
class Config:
    """A config.json, the part of it that describes the language model, and that part's path."""

    whole: Mapping[str, Any]
    part: Mapping[str, Any]
    path: str = ""


@dataclass
class Numbers:
    """What a config states in numbers, and where.

    `at` is the path of each field that is there, `lists` those of the lists that were counted.
    Where something stands that cannot be, the field is 1 until it is known whether it counts,
    and `wrong` has the sentence on it. `words` can stand in a remark.
    """

    fields: Fields
    layers: Layers
    blocks: Blocks
    family: Family
    at: Mapping[str, str]
    lists: tuple[str, ...]
    wrong: Mapping[str, str]
    words: Mapping[str, str]


def language_part(whole: Mapping[str, Any]) -> Config:
    """The part of a config that describes the language model.

    Parameters
    ----------
    whole : mapping
        The object in the file.

    Returns
    -------
    Config
    """
    config = Config(whole, whole)
    for wrapper in WRAPPERS:
        inner = config.part.get(wrapper)
        if isinstance(inner, Mapping) and "hidden_size" in inner:
            config = Config(whole, inner, f"{wrapper}.")
    return config


def numbers(config: Config) -> Numbers:
    """What a config states in numbers.

    Parameters
    ----------
    config : Config

    Returns
    -------
    Numbers

    Raises
    ------
    ConfigError
        A list is none, or names a kind of layer that is not known.
    """
    own = _Own({}, {}, {})
    _take(own, _NAMES, config.part, config.path)
    if config.path:
        names = [row for row in _OUTSIDE_NAMES if row[0] not in own.at]
        _take(own, names, config.whole, "")
    name, row = _family(config)
    fields = Fields(**{**row.fields, **own.values})
    layers, list_names = _layers(config.part, fields.n_sharing_cache)
    blocks = _blocks(config.part, fields)
    if blocks is not NO_BLOCKS:
        list_names["blocks"] = lists.BLOCKS
    return Numbers(
        fields=fields,
        layers=layers,
        blocks=blocks,
        family=row.family,
        at=own.at,
        lists=tuple(config.path + each for each in list_names.values()),
        wrong=own.wrong,
        words={
            "family": shortened(name) or "missing",
            **dict.fromkeys(row.fields, f"the {name} family"),
            **own.at,
            **list_names,
        },
    )


def _family(config: Config) -> tuple[str, FamilyRow]:
    name = config.part.get("model_type", config.whole.get("model_type"))
    if not isinstance(name, str):
        return "", UNKNOWN
    rows = families()
    return name, rows.get(name) or rows.get(f"{name}_text", UNKNOWN)


# --- numbers ---------------------------------------------------------------------------------


class _Own(NamedTuple):
    """By own name: the number, where it stands, and the sentence on what cannot be one."""

    values: dict[str, float]
    at: dict[str, str]
    wrong: dict[str, str]


def _cut(forms: Mapping[str, Form]) -> list[tuple[str, Form, list[tuple[str, str, str]]]]:
    """Own names and forms, and the names in a config: whole, and cut at the dot."""
    return [
        (own_name, form, [(name, *name.partition(".")[::2]) for name in form.names])
        for own_name, form in forms.items()
    ]


_NAMES, _BLOCK_NAMES = _cut(FORMS), _cut(BLOCK_FORMS)
_OUTSIDE_NAMES = _cut({name: form for name, form in FORMS.items() if form.outside})


def _take(own: _Own, table: Any, part: Mapping[str, Any], path: str) -> None:
    """Add the fields of a table that a part of a config states."""
    for own_name, form, names in table:
        for name, outer, inner in names:
            if outer not in part:
                continue
            value = part[outer]
            if inner:
                value = value.get(inner) if isinstance(value, Mapping) else None
            if value is None:
                continue
            problem = _problem(value, form)
            own.values[own_name] = 1.0 if problem else float(value)
            own.at[own_name] = path + name
            if problem:
                own.wrong[own_name] = f"{path}{name} must be {problem}, not {shortened(value)}."
            break


def _problem(value: Any, form: Form) -> str:
    """What a value that cannot be must be instead; else nothing."""
    if form.holds == "switch":
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "a number"
    if form.holds == "number":
        return "" if 0 <= value <= LARGEST_COUNT else "a positive number"
    if isinstance(value, float) and not value.is_integer():
        return "a whole number"
    if not form.low <= value <= LARGEST_COUNT:
        return f"between {form.low} and {LARGEST_COUNT:,}"
    return ""


# --- lists -----------------------------------------------------------------------------------


def _layers(part: Mapping[str, Any], n_sharing: Any) -> tuple[Layers, dict[str, str]]:
    """What the lists with one entry per layer add up to, and which list said it."""
    sums: dict[str, float] = {}
    list_names: dict[str, str] = {}
    _, entries = _first(part, lists.LAYER_LISTS)
    if entries:
        sums["n_layers"] = float(len(entries))
    name, entries = _first(part, lists.ATTENTION_LISTS)
    if entries is not None:
        list_names["attention_list"] = name
        sums["n_attention"] = float(len(entries))
        sums |= _sums(name, entries, lists.ATTENTION_COUNTS)
        if n_sharing > 0:
            n_own = len(entries) - int(min(n_sharing, len(entries)))
            own = _sums(name, entries[:n_own], lists.CACHED_COUNTS)
            sums |= {f"{key}_own": value for key, value in own.items()}
    else:
        outer, _, inner = lists.FULL_LAYERS.partition(".")
        places = part.get(outer)
        places = places.get(inner) if isinstance(places, Mapping) else None
        if places is not None:
            list_names["full_layers"] = lists.FULL_LAYERS
            sums["n_full_places"] = float(len(_places(lists.FULL_LAYERS, places)))
            sums["last_full_place"] = float(max(places, default=0))
    name, entries = _first(part, lists.MLP_LISTS)
    if entries is not None:
        list_names["mlp_list"] = name
        sums["n_mlp"] = float(len(entries))
        sums |= _sums(name, entries, lists.MLP_COUNTS)
    return Layers(**sums), list_names


def _first(part: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Sequence[Any] | None]:
    """The first of some lists that is there."""
    for name in names:
        value = part.get(name)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is None or (name == lists.MAYBE_A_NUMBER and is_number):
            continue
        if not isinstance(value, list | str if name == lists.MAYBE_A_TEXT else list):
            raise ConfigError(f"{name} must be a list with one entry per layer.")
        _check_length(name, value)
        return name, value
    return "", None


def _check_length(name: str, entries: Sequence[Any]) -> None:
    if len(entries) > MOST_LAYERS:
        raise ConfigError(f"{name} has {len(entries):,} entries; no model has so many.")


def _places(name: str, places: Any) -> list[int]:
    """A list of numbers of layers, each once."""
    is_list = isinstance(places, list) and all(
        type(each) is int and 0 < each <= LARGEST_COUNT for each in places
    )
    if not isinstance(places, list) or not is_list or len(set(places)) < len(places):
        raise ConfigError(
            f"{name} must be a list of layers' numbers, from 1 on, each of them once."
        )
    _check_length(name, places)
    return places


def _sums(name: str, entries: Sequence[Any], kinds: Iterable[str]) -> dict[str, float]:
    """How many entries of a list are of each kind."""
    table = lists.ENTRIES[name]
    sums = dict.fromkeys(kinds, 0.0)
    for entry in entries:
        digit = isinstance(entry, int) and 0 <= entry <= 9
        kind = table.get(str(entry)) if digit or isinstance(entry, str) else None
        if kind is None:
            raise ConfigError(
                f"{name} names a kind of layer that is not known: {shortened(entry)}."
            )
        if kind in sums:
            sums[kind] += 1
    return sums


def _blocks(part: Mapping[str, Any], whole: Fields) -> Blocks:
    """What blocks with sizes of their own add up to."""
    entries = part.get(lists.BLOCKS)
    if not isinstance(entries, list):
        return NO_BLOCKS
    _check_length(lists.BLOCKS, entries)
    total = Blocks(n_blocks=0.0)
    for entry in entries:
        if not isinstance(entry, Mapping) or not all(
            isinstance(entry.get(name), Mapping) for name in lists.BLOCK_PARTS
        ):
            raise ConfigError("block_configs must hold an attention and an ffn per layer.")
        own = _Own({}, {}, {})
        _take(own, _BLOCK_NAMES, entry, f"{lists.BLOCKS}.")
        if own.wrong:
            raise ConfigError(next(iter(own.wrong.values())))
        total = with_block(total, Block(**own.values), whole.d_model, whole.n_heads)
    return total
