"""What a first visit transfers."""

from __future__ import annotations

import brotli

from app.build.export import exported, loaded_at_first

#: With Bokeh 3.9 and 3.10, whichever is heavier. [B]
AT_MOST = 695_000


def test_the_page_weighs_no_more_than_it_did():
    loaded = [content for path, content in exported().items() if loaded_at_first(path)]
    assert sum(len(brotli.compress(content)) for content in loaded) < AT_MOST
