"""The headers that say what the page may do, and who may show it in a frame."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from app.server.command import OptionError, excerpt

# Bokeh and Panel run without 'unsafe-eval': the page has no CustomJS, whose code they compile
# from text. Nothing is written into the HTML once it is built: what scripts it has inside are
# allowed by their hashes, so that none needs 'unsafe-inline'.
_POLICY = {
    "default-src": "'none'",
    # blob: is how Panel's ReactComponent (panel.min.js) imports each Material control's code.
    "script-src": "'self' blob:",
    # Bokeh (bokeh.min.js) puts a <style> into the shadow root of every view: some 1,900.
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",  # the icon; the picture that stands in for an embedded page
    "connect-src": "'self'",  # documents.json
    "frame-src": "'self'",  # a lesson beside the page shows it in frames
    "base-uri": "'none'",
    "form-action": "'none'",
}

#: The single file has everything inside: inline and data: scripts, and no connection at all.
_SINGLE_FILE = _POLICY | {
    "script-src": "'unsafe-inline' data: blob:",
    "style-src": "'unsafe-inline' blob:",
    "img-src": "data:",
    "connect-src": "'none'",
    "frame-src": "'none'",
}

_ORIGIN = re.compile(
    r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:(?P<port>[0-9]{1,5}))?", re.IGNORECASE
)


_INSIDE = re.compile(rb"<script\b[^>]*>(.+?)</script>", re.DOTALL)


def headers(
    frame_ancestors: str, *, html: bytes = b"", single_file: bool = False
) -> dict[str, str]:
    """The security headers of every answer.

    Parameters
    ----------
    frame_ancestors : str
        Who may show the page in a frame: origins separated by spaces, `'self'`, `'none'`,
        or `*` for everybody.
    html : bytes
        The page's own. The scripts that it has inside may run.
    single_file : bool
        For the page as one file, whose scripts are inside.

    Raises
    ------
    OptionError
        It is none of these.
    """
    policy = dict(_SINGLE_FILE if single_file else _POLICY)
    if not single_file:
        hashes = [b64encode(sha256(script).digest()).decode() for script in _INSIDE.findall(html)]
        policy["script-src"] += "".join(f" 'sha256-{each}'" for each in hashes)
    # A literal * would still refuse lessons opened from disk, and sandboxed ones.
    if (ancestors := _ancestors(frame_ancestors)) != "*":
        policy["frame-ancestors"] = ancestors
    return {
        "Content-Security-Policy": "; ".join(" ".join(each) for each in policy.items()),
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def _ancestors(frame_ancestors: str) -> str:
    sources = frame_ancestors.split()
    if sources in (["*"], ["'none'"]):
        return sources[0]
    for source in sources or ['""']:
        origin = _ORIGIN.fullmatch(source)
        if source != "'self'" and not (origin and int(origin["port"] or 0) < 65536):
            raise OptionError(
                f"frame-ancestors: {excerpt(source)} is not allowed here; write origins such as "
                "https://lms.example and 'self', or 'none' or * alone"
            )
    return " ".join(sources)
