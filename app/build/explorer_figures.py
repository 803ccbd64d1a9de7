"""The explorer's figure: any quantity over any input, filled in by `assets/parts/explorer`."""

from __future__ import annotations

from bokeh.models import Range1d
from bokeh.plotting import figure

from app.build.figures import curves


def explorer_figures() -> dict[str, figure]:
    """The figures by the names of their places."""
    return {"sweep": curves(Range1d(1, 10), Range1d(1, 10))}
