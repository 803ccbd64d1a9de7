"""The picture of the default state that stands in for the widget while it loads."""

from __future__ import annotations

from urllib.parse import quote

from app.build.first_paint import kept
from app.theme import FONT, TOKENS
from calc import Report


def placeholder(report: Report) -> str:
    """The meter and the two speeds as a `data:` address of an SVG.

    Parameters
    ----------
    report : Report
        Of the default scenario.

    Returns
    -------
    str
        Address that needs no request. Its numbers are the page's own; a test compares them.
    """
    token = {name: pair[0] for name, pair in TOKENS.items()}
    width, end = 860.0, 1.25 * report.hbm_bytes
    weights, cache, limit = (
        width * float(each) / end
        for each in (report.weight_bytes, report.kv_bytes, report.hbm_bytes)
    )
    texts = kept()["texts"]
    memory = texts["meter"]
    speeds = (
        f"{texts['tokens_per_s']} tokens/s together, {texts['tokens_per_s_per_user']} for one user"
    )
    box = f'<rect x="340" y="94" height="34" rx="6" width="{width}" fill="{token["sunken"]}"/>'
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
