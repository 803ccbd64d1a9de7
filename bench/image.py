"""Build the Docker image without a Docker engine, start it, ask it, stop it.

Needs root, `buildah` and `debootstrap` (Debian packages). The base is Debian with its own
Python, made once under build/; the registry's `python:3.13-slim` is not needed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from socket import create_server

BASE = "localhost/decode-arithmetic-base"
IMAGE = "localhost/decode-arithmetic"
BUILD = Path("build")
STORAGE = ["buildah", "--storage-driver", "vfs"]


def run(*command: str, **settings: object) -> str:
    """Run a command and give what it printed."""
    result = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **settings)
    return result.stdout.strip()


def base() -> None:
    """A minimal Debian with Python as the base image, unless it is there."""
    if BASE in run(*STORAGE, "images", "--format", "{{.Name}}"):
        return
    root = BUILD / "debian"
    if not root.exists():
        packages = "--include=python3,python3-venv,ca-certificates"
        run("debootstrap", "--variant=minbase", packages, "bookworm", str(root))
    container = run(*STORAGE, "from", "scratch")
    run(*STORAGE, "add", "--quiet", container, str(root), "/")
    run(*STORAGE, "commit", "--quiet", container, BASE)
    run(*STORAGE, "rm", container)


def build() -> None:
    """Build the image; pip inside sees this machine's index settings and certificates."""
    certificates = Path(
        ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt"
    )
    mounts = [f"--volume={certificates.resolve()}:/etc/ssl/certs/ca-certificates.crt:ro"]
    mounts += [
        f"--volume={p}:{p}:ro" for p in ("/etc/pip.conf", "/etc/xdg/pip") if Path(p).exists()
    ]
    command = [
        *STORAGE,
        "bud",
        "--format",
        "docker",
        "--isolation",
        "chroot",
        "--build-arg",
        f"BASE={BASE}",
        *mounts,
    ]
    subprocess.run([*command, "--tag", IMAGE, "."], check=True)


def check() -> dict[str, object]:
    """Start the image, ask for the page, look at who runs it, stop it."""
    container = run(*STORAGE, "from", "--pull-never", IMAGE)
    with create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    config = json.loads(run(*STORAGE, "inspect", "--type", "image", IMAGE))["Docker"]["config"]
    serve = [*config["Entrypoint"], "serve", "--port", str(port), "--directory", "/page"]
    command = [*STORAGE, "run", "--isolation", "chroot", container, "--", *serve]
    begin = time.monotonic()
    process = subprocess.Popen(command)
    try:
        health = wait_for(f"http://127.0.0.1:{port}/healthz", process)
        started = time.monotonic() - begin
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            page = answer.read()
        mount = Path(run(*STORAGE, "mount", container))
        size = sum(
            p.lstat().st_size for p in mount.rglob("*") if p.is_file() and not p.is_symlink()
        )
        own = sum(p.lstat().st_size for d in ("site", "page") for p in (mount / d).rglob("*"))
        return {
            "health": health,
            "title": b"<title>Decode arithmetic</title>" in page,
            "user": config["User"],
            "owner of the process": server(port).stat().st_uid,
            "seconds to start": round(started, 2),
            "MB in all": round(size / 1e6),
            "MB above the base": round(own / 1e6, 1),
        }
    finally:
        os.kill(int(server(port).name), signal.SIGTERM)
        process.wait()
        run(*STORAGE, "rm", container)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> str:
    """What an address answers, once it does."""
    while process.poll() is None:
        try:
            with urllib.request.urlopen(address) as answer:
                return answer.read().decode().strip()
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the container stopped with {process.returncode}")


def server(port: int) -> Path:
    """The /proc folder of the process inside that was started with this port."""
    for each in Path("/proc").glob("[0-9]*"):
        try:
            words = (each / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if Path(words[0]).name.startswith("python3") and str(port) in words:
            return each
    raise RuntimeError("the server's process is not to be found")


def main() -> int:
    """Build and check; says what is missing where it cannot."""
    missing = [name for name in ("buildah", "debootstrap") if not shutil.which(name)]
    if missing:
        print(f"Not checked: install {' and '.join(missing)} first.", file=sys.stderr)
        return 1
    BUILD.mkdir(exist_ok=True)
    base()
    build()
    for name, value in (found := check()).items():
        print(f"{name:24}{value}")
    good = found["health"] == "ok" and found["title"] and found["owner of the process"] == 10001
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
