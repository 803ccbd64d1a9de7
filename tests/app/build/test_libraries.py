"""What the page loads of Bokeh and Panel: no more than it needs, or all of it."""

from __future__ import annotations

import pytest

from app.build.bundles import Bundle
from app.build.libraries import scripts
from app.build.page import page


def test_the_page_loads_no_more_than_it_uses():
    parts = {name: Bundle.parse(text.decode()) for name, text in page_scripts().items()}
    bokeh, panel = parts["bokeh.min.js"], parts["panel.min.js"]
    assert "models/react_component" in panel.names
    assert not {"models/plotly", "models/vega", "models/tabulator"} & panel.names.keys()
    assert {"models/glyphs/hbar", "models/plots/figure", "embed/index"} <= bokeh.names.keys()
    assert (
        not {"models/glyphs/wedge", "models/tiles/tile", "models/ui/examiner"} & bokeh.names.keys()
    )
    # Whatever they ask of each other is there.
    asked = set().union(*(part.asks_elsewhere() for part in parts.values()))
    public = {name for name in asked if "/" in name}
    assert any(name.startswith("models/widgets/") for name in public)
    assert public <= set().union(*(part.names for part in parts.values()))


def page_scripts() -> dict[str, bytes]:
    """What the page loads."""
    return scripts(page().documents)


@pytest.mark.parametrize(
    ("step", "problem"), [("parse", ValueError("no bundle")), ("only", KeyError("models/x"))]
)
def test_what_cannot_be_cut_is_shipped_whole_and_said(
    monkeypatch: pytest.MonkeyPatch, step: str, problem: Exception
) -> None:
    cut = {name: len(script) for name, script in page_scripts().items()}

    def fail(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(Bundle, step, fail)
    with pytest.warns(UserWarning, match="shipped whole: .*(no bundle|models/x)"):
        whole = page_scripts()
    assert list(whole) == [
        *("bokeh.min.js", "bokeh-widgets.min.js", "bokeh-tables.min.js", "panel.min.js")
    ]
    assert all(len(whole[name]) >= size for name, size in cut.items())
    assert b"models/tabulator" in whole["panel.min.js"]
