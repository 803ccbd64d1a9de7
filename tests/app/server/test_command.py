"""Whatever a command is given or meets, it ends in one sentence that a terminal can show."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from app.__main__ import main
from app.server.command import excerpt, printable, reason
from tests.helpers.hostile import fuzz, kinds

KINDS = kinds("commands.toml")
ROOT = Path(__file__).parents[3]
PREFIX = "decode-arithmetic: "

#: No sentence is longer, whatever it quotes.
LONGEST = 1000


def filled_in(words: list[str]) -> list[str]:
    """With names as long as they are to be."""
    return [re.sub(r"\{name:(\d+)\}", lambda m: "n" * int(m[1]), word) for word in words]


def is_shown(sentence: str, pattern: str) -> bool:
    return bool(re.fullmatch(re.escape(pattern).replace("…", ".*"), sentence))


def check(kind: dict[str, object], code: int, out: str, err: str) -> None:
    """An end as its kind has it; and whatever the kind, one line that a terminal can show."""
    assert out == ""
    assert code in kind.get("codes", [kind.get("code")]), err
    assert err.count("\n") == (1 if err else 0)
    sentence = err.removesuffix("\n").removeprefix(PREFIX)
    assert sentence.isprintable()
    assert len(sentence) <= LONGEST
    patterns = [kind[key] for key in ("says", "or") if key in kind]
    assert any(is_shown(sentence, pattern) for pattern in patterns), sentence


@pytest.mark.parametrize("name", [name for name in KINDS if "shell" not in KINDS[name]])
def test_what_it_is_given(name, capsys):
    for words in KINDS[name]["commands"]:
        code = main(filled_in(words))
        check(KINDS[name], code, *capsys.readouterr())


@pytest.mark.parametrize(
    ("name", "words"),
    [(n, words) for n in KINDS if "shell" in KINDS[n] for words in KINDS[n]["commands"]],
    ids=ascii,
)
def test_what_it_meets(name, words):
    shell = ["sh", "-c", KINDS[name]["shell"], "sh", sys.executable, "-m", "app", *words]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    check(KINDS[name], done.returncode, done.stdout, done.stderr)


def test_an_unbuffered_output_is_no_different():
    for buffered in ({}, {"PYTHONUNBUFFERED": "1"}):
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"} | buffered
        shell = ["sh", "-c", '"$@" >/dev/full', "sh", sys.executable, "-m", "app", "--help"]
        done = subprocess.run(shell, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (1, f"{PREFIX}No space left on device\n")


#: What arguments are made of: the program's own words, and what might harm it.
WORDS = [
    *("report", "gpus", "models", "inputs", "export", "--json", "--config", "--help", "-h", "--"),
    *("batch", "model", "context", "=", "=8", "=", ",", "-", "--", "1e9", "nan", "llama-3-8b", "@"),
    *("/dev/null", "/proc/self/mem", "/", ".", "..", "~", "%", "%s", "{}", "\\", "'", '"', "$(id)"),
    *(
        "\x1b[2J",
        "\x07",
        "\r",
        "\n",
        "\u202e",
        "\u2028",
        "\udc80",
        "\U000e0041",
        "é",
        "٨",
        "\u0301",
    ),
    *("n" * 300, "n" * 10_000, "9" * 400, " ", ""),
]


@pytest.mark.fuzz
def test_any_words_end_well(capsys, tmp_path, monkeypatch):
    def attack(random: Random) -> None:
        words = [
            "".join(random.choices(WORDS, k=random.choice([1, 1, 2, 3])))
            for _ in range(random.choice([0, 1, 2, 3, 5]))
        ]
        first = random.choice([[], ["report"], ["report"], ["gpus"], ["serve", "--port=x"]])
        if first == [] and words[:1] == ["export"]:
            words = words[1:]
        code = main([*first, *words])
        out, err = capsys.readouterr()
        assert code in {0, 1, 2}
        assert "Traceback" not in err
        if code:
            assert out == ""
            check({"code": code, "says": "…"}, code, out, err)

    monkeypatch.chdir(tmp_path)
    fuzz(attack, rounds=300)
    assert list(tmp_path.iterdir()) == []


def test_printable_is_one_line_of_what_can_be_seen():
    every = "".join(map(chr, range(0x110000)))
    assert len(printable(every)) == len(every)
    assert printable(every).isprintable()
    assert printable("Größe 8 · 2¹⁰ 数") == "Größe 8 · 2¹⁰ 数"


def test_what_is_long_is_shown_by_its_ends():
    assert excerpt("x" * 100) == "x" * 100
    for length in (101, 10_000):
        text = excerpt("start" + "x" * length + "end")
        assert len(text) == 100
        assert (text[:6], text[-4:], text.count("…")) == ("startx", "xend", 1)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(), "OSError"),
        (OSError("only a text"), "only a text"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError(2, "Not there", "a"), "Not there: a"),
        (OSError(2, "Not there", b"a\xff"), "Not there: a "),
        (OSError(9, "Bad", 3), "Bad"),
        (OSError(21, "Is a directory", "from", None, "to"), "Is a directory: to"),
        (OSError(36, "Too long", "n" * 5000), f"Too long: {'n' * 50}…{'n' * 49}"),
    ],
)
def test_any_error_of_the_machine_has_its_sentence(error, said):
    assert reason(error) == said


#: Libraries that are loaded one after the other while the page is built: moments of a start.
MOMENTS = ["_socket", "_multiarray_umath", "_ssl", "brotli"]


@pytest.mark.parametrize("library", MOMENTS)
def test_interrupted_while_starting_it_stops_and_says_so(library):
    program = [sys.executable, "-m", "app", "serve", "--address", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(program, cwd=ROOT, stdout=-1, stderr=-1, text=True) as process:
        try:
            while process.poll() is None and library not in memory(process.pid):
                continue
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=30) == ("", "decode-arithmetic: stopped\n")
        finally:
            process.kill()
    assert process.returncode == 130


def memory(pid: int) -> str:
    return Path(f"/proc/{pid}/maps").read_text()
