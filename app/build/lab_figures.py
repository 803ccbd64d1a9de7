"""The batching lab's figures: slots, queue and cache of each replay, waits of a reader, load.

Like those of `figures`: nothing but data, which `assets/parts/lab` fills in; and of the same
glyphs, since the page has no others of Bokeh's.
"""

from __future__ import annotations

from typing import Any

from bokeh.models import LinearScale, Range1d
from bokeh.plotting import figure

from app.build.figures import bare_figure, curves, source
from app.theme import TOKENS

#: Heights of the slots of a replay, of its queue, and of its cache. [px]
SLOTS_HEIGHT, QUEUE_HEIGHT, CACHE_HEIGHT = 176, 36, 56


def lab_figures() -> dict[str, figure]:
    """The figures by the names of their places: of both replays, then of both together."""
    both = ("first", "second")
    return (
        {f"slots-{name}": slots() for name in both}
        | {f"queue-{name}": columns("queue", QUEUE_HEIGHT) for name in both}
        | {f"cache-{name}": columns("cache", CACHE_HEIGHT) for name in both}
        | {"gaps": waits(), "load": load()}
    )


def slots() -> figure:
    """One row for each slot over time: what it works at, and where it is only held."""
    plot = _strip(SLOTS_HEIGHT)
    keys = ("slot", "left", "right", "height", "fill")
    bars: dict[str, Any] = {"y": "slot", "left": "left", "right": "right", "height": "height"}
    # One colour for all: of a column of colours each bar would have a picture of its own drawn.
    plot.hbar(
        **bars,
        name="held bars",
        fill_color="fill",
        line_alpha=0,
        hatch_pattern="right_diagonal_line",
        hatch_color=TOKENS["control-line"][0],
        hatch_scale=11,
        hatch_weight=1,
        source=source("held", *keys),
    )
    busy = source("busy", *keys, "edge")
    plot.hbar(**bars, name="busy bars", fill_color="fill", line_color="edge", source=busy)
    plot.hbar(
        **bars, fill_alpha=0, line_color="fill", line_width=2, source=source("watched", *keys)
    )
    return plot


def columns(name: str, height: int) -> figure:
    """An amount over time, in columns that stand on the ground and may cover each other."""
    plot = _strip(height)
    plot.hbar(
        y="middle",
        left="left",
        right="right",
        height="amount",
        fill_color="fill",
        line_alpha=0,
        source=source(name, "middle", "left", "right", "amount", "fill"),
    )
    return plot


def waits() -> figure:
    """Waits between tokens, by powers of ten, over time."""
    plot = curves(Range1d(0, 1), Range1d(1, 10))
    plot.x_scale = LinearScale()
    return plot


def load() -> figure:
    """Waits for the first token over requests per second."""
    return curves(Range1d(1, 10), Range1d(1, 10))


def _strip(height: int) -> figure:
    """Something over time, from edge to edge."""
    return bare_figure(height=height, min_border=0, x_range=Range1d(0, 1), y_range=Range1d(0, 1))
