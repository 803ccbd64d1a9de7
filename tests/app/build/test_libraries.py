"""What the page loads of Bokeh and Panel: no more than it needs, or all of it."""

from __future__ import annotations

import pytest

from app.build.bundles import Bundle
from app.build.libraries import scripts


def test_the_page_loads_no_more_of_panel_than_it_uses():
    texts = {n: s.decode() for n, s in scripts().items() if n != "bokeh.min.js"}
    parts = {name: Bundle.parse(text) for name, text in texts.items()}
    assert "models/react_component" in parts["panel.min.js"].names
    assert (
        not {"models/plotly", "models/vega", "models/tabulator"}
        & parts["panel.min.js"].names.keys()
    )
    # Whatever it asks of Bokeh's other bundles is there, the rest is Bokeh's own.
    asked = parts["panel.min.js"].asks_elsewhere()
    widgets = {name for name in asked if name.startswith("models/widgets/")}
    assert widgets
    assert widgets <= set().union(*(bundle.names for bundle in parts.values()))


@pytest.mark.parametrize(
    ("step", "problem"), [("parse", ValueError("no bundle")), ("only", KeyError("models/x"))]
)
def test_what_cannot_be_cut_is_shipped_whole_and_said(
    monkeypatch: pytest.MonkeyPatch, step: str, problem: Exception
) -> None:
    cut = {name: len(script) for name, script in scripts().items()}

    def fail(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(Bundle, step, fail)
    with pytest.warns(UserWarning, match="shipped whole: .*(no bundle|models/x)"):
        whole = scripts()
    assert list(whole) == [
        *("bokeh.min.js", "bokeh-widgets.min.js", "bokeh-tables.min.js", "panel.min.js")
    ]
    assert all(len(whole[name]) >= size for name, size in cut.items())
    assert b"models/tabulator" in whole["panel.min.js"]
