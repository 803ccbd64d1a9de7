"""The keys that a page's address takes beside the scenario's: what is shown, and how.

One table, read by the browser, by `embed.js` and by the documentation's test.
"""

from __future__ import annotations

from dataclasses import dataclass

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
