"""What the batching lab's replay makes of a set-up: of one that says how requests are batched."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from app.exercises.record import SetUp, UndecidedError
from app.lab import FIELDS, MOST_BLOCKS_OF_MANY, OF_ONE, REPLAYS, blocks_each
from calc import Inputs
from calc.inputs.declaration import Choice
from calc.serving.arrays import arrays
from calc.serving.costs import costs
from calc.serving.inputs import ServingInputs, mix, rules
from calc.serving.replay import Totals, replay
from calc.serving.requests import Requests, draw, source
from calc.serving.scheduler import DONE

#: The key by which a set-up is replayed.
POLICY = "policy"


def is_replayed(setup: SetUp) -> bool:
    """Whether requests are replayed, or one scenario is all that is asked of."""
    return POLICY in setup


def scenario_of(setup: SetUp) -> SetUp:
    """The inputs of the scenario alone."""
    return {key: value for key, value in setup.items() if key not in OF_ONE}


def settings_of(setup: SetUp) -> dict[str, str]:
    """All settings of the replay, as the lab's address has them; where it begins, unless given."""
    return {key: _text(setup[key]) if key in setup else FIELDS[key].default for key in OF_ONE}


def all_inputs(setup: SetUp) -> dict[str, Any]:
    """Every input of a set-up, those that it leaves at their default, too."""
    scenario: Mapping[str, Any] = scenario_of(setup)
    return Inputs(**scenario).as_dict() | settings_of(setup)


def lab_of(first: SetUp, second: SetUp) -> dict[str, str]:
    """The lab with two replays side by side; but for how they serve, they are as the second."""
    serves = {key: text for key, text in settings_of(first).items() if key in REPLAYS["first"]}
    return _as_second(settings_of(second)) | serves


def reach_of(reach: SetUp) -> SetUp:
    """What a step leads to, as the page has it: inputs, and settings of the lab's second replay."""
    settings = {key: _text(value) for key, value in reach.items() if key in OF_ONE}
    return {**scenario_of(reach), **_as_second(settings)}


def _as_second(settings: Mapping[str, str]) -> dict[str, str]:
    own = REPLAYS["first"]
    return {f"other_{key}" if key in own else key: text for key, text in settings.items()}


def _text(value: float | str) -> str:
    return value if isinstance(value, str) else repr(value).removesuffix(".0")


def complaint(setup: SetUp, given: Collection[str]) -> str:
    """What is wrong with a set-up, in a sentence; "" if nothing is. Some inputs are `given`."""
    scenario: Mapping[str, Any] = scenario_of(setup)
    if wrong := Inputs(**scenario).complaint(scenario.keys() & given):
        return wrong
    if not is_replayed(setup):
        keys = [key for key in OF_ONE if key in setup]
        return f"{keys[0]}: only what `setup` gives a policy is replayed" if keys else ""
    inputs, serving = _inputs(setup)
    try:
        rules(inputs, serving)
        requests = mix(inputs, serving)
    except ValueError as problem:
        return str(problem)
    each = blocks_each(serving, requests.prompt_len, requests.output_len, serving.slots)
    n = int(MOST_BLOCKS_OF_MANY / each)
    if serving.requests > n:
        return (
            f"requests={serving.requests:.0f}: at most {n:,} of these are replayed while a reader "
            "waits; ask for fewer, shorter answers, larger blocks or larger chunks"
        )
    return ""


def beside(first: SetUp, second: SetUp) -> SetUp:
    """A set-up as the lab shows it beside a second one: all but how it serves is as there."""
    own = REPLAYS["first"]
    serves = {key: value for key, value in first.items() if key in own}
    return {**{key: value for key, value in second.items() if key not in own}, **serves}


def totals(setup: SetUp) -> Totals:
    """What the replay comes to in all.

    Raises
    ------
    UndecidedError
        A request can never fit.
    """
    return _totals(tuple(sorted(setup.items())))


@cache
def _totals(items: tuple[tuple[str, Any], ...]) -> Totals:
    inputs, serving = _inputs(dict(items))
    n = int(serving.requests)
    requests = arrays(Requests, n)
    draw(mix(inputs, serving), source(serving.seed), requests, n)
    found = replay(rules(inputs, serving), costs(inputs.scenario()), requests)
    if found.outcome != DONE:
        raise UndecidedError("a request can never fit beside the weights")
    return found.totals


def _inputs(setup: SetUp) -> tuple[Inputs, ServingInputs]:
    """What `simulate` takes."""
    serving: dict[str, Any] = {
        key: text if isinstance(OF_ONE[key], Choice) else float(text)
        for key, text in settings_of(setup).items()
    }
    scenario: Mapping[str, Any] = scenario_of(setup)
    return Inputs(**scenario), ServingInputs(**serving)
