"""The explorer's studies and its own settings: what a deployment is asked for."""

from __future__ import annotations

from app.contract import Setting
from calc.inputs.declaration import Number
from calc.studies.fit import FASTEST_TOKENS_PER_S, MOST_USERS

#: What each study is called, in the order of their tabs; their names are those of their parts, too.
STUDIES = {
    "levers": "What helps",
    "fit": "Fit it",
    "cost": "Request & cost",
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
    return {"study": study} | {key: _setting(key, each) for key, each in FIELDS.items()}


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
