"""What the type check is told of the built modules is what the build writes."""

from __future__ import annotations

import re

from app.assets import read_text
from app.build.data import page_data


def test_data_is_declared_by_its_keys():
    declared = re.findall(r"^  (\w+): ", read_text("built/data.d.mts").partition("\n};")[0], re.M)
    assert sorted(declared) == sorted(page_data())
