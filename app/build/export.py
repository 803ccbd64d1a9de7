"""The page as files: a folder for any static file server, or one file; nothing from elsewhere.

In the folder all assets stand in one folder named after the hash of its contents, so that they can
be cached for ever while `index.html` is looked up anew.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from app import assets
from app.build.bill_of_materials import bill_of_materials
from app.build.chunks import chunks
from app.build.clients import embed_script
from app.build.libraries import localized, scripts
from app.build.licenses import licenses
from app.build.modules import modules
from app.build.page import page
from app.contract import FIRST_VIEW
from app.exercises.record import Course


@dataclass(frozen=True)
class Files:
    """Everything that a page is made of, by name."""

    html: str
    scripts: dict[str, bytes]  # loaded in this order
    modules: dict[str, str]  # the page's own: `boot.mjs`, and views that are asked for later
    style: str
    others: dict[str, bytes]

    def all(self) -> dict[str, bytes]:
        """All but what is in the HTML, as bytes."""
        texts = {name: text.encode() for name, text in self.modules.items()}
        return texts | self.scripts | self.others


@cache
def files_of_page(course: Course | None = None) -> Files:
    """Build the page and gather what belongs to it; `course` as in `modules`."""
    contents = page()
    documents, bundles = localized(contents.documents)
    return Files(
        html=contents.html,
        scripts=scripts(contents.documents),
        modules=chunks(modules(course), "boot.mjs", first=[f"views/{FIRST_VIEW}.mjs"]),
        style=contents.style,
        others=bundles
        | {"documents.json": documents.encode()}
        | {"icon.svg": assets.read_text("icon.svg").encode()},
    )


#: Files of the folder that no visit to the page itself loads.
NOT_LOADED = ("page.html", "embed.js", "example-lesson.html", "licenses.txt", "bom.json")


def loaded_at_first(path: str) -> bool:
    """Whether a first visit loads a file of the folder.

    A view comes when it is asked for, what reads a config.json where there is one.
    """
    return path not in NOT_LOADED and "/views/" not in path and "/config/" not in path


@cache
def exported(course: Course | None = None) -> dict[str, bytes]:
    """Every file of the exported folder by its path in it; `course` as in `modules`."""
    page_files = files_of_page(course)
    contents = page_files.all()
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(name.encode() + b"\0" + contents[name])
    folder = f"assets-{digest.hexdigest()[:12]}"
    bundle = next(name for name in page_files.others if name.endswith(".bundle.js"))
    head = [
        f'<link rel="icon" href="{folder}/icon.svg" type="image/svg+xml">',
        '<link rel="license" href="licenses.txt">',
        # Inside, and no module asked for yet: both would delay the first numbers.
        f"<style>{page_files.style}</style>",
        head_script(f"./{folder}/boot.mjs"),
        '<template id="libraries">',
        *(f'<link rel="preload" as="script" href="{folder}/{s}">' for s in page_files.scripts),
        f'<link rel="modulepreload" href="{folder}/{bundle}">',
        "</template>",
    ]
    html = filled(page_files.html, head=head, scripts=page_files.scripts, blocks=[])
    beside = {
        "index.html": html,
        "page.html": single_file(course),
        "embed.js": embed_script(),
        "example-lesson.html": assets.read_text("example-lesson.html"),
    }
    shipped = {name: text.encode() for name, text in beside.items()} | {
        f"{folder}/{name}": content for name, content in contents.items()
    }
    notices = {"licenses.txt": licenses(contents), "bom.json": bill_of_materials(shipped)}
    return shipped | {name: text.encode() for name, text in notices.items()}


def single_file(course: Course | None = None) -> str:
    """The page as one HTML file that opens from disk, with everything inside.

    Parameters
    ----------
    course : Course, optional
        As in `modules`.

    Notes
    -----
    Browsers refuse module files from `file://`. Here the modules are `data:` addresses in
    an import map, and the libraries inert blocks that the page turns into scripts.
    """
    page_files = files_of_page(course)
    imports = {
        name: "data:text/javascript;base64," + b64encode(from_top(name, source).encode()).decode()
        for name, source in page_files.modules.items()
    }
    icon = b64encode(page_files.others["icon.svg"]).decode()
    head = [
        f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">',
        f"<style>{page_files.style}</style>",
        f'<script type="importmap">{json.dumps({"imports": imports})}</script>',
        head_script("boot.mjs"),
    ]
    inside = page_files.scripts | page_files.others
    inside["licenses.txt"] = licenses(page_files.all()).encode()
    blocks = [
        f'<script type="text/plain" data-file="{name}">{inert(content.decode())}</script>'
        for name, content in inside.items()
        if not name.endswith(".svg")
    ]
    return filled(page_files.html, head=head, scripts=page_files.scripts, blocks=blocks)


def head_script(entry: str) -> str:
    """The script that runs before the first paint, and starts the modules from their entry."""
    return f'<script data-entry="{entry}">{assets.read_text("head.js")}</script>'


def from_top(name: str, source: str) -> str:
    """A module that names others by their whole paths, instead of from where it stands."""

    def whole(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))
        return f'{match[1]}"{path}"'

    return re.sub(r'\b(from |import\()"(\.[\w./]+)"', whole, source)


def filled(html: str, *, head: list[str], scripts: Iterable[str], blocks: list[str]) -> str:
    """The page's HTML with its three places filled in."""
    places = {"{head}": "\n".join(head), "{scripts}": " ".join(scripts)}
    places["{blocks}"] = "\n".join(blocks)
    return re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], html)


def inert(source: str) -> str:
    """A library's source that cannot end, or begin, a script element of the page."""
    # In JavaScript and JSON these stand only inside strings, where this is the same character.
    return re.sub(r"<(?=/script|script|!--)", r"\\u003c", source, flags=re.IGNORECASE)
