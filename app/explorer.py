"""The explorer's studies and its own settings: what a deployment is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from app.contract import Setting
from calc.inputs.declaration import Number
from calc.inputs.table import INPUTS
from calc.quantity import quantities
from calc.report import Report
from calc.studies.fit import FASTEST_TOKENS_PER_S, MOST_USERS

#: What each study is called, in the order of their tabs; their names are those of their parts, too.
STUDIES = {
    "levers": "What helps",
    "fit": "Fit it",
    "cost": "Request & cost",
    "sweep": "Sweep",
    "speculation": "Speculation",
    "compare": "Compare",
    "assumed": "Assumptions",
    "take": "Take it away",
}

#: By their keys in the address.
FIELDS = {
    "users": Number(
        group="Explorer",
        label="Users at once",
        doc="Readers that are served at the same time.",
        default=64,
        range=(1, MOST_USERS),
        whole=True,
        sets=(),
    ),
    "speed": Number(
        group="Explorer",
        label="each gets at least",
        doc="Speed that each reader is to get.",
        default=30,
        range=(0.01, FASTEST_TOKENS_PER_S),
        unit="tokens/s",
        sets=(),
    ),
    "load": Number(
        group="Explorer",
        label="Requests",
        doc="Requests that come on average, day and night.",
        default=1,
        range=(0, 1e6),
        unit="a second",
        sets=(),
    ),
}

#: Inputs that a sweep goes along, in the order of their list.
SWEPT = ("batch", "context", "params_b", "gqa", "spec_k", "alpha", "prompt", "output", "gpus")

#: Quantities that it shows, likewise.
SHOWN = (
    *("tokens_per_s", "tokens_per_s_per_user", "step_s", "ttft_s", "request_s"),
    *("kv_bytes", "hbm_used_bytes", "max_batch", "decode_flops_per_byte"),
    *("usd_per_million_output_tokens", "request_usd"),
)

#: Quantities of two scenarios that stand side by side, and what each is called there.
COMPARED = {
    "tokens_per_s": "All users together",
    "tokens_per_s_per_user": "One user",
    "step_s": "One step",
    "ttft_s": "First token",
    "request_s": "One request",
    "weight_bytes": "Weights",
    "kv_bytes_per_token": "KV cache per token",
    "kv_bytes": "KV cache in all",
    "hbm_used_bytes": "Memory asked for",
    "max_batch": "Sequences that fit",
    "decode_flops_per_byte": "Decode",
    "usd_per_million_output_tokens": "A million tokens out",
}

_QUANTITIES = dict(quantities(Report))


@dataclass(frozen=True)
class Selection:
    """A setting that is one of some names: its label, and what each is called."""

    label: str
    doc: str
    names: dict[str, str]


def _label(text: str) -> str:
    return text[0].upper() + text[1:]


SELECTIONS = {
    "shown": Selection(
        "Show",
        "quantity that the sweep shows",
        {name: _label(_QUANTITIES[name].label) for name in SHOWN},
    ),
    "over": Selection(
        "over", "input that the sweep goes along", {key: INPUTS[key].label for key in SWEPT}
    ),
}

#: Contexts of which it is said what the GPUs serve: powers of two. [tokens]
CONTEXTS = tuple(2**power for power in range(11, 21))


def explorer_settings() -> dict[str, Setting]:
    """The explorer's settings by their keys, as the address has them.

    Returns
    -------
    dict of str to Setting
    """
    meaning = "in the view `explorer`: the study that is open"
    study = Setting(meaning, "option", "study", next(iter(STUDIES)), tuple(STUDIES))
    chosen = {
        key: Setting(
            f"in the view `explorer`: {each.doc}",
            "option",
            key,
            next(iter(each.names)),
            tuple(each.names),
        )
        for key, each in SELECTIONS.items()
    }
    pinned = Setting(
        "in the views `widget` and `explorer`: what is pinned as A", "scenario", "input"
    )
    return (
        {"study": study, "a": pinned}
        | chosen
        | {key: _setting(key, each) for key, each in FIELDS.items()}
    )


def _setting(key: str, each: Number) -> Setting:
    doc = each.doc.rstrip(".")
    return Setting(
        f"in the view `explorer`: {doc[0].lower()}{doc[1:]}",
        "number",
        key,
        f"{each.default:g}",
        range=each.range,
        whole=each.whole,
        unit=each.unit,
    )
