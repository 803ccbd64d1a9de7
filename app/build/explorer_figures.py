"""The explorer's figures: a quantity over an input, and the speed-up of speculation over the batch.

`assets/parts/explorer` fills them in.
"""

from __future__ import annotations

from bokeh.models import LinearScale, Range1d
from bokeh.plotting import figure

from app.build.figures import curves


def explorer_figures() -> dict[str, figure]:
    """The figures by the names of their places."""
    swept = {name: curves(Range1d(1, 10), Range1d(1, 10)) for name in ("sweep", "compare")}
    return swept | {"speculation": speculation()}


def speculation() -> figure:
    """Speed-up over batch."""
    plot = curves(Range1d(1, 10), Range1d(0, 1))
    plot.y_scale = LinearScale()
    return plot
