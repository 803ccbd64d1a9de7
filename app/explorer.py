"""The explorer's studies and its own settings: what a deployment is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from app.contract import Setting
from calc.inputs.declaration import Number
from calc.inputs.table import INPUTS
from calc.quantity import quantities
from calc.report import Report
from calc.studies.fit import FASTEST_TOKENS_PER_S, MOST_USERS
from calc.studies.routing import LEAST_ERROR

#: What each study is called, in the order of their tabs; their names are those of their parts, too.
STUDIES = {
    "levers": "What helps",
    "fit": "Fit it",
    "cost": "Request & cost",
    "sweep": "Sweep",
    "speculation": "Speculation",
    "routing": "Routing",
    "compare": "Compare",
    "assumed": "Assumptions",
    "config": "Own model",
    "take": "Take it away",
}


def _share(label: str, doc: str, default: float, least: float = 0, most: float = 100) -> Number:
    """A share in hundredths."""
    return Number(
        group="Explorer",
        label=label,
        doc=doc,
        default=default,
        range=(least, most),
        unit="%",
        sets=(),
    )


#: A judge errs at least so often, and as often is right. [%]
_ERRORS = (100 * LEAST_ERROR, 100 - 100 * LEAST_ERROR)

#: What is asked of routing.
ROUTING = {
    "easy": _share(
        "Easy requests", "Share of the requests that a cheap model answers as well.", 80
    ),
    "cheap_price": _share(
        "Its price",
        "What a request costs at the cheap model, of what it costs here.",
        10,
        0.01,
    ),
    "easy_error": _share(
        "Easy ones judged hard",
        "Share of the easy requests that go to the strong model.",
        10,
        *_ERRORS,
    ),
    "hard_error": _share(
        "Hard ones judged easy",
        "Share of the hard requests that go to the cheap model.",
        10,
        *_ERRORS,
    ),
    "worse": _share(
        "Answered worse, at most", "Share of all requests that may be answered worse.", 3
    ),
    "saved": _share("Saved, at least", "Share of the cost that is to be saved.", 30),
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
    "host": _share(
        "Of the cached prefix in host memory",
        "Share of the cached prefix that lies in host memory.",
        0,
    ),
    **ROUTING,
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

#: Cheap models to route to, beside one of a stated price.
CHEAP = (
    *("llama-3.2-1b", "llama-3.2-3b", "llama-3-8b", "qwen3-8b", "qwen3-30b-a3b"),
    *("gpt-oss-20b", "gpt-oss-120b"),
)

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
    "cheap": Selection(
        "Cheap model",
        "model to which easy requests are routed",
        {"priced": "by its price"} | {name: name for name in CHEAP},
    ),
    "shown": Selection(
        "Show",
        "quantity that the sweep shows",
        {name: _label(_QUANTITIES[name].label) for name in SHOWN},
    ),
    "over": Selection(
        "over", "input that the sweep goes along", {key: INPUTS[key].label for key in SWEPT}
    ),
    "against": Selection(
        "and",
        "second input that the sweep goes along, as a map",
        {"none": "nothing else"} | {key: INPUTS[key].label for key in SWEPT},
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
