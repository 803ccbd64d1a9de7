"""What is shipped, as a CycloneDX bill of materials: the page's, and the image's around it.

`python -m app.build.bill_of_materials PAGE PACKAGES BASE` prints the image's: an exported folder,
the folder with its installed packages, and the name of the image that it stands on.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from typing import Any

from app.build.licenses import Library, libraries

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"

#: What old packages call a licence → its SPDX identifier.
_SPDX = {"BSD": "BSD-3-Clause"}


def bill_of_materials(files: Mapping[str, bytes]) -> str:
    """The page's bill of materials.

    Parameters
    ----------
    files : mapping of str to bytes
        What an exported folder holds of code, by path.

    Returns
    -------
    str
        CycloneDX 1.6 as JSON: each library with its licence, its notice and the files that hold
        it, then each file with its hash. Nothing in it differs from one export to the next.
    """
    there = [(library, names) for library in libraries() if (names := library.files(files))]
    return _document(
        "decode-arithmetic",
        [_component(library, names) for library, names in there]
        + [_file(path, content) for path, content in files.items()],
    )


def bill_of_image(page: Path, packages: Path, base: str) -> str:
    """The image's: its base, Python and its packages, then what the page ships.

    Parameters
    ----------
    page : Path
        An exported folder.
    packages : Path
        Where the image's packages are installed.
    base : str
        The image that it stands on. Its Python, of which this must be run, is the image's.
    """
    system = platform.freedesktop_os_release()
    components = json.loads((page / "bom.json").read_text("utf-8"))["components"]
    return _document(
        "decode-arithmetic image",
        [
            {"type": "container", "bom-ref": "base", "name": base},
            {
                "type": "operating-system",
                "bom-ref": "system",
                "name": system["ID"],
                "version": system.get("VERSION_ID", ""),
            },
            {
                "type": "platform",
                "bom-ref": "python",
                "name": platform.python_implementation(),
                "version": platform.python_version(),
                "licenses": _licences("PSF-2.0"),
            },
            *sorted(map(_package, distributions(path=[str(packages)])), key=lambda c: c["bom-ref"]),
            *components,
        ],
    )


def _document(name: str, components: list[dict[str, Any]]) -> str:
    subject = {
        "type": "application",
        "bom-ref": "decode-arithmetic",
        "name": name,
        "version": _version(),
        "licenses": _licences("BSD-3-Clause"),
    }
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": subject},
        "components": components,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _version() -> str:
    if _PROJECT.is_file():
        return str(tomllib.loads(_PROJECT.read_text("utf-8"))["project"]["version"])
    return distribution("decode-arithmetic").version


def _component(library: Library, names: list[str]) -> dict[str, Any]:
    """A library of the page. Of one inside a bundle nobody knows the version."""
    if library.distribution:
        component = _package(distribution(library.distribution)) | {"name": library.name}
    else:
        component = {
            "type": "library",
            "bom-ref": f"page/{library.name}",
            "name": library.name,
            "licenses": _licences(library.licence or library.text),
        }
    component["copyright"] = "\n".join(library.copyright) or _copyright(library.notice())
    component["evidence"] = {"occurrences": [{"location": name} for name in names]}
    component["components"] = [
        {
            "type": "library",
            "bom-ref": (purl := f"pkg:npm/{part.replace('@', '%40')}"),
            "name": part,
            "purl": purl,
        }
        for part in library.parts
    ]
    return component


def _copyright(notice: str) -> str:
    """The lines of a licence that say whose it is."""
    return "\n".join(re.findall(r"^.*\bcopyright (?:\(c\)|©|\d).*$", notice, re.I | re.M))


def _package(package: Distribution) -> dict[str, Any]:
    metadata = package.metadata.json
    purl = f"pkg:pypi/{package.name.lower()}@{package.version}"
    licence = str(metadata.get("license_expression") or metadata["license"])
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "licenses": _licences(_SPDX.get(licence, licence)),
        "purl": purl,
    }


def _licences(identifier: str) -> list[dict[str, Any]]:
    return [{"license": {"id": identifier}}]


def _file(path: str, content: bytes) -> dict[str, Any]:
    digest = hashlib.sha256(content).hexdigest()
    hashes = [{"alg": "SHA-256", "content": digest}]
    return {"type": "file", "bom-ref": f"file/{path}", "name": path, "hashes": hashes}


def main() -> None:
    """Print the image's."""
    page, packages, base = sys.argv[1:]
    print(bill_of_image(Path(page), Path(packages), base), end="")


if __name__ == "__main__":
    main()
