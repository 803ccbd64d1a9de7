"""The page, built once: needs Panel and Bokeh."""
