"""A host can follow docs/workshop.md to the letter."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser, sync_playwright

from app.__main__ import _parser
from app.export import export
from app.files import load
from tests.browser import launch
from tests.e2e.widget import Widget
from tests.served import served

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/workshop.md").read_text()
STORM = json.loads((ROOT / "bench/storm.json").read_text())
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.S) for line in block.splitlines()
]


def command(start: str) -> list[str]:
    """The words of the one command in the guide that starts so."""
    (found,) = [each for each in COMMANDS if each.startswith(start)]
    return shlex.split(found)


def test_every_kind_of_command_is_tried_below():
    kinds = {"docker", "make", "decode-arithmetic", "curl", "python3"}
    assert {shlex.split(each)[0] for each in COMMANDS} == kinds


def test_make_and_our_own_commands_exist():
    for words in map(shlex.split, COMMANDS):
        if words[0] == "make":
            dry = ["make", "--dry-run", *words[1:]]
            assert subprocess.run(dry, cwd=ROOT, capture_output=True, check=False).returncode == 0
        elif words[0] == "decode-arithmetic":
            _parser().parse_args(words[1:])


def test_ports_and_names_are_those_of_the_image_and_of_compose():
    (inside,) = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.M)
    assert command("docker run")[5:7] == ["--publish", f"{inside}:{inside}"]
    assert command("docker run")[-1] == command("docker build")[3]
    assert _parser().parse_args(["serve"]).port == int(inside)
    nginx = (ROOT / "docker/nginx.conf").read_text()
    assert f"server page:{inside} " in nginx
    assert set(COMPOSE["services"]) == {"page", "nginx"}
    assert COMPOSE["services"]["nginx"]["ports"] == ["8080:8080"]
    assert re.search(r"listen 8080\b", nginx)
    assert "8080" in GUIDE


def test_compose_mounts_what_is_there_and_lets_nothing_be_written():
    for service in COMPOSE["services"].values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        for volume in service.get("volumes", []):
            assert (ROOT / volume.split(":")[0]).is_file()
            assert volume.endswith(":ro")
    assert COMPOSE["services"]["page"]["deploy"]["replicas"] == 2
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_the_health_check_answers_as_the_guide_says(exported):
    (address,) = command("curl")[1:]
    path = address.removeprefix("http://localhost:5006")
    assert path != address
    with (
        served("--directory", str(exported)) as server,
        urllib.request.urlopen(server.address + path) as answer,
    ):
        assert answer.read() == b"ok\n"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stick") / command("decode-arithmetic export")[2]
    export(folder)
    return folder


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@contextmanager
def stick(folder: Path) -> Iterator[str]:
    """The guide's line for a student with a USB stick, on a free port; gives the address."""
    program, *words = command("python3 -m http.server")
    assert (program, words[2:]) == ("python3", ["8000", "--directory", folder.name])
    words[2] = "0"
    process = subprocess.Popen(
        [sys.executable, "-u", *words, "--bind", "127.0.0.1"],
        cwd=folder.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        port = re.search(r"port (\d+)", process.stdout.readline())[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate()


def test_the_stick_holds_the_whole_page_and_an_open_page_needs_no_network(browser, exported):
    with stick(exported) as address:
        widget = Widget(browser, address).open("/")
        widget.context.set_offline(True)
        widget.type("batch", "64")
        widget.says("tokens_per_s", "2,553")
        for tab in widget.page.get_by_role("tab").all():
            tab.click()
        widget.page.locator(".formula-toggle").first.click()
        widget.close()


def test_after_a_reload_only_the_question_whether_it_changed_is_asked(browser, exported):
    with served("--directory", str(exported)) as server:
        Widget(browser, server.address).open("/").close()
        context = browser.new_context()
        first, second = context.new_page(), context.new_page()
        for each in (first, second):
            each.goto(server.address)
            each.wait_for_selector("html[data-ready]")
        context.close()
        server.stop()
    # Two browsers' worth of full loads; the third visit asked for one file and got a 304.
    assert sum(" 200 " in line for line in server.lines) == 2 * len(load(exported))
    (revalidated,) = [line for line in server.lines if " 200 " not in line]
    assert revalidated.startswith("GET / 304 0 ")


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


def test_a_student_loads_about_one_megabyte(exported):
    files = load(exported).values()
    megabytes = sum(len(file.forms[file.encoding("br")].body) for file in files) / 1e6
    assert f"about {megabytes:.0f} MB per student" in " ".join(GUIDE.split())
    assert f"{200 * 1e6 * 8 / 100e6:.0f} s" in GUIDE
