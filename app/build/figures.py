"""The charts: Bokeh figures over empty, named data sources. No arithmetic, no colours.

The page fills the sources, colours included, and sets the ranges: `assets/parts/charts` has a
module for each. A figure is as few renderers as can be, and has no axes: at every repaint
Bokeh works through all renderers and measures all labels, changed or not. The page's own HTML
carries the labels, the rules and the memory wall, within the borders given here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, FactorRange, Range1d
from bokeh.plotting import figure

from app.theme import FONT

HEIGHT = 206

#: Between the edge of a figure and the frame that its data fill: top, right, bottom, left. [px]
BORDERS = (10, 24, 26, 64)

#: Intensities that the roofline shows: from decode at a million tokens of context to the
#: prefill of as many. [FLOP/B]
_INTENSITY = (0.01, 1e7)

#: What the roofline's other axis shows. [FLOP/s]
_FLOPS_PER_S = (1e10, 1e16)


def throughput(name: str) -> figure:
    """Tokens per second over batch: all users, one user, and where the controls stand."""
    plot = _plot(name, x_axis_type="log", y_axis_type="log")
    plot.x_range = Range1d(1, 10)
    plot.y_range = Range1d(1, 10)
    _lines(plot)
    _points(plot)
    return plot


def roofline(name: str) -> figure:
    """The roof of the chosen card, and where decode, verify and prefill stand under it."""
    plot = _plot(name, x_axis_type="log", y_axis_type="log")
    plot.x_range = Range1d(*_INTENSITY)
    plot.y_range = Range1d(*_FLOPS_PER_S)
    _lines(plot)
    points = _points(plot)
    plot.text(
        "x",
        "y",
        text="label",
        text_color="ink",
        text_font=value(FONT),
        text_font_size=value("13px"),
        x_offset=10,
        y_offset=20,
        source=points,
    )
    return plot


def step_time(name: str) -> figure:
    """Where the time of one step goes: bytes against arithmetic; the longer one binds."""
    plot = _plot(name, y_range=FactorRange(factors=["reading HBM"]))
    plot.x_range = Range1d(0, 1)
    plot.hbar(
        y="row",
        left="left",
        right="right",
        height=0.56,
        fill_color="color",
        line_alpha=0,
        source=_source(f"{name}_bars", "row", "left", "right", "color"),
    )
    return plot


@dataclass(frozen=True)
class Chart:
    """A chart's tab, what its axes show, and its figure, made under the chart's name."""

    title: str
    axes: str
    figure: Callable[[str], figure]


#: Charts by name, in the order of their tabs.
CHARTS = {
    "throughput": Chart(
        "Throughput", "tokens per second over batch (sequences in flight)", throughput
    ),
    "roofline": Chart(
        "Roofline", "attainable TFLOP/s over arithmetic intensity (FLOP per byte read)", roofline
    ),
    "steptime": Chart("Step time", "milliseconds", step_time),
}


def _lines(plot: figure) -> None:
    columns = ("xs", "ys", "color", "dash", "width")
    plot.multi_line(
        "xs",
        "ys",
        line_color="color",
        line_dash="dash",
        line_width="width",
        source=_source(f"{plot.name}_lines", *columns),
    )


def _points(plot: figure) -> ColumnDataSource:
    source = _source(f"{plot.name}_points", "x", "y", "label", "color", "card", "ink")
    plot.scatter(
        "x", "y", size=12, fill_color="color", line_color="card", line_width=2, source=source
    )
    return source


def _source(name: str, *columns: str) -> ColumnDataSource:
    return ColumnDataSource({column: [] for column in columns}, name=name)


def _plot(name: str, **settings: Any) -> figure:
    top, right, bottom, left = BORDERS
    plot = figure(
        name=name,
        tools="",
        toolbar_location=None,
        height=HEIGHT,
        sizing_mode="stretch_width",
        outline_line_color=None,
        background_fill_color=None,
        border_fill_color=None,
        min_border_top=top,
        min_border_right=right,
        min_border_bottom=bottom,
        min_border_left=left,
        **settings,
    )
    plot.axis.visible = False
    plot.grid.visible = False
    return plot
