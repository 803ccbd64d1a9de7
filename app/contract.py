"""What the page agrees upon with those around it: settings, views, parts, messages.

And the big numbers (`READOUTS`), and what an exercise may hide (`VEILED`). One table each, read by
the browser, by `embed.js`, by the notebook's object and by the test of the documentation. The
address has the inputs, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

#: What a message says of itself: whose it is, and which of these tables it follows.
SOURCE, VERSION = "decode-arithmetic", 1


@dataclass(frozen=True)
class Piece:
    """What an address can ask for by name: a view, or a part of one; `here` in this version."""

    meaning: str
    here: bool = True


#: Whole pages. An address that asks for one of a later version is told so.
VIEWS = {
    "widget": Piece("one scenario, and what follows from it"),
    "exercises": Piece("questions to predict, lock and reveal"),
    "lab": Piece("batching on a trace of requests"),
    "explorer": Piece("what helps from here, and what a deployment needs and costs"),
    "full": Piece("everything at once", here=False),
}

#: The view that a page begins with, and those that stand over it and are loaded when asked for.
FIRST_VIEW = "widget"
LATER_VIEWS = tuple(name for name, view in VIEWS.items() if view.here and name != FIRST_VIEW)

#: What can be shown alone or hidden; likewise.
PARTS = {
    "controls": Piece("the sliders and buttons"),
    "meter": Piece("the bar of GPU memory, and the sentence under it"),
    "readouts": Piece("the big numbers"),
    "formulas": Piece("the ƒ of each number"),
    "throughput": Piece("the chart of throughput over batch"),
    "memory": Piece("the chart of memory over context"),
    "roofline": Piece("the chart of the roofline"),
    "steptime": Piece("the chart of where a step's time goes"),
    "share": Piece("the line on top: title, units, colours, link"),
    "model": Piece("the choice of a model"),
    "hardware": Piece("the choice of a GPU, their number and price"),
    "request": Piece("the prompt and output of one request"),
    "assumptions": Piece("the switch between ceiling and estimate"),
    "levers": Piece("of the explorer: what each single change brings"),
    "fit": Piece("of the explorer: GPUs that serve what is asked for"),
    "cost": Piece("of the explorer: what a request takes and costs"),
    "sweep": Piece("of the explorer: any quantity over any input"),
    "speculation": Piece("of the explorer: speculation's speed-up over the batch"),
    "routing": Piece("of the explorer: easy requests to a cheap model"),
    "compare": Piece("of the explorer: a scenario pinned as A beside the present one"),
    "assumed": Piece("of the explorer: what is assumed, both sets side by side"),
    "config": Piece("of the explorer: a model of your own, from its config.json"),
    "take": Piece("of the explorer: the state as a link, Python, a command and files"),
    "lab": Piece("the way to the batching lab"),
    "explorer": Piece("the way to the explorer"),
    "exercises": Piece("the way to the questions"),
}

#: The big numbers: the report's field, and the title; its terms say what it means.
READOUTS = {
    "kv_bytes_per_token": "KV cache per token",
    "tokens_per_s": "All users together",
    "tokens_per_s_per_user": "One user",
    "kv_bytes": "KV cache in all",
    "ttft_s": "Prefill of one prompt",
    "decode_flops_per_byte": "Decode",
}

#: What an exercise can veil until a prediction is locked in: numbers, and parts that show them.
VEILED = (*READOUTS, "meter", "throughput", "memory", "roofline", "steptime")


@dataclass(frozen=True)
class Setting:
    """A key of the address that says how the page is shown, and the values that it takes.

    Of the kinds, an `option` is one of its options, a `list` some with commas between, an `id` the
    name of something that comes later, an `origin` a scheme and a host, a `number` one within its
    range, a `scenario` inputs with their values. Its values each name one `noun`; those of `later`
    are none yet.
    """

    meaning: str
    kind: Literal["option", "list", "id", "origin", "number", "scenario"]
    noun: str
    default: str = ""
    options: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    range: tuple[float, float] = (0, 0)
    whole: bool = False
    unit: str = ""


def settings(controls: Iterable[str]) -> dict[str, Setting]:
    """The page's settings by their keys, given the controls that can be locked.

    Parameters
    ----------
    controls : iterable of str
        Inputs that have a control.

    Returns
    -------
    dict of str to Setting
    """
    views, parts = _by_version(VIEWS), _by_version(PARTS)
    return {
        "view": Setting("which page", "option", "view", FIRST_VIEW, *views),
        "show": Setting("only these parts", "list", "part", "", *parts),
        "hide": Setting("all but these parts", "list", "part", "", tuple(PARTS)),
        "lock": Setting(
            "controls that cannot be changed", "list", "control", "", ("all", *controls)
        ),
        "exercise": Setting("exercise to open, in the view `exercises`", "id", "exercise"),
        "theme": Setting("colours", "option", "theme", "auto", ("auto", "light", "dark")),
        "units": Setting("unit of memory", "option", "unit", "GB", ("GB", "GiB")),
        "origin": Setting("the only origin whose messages are heard", "origin", "origin"),
    }


def _by_version(pieces: dict[str, Piece]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    here = tuple(name for name, piece in pieces.items() if piece.here)
    return here, tuple(name for name in pieces if name not in here)


@dataclass(frozen=True)
class Message:
    """A message between the frame and the page around it: its fields, and what it is for."""

    fields: tuple[str, ...]
    meaning: str


#: What the frame says, and when.
FROM_FRAME = {
    "ready": Message((), "its first numbers are shown"),
    "state": Message(
        ("scenario",),
        "the state has changed (also at the start and after a reset), or `getState` was asked",
    ),
    "resize": Message(("height",), "its content changed its height"),
    "answer": Message(
        ("exercise", "prediction", "correct", "seconds"),
        "a prediction was locked in: a number, an option's id, or all of them in order",
    ),
    "error": Message(("message",), "a key or a message was wrong; nothing changed"),
}

#: What the page around can say, and what that does.
TO_FRAME = {
    "setState": Message(("scenario",), "sets these inputs and moves no other, all or none"),
    "getState": Message((), "answers with `state`"),
    "reset": Message((), "back to the frame's set-up"),
}


def contract_module() -> str:
    """The messages as the browser's module `built/contract.mjs`: each type with its fields."""
    tables = {
        "SOURCE": SOURCE,
        "VERSION": VERSION,
        "FROM_FRAME": {type_: message.fields for type_, message in FROM_FRAME.items()},
        "TO_FRAME": {type_: message.fields for type_, message in TO_FRAME.items()},
    }
    return "".join(f"export const {name} = {json.dumps(it)};\n" for name, it in tables.items())
