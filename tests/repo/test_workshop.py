"""A host can follow docs/workshop.md to the letter."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import urllib.request
from pathlib import Path

import yaml

from app.__main__ import _parser
from app.build.export import loaded_at_first
from app.server.__main__ import _parser as serving
from app.server.files import load
from tests.helpers.served import served

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/workshop.md").read_text()
STORM = json.loads((ROOT / "bench/storm.json").read_text())
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
ENTRYPOINT = json.loads(re.search(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.M)[1])
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.S) for line in block.splitlines()
]


def command(start: str) -> list[str]:
    """The words of the first command in the guide that starts so."""
    return shlex.split(next(each for each in COMMANDS if each.startswith(start)))


def test_every_kind_of_command_is_tried_below():
    kinds = {"docker", "make", ".venv/bin/decode-arithmetic", "curl", "python3"}
    assert {shlex.split(each)[0] for each in COMMANDS} == kinds


def test_make_and_our_own_commands_exist():
    for words in map(shlex.split, COMMANDS):
        if words[0] == "make":
            dry = ["make", "--dry-run", *words[1:]]
            assert subprocess.run(dry, cwd=ROOT, capture_output=True, check=False).returncode == 0
        elif words[0].endswith("/decode-arithmetic"):
            _parser().parse_args(words[1:])
        elif words[:2] == ["docker", "run"]:
            # What follows the image's name follows the image's own words.
            given = words[words.index("decode-arithmetic") + 1 :]
            serving().parse_args([*ENTRYPOINT[3:], *given])


def test_ports_and_names_are_those_of_the_image_and_of_compose():
    (inside,) = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.M)
    assert command("docker run")[5:7] == ["--publish", f"{inside}:{inside}"]
    assert command("docker run")[-1] == command("docker build")[3]
    assert serving().parse_args(ENTRYPOINT[3:]).port == int(inside)
    nginx = (ROOT / "docker/nginx.conf").read_text()
    assert f"server page:{inside} " in nginx
    assert set(COMPOSE["services"]) == {"page", "nginx"}
    assert COMPOSE["services"]["nginx"]["ports"] == ["8080:8080"]
    assert re.search(r"listen 8080\b", nginx)
    assert "8080" in GUIDE


def test_the_image_holds_the_server_and_the_page_only():
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    copied = re.findall(r"^COPY --from=build (\S+) \S+$", last, re.M)
    assert copied == ["/site", "/src/LICENSE", "/src/bom.json", "/src/app/server", "/page"]
    assert len(re.findall(r"^(?:COPY|ADD|RUN)\b", last, re.M)) == len(copied)
    assert ENTRYPOINT == ["python3", "-m", "app.server", "/page"]
    # What Tornado brings for its own tests is no part of it.
    assert "\n && rm -r /site/tornado/test\n" in DOCKERFILE


def test_compose_mounts_what_is_there_and_lets_nothing_be_written():
    for service in COMPOSE["services"].values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        for volume in service.get("volumes", []):
            assert (ROOT / volume.split(":")[0]).is_file()
            assert volume.endswith(":ro")
    assert COMPOSE["services"]["page"]["deploy"]["replicas"] == 2
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_the_health_check_answers_as_the_guide_says(exported_folder):
    (address,) = command("curl")[1:]
    path = address.removeprefix("http://localhost:5006")
    assert path != address
    with (
        served(exported_folder) as server,
        urllib.request.urlopen(server.address + path) as answer,
    ):
        assert answer.read() == b"ok\n"


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_the_storm_table_is_the_recorded_run():
    rows = re.findall(r"^\| ([\d,]+) \| ([\d.]+) s \| (\d+) \| (\d+) → (\d+) MB \|$", GUIDE, re.M)
    assert len(rows) == len(STORM["storms"])
    for (clients, seconds, failures, before, after), run in zip(rows, STORM["storms"], strict=True):
        assert number(clients) == run["clients"]
        assert seconds == f"{run['seconds']:.2g}"
        assert int(failures) == run["failures"] == 0
        assert (before, after) == (f"{run['before_mb']:.0f}", f"{run['after_mb']:.0f}")
    sessions = STORM["panel_sessions"]
    assert f"({STORM['machine']})" in GUIDE
    said = " ".join(GUIDE.split())
    ratio = sessions["seconds"] / STORM["storms"][0]["seconds"]
    assert sessions["failures"] == 0
    assert (
        f"for {sessions['clients']} students, in the same run: {sessions['seconds']:.2g} s until "
        f"the last one has its HTML, {ratio:.0f} times as long" in said
    )


def test_a_student_loads_about_one_megabyte(exported_folder):
    files = [file for path, file in load(exported_folder).items() if loaded_at_first(path)]
    megabytes = sum(len(file.forms[file.encoding("br")].body) for file in files) / 1e6
    assert f"about {megabytes:.0f} MB per student" in " ".join(GUIDE.split())
    assert f"{200 * 1e6 * 8 / 100e6:.0f} s" in GUIDE
