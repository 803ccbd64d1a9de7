"""What the page agrees upon with those around it: keys of the address, parts, messages.

One table each, read by the browser, by `embed.js`, by the notebook's object and by the test of the
documentation. The scenario's own keys are the inputs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

#: What a message says of itself: whose it is, and which of these tables it follows.
SOURCE, VERSION = "decode-arithmetic", 1

#: What can be shown or hidden. Those without an element in this version are accepted
#: and do nothing, so that a lesson written for a later one still opens.
PARTS = (
    *("controls", "meter", "readouts", "throughput", "roofline", "steptime", "levers"),
    *("formulas", "model", "hardware", "assumptions", "request", "compare", "lab"),
    *("exercises", "share"),
)


@dataclass(frozen=True)
class PageKey:
    """A key of the address: `options` it takes (none = any text), one or a comma list."""

    meaning: str
    default: str
    options: tuple[str, ...] = ()
    several: bool = False


def page_keys(controls: list[str]) -> dict[str, PageKey]:
    """The page's keys, given the controls that can be locked.

    Parameters
    ----------
    controls : list of str
        Inputs that have a control.

    Returns
    -------
    dict of str to PageKey
    """
    views = ("widget", "exercises", "lab", "full")
    return {
        "view": PageKey("which page", "widget", views),
        "show": PageKey("only these parts", "", PARTS, several=True),
        "hide": PageKey("all but these parts", "", PARTS, several=True),
        "lock": PageKey("controls that cannot be changed", "", ("all", *controls), several=True),
        "exercise": PageKey("exercise to open (none in this version)", ""),
        "theme": PageKey("colours", "auto", ("auto", "light", "dark")),
        "units": PageKey("unit of memory", "GB", ("GB", "GiB")),
        "origin": PageKey("the only origin whose messages are heard", ""),
    }


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
    "error": Message(("message",), "a key or a message was wrong; nothing changed"),
}

#: What the page around can say, and what that does.
TO_FRAME = {
    "setState": Message(("scenario",), "sets these inputs, all or none"),
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
