"""Pin the images that ours stand on: `make bases` writes each one's digest behind its tag.

It asks the registry by docker or by skopeo, whichever is here. What changed is to be tried, and
committed; without a digest a tag means whatever the registry gives that day.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

#: Where each file names an image; the tag is what stands before any digest.
NAMES = {
    "Dockerfile": re.compile(r"(?<=^ARG BASE=)(\S+?)(@\S+)?$", re.M),
    "compose.yaml": re.compile(r"(?<=^    image: )(\S+?)(@\S+)?$", re.M),
}

#: Programs that know a registry, with the words that ask for the digest of a tag.
PROGRAMS = {
    "docker": ["buildx", "imagetools", "inspect", "--format", "{{.Manifest.Digest}}", "{}"],
    "skopeo": ["inspect", "--no-tags", "--format", "{{.Digest}}", "docker://{}"],
}


def digest(tag: str) -> str | None:
    """What the registry has under a tag now; nothing where nobody can be asked."""
    for program, words in PROGRAMS.items():
        if path := shutil.which(program):
            # The format has braces of its own.
            command = [path, *words[:-1], words[-1].replace("{}", tag)]
            answer = subprocess.run(command, capture_output=True, text=True, check=False)
            if re.fullmatch(r"sha256:[0-9a-f]{64}", answer.stdout.strip()):
                return answer.stdout.strip()
    return None


def main() -> int:
    """Pin all, or none."""
    texts = {name: Path(name).read_text() for name in NAMES}
    tags = {match[1] for name, text in texts.items() for match in NAMES[name].finditer(text)}
    digests = {tag: digest(tag) for tag in sorted(tags)}
    if missing := [tag for tag in digests if not digests[tag]]:
        said = f"No registry told the digest of {' and '.join(missing)}: nothing is changed."
        print(f"{said} Run this where docker or skopeo reaches one.", file=sys.stderr)
        return 1
    for name, text in texts.items():
        pinned = NAMES[name].sub(lambda match: f"{match[1]}@{digests[match[1]]}", text)
        Path(name).write_text(pinned)
    for tag, pin in digests.items():
        print(f"{tag}@{pin}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
