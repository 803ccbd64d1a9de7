from __future__ import annotations

import json
import re
import subprocess
import sys

from app.build.export import exported, from_top, inert

#: A namespace, and an example in a sentence.
NAMES = re.compile(rb"http://www\.w3\.org/2000/svg|https://lms\.example")


def test_nothing_points_outside():
    for path, content in exported().items():
        if path in ("page.html", "bom.json"):
            # One has Bokeh inside, whose source names hosts; a browser test watches it. The other
            # says whose the libraries are, in their words; nothing loads it.
            continue
        if path.endswith((".html", ".json", ".css", ".mjs")):
            assert not re.search(rb"https?://", NAMES.sub(b"", content)), path


def test_everything_that_is_named_is_there():
    files = exported()
    html = files["index.html"].decode()
    named = set(re.findall(r'(?:href|src)="([^"#][^"]*)"', html))
    assert named <= set(files)
    (folder,) = {path.split("/")[0] for path in files if "/" in path}
    documents = json.loads(files[f"{folder}/documents.json"])
    text = json.dumps(documents)
    for name in re.findall(r"\{assets\}/([^\"]+)", text):
        assert f"{folder}/{name}" in files
    assert "{assets}" not in html


def test_the_same_page_gives_the_same_files():
    script = (
        "import hashlib; from app.build.export import exported, inert; "
        "print(hashlib.sha256(repr(sorted(exported().items())).encode()).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_what_is_inside_the_single_file_cannot_end_it():
    source = json.dumps({"text": "</script><!-- <SCRIPT> a < b", "count": 1})
    packed = inert(source)
    assert "</script" not in packed
    assert "<!--" not in packed
    assert json.loads(packed) == json.loads(source)


def test_a_module_inside_the_single_file_names_others_by_their_whole_paths():
    source = 'import {modules} from "../boot.mjs";\nconst later = () => import("./part.mjs");\n'
    assert from_top("views/far.mjs", source) == (
        'import {modules} from "boot.mjs";\nconst later = () => import("views/part.mjs");\n'
    )
