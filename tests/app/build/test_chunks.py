"""Modules joined into one: run in Node, as the browser would."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from app.build.chunks import SHARED, chunk, chunks
from app.build.modules import modules
from app.contract import LATER_VIEWS
from tests.helpers.node import node

#: Two views over one core, of which one comes with the entry.
SOURCES = {
    "boot.mjs": """// Starts.
import {shell} from "./shell.mjs";
export const started = shell();
""",
    "shell.mjs": """const VIEWS = {
  near: () => import("./views/near.mjs"),
  far: () => import("./views/far.mjs"),
};
export async function shell() {
  const {view} = await VIEWS.near();
  return [view(), await VIEWS.far()];
}
""",
    "core/count.mjs": """/**
 * How often it was asked: one list for all.
 */
const asked = [];
export function count(who) { asked.push(who); return asked.length; }
export function* each(...names) { yield* names; }
export class Kept { static of(...names) { return names; } }
export default {unit: "times"};
""",
    "core/words.mjs": """import words, {x} from "./none.mjs";
""",
    "parts/part.mjs": """import unit from "../core/count.mjs";
import * as all from "../core/count.mjs";
import {
  count as counted,
  Kept,
} from "../core/count.mjs";
const count = "a name // that another module has too";   // a comment that goes
export const part = name =>
  [counted(name), unit.unit, all.Kept === Kept, [...all.each(count)].length > 0];
""",
    "views/near.mjs": """import {part} from "../parts/part.mjs";
export const view = () => part("near");
""",
    "views/far.mjs": """import {part} from "../parts/part.mjs";
import {only} from "../parts/only.mjs";
export const view = () => [part("far"), only];
""",
    "parts/only.mjs": """export const only = "here";
""",
}


def joined() -> dict[str, str]:
    return chunks(SOURCES, "boot.mjs", first=["views/near.mjs"])


def test_what_comes_first_is_one_file_and_what_comes_later_another():
    files = joined()
    assert files.keys() == {"boot.mjs", "views/far.mjs"}
    assert "only" not in files["boot.mjs"]
    assert "asked.push" not in files["views/far.mjs"]


def test_another_view_does_not_make_the_first_one_heavier():
    more = SOURCES | {
        "views/far.mjs": SOURCES["views/far.mjs"] + "export const weight = 1;\n" * 1000
    }
    files = chunks(more, "boot.mjs", first=["views/near.mjs"])
    assert files["boot.mjs"] == joined()["boot.mjs"]


def test_each_module_runs_once_under_its_own_names(tmp_path):
    for path, text in joined().items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "run.mjs").write_text(
        'import {modules, started} from "./boot.mjs";\n'
        "const [near, far] = await started;\n"
        'const {count} = modules["core/count.mjs"];\n'
        'console.log(JSON.stringify([near, far.view(), count("test")]));\n'
    )
    run = subprocess.run(
        [node(), "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    near = [1, "times", True, True]
    assert json.loads(run.stdout) == [near, [[2, "times", True, True], "here"], 3]


def test_what_two_later_views_need_runs_once_and_not_at_first(tmp_path):
    more = SOURCES | {
        "shell.mjs": """export const shell = () =>
  Promise.all([import("./views/far.mjs"), import("./views/farther.mjs")]);
""",
        "views/farther.mjs": """import {only} from "../parts/only.mjs";
import {count} from "../core/count.mjs";
export const view = () => [only, count("farther")];
""",
        "parts/only.mjs": """import {count} from "../core/count.mjs";
const n = count("only");
export const only = `here ${n}`;
""",
    }
    files = chunks(more, "boot.mjs", first=["views/near.mjs"])
    assert files.keys() == {"boot.mjs", "views/far.mjs", "views/farther.mjs", SHARED}
    assert [path for path, text in files.items() if "here $" in text] == [SHARED]
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "run.mjs").write_text(
        'import {started} from "./boot.mjs";\n'
        "const [far, farther] = await started;\n"
        "console.log(JSON.stringify([farther.view(), far.view()[1]]));\n"
    )
    run = subprocess.run(
        [node(), "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == [["here 1", 2], "here 1"]


def test_comments_are_left_out():
    text = chunk("parts/part.mjs", SOURCES)
    assert "How often" not in text
    assert "a name // that another" in text
    assert "a comment that goes" not in text


def test_a_form_that_cannot_be_joined_is_refused():
    with pytest.raises(ValueError, match=r"core/words\.mjs cannot be joined"):
        chunk("parts/x.mjs", SOURCES | {"parts/x.mjs": 'import {y} from "../core/words.mjs";\n'})


def test_a_name_that_is_not_exported_is_refused():
    with pytest.raises(
        ValueError, match=r"imports \{'less'\}, which parts/only\.mjs does not export"
    ):
        chunk("parts/x.mjs", SOURCES | {"parts/x.mjs": 'import {only, less} from "./only.mjs";\n'})


def test_the_page_has_all_its_modules_in_a_file_for_each_view():
    sources = modules()
    files = chunks(sources, "boot.mjs", first=["views/widget.mjs"])
    later = {f"views/{view}.mjs" for view in LATER_VIEWS} | {"core/config/own.mjs"}
    assert files.keys() == {"boot.mjs", *later, SHARED}
    for path in sources.keys() - files.keys():
        name = "$" + re.sub(r"\W", "_", path.removesuffix(".mjs"))
        assert sum(f"const {name} = (" in each for each in files.values()) == 1, (
            f"{path} is on no page"
        )
    # What only the exercises need makes the first view no heavier, nor the lab's.
    assert "const $built_exercises = (" in files["views/exercises.mjs"]
    assert "const $built_replay = (" in files[SHARED]
    assert "const $built_config = (" in files["core/config/own.mjs"]
