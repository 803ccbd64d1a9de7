"""The charts: Bokeh figures over empty, named data sources. No arithmetic.

The page fills the sources, sets the named ranges and annotations, and repaints what
`Painted` lists when the theme changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bokeh.core.properties import value
from bokeh.models import (
    BoxAnnotation,
    ColumnDataSource,
    FactorRange,
    FixedTicker,
    Model,
    NumeralTickFormatter,
    Range1d,
    Span,
)
from bokeh.plotting import figure

from app.theme import FONT, TOKENS

HEIGHT = 206

#: Intensities that the roofline shows: from decode at a million tokens of context to the
#: prefill of as many. [FLOP/B]
ROOFLINE_INTENSITY = (0.01, 1e7)
_FONT_SIZE = "12px"


@dataclass
class Painted:
    """Which colour token each property of each model takes."""

    entries: list[tuple[str, str, str]] = field(default_factory=list)

    def paint(self, model: Model, **tokens: str) -> None:
        """Give properties of a model their light colours, and remember their tokens."""
        for name, token in tokens.items():
            setattr(model, name, TOKENS[token][0])
            self.entries.append((model.id, name, token))


def throughput(painted: Painted, batches: tuple[float, float]) -> figure:
    """Tokens per second over batch: all users, one user, now, and the memory wall."""
    plot = _plot("throughput", painted, x_axis_type="log", y_axis_type="log")
    plot.x_range = Range1d(0.94 * batches[0], 1.06 * batches[1])
    plot.y_range = Range1d(1, 10_000, name="throughput_y")
    plot.xaxis.axis_label = "batch (sequences in flight)"
    plot.yaxis.axis_label = "tokens/s"
    plot.xaxis.ticker = FixedTicker(ticks=[4**e for e in range(6)])
    plot.xaxis.formatter = NumeralTickFormatter(format="0,0")
    plot.yaxis.formatter = NumeralTickFormatter(format="0,0.[000]")

    beyond = BoxAnnotation(name="wall_area", left=1, level="underlay", hatch_pattern="/")
    beyond.hatch_scale, beyond.hatch_alpha, beyond.hatch_weight, beyond.line_alpha = 14, 0.3, 0.6, 0
    painted.paint(beyond, fill_color="danger-wash", hatch_color="danger")
    wall = Span(name="wall", location=1, dimension="height", line_dash="dashed", line_width=1.5)
    painted.paint(wall, line_color="danger")
    plot.add_layout(beyond)
    plot.add_layout(wall)

    curve = _source("throughput_curve", "batch", "tokens_per_s", "tokens_per_s_per_user")
    now = _source("throughput_now", "batch", "tokens_per_s", "tokens_per_s_per_user")
    for column, token, dash in (
        ("tokens_per_s", "total", "solid"),
        ("tokens_per_s_per_user", "user", [7, 4]),
    ):
        line = plot.line("batch", column, source=curve, line_width=2.5, line_dash=dash)
        painted.paint(line.glyph, line_color=token)
        dot = plot.scatter("batch", column, source=now, size=12, line_width=2)
        painted.paint(dot.glyph, fill_color=token, line_color="card")
    return plot


def roofline(painted: Painted) -> figure:
    """The roof of the chosen card, and where decode, verify and prefill stand under it."""
    plot = _plot("roofline", painted, x_axis_type="log", y_axis_type="log")
    plot.x_range = Range1d(*ROOFLINE_INTENSITY)
    plot.y_range = Range1d(1e10, 1e16)
    plot.xaxis.axis_label = "arithmetic intensity (FLOP per byte read)"
    plot.yaxis.axis_label = "attainable TFLOP/s"
    plot.xaxis.ticker = FixedTicker(ticks=[0.01, 1, 100, 10_000, 1_000_000])
    plot.xaxis.formatter = NumeralTickFormatter(format="0,0.[00]")
    plot.yaxis.ticker = FixedTicker(ticks=[10.0**e for e in range(10, 17)])
    labels = ["0.01", "0.1", "1", "10", "100", "1,000", "10,000"]
    plot.yaxis.major_label_overrides = {
        10.0**e: label for e, label in zip(range(10, 17), labels, strict=True)
    }

    ridge = Span(name="ridge", location=300, dimension="height", line_dash="dotted", line_width=1.5)
    painted.paint(ridge, line_color="muted")
    plot.add_layout(ridge)
    roof = plot.line("x", "y", source=_source("roof", "x", "y"), line_width=2.5)
    painted.paint(roof.glyph, line_color="ink")
    points = _source("roof_points", "x", "y", "label")
    dots = plot.scatter("x", "y", source=points, size=12, line_width=2)
    painted.paint(dots.glyph, fill_color="accent", line_color="card")
    text = plot.text("x", "y", text="label", source=points, x_offset=10, y_offset=20)
    text.glyph.text_font, text.glyph.text_font_size = value(FONT), value("13px")
    painted.paint(text.glyph, text_color="ink")
    return plot


def step_time(painted: Painted) -> figure:
    """Where the time of one step goes: bytes against arithmetic; the longer one binds."""
    plot = _plot("steptime", painted, y_range=FactorRange(factors=["memory"], name="step_rows"))
    plot.x_range = Range1d(0, 1, name="step_x")
    plot.xaxis.axis_label = "milliseconds"
    plot.xaxis.formatter = NumeralTickFormatter(format="0,0.[000]")
    plot.ygrid.visible = False
    plot.yaxis.major_tick_in = plot.yaxis.major_tick_out = 0
    for name in ("weights", "kv", "compute", "draft"):
        bars = _source(f"step_{name}", "row", "left", "right")
        bar = plot.hbar(y="row", left="left", right="right", height=0.56, source=bars)
        painted.paint(bar.glyph, fill_color=name, line_color=name)
    return plot


def _source(name: str, *columns: str) -> ColumnDataSource:
    return ColumnDataSource({column: [] for column in columns}, name=name)


def _plot(name: str, painted: Painted, **settings: Any) -> figure:
    plot = figure(
        name=name,
        tools="",
        toolbar_location=None,
        height=HEIGHT,
        sizing_mode="stretch_width",
        outline_line_color=None,
        background_fill_color=None,
        border_fill_color=None,
        min_border_right=16,
        min_border_top=8,
        output_backend="canvas",
        **settings,
    )
    for axis in plot.axis:
        axis.axis_label_text_font = axis.major_label_text_font = FONT
        axis.axis_label_text_font_size = axis.major_label_text_font_size = _FONT_SIZE
        axis.axis_label_text_font_style = "normal"
        axis.minor_tick_line_color = None
        axis.axis_line_color = None
        axis.axis_label_standoff = 6
        painted.paint(
            axis,
            axis_label_text_color="muted",
            major_label_text_color="muted",
            major_tick_line_color="line",
        )
    plot.xgrid.visible = False
    for grid in plot.grid:
        painted.paint(grid, grid_line_color="line")
    return plot
