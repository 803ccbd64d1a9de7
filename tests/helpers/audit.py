"""What is known against the pinned packages: `make audit`.

Two clients ask the registries that they are set up with. Neither may call silence an answer:
pip-audit ends well when its index knows nothing of vulnerabilities, hence the look at each package.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.helpers.node import node

ROOT = Path(__file__).parents[2]

#: Takes packages as a lock names them; gives pip-audit's JSON, or nothing if it has none.
Ask = Callable[[list[str]], str]


@dataclass(frozen=True)
class Answer:
    """A line for each thing known, and the names of the packages that nobody answered for."""

    known: list[str]
    unanswered: list[str]


def pins() -> list[str]:
    """Every `name==version` of all locks, whichever Python and platform it is for."""
    locks = (lock.read_text() for lock in ROOT.glob("requirements*.lock"))
    return sorted({pin for lock in locks for pin in re.findall(r"^[\w.-]+==[^\s;]+", lock, re.M)})


def rounds(pinned: list[str]) -> list[list[str]]:
    """The same, each package once in a list: pip-audit takes one version of it at a time."""
    versions = defaultdict(list)
    for pin in pinned:
        versions[pin.partition("==")[0]].append(pin)
    return [[pin for pin in row if pin] for row in zip_longest(*versions.values())]


def ask_pip_audit(pinned: list[str]) -> str:
    """What pip-audit prints, which looks nothing up but these."""
    program = Path(sys.executable).parents[1] / "audit/bin/pip-audit"
    options = ["--disable-pip", "--no-deps", "--format=json", "--progress-spinner=off"]
    with TemporaryDirectory() as folder:
        names = Path(folder) / "names.txt"
        names.write_text("\n".join(pinned))
        command = [program, *options, "--requirement", names]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def of_python(pinned: list[str], ask: Ask = ask_pip_audit) -> Answer:
    """What is known against these packages."""
    # One first: where nobody answers, the others need not be asked.
    known, unanswered = _answered(pinned[:1], ask)
    if unanswered:
        return Answer([], pinned)
    for some in rounds(pinned[1:]):
        more, silent = _answered(some, ask)
        known, unanswered = known + more, unanswered + silent
    return Answer(known, unanswered)


def _answered(pinned: list[str], ask: Ask) -> tuple[list[str], list[str]]:
    answer = ask(pinned)
    if not answer:
        return [], pinned
    packages = json.loads(answer)["dependencies"]
    known = [
        f"{each['name']} {each['version']}: {one['id']}, "
        f"mended in {', '.join(one['fix_versions']) or 'no version yet'}"
        for each in packages
        for one in each.get("vulns", [])
    ]
    return known, [each["name"] for each in packages if "vulns" not in each]


def ask_npm() -> str:
    """What `npm audit` prints of package-lock.json."""
    program = node()
    if not program:
        return ""
    # npm is a script that looks for its Node on the path.
    path = os.pathsep.join([str(Path(program).parent), os.environ.get("PATH", "")])
    return subprocess.run(
        ["npm", "audit", "--json", "--package-lock-only"],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def of_node(ask: Callable[[], str] = ask_npm) -> Answer:
    """What is known against the packages of package-lock.json."""
    answer = json.loads(ask() or "{}")
    if "vulnerabilities" not in answer:
        return Answer([], ["package-lock.json"])
    known = answer["vulnerabilities"].values()
    return Answer([f"{each['name']} {each['range']}: {each['severity']}" for each in known], [])


def told(kind: str, answer: Answer) -> int:
    """Print what is known of one kind; the exit code of `main` for it alone."""
    for line in answer.known:
        print(f"{kind}: {line}")
    if count := len(answer.unanswered):
        which = ", ".join(answer.unanswered[:3]) + (f" and {count - 3} more" if count > 3 else "")
        print(f"{kind}: no answer for {which}; run `make audit` where the registry has one.")
    elif not answer.known:
        print(f"{kind}: nothing known.")
    return 1 if answer.known else 2 if answer.unanswered else 0


def main() -> int:
    """Say it; 0 = nothing is known, 1 = something is, 2 = nothing, but not all was answered."""
    codes = {told("Python's packages", of_python(pins())), told("Node's packages", of_node())}
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
