"""What is answered to a request: a file of the page, that the server is well, or a refusal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import unquote

from tornado.httputil import HTTPHeaders

from app.server import security
from app.server.files import File


@dataclass(frozen=True)
class Answer:
    """A status, headers (all but the date) and a body."""

    status: HTTPStatus
    headers: HTTPHeaders
    body: bytes


class Answers:
    """The answers over the files of an exported page, all made before anybody asks.

    Parameters
    ----------
    files : dict of str to File
        By path in the folder.
    frame_ancestors : str
        Who may show the page in a frame, as `security.headers` takes it.
    """

    def __init__(self, files: dict[str, File], frame_ancestors: str) -> None:
        html = files["index.html"].forms[""].body
        self._common = {
            "Server": "decode-arithmetic",
            **security.headers(frame_ancestors, html=html),
        }
        single_file = security.headers(frame_ancestors, single_file=True)
        self._files = files
        self._forms = {
            (name, encoding): self._form(file, encoding, single_file if name == "page.html" else {})
            for name, file in files.items()
            for encoding in file.forms
        }
        self._health = self._plain(HTTPStatus.OK, "ok")
        self._missing = self._plain(HTTPStatus.NOT_FOUND)
        self._refusal = self._plain(HTTPStatus.METHOD_NOT_ALLOWED, Allow="GET, HEAD")

    def to(self, method: str, target: str, headers: HTTPHeaders) -> Answer:
        """The answer to a request; only names that were read at the start are found."""
        if method not in ("GET", "HEAD"):
            return self._refusal
        # A proxy may name all of the address.
        path = re.sub("^https?://[^/?]*", "", target, flags=re.IGNORECASE).partition("?")[0]
        if path == "/healthz":
            return self._health
        name = unquote(path).removeprefix("/") or "index.html"
        file = self._files.get(name)
        if not file:
            return self._missing
        full, not_modified = self._forms[name, file.encoding(headers.get("Accept-Encoding", ""))]
        return not_modified if _has(headers.get("If-None-Match", ""), full) else full

    def _form(self, file: File, encoding: str, more: dict[str, str]) -> tuple[Answer, Answer]:
        """A form of a file: all of it; and for who has it."""
        form = file.forms[encoding]
        headers = HTTPHeaders(self._common | more)
        # Public files, the same for everybody: a sandboxed frame has no origin of its own.
        headers["Access-Control-Allow-Origin"] = "*"
        headers["Cache-Control"] = file.cache_control
        headers["ETag"] = form.etag
        headers["Vary"] = "Accept-Encoding"
        not_modified = Answer(HTTPStatus.NOT_MODIFIED, headers.copy(), b"")
        headers["Content-Type"] = file.media_type
        headers["Content-Length"] = str(len(form.body))
        if encoding:
            headers["Content-Encoding"] = encoding
        return Answer(HTTPStatus.OK, headers, form.body), not_modified

    def _plain(self, status: HTTPStatus, text: str = "", **more: str) -> Answer:
        body = f"{text or f'{status.value} {status.phrase}'}\n".encode()
        headers = HTTPHeaders(self._common | more)
        headers["Cache-Control"] = "no-store"
        headers["Content-Type"] = "text/plain; charset=utf-8"
        headers["Content-Length"] = str(len(body))
        return Answer(status, headers, body)


def _has(if_none_match: str, answer: Answer) -> bool:
    return if_none_match == "*" or answer.headers["ETag"] in re.findall(r'"[^"]*"', if_none_match)
