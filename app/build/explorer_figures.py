"""The explorer's figures, filled in by `assets/parts/explorer`.

A quantity over an input, one over two as a map, speculation over the batch, and what routing
spoils. Of the same glyphs as those of `figures`, since the page has no others of Bokeh's.
"""

from __future__ import annotations

from bokeh.models import LinearScale, Range1d
from bokeh.plotting import figure

from app.build.figures import curves, source

#: A map's cells are tall enough for a finger to tell one from the next. [px]
MAP_HEIGHT = 340


def explorer_figures() -> dict[str, figure]:
    """The figures by the names of their places."""
    swept = {name: curves(Range1d(1, 10), Range1d(1, 10)) for name in ("sweep", "compare")}
    return swept | {
        "map": heat_map(),
        "speculation": speculation(),
        "routing": routing(),
    }


def heat_map() -> figure:
    """Cells in colours, one for each pair of values; runs of those that do not fit are hatched."""
    plot = curves(Range1d(0, 1), Range1d(0, 1))
    plot.x_scale, plot.y_scale, plot.height = LinearScale(), LinearScale(), MAP_HEIGHT
    bars = {"y": "y", "left": "left", "right": "right", "height": 1, "level": "underlay"}
    cells = source("cells", "y", "left", "right", "fill")
    plot.hbar(**bars, fill_color="fill", line_color="fill", source=cells)
    plot.hbar(
        **bars,
        fill_alpha=0,
        line_alpha=0,
        hatch_pattern="right_diagonal_line",
        hatch_color="stripe",
        hatch_alpha=0.7,
        hatch_scale=14,
        hatch_weight=1,
        source=source("beyond", "y", "left", "right", "stripe"),
    )
    return plot


def speculation() -> figure:
    """Speed-up over batch."""
    plot = curves(Range1d(1, 10), Range1d(0, 1))
    plot.y_scale = LinearScale()
    return plot


def routing() -> figure:
    """Share answered worse over the share that goes to the cheap model."""
    plot = curves(Range1d(0, 1), Range1d(0, 1))
    plot.x_scale, plot.y_scale = LinearScale(), LinearScale()
    return plot
