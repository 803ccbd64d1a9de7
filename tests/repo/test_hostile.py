"""The loop that all fuzzers share."""

from __future__ import annotations

import pytest

from tests.helpers.hostile import fuzz


def test_rounds_are_the_same_ones_each_time(monkeypatch):
    monkeypatch.delenv("FUZZ_SECONDS", raising=False)
    monkeypatch.delenv("FUZZ_SEED", raising=False)
    first, again = [], []
    fuzz(lambda chance: first.append(chance.random()), 5)
    fuzz(lambda chance: again.append(chance.random()), 5)
    assert first == again
    assert len(set(first)) == 5


def test_a_failure_says_how_to_repeat_it(monkeypatch):
    monkeypatch.delenv("FUZZ_SECONDS", raising=False)
    monkeypatch.setenv("FUZZ_SEED", "40")
    numbers = []

    def attack(chance):
        numbers.append(chance.random())
        assert len(numbers) < 3

    with pytest.raises(AssertionError) as failure:
        fuzz(attack, 100)
    assert failure.value.__notes__ == ["Repeat it with FUZZ_SEED=42"]
    monkeypatch.setenv("FUZZ_SEED", "42")
    with pytest.raises(AssertionError):
        fuzz(attack, 100)
    assert numbers[3] == numbers[2]
