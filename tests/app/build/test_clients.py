"""What a lesson and a notebook get is one piece each, of the same parts."""

from __future__ import annotations

import re

import pytest

from app.build.clients import CLIENTS, embed_script, notebook_module
from app.build.modules import modules
from app.contract import contract_module

PIECES = {"embed": embed_script, "notebook": notebook_module}


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
def test_nothing_is_left_to_import_and_nothing_there_twice(piece):
    text = piece()
    assert not re.search(r"^\s*import\b", text, re.M)
    assert text.count("class Client ") == 1
    for line in contract_module().splitlines():
        assert text.count(line.removeprefix("export ")) == 1


def test_a_lesson_s_script_is_classic_and_a_notebook_s_a_module():
    assert embed_script().startswith('(() => {\n"use strict";\n')
    assert "export " not in re.sub("//.*", "", embed_script())
    assert re.findall(r"^export (.*?)\(", notebook_module(), re.M) == ["function render"]


def test_the_page_does_not_load_them():
    assert modules().keys().isdisjoint(CLIENTS)
    assert "contract/messages.mjs" in modules()
