"""The field's words, each with one sentence: `assets/glossary.toml`, for the page and the docs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from app.assets import read_text


@dataclass(frozen=True)
class Term:
    """A word of the field: how it is written in running text and in labels, what it means."""

    name: str
    means: str
    words: tuple[str, ...]
    labels: tuple[str, ...]


def glossary() -> tuple[Term, ...]:
    """All terms.

    Returns
    -------
    tuple of Term
        By name.
    """
    return tuple(
        Term(
            each["name"],
            each["means"],
            tuple(each.get("words", [each["name"]])),
            tuple(each.get("labels", [each["name"]])),
        )
        for each in tomllib.loads(read_text("glossary.toml"))["term"]
    )
