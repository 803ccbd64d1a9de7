"""The nginx of the tests: found, or fetched with `python -m tests.helpers.nginx`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

_UNPACKED = Path(__file__).parents[2] / "build" / "nginx"


def program() -> str | None:
    """Path of an nginx that runs here, if there is one."""
    folders = os.pathsep.join(("/usr/sbin", "/usr/local/sbin", str(_UNPACKED / "usr/sbin")))
    paths = (shutil.which("nginx"), shutil.which("nginx", path=folders))
    return next((each for each in paths if each and _runs(each)), None)


def main() -> int:
    """Fetch Debian's package where there is no nginx; where that cannot be, say so."""
    if not program():
        _unpack()
    if not program():
        print("No nginx: install the package `nginx`; until then its tests are skipped.")
    return 0


def _runs(path: str) -> bool:
    return subprocess.run([path, "-v"], capture_output=True, check=False).returncode == 0


def _unpack() -> None:
    # Unpacked, not installed: an installed one would start serving this machine's port 80.
    if not shutil.which("apt-get"):
        return
    if os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "--quiet"], check=False)
    _UNPACKED.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="nginx-") as folder:
        fetch = ["apt-get", "download", "--quiet", "--option=APT::Sandbox::User=root", "nginx"]
        subprocess.run(fetch, cwd=folder, check=False)
        for package in Path(folder).glob("nginx_*.deb"):
            subprocess.run(["dpkg-deb", "--extract", package, _UNPACKED], check=True)


if __name__ == "__main__":
    sys.exit(main())
