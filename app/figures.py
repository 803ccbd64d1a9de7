"""The charts: Bokeh figures over empty, named data sources. No arithmetic.

The page fills the sources, sets the named ranges and annotations, and repaints what
`Painted` lists when the theme changes. Bokeh's own axes are not used: they measure every
label at every repaint, which is most of what a repaint costs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bokeh.core.properties import value
from bokeh.models import (
    BoxAnnotation,
    ColumnDataSource,
    FactorRange,
    Model,
    Range1d,
    Span,
)
from bokeh.plotting import figure

from app.theme import FONT, TOKENS

HEIGHT = 206

#: Intensities that the roofline shows: from decode at a million tokens of context to the
#: prefill of as many. [FLOP/B]
ROOFLINE_INTENSITY = (0.01, 1e7)


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
    plot = _plot("throughput", x_axis_type="log", y_axis_type="log")
    plot.x_range = Range1d(0.94 * batches[0], 1.06 * batches[1], name="throughput_batches")
    plot.y_range = Range1d(1, 10_000, name="throughput_range")

    beyond = BoxAnnotation(name="wall_area", left=1, level="underlay", hatch_pattern="/")
    beyond.hatch_scale, beyond.hatch_alpha, beyond.hatch_weight, beyond.line_alpha = 14, 0.3, 0.6, 0
    painted.paint(beyond, fill_color="danger-wash", hatch_color="danger")
    wall = Span(name="wall", location=1, dimension="height", line_dash="dashed", line_width=1.5)
    painted.paint(wall, line_color="danger")
    plot.add_layout(beyond)
    _ticks(plot, painted, "x")
    _ticks(plot, painted, "y")
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
    plot = _plot("roofline", x_axis_type="log", y_axis_type="log")
    plot.x_range = Range1d(*ROOFLINE_INTENSITY)
    plot.y_range = Range1d(1e10, 1e16)
    _ticks(plot, painted, "x")
    _ticks(plot, painted, "y")

    ridge = Span(name="ridge", location=300, dimension="height", line_dash="dotted", line_width=1.5)
    painted.paint(ridge, line_color="muted")
    plot.add_layout(ridge)
    roof = plot.line("x", "y", source=_source("roof", "x", "y"), line_width=2.5)
    painted.paint(roof.glyph, line_color="ink")
    points = _source("roof_points", "x", "y", "label")
    dots = plot.scatter("x", "y", source=points, size=12, line_width=2)
    painted.paint(dots.glyph, fill_color="accent", line_color="card")
    text = plot.text("x", "y", text="label", source=points, x_offset=10, y_offset=20)
    _set_type(text.glyph, "13px")
    painted.paint(text.glyph, text_color="ink")
    return plot


def step_time(painted: Painted) -> figure:
    """Where the time of one step goes: bytes against arithmetic; the longer one binds."""
    plot = _plot("steptime", y_range=FactorRange(factors=["reading HBM"], name="step_rows"))
    plot.x_range = Range1d(0, 1, name="step_range")
    plot.min_border_left = 96
    _ticks(plot, painted, "x")
    _ticks(plot, painted, "y", rules=False)
    for name in ("weights", "kv", "compute", "draft"):
        bars = _source(f"step_{name}", "row", "left", "right")
        bar = plot.hbar(y="row", left="left", right="right", height=0.56, source=bars)
        painted.paint(bar.glyph, fill_color=name, line_color=name)
    return plot


def _source(name: str, *columns: str) -> ColumnDataSource:
    return ColumnDataSource({column: [] for column in columns}, name=name)


def _plot(name: str, **settings: Any) -> figure:
    plot = figure(
        name=name,
        tools="",
        toolbar_location=None,
        height=HEIGHT,
        sizing_mode="stretch_width",
        outline_line_color=None,
        background_fill_color=None,
        border_fill_color=None,
        min_border_left=64,
        min_border_right=24,
        min_border_top=10,
        min_border_bottom=28,
        **settings,
    )
    plot.axis.visible = False
    plot.grid.visible = False
    return plot


def _ticks(plot: figure, painted: Painted, axis: str, *, rules: bool = True) -> None:
    """Labels along an axis and rules across the plot, from the source `{plot}_{axis}`.

    Its columns: `at` along the axis, `edge` on the other axis, and `label`.
    """
    source = _source(f"{plot.name}_{axis}", "at", "edge", "label")
    if axis == "y":
        place = {"x": "edge", "y": "at", "x_offset": -8}
        style = {"text_align": "right", "text_baseline": "middle"}
    else:
        place = {"x": "at", "y": "edge", "y_offset": 8}
        style = {"text_align": "center", "text_baseline": "top"}
    text = plot.text(text="label", source=source, level="guide", **place, **style)
    _set_type(text.glyph, "12px")
    painted.paint(text.glyph, text_color="muted")
    if rules:
        where = {axis: "at"}
        rule = (plot.hspan if axis == "y" else plot.vspan)(**where, source=source, level="underlay")
        painted.paint(rule.glyph, line_color="line")


def _set_type(glyph: Model, size: str) -> None:
    glyph.text_font, glyph.text_font_size = value(FONT), value(size)
