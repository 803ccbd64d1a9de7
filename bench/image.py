"""Build the Docker image without a Docker engine, start it, ask it, stop it.

It is started twice: by buildah, timed; and as it stands, its own command on a root file system
mounted read-only, in a network of its own that leads nowhere, asked by its own health check.

Needs root, `buildah`, `debootstrap` and `iproute2` (Debian packages). The base is Debian with
its own Python, made once under build/; the registry's `python:3.13-slim` is not needed.
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
from typing import Any

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
    """Start the image in both ways, look at what it is and does."""
    container = run(*STORAGE, "from", "--pull-never", IMAGE)
    config = json.loads(run(*STORAGE, "inspect", "--type", "image", IMAGE))["Docker"]["config"]
    root = Path(run(*STORAGE, "mount", container))
    bill = json.loads((root / "site/bom.json").read_text())
    try:
        return {
            "user": config["User"],
            "MB in all": round(megabytes(root)),
            "MB above the base": round(megabytes(root / "site") + megabytes(root / "page"), 1),
            "base in the bill": bill["components"][0]["name"],
            **started(container, config),
            **sealed(root, config),
        }
    finally:
        run(*STORAGE, "rm", container)


def megabytes(folder: Path) -> float:
    """What the files of a folder weigh."""
    files = (p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
    return sum(p.lstat().st_size for p in files) / 1e6


def started(container: str, config: dict[str, Any]) -> dict[str, object]:
    """What the running container answers, who runs it, how long it takes to start."""
    with create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    serve = [*config["Entrypoint"], "--port", str(port)]
    begin = time.monotonic()
    process = subprocess.Popen([*STORAGE, "run", "--isolation", "chroot", container, "--", *serve])
    try:
        health = wait_for(f"http://127.0.0.1:{port}/healthz", process)
        found = {"health": health, "seconds to start": round(time.monotonic() - begin, 2)}
        asked = urllib.request.Request(f"http://127.0.0.1:{port}/")
        asked.add_header("Accept-Encoding", "br")
        with urllib.request.urlopen(asked) as answer:
            found["page"] = f"{answer.status}, {answer.headers['Content-Encoding']}"
        return found | {"owner of the process": server(port).stat().st_uid}
    finally:
        os.kill(int(server(port).name), signal.SIGTERM)
        process.wait()


# In namespaces of its own: $1 is who runs it, $2 the root, the rest the command.
SEAL = """
mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" && ip link set lo up || exit 1
user=$1; shift; exec chroot --userspec="$user" "$@"
"""


def sealed(root: Path, config: dict[str, Any]) -> dict[str, object]:
    """The image's own command and health check, with nothing to write to and nobody to ask."""
    user, environment = str(config["User"]), ["env", "-i", *config["Env"]]
    inside = [str(root), *environment]
    command = [*inside, *config["Entrypoint"], *(config["Cmd"] or [])]
    seal = ["unshare", "--mount", "--net", "sh", "-c", SEAL, "sh", user]
    process = subprocess.Popen([*seal, *command])
    enter = ["nsenter", f"--target={process.pid}", "--mount", "--net"]
    health = [*enter, "chroot", f"--userspec={user}", *inside, *config["Healthcheck"]["Test"][1:]]
    try:
        # Asked before it has left our network, the health check could be answered by another.
        ours, its = (Path(f"/proc/{pid}/ns/net") for pid in ("self", process.pid))
        while process.poll() is None and its.readlink() == ours.readlink():
            time.sleep(0.01)
        answer = 1
        while answer and process.poll() is None:
            answer = subprocess.run(health, check=False, stderr=subprocess.DEVNULL).returncode
        proc = Path("/proc") / str(process.pid)
        mounts = [line.split() for line in (proc / "mountinfo").read_text().splitlines()]
        networks = (proc / "net/dev").read_text().splitlines()[2:]
        found = {
            "health check, sealed": answer,
            "root mounted": next(m[5].split(",")[0] for m in mounts if m[4] == "/"),
            "networks, sealed": " ".join(line.split(":")[0].strip() for line in networks),
        }
        begin = time.monotonic()
        process.terminate()
        code = process.wait()
        return found | {"exit code": code, "seconds to stop": round(time.monotonic() - begin, 2)}
    finally:
        process.kill()


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
    missing = [name for name in ("buildah", "debootstrap", "ip") if not shutil.which(name)]
    if missing:
        print(f"Not checked: install {' and '.join(missing)} first.", file=sys.stderr)
        return 1
    BUILD.mkdir(exist_ok=True)
    base()
    build()
    for name, value in (found := check()).items():
        print(f"{name:24}{value}")
    expected = {
        "base in the bill": BASE,
        "health": "ok",
        "page": "200, br",
        "owner of the process": 10001,
        "health check, sealed": 0,
        "root mounted": "ro",
        "networks, sealed": "lo",
        "exit code": 0,
    }
    wrong = [name for name, value in expected.items() if found[name] != value]
    print(f"Not as it should be: {', '.join(wrong)}" if wrong else "All as it should be.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
