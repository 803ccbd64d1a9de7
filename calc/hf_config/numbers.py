"""The numbers that a config.json states, taken by the tables of `fields` and `layers`.

The steps know no family by name, and of fields only what says the family, and the layers, heads
and width by which lists and blocks are counted: the page can take the same steps in its own
language, from the same tables.

1. Wrappers are entered, one inside the other. `model_type`, or that with "_text" behind it, is
   the family's name.
2. Each field takes the first of its names that is there and is neither null nor "auto"; a dot
   leads into an object. A list of equal entries is that value, one of different entries is added
   up by layer or cannot be. Others of its names must say the same, and so must the same name
   around the wrapper. Else it has what the family's class has, unless a name of it is there and
   null: then there is none, or of what there must be one its default. Names that count in other
   families alone are not there.
3. Of each row of lists the first one that is there is counted: its entries, those of each kind,
   and those before the last `n_sharing_cache`; others must say the same. Blocks are added up by
   `derive.with_block`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from calc.hf_config import layers as lists
from calc.hf_config.derive import with_block
from calc.hf_config.error import ConfigError
from calc.hf_config.family import ENCODER_DECODER, UNKNOWN, Family, FamilyRow, families
from calc.hf_config.fields import BLOCK_FORMS, FORMS, LARGEST_COUNT, WRAPPERS, Block, Fields, Form
from calc.hf_config.layers import MOST_LAYERS, NO_BLOCKS, Blocks, Layers, Row
from calc.primitives import given
from calc.text import quoted, shortened

#: So much is read of a text with layers' numbers.
MOST_TEXT = 10 * MOST_LAYERS

#: A layer's number has fewer digits.
MOST_DIGITS = 10


@dataclass(frozen=True)
class Config:
    """A config.json, the part of it that describes the language model, and that part's path."""

    whole: Mapping[str, Any]
    part: Mapping[str, Any]
    path: str = ""
    around: tuple[tuple[str, Mapping[str, Any]], ...] = ()


@dataclass
class Numbers:
    """What a config states in numbers, and where.

    `of_class` are fields that the family's class has.
    `at` is the path of each field that is there, `lists` those of the lists that were counted.
    `outside` is the path of a field that only stands outside of the language model.
    Where something stands that cannot be, the field is 1 until it is known whether it counts,
    and `wrong` has the sentence on it. `words` can stand in a remark. `kinds` are each layer's, by
    the row of lists that says them, and `places` lists of layers' numbers.
    """

    fields: Fields
    layers: Layers
    blocks: Blocks
    family: Family
    of_class: Mapping[str, float]
    at: Mapping[str, str]
    outside: Mapping[str, str]
    lists: tuple[str, ...]
    wrong: Mapping[str, str]
    words: Mapping[str, str]
    kinds: Mapping[str, list[str]]
    places: Mapping[str, list[int]]


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
    part, path, around = whole, "", []
    while name := next((each for each in WRAPPERS if _is_language(part, each)), ""):
        around.append((path, part))
        part, path = part[name], f"{path}{name}."
    return Config(whole, part, path, tuple(around))


def _is_language(part: Mapping[str, Any], wrapper: str) -> bool:
    """Whether a wrapper holds the language model: its width, another wrapper, or all there is."""
    inner = part.get(wrapper)
    widths = {*FORMS["d_model"].names}
    return isinstance(inner, Mapping) and not (
        widths.isdisjoint(inner) and {*WRAPPERS}.isdisjoint(inner) and widths & part.keys()
    )


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
        A list is none, names a kind of layer that is not known, or contradicts another.
    """
    name, row = _family(config)
    if row.refusal or config.part.get("is_encoder_decoder") is True:
        raise ConfigError(f"model_type {shortened(name)} is {row.refusal or ENCODER_DECODER}.")
    part = _of_family(row, config.part)
    own = _Own({}, {}, {}, {}, {})
    _take(own, _NAMES, part, config.path)
    for path, around in reversed(config.around):
        _take_around(own, config.path, _of_family(row, around), path)
    null = {name for name in row.fields if _is_null(part, FORMS[name])}
    of_class = {name: value for name, value in row.fields.items() if name not in null}
    none = {name: 0.0 for name in null if FORMS[name].holds == "count" and not FORMS[name].low}
    fields = Fields(**{**of_class, **none, **own.values})
    layers, list_names, paths, kinds = _layers(part, fields, own)
    blocks = _blocks(part, fields)
    if blocks is not NO_BLOCKS:
        paths.append(lists.BLOCKS)
    return Numbers(
        fields=fields,
        layers=layers,
        blocks=blocks,
        family=row.family,
        of_class=of_class,
        at=own.at,
        outside=own.outside,
        lists=tuple(config.path + path for path in paths),
        wrong=own.wrong,
        words={
            "family": shortened(name) or "missing",
            **{own_name: FORMS[own_name].label for own_name in null},
            **dict.fromkeys(of_class, f"the {name} family"),
            **own.at,
            **list_names,
        },
        kinds=kinds,
        places={
            name: entries for name, entries in own.lists.items() if FORMS[name].holds == "places"
        },
    )


def _family(config: Config) -> tuple[str, FamilyRow]:
    name = config.part.get("model_type", config.whole.get("model_type"))
    if not isinstance(name, str):
        return "", UNKNOWN
    rows = families()
    return name, rows.get(name) or rows.get(f"{name}_text", UNKNOWN)


def _of_family(row: FamilyRow, part: Mapping[str, Any]) -> dict[str, Any]:
    """A part of a config without names that count in other families alone."""
    others = {name for each in families().values() for name in each.names} - row.names
    return {name: value for name, value in part.items() if name not in others}


# --- numbers ---------------------------------------------------------------------------------


class _Own(NamedTuple):
    """By own name: the number, where it stands, why it cannot be one, and its list by layer.

    And where one stands outside of the language model.
    """

    values: dict[str, float]
    at: dict[str, str]
    wrong: dict[str, str]
    lists: dict[str, list[Any]]
    outside: dict[str, str]


def _cut(forms: Mapping[str, Form]) -> list[tuple[str, Form, list[tuple[str, str, str]]]]:
    """Own names and forms, and the names in a config: whole, and cut at the dot."""
    return [
        (own_name, form, [(name, *name.partition(".")[::2]) for name in form.names])
        for own_name, form in forms.items()
    ]


_NAMES, _BLOCK_NAMES = _cut(FORMS), _cut(BLOCK_FORMS)


def _take(own: _Own, table: Any, part: Mapping[str, Any], path: str) -> None:
    """Add the fields of a table that a part of a config states."""
    for own_name, form, names in table:
        members = [
            (name, value)
            for name, outer, inner in names
            if outer in part
            and (value := _value(part[outer], inner)) is not None
            and not (isinstance(value, str) and name in lists.MAYBE_A_TEXT)
        ]
        if not members:
            continue
        name, value = members[0]
        own.at[own_name] = path + name
        if form.holds == "presence":
            own.values[own_name] = 1.0 if value else 0.0
            continue
        if form.holds == "word":
            if (meaning := _meaning(value, form)) is not None:
                own.values[own_name] = meaning
            continue
        if form.holds == "places" and isinstance(value, str):
            value = [_number(each) for each in value[:MOST_TEXT].split(",")]
        if isinstance(value, list):
            own.lists[own_name] = value
        value, problem = _single(own_name, value, form)
        own.values[own_name] = 1.0 if problem else float(value)
        others = [each for each in members[1:] if not _agrees(each[1], value, members[0][1])]
        if problem:
            own.wrong[own_name] = f"{path}{name} must be {problem}, not {quoted(members[0][1])}."
        elif others:
            other, its = others[0]
            own.wrong[own_name] = (
                f"{path}{name} is {quoted(value)}, but {path}{other} is {quoted(its)}."
            )


def _number(text: str) -> int | str:
    """A layer's number in a text; what is none, or too long for one, as it is."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < MOST_DIGITS else text


def _take_around(own: _Own, inner: str, part: Mapping[str, Any], outer: str) -> None:
    """Add what may stand around the language model; of the rest nothing else must be said there."""
    around = _Own({}, {}, {}, {}, {})
    _take(around, _NAMES, part, outer)
    for own_name, path in around.at.items():
        form, value = FORMS[own_name], around.values.get(own_name, 0.0)
        if own_name in own.at:
            other = own.values.get(own_name) != value
            is_same = own.at[own_name] == inner + path.removeprefix(outer)
            if other and not form.around and (is_same or value > max(form.silent, 1)):
                own.wrong.setdefault(own_name, f"{own.at[own_name]} and {path} are not the same.")
        elif form.outside:
            own.at[own_name], own.values[own_name] = path, value
            if own_name in around.wrong:
                own.wrong[own_name] = around.wrong[own_name]
        elif value > form.silent:
            own.wrong[own_name] = f"{path} stands outside of {inner.rstrip('.')}."
            own.outside[own_name] = path


def _value(value: Any, inner: str) -> Any:
    """A member's value, or what stands under a name inside of it; None if nothing does."""
    if inner:
        value = value.get(inner) if isinstance(value, Mapping) else None
    return None if value == "auto" else value


def _is_null(part: Mapping[str, Any], form: Form) -> bool:
    """Whether a part of a config says null of a field."""
    return any(name in part and part[name] is None for name in form.names)


def _meaning(value: Any, form: Form) -> float | None:
    """The number that a word stands for, if it does for any."""
    return form.meanings.get(value.lower()) if isinstance(value, str) else None


def _single(own_name: str, value: Any, form: Form) -> tuple[Any, str]:
    """The one value that a list stands for too, and what it must be instead if it cannot be."""
    if form.holds == "places":
        are = isinstance(value, list) and all(_is_place(each) for each in value)
        distinct = are and len({*value}) == len(value) <= MOST_LAYERS
        return (float(len(value)), "") if distinct else (value, "a list of layers' numbers")
    if not isinstance(value, list) or not value:
        return value, _problem(value, form)
    if all(each == value[0] for each in value):
        return value[0], _problem(value[0], form)
    if not form.by_layer:
        return value, "the same in every layer"
    problems = [problem for each in value if (problem := _problem(each, form))]
    if problems:
        return value, f"{problems[0]} in every layer"
    return min(value) if own_name in lists.LEAST else max(value), ""


def _is_place(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST_LAYERS


def _agrees(other: Any, value: Any, first: Any) -> bool:
    """Whether another name's value is the one that counts, or a layer's where they differ."""
    if isinstance(other, list):
        return value in other
    return other == value or (isinstance(first, list) and other in first)


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
    if not form.low <= value <= form.high:
        return f"between {form.low} and {form.high:,}"
    return ""


# --- lists -----------------------------------------------------------------------------------


def _layers(
    part: Mapping[str, Any], fields: Fields, own: _Own
) -> tuple[Layers, dict[str, str], list[str], dict[str, list[str]]]:
    """What lists with one entry per layer add up to, which one said it, where they are, and they
    themselves.
    """
    n_sharing = fields.n_sharing_cache
    kinds_of: dict[str, list[str]] = {}
    sums: dict[str, float] = {}
    list_names: dict[str, str] = {}
    paths: list[str] = []
    for role, row in lists.ROWS.items():
        kinds_by_list = {
            name: kinds
            for name in row.lists
            if (kinds := _kinds(part, name, row, fields.n_layers)) is not None
        }
        if not kinds_by_list:
            continue
        paths += [path for each in kinds_by_list for path in _paths(each)]
        name, *others = kinds_by_list
        # Some lists go on with the draft layers.
        whole = fields.n_layers + fields.n_draft * (fields.n_draft > 0)
        kinds_by_list = {
            each: kinds[: int(fields.n_layers)] if len(kinds) == whole else kinds
            for each, kinds in kinds_by_list.items()
        }
        kinds = kinds_of[role] = kinds_by_list[name]
        for other in others:
            if kinds_by_list[other] != kinds:
                raise ConfigError(f"{name} and {other} say different things of the layers.")
        n_own = len(kinds) - int(min(n_sharing, len(kinds)))
        list_names[f"{role}_list"] = name
        sums[f"n_{role}"] = float(len(kinds))
        sums |= {count: float(kinds.count(count)) for count in row.counts}
        if n_sharing > 0:
            sums |= {f"{count}_own": float(kinds[:n_own].count(count)) for count in row.cached}
    if lists.RATIOS in list_names.values():
        for own_name, length in lists.RATIO_LENGTHS.items():
            if own.values.get(own_name, length) != length:
                own.wrong[own_name] = (
                    f"{own.at[own_name]} is {own.values[own_name]:.0f}, but {lists.RATIOS} says "
                    f"{length:.0f}."
                )
    sums |= _by_layer(own, float(given(fields.n_layers, sums.get("n_layers", 0.0))), kinds_of)
    return Layers(**sums), list_names, paths, kinds_of


def _by_layer(own: _Own, n_layers: float, kinds_of: Mapping[str, list[str]]) -> dict[str, float]:
    """What fields that are said by layer add up to, over layers that attend alike."""
    sums: dict[str, float] = {}
    for own_name, entries in own.lists.items():
        is_place = FORMS[own_name].holds == "places"
        most = max(entries, default=0) + 1 if is_place and own_name not in own.wrong else 0
        if most > n_layers or (not is_place and len(entries) != n_layers):
            own.wrong.setdefault(
                own_name, f"{own.at[own_name]} does not go with {n_layers:.0f} layers."
            )
        if own_name in own.wrong or own_name not in lists.BY_LAYER or {*entries} == {entries[0]}:
            continue
        full, window = lists.BY_LAYER[own_name]
        kinds = kinds_of.get("attention", ["n_full"] * len(entries))
        sums |= {full: 0.0, window: 0.0}
        for entry, kind in zip(entries, kinds, strict=False):
            if full == window or kind in ("n_full", "n_window"):
                sums[window if kind == "n_window" else full] += entry
    _check_heads(own)
    return sums


def _check_heads(own: _Own) -> None:
    """Query heads and KV heads that lists say by layer go together in each."""
    n_heads, n_kv_heads = (own.lists.get(name) for name in ("n_heads", "n_kv_heads"))
    is_wrong = not own.wrong.keys().isdisjoint(("n_heads", "n_kv_heads"))
    if is_wrong or "n_window_heads" in own.values or not n_kv_heads:
        return
    n_heads = n_heads or [own.values.get("n_heads", n_kv_heads[0])] * len(n_kv_heads)
    for layer, (n, n_kv) in enumerate(zip(n_heads, n_kv_heads, strict=False)):
        if n % n_kv:
            own.wrong["n_kv_heads"] = (
                f"{own.at['n_kv_heads']} has {n_kv} in layer {layer}, where {n:.0f} query heads "
                "cannot share them evenly."
            )


def _kinds(part: Mapping[str, Any], name: str, row: Row, n_layers: Any) -> list[str] | None:
    """What a list says of each layer, as far as its row counts that; None without a list."""
    entries, table = part.get(name), lists.ENTRIES[name]
    if name == lists.MAYBE_EMPTY and entries == []:
        return None
    if name == lists.AN_OBJECT:
        return _kinds_by_places(entries, name, table)
    is_number = isinstance(entries, int | float) and not isinstance(entries, bool)
    if entries is None or (name in lists.MAYBE_A_NUMBER and is_number):
        return None
    if not isinstance(entries, list | str if name in lists.MAYBE_A_TEXT else list):
        raise ConfigError(f"{name} must be a list with one entry per layer.")
    _check_length(name, entries)
    if name == lists.REPEATED and entries and n_layers > 0:
        entries = [entries[layer % len(entries)] for layer in range(int(n_layers))]
    kinds = []
    for entry in entries:
        is_count = isinstance(entry, int) and 0 <= entry <= LARGEST_COUNT
        kind = table.get(str(entry)) if is_count or isinstance(entry, str) else None
        if kind is None:
            raise ConfigError(f"{name} names a kind of layer that is not known: {quoted(entry)}.")
        kinds.append(kind if kind in row.counts else "")
    return kinds


def _kinds_by_places(entries: Any, name: str, table: Mapping[str, str]) -> list[str] | None:
    """What an object with a list of layers' numbers for each kind says of each layer."""
    if not isinstance(entries, Mapping) or all(entries.get(each) is None for each in table):
        return None
    kinds: dict[int, str] = {}
    n_places = 0
    for inner, kind in table.items():
        places = entries.get(inner)
        if not isinstance(places, list) or not all(
            type(each) is int and 0 < each <= LARGEST_COUNT for each in places
        ):
            raise ConfigError(f"{name}.{inner} must be a list of layers' numbers, from 1 on.")
        _check_length(f"{name}.{inner}", places)
        kinds |= dict.fromkeys(places, kind)
        n_places += len(places)
    if not n_places == len(kinds) == max(kinds, default=0):
        raise ConfigError(f"{name} must have each layer once, in {' or in '.join(table)}.")
    return [kinds[place] for place in sorted(kinds)]


def _paths(name: str) -> list[str]:
    """Where a list stands, or the lists of an object."""
    if name != lists.AN_OBJECT:
        return [name]
    return [f"{name}.{inner}" for inner in lists.ENTRIES[name]]


def _check_length(name: str, entries: Sequence[Any]) -> None:
    if len(entries) > MOST_LAYERS:
        raise ConfigError(f"{name} has {len(entries):,} entries; no model has so many.")


def _blocks(part: Mapping[str, Any], whole: Fields) -> Blocks:
    """What blocks with sizes of their own add up to."""
    entries = part.get(lists.BLOCKS)
    if entries is None:
        return NO_BLOCKS
    if not isinstance(entries, list):
        raise ConfigError(f"{lists.BLOCKS} must be a list with one entry per layer.")
    _check_length(lists.BLOCKS, entries)
    total = Blocks(n_blocks=0.0)
    for entry in entries:
        if not isinstance(entry, Mapping) or not all(
            isinstance(entry.get(name), Mapping) for name in lists.BLOCK_PARTS
        ):
            raise ConfigError("block_configs must hold an attention and an ffn per layer.")
        own = _Own({}, {}, {}, {}, {})
        _take(own, _BLOCK_NAMES, entry, f"{lists.BLOCKS}.")
        if own.wrong:
            raise ConfigError(next(iter(own.wrong.values())))
        total = with_block(total, Block(**own.values), whole.d_model, whole.n_heads)
    return total
