from __future__ import annotations

from hypothesis import settings

# How long an example takes says nothing here: another program may be using the machine.
settings.register_profile("calc", deadline=None)
settings.load_profile("calc")
