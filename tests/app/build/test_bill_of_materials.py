"""The bill of materials is CycloneDX and leaves nothing out."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from importlib.metadata import distribution, version
from pathlib import Path

import pytest

from app.build.bill_of_materials import bill_of_image, bill_of_materials
from app.build.export import exported
from app.build.licenses import libraries

ROOT = Path(__file__).parents[3]
PAGE = exported()["bom.json"].decode()
#: Of the schema's many kinds and of SPDX's many licences, those that we use.
KINDS = {"application", "container", "file", "library", "operating-system", "platform"}
LICENCES = {"0BSD", "Apache-2.0", "BSD-3-Clause", "ISC", "MIT", "PSF-2.0"}
FIELDS = {
    *("type", "bom-ref", "name", "version", "licenses", "copyright", "purl", "hashes"),
    *("evidence", "components"),
}


@pytest.fixture(scope="module")
def image(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("image")
    (folder / "bom.json").write_text(PAGE, "utf-8")
    installed = Path(distribution("tornado").locate_file("tornado")).parent
    (information,) = installed.glob("tornado-*.dist-info")
    (folder / "site").mkdir()
    (folder / "site" / information.name).symlink_to(information)
    return bill_of_image(folder, folder / "site", "python:3.13-slim")


def components(text: str) -> list[dict[str, object]]:
    """All of them, those inside others too."""
    asked, found = json.loads(text)["components"], []
    while asked:
        found.append(asked.pop(0))
        asked += found[-1].get("components", [])
    return found


def names(text: str, kind: str) -> dict[str, dict[str, object]]:
    """Of one kind, by name; one of several packages is named like a package inside it."""
    every = [each for each in components(text) if each["type"] == kind]
    return {each["name"]: each for each in reversed(every)}


@pytest.mark.parametrize("which", ["page", "image"])
def test_structure(which, image):
    text = {"page": PAGE, "image": image}[which]
    content = json.loads(text)
    assert content.keys() == {"bomFormat", "specVersion", "version", "metadata", "components"}
    assert [content[key] for key in ("bomFormat", "specVersion", "version")] == [
        *("CycloneDX", "1.6", 1)
    ]
    subject = content["metadata"]["component"]
    assert f'version = "{subject["version"]}"' in (ROOT / "pyproject.toml").read_text()
    every = [subject, *components(text)]
    references = [each["bom-ref"] for each in every]
    assert len(references) == len(set(references))
    for each in every:
        assert each["type"] in KINDS
        assert each["name"]
        assert each.keys() <= FIELDS
        assert {one["license"]["id"] for one in each.get("licenses", [])} <= LICENCES
        assert re.fullmatch(r"pkg:(pypi|npm)/\S+|", each.get("purl", ""))
        assert "@" not in each.get("purl", "").partition("@")[2]


def test_every_file_is_in_it_with_its_hash():
    listed = {name: each["hashes"][0]["content"] for name, each in names(PAGE, "file").items()}
    assert listed == {
        path: hashlib.sha256(content).hexdigest()
        for path, content in exported().items()
        if path not in ("licenses.txt", "bom.json")
    }


def test_every_library_is_in_it_with_whose_it_is_and_where():
    listed = names(PAGE, "library")
    shipped = {path.rpartition("/")[2] for path in exported()}
    for library in libraries():
        component = listed.get(library.name)
        assert bool(component) == bool(library.files(exported() | {"licenses.txt": b""}))
        if component:
            assert component["licenses"]
            assert component["copyright"]
            assert all(line in component["copyright"] for line in library.copyright)
            assert set(library.parts) <= listed.keys()
            places = {one["location"] for one in component["evidence"]["occurrences"]}
            assert "page.html" in places
            assert {place.rpartition("/")[2] for place in places} <= shipped
    for package in ("bokeh", "panel", "panel-material-ui"):
        purls = [each.get("purl") for each in listed.values()]
        assert f"pkg:pypi/{package}@{version(package)}" in purls


def test_every_bundle_is_somebody_s():
    libraries_in = [
        each["evidence"]["occurrences"] for each in components(PAGE) if "evidence" in each
    ]
    places = {one["location"] for some in libraries_in for one in some}
    assert {path for path in exported() if re.search(r"\.js$|\.css$", path)} - places <= {
        "embed.js"
    }


def test_every_notice_of_the_text_is_in_it():
    titles = set(re.findall(r"^(.+)\n=+\n\nIn ", exported()["licenses.txt"].decode(), re.M))
    assert titles <= names(PAGE, "library").keys()
    assert len(titles) > 20


def test_the_image_has_its_base_its_python_and_what_serves(image):
    assert "python:3.13-slim" in names(image, "container")
    assert names(image, "platform")["CPython"]["version"] == platform.python_version()
    tornado = names(image, "library")["tornado"]
    assert tornado["purl"] == f"pkg:pypi/tornado@{version('tornado')}"
    assert tornado["licenses"] == [{"license": {"id": "Apache-2.0"}}]
    page = {each["bom-ref"] for each in components(PAGE)}
    assert page < {each["bom-ref"] for each in components(image)}


def test_the_same_files_give_the_same_bill(image):
    files = exported()
    code = {path: files[path] for path in files if path not in ("licenses.txt", "bom.json")}
    again = bill_of_materials(code)
    assert again == PAGE
    for text in (PAGE, image):
        assert not {"serialNumber", "timestamp"} & set(re.findall(r'"(\w+)":', text))
        assert str(ROOT) not in text


def test_the_dockerfile_makes_it_and_ships_it():
    text = (ROOT / "Dockerfile").read_text()
    command = r'python -m app\.build\.bill_of_materials /page /site "\$\{BASE\}" > bom\.json'
    assert re.search(command, text)
    assert re.search(r"^COPY --from=build /src/bom\.json /site/bom\.json$", text, re.M)
