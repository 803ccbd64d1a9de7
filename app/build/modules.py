"""The page's own modules by their paths, in the browser as in `assets`."""

from __future__ import annotations

from app import assets
from app.build.clients import CLIENTS
from app.build.config import config_module
from app.build.exercises import exercises_module, tries_module
from app.build.explorer import explorer_module
from app.build.page import face_module, page
from app.build.replay import replay_module
from app.contract import LATER_VIEWS, contract_module
from app.exercises.read import shipped_course
from app.exercises.record import Course


def modules(course: Course | None = None) -> dict[str, str]:
    """Source texts of the page's modules.

    Parameters
    ----------
    course : Course, optional
        Other exercises than those that are shipped.

    Returns
    -------
    dict of str to str
        By path; those built from `calc` and from the contract stand in a folder of their
        own, `built`.
    """
    own = {name: assets.read_text(name) for name in assets.names(".mjs") if name not in CLIENTS}
    contents, course = page(), course or shipped_course()
    texts = {
        "arithmetic": contents.arithmetic,
        "formulas": contents.formulas,
        "presets": contents.presets,
        "data": contents.data,
        "contract": contract_module(),
        "replay": replay_module(),
        "explorer": explorer_module(),
        "config": config_module(),
        "exercises": exercises_module(course),
        "tries": tries_module(course),
    } | {f"{view}_face": face_module(view) for view in LATER_VIEWS}
    return own | {f"built/{name}.mjs": text for name, text in texts.items()}
