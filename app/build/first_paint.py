"""What the page's HTML shows before any script has run: the default state, as the page shows it.

Its texts are written by the page's own modules, which no script runs for; so they are kept, in
`assets/first_paint.json`. A test compares them with what the page writes, and renews them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any

from app.assets import read_text

#: Texts by slot, typed values by input with the width of their field, controls that are not
#: there, and the lengths in the meter's bar.
KEPT = "first_paint.json"

_SLOT = re.compile(r'(<(\w+)[^>]*\bdata-text="(\w+)"[^>]*>)[^<]*(?=</\2>)')
_FIELD = re.compile(r'<input [^>]*\bdata-exact="(\w+)"')
_CONTROL = re.compile(r'<div [^>]*\bdata-control="(\w+)"')
_METER = re.compile(r'<section [^>]*\bdata-part="meter"')


@cache
def kept() -> dict[str, Any]:
    """What is kept of the default state: `texts`, `fields`, `hidden` and `meter`."""
    return dict(json.loads(read_text(KEPT)))


def first_paint(html: str) -> str:
    """The page's HTML with the default state in it.

    Parameters
    ----------
    html : str
        With empty places.
    """
    state = kept()
    html = _with(html, _FIELD, lambda field: state["fields"].get(field[1], {}))
    html = _with(
        html, _CONTROL, lambda control: {"hidden": ""} if control[1] in state["hidden"] else {}
    )
    html = _with(html, _METER, lambda _: {"style": state["meter"]})
    return _SLOT.sub(lambda slot: _filled(slot, state["texts"].get(slot[3], "")), html)


def _filled(slot: re.Match[str], text: str) -> str:
    """A slot with its text; an optional one that has none is not there."""
    tag = slot[1] if text else slot[1].replace(" data-optional", " data-optional hidden")
    return tag + escape(text, quote=False)


def _with(
    html: str, tags: re.Pattern[str], attributes: Callable[[re.Match[str]], dict[str, Any]]
) -> str:
    """HTML with attributes more in some of its tags."""

    def tag(match: re.Match[str]) -> str:
        more = "".join(f' {name}="{escape(value)}"' for name, value in attributes(match).items())
        return match[0] + more

    return tags.sub(tag, html)
