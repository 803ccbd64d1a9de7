"""The picture of the default state that stands in for the widget while it loads."""

from __future__ import annotations

import re
from urllib.parse import quote

from app.build.first_paint import kept
from app.theme import FONT, TOKENS

#: How long the meter's bar is. [px]
_WIDTH = 860


def placeholder() -> str:
    """The meter and the two speeds as a `data:` address of an SVG, which needs no request.

    Returns
    -------
    str
        Its numbers, and the lengths in its bar, are those that the page shows first.
    """
    token = {name: pair[0] for name, pair in TOKENS.items()}
    shares = dict(re.findall(r"--(\w+)-share: ([\d.]+)", kept()["meter"]))
    weights, cache, limit = (_WIDTH * float(shares[name]) for name in ("weights", "kv", "limit"))
    texts = kept()["texts"]
    memory = texts["meter"]
    speeds = (
        f"{texts['tokens_per_s']} tokens/s together, {texts['tokens_per_s_per_user']} for one user"
    )
    box = f'<rect x="340" y="94" height="34" rx="6" width="{limit:.1f}" fill="{token["sunken"]}"/>'
    return "data:image/svg+xml," + quote(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 800" font-family=\'{FONT}\'>'
        f'<rect width="1280" height="800" fill="{token["page"]}"/>'
        f'<rect x="320" y="24" width="920" height="170" rx="12" fill="{token["card"]}"/>'
        f'<rect x="24" y="24" width="280" height="700" rx="12" fill="{token["card"]}"/>'
        f'<text x="340" y="74" font-size="27" font-weight="700">{memory}</text>{box}'
        f'<rect x="340" y="94" height="34" width="{weights:.1f}" fill="{token["weights"]}"/>'
        f'<rect x="{340 + weights:.1f}" y="94" height="34" width="{cache:.1f}" '
        f'fill="{token["kv"]}"/>'
        f'<rect x="{340 + limit:.1f}" y="88" height="46" width="2" fill="{token["ink"]}"/>'
        f'<text x="340" y="168" font-size="16" fill="{token["muted"]}">{speeds}</text></svg>',
        safe="/:=,.' ",
    )
