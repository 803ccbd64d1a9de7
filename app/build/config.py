"""How the page reads a config.json, as an ES module: `calc.hf_config` traced, and its tables."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from app.tracing.module import functions
from app.tracing.trace import trace_function
from calc.architecture.parameters import model
from calc.architecture.projections import projection_sizes
from calc.hf_config import fields as words
from calc.hf_config import layers as lists
from calc.hf_config import modules, patterns, precision, rules
from calc.hf_config.conditions import REMARKS
from calc.hf_config.derive import derive, with_block
from calc.hf_config.family import ENCODER_DECODER, UNKNOWN, Family, FamilyRow, families
from calc.hf_config.fields import BLOCK_FORMS, FORMS, Block, Fields, Form
from calc.hf_config.layers import BLOCK_PARTS, Blocks, Layers
from calc.hf_config.numbers import MOST_TEXT
from calc.hf_config.read import LARGEST_FILE
from calc.presets.models import MOST_CHARACTERS, NOT_JSON, TOO_LONG
from calc.scenario import Model

#: What follows from numbers; the rest of a reading is `assets/core/config`, by these tables.
_FUNCTIONS = (derive, with_block, model, projection_sizes)

#: Lists of names of `calc.hf_config.fields`, and limits.
_WORDS = (
    *("NO_SIZE", "SPEAKING", "SILENCING", "SIZED", "SWITCHES", "BESIDE_SWITCHED", "LEFT_OUT"),
    *("ADDED", "ADDING", "SWITCHED", "LEAST_SIZE", "LARGEST_COUNT", "WRAPPERS", "MISSING"),
)
_LISTS = (
    *("MOST_LAYERS", "ENTRIES", "MAYBE_A_NUMBER", "MAYBE_A_TEXT", "REPEATED", "MAYBE_EMPTY"),
    *("AN_OBJECT", "BY_LAYER", "LEAST", "BLOCKS", "RATIOS", "RATIO_LENGTHS"),
)


def config_module() -> str:
    """The ES module that the page's reader of config files imports.

    Returns
    -------
    str
        Source text. Exports the traced functions; `forms`, `block_forms`, `remarks`, `families`,
        `rows`, `bounds`; `defaults`, what records hold where nothing is stated; `words` and
        `lists`, by their names in `calc.hf_config`.
    """
    knows: dict[str, Any] = {
        "usual_form": _usual_form(),
        "forms": {name: _form(form) for name, form in FORMS.items()},
        "block_forms": {name: _form(form) for name, form in BLOCK_FORMS.items()},
        "remarks": {name: asdict(remark) for name, remark in REMARKS.items()},
        "families": {name: _family(row) for name, row in families().items()},
        "unknown": _family(UNKNOWN),
        "defaults": {
            record.__name__: _defaults(record) for record in (Fields, Block, Layers, Blocks, Family)
        },
        "rows": {name: asdict(row) for name, row in lists.ROWS.items()},
        "bounds": _bounds(),
        "words": {name: _plain(getattr(words, name)) for name in _WORDS},
        "lists": {name: _plain(getattr(lists, name)) for name in _LISTS}
        | {"PARTS": BLOCK_PARTS, "MOST_TEXT": MOST_TEXT},
        "stored": _stored(),
        "encoder_decoder": ENCODER_DECODER,
        "most_bytes": LARGEST_FILE,
        "most_characters": MOST_CHARACTERS,
        "too_long": TOO_LONG,
        "not_json": NOT_JSON,
    }
    lines = (f"export const {name} = {_text(what)};\n" for name, what in knows.items())
    return functions([trace_function(each) for each in _FUNCTIONS]) + "".join(lines)


def _stored() -> dict[str, Any]:
    """What is known of formats, and of modules by their names."""
    tables = {
        rules: ("FORMATS", "WORDS", "LISTS", "KNOWN"),
        modules: (
            *("BLOCKS", "MIXER", "NAMES_ONLY", "PROJECTIONS", "LABELS", "STAYING", "TABLES"),
            *("PARTS", "MOST_RUNS", "LONGEST_NAME", "MOST_NAMES"),
        ),
        patterns: ("LONGEST_PATTERN", "MOST_STATES", "MOST_REPEATS"),
        precision: (
            *("QUANTIZATIONS", "DTYPES", "WIDE_DTYPES", "EXPERT_DTYPE", "SAME", "MOST_TOLD"),
        ),
    }
    found = {name: _plain(getattr(of, name)) for of, names in tables.items() for name in names}
    storages = {name: [*vars(getattr(rules, name)).values()] for name in ("WIDE", "MXFP8")}
    return found | storages | {"OTHERS": modules.OTHERS.pattern}


def _usual_form() -> dict[str, Any]:
    """What a form has where it is not stated."""
    form = Form(("",), "count", "")
    return {name: _plain(value) for name, value in vars(form).items()}


def _form(form: Form) -> dict[str, Any]:
    """A form without what it has as most do."""
    own = {name: _plain(value) for name, value in vars(form).items()}
    return {name: value for name, value in own.items() if value != _usual_form()[name]}


def _bounds() -> dict[str, list[Any]]:
    """Of each number of a model what it is called and may be, the model's own first."""
    own = [each for each in fields(Model) if "quantity" in each.metadata]
    kinds = [each for each in fields(Model) if "kind" in each.metadata]
    named = [("", each) for each in own]
    named += [
        (f"{kind.name}_", each) for kind in kinds for each in fields(kind.metadata["kind"].record)
    ]
    return {
        f"{prefix}{each.name}": [each.metadata["quantity"].label, *each.metadata["quantity"].bounds]
        for prefix, each in named
    }


def _family(row: FamilyRow) -> dict[str, Any]:
    """A family without what it has as most do."""
    own = {
        name: value for name, value in vars(row.family).items() if value != getattr(Family(), name)
    }
    parts = {
        "family": own,
        "fields": row.fields,
        "names": sorted(row.names),
        "refusal": row.refusal,
    }
    return {name: part for name, part in parts.items() if part}


def _defaults(record: type) -> dict[str, Any]:
    return {each.name: each.default for each in fields(record)}


def _plain(value: Any) -> Any:
    """A table as JSON has it: sets as sorted lists."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def _text(value: Any) -> str:
    """A value as JavaScript writes it, with the numbers that JSON has not."""
    if isinstance(value, dict):
        return (
            f"{{{', '.join(f'{json.dumps(key)}: {_text(each)}' for key, each in value.items())}}}"
        )
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return json.dumps(value, ensure_ascii=False)
