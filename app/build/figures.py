"""Charts and meter: Bokeh figures over empty data sources. No arithmetic, no colours.

The page finds the sources of a figure by their names, fills them, colours included, and sets the
ranges: `assets/parts/charts` has a module for each. A figure is as few renderers as can be, and
has no axes: at every repaint Bokeh works through all renderers and measures all labels, changed or
not. The page's own HTML carries the labels, the rules and the memory wall, within the borders
given here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, FactorRange, LogScale, Range1d, Span
from bokeh.plotting import figure

from app.theme import FONT

HEIGHT = 206

#: The limit's line across the meter's bar, and the bar's round corners. [px]
_LINE_HEIGHT, _RADIUS = 46, 7

#: Between the edge of a figure and the frame that its data fill: top, right, bottom, left. [px]
BORDERS = (10, 24, 26, 64)

#: Intensities that the roofline shows: from decode at a million tokens of context to the
#: prefill of as many. [FLOP/B]
_INTENSITY = (0.01, 1e7)

#: What the roofline's other axis shows. [FLOP/s]
_FLOPS_PER_S = (1e10, 1e16)


def throughput() -> figure:
    """Tokens per second over batch: all users, one user, and where the controls stand."""
    return curves(Range1d(1, 10), Range1d(1, 10))


def memory() -> figure:
    """Bytes over context: weights, KV cache, both, and where the controls stand."""
    return curves(Range1d(1, 10), Range1d(1, 10))


def roofline() -> figure:
    """The roof of the chosen card, and where decode or verify, and prefill stand under it."""
    return curves(Range1d(*_INTENSITY), Range1d(*_FLOPS_PER_S))


def step_time() -> figure:
    """Where the time of one step goes: bytes against arithmetic; the longer one binds."""
    plot = _plot(x_range=Range1d(0, 1), y_range=FactorRange(factors=["reading memory"]))
    plot.hbar(
        y="row",
        left="left",
        right="right",
        height="height",
        fill_color="color",
        fill_alpha="alpha",
        line_alpha=0,
        source=source("bars", "row", "left", "right", "height", "color", "alpha"),
    )
    return plot


def meter() -> figure:
    """What fills the HBM of one GPU, stacked; what lies beyond its limit is hatched."""
    plot = bare_figure(
        height=_LINE_HEIGHT,
        min_border=0,
        x_range=Range1d(0, 1),
        y_range=Range1d(0, _LINE_HEIGHT),
    )
    columns = ("left", "right", "height", "fill", "line", "width")
    bars: dict[str, Any] = {
        "y": _LINE_HEIGHT / 2 + 0.5,  # Bokeh draws half a pixel lower; so edges are sharp
        "left": "left",
        "right": "right",
        "height": "height",
        "fill_color": "fill",
        "line_color": "line",
        "line_width": "width",
    }
    plot.hbar(**bars, source=source("plain", *columns))
    plot.hbar(
        **bars,
        hatch_pattern="pattern",
        hatch_color="stripe",
        hatch_scale=14,
        hatch_weight=3,
        source=source("hatched", *columns, "stripe", "pattern"),
    )
    plot.hbar(
        **bars,
        border_radius={"top_left": _RADIUS, "bottom_left": _RADIUS},
        level="annotation",  # nothing of the frame is cut off
        source=source("rounded", *columns),
    )
    plot.add_layout(Span(location=1, dimension="height", line_width=2, name="limit"))
    return plot


@dataclass(frozen=True)
class Chart:
    """A chart's tab, what its axes show, and what makes its figure."""

    title: str
    axes: str
    figure: Callable[[], figure]


#: Charts by name, in the order of their tabs.
CHARTS = {
    "throughput": Chart(
        "Throughput", "tokens per second over batch (sequences in flight)", throughput
    ),
    "memory": Chart("Memory", "memory of one GPU over context (tokens of a sequence)", memory),
    "roofline": Chart(
        "Roofline", "attainable TFLOP/s over arithmetic intensity (FLOP per byte read)", roofline
    ),
    "steptime": Chart("Step time", "milliseconds", step_time),
}


def curves(x_range: Range1d, y_range: Range1d) -> figure:
    """Lines, points and labels on two axes, which grow by powers of ten."""
    plot = _plot(x_range=x_range, y_range=y_range)
    plot.x_scale, plot.y_scale = LogScale(), LogScale()
    plot.multi_line(
        "xs",
        "ys",
        line_color="color",
        line_alpha="alpha",
        line_dash="dash",
        line_width="width",
        source=source("lines", "xs", "ys", "color", "alpha", "dash", "width"),
    )
    plot.scatter(
        "x",
        "y",
        size=12,
        fill_color="color",
        fill_alpha="alpha",
        line_color="card",
        line_width=2,
        level="annotation",  # not cut off where one stands at an edge
        source=source("points", "x", "y", "color", "alpha", "card"),
    )
    plot.text(
        "x",
        "y",
        text="text",
        text_color="ink",
        text_font=value(FONT),
        text_font_size=value("13px"),
        text_align="align",
        text_baseline="baseline",
        background_fill_color="card",
        x_offset="dx",
        y_offset="dy",
        level="annotation",
        source=source("labels", "x", "y", "text", "ink", "card", "align", "baseline", "dx", "dy"),
    )
    return plot


def source(name: str, *columns: str) -> ColumnDataSource:
    """An empty source of data by a name, with these columns."""
    return ColumnDataSource({column: [] for column in columns}, name=name)


def _plot(**settings: Any) -> figure:
    """A chart's figure, within the borders that its labels need."""
    top, right, bottom, left = BORDERS
    return bare_figure(
        height=HEIGHT,
        min_border_top=top,
        min_border_right=right,
        min_border_bottom=bottom,
        min_border_left=left,
        **settings,
    )


def bare_figure(**settings: Any) -> figure:
    """Nothing but its data, as wide as its place."""
    return figure(
        tools="",
        toolbar_location=None,
        sizing_mode="stretch_width",
        x_axis_type=None,
        y_axis_type=None,
        outline_line_color=None,
        background_fill_color=None,
        border_fill_color=None,
        **settings,
    )
