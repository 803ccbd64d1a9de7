"""Every input that people set, once; and the full scenario that they describe.

The keywords of `scenario`, the keys of the address and of the command line, the page's
controls and the documentation's list are all made from this one table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, ParamSpec

import numpy as np

from calc.conversion import Restored, check_record, convert
from calc.inputs.assumptions import AssumptionInputs
from calc.inputs.declaration import (
    SMALLEST,
    Choice,
    Number,
    as_json,
    inputs_of,
    is_open,
    numbers_of,
    record_of,
)
from calc.inputs.hardware import HardwareInputs
from calc.inputs.model import ModelInputs
from calc.inputs.parallelism import ParallelismInputs
from calc.inputs.serving import (
    PrecisionInputs,
    RequestInputs,
    SpeculationInputs,
    WorkloadInputs,
)
from calc.presets.acceptances import ACCEPTANCES
from calc.presets.hardware import GPUS, OWN_GPU, gpu_rows
from calc.presets.models import MODELS, model_rows
from calc.primitives import given, word
from calc.quantity import Flag, Value, Word
from calc.rules import RULES, broken, words_of
from calc.scenario import Gpu, Model, Scenario, Speculation, Workload
from calc.text import shortened, suggestion, typed

_Keywords = ParamSpec("_Keywords")


# A dataclass takes its fields from the last of its bases first.
@dataclass(frozen=True, kw_only=True)
class Inputs(
    AssumptionInputs,
    RequestInputs,
    ParallelismInputs,
    HardwareInputs,
    SpeculationInputs,
    PrecisionInputs,
    WorkloadInputs,
    ModelInputs,
    Restored,
):
    """The scenario as people set it. Defaults are the serving lesson's; NaN = not given.

    What is neither a number that formulas can take nor a name is refused at once. `validate`
    refuses the rest: formulas go beyond the ranges, and a mean of counts need not be whole.
    """

    def __post_init__(self) -> None:
        values = vars(self)
        keys = [key for key, number in NUMBERS.items() if values[key] is not number.default]
        convert(self, keys)
        for key in keys:
            value = values[key]
            if not isinstance(value, float | np.ndarray):
                continue
            suits = NUMBERS[key].suits(value)
            if suits is not True and not np.all(suits):
                raise ValueError(refusal(key, typed(np.extract(~np.asarray(suits), value)[0])))
        for key, choice in CHOICES.items():
            value = values[key]
            if value is choice.default:
                continue
            if not isinstance(value, str):
                check_record(key, value, choice.record, "a name or ")
            elif value not in choice.table:
                raise ValueError(refusal(key, value))

    def scenario(self) -> Scenario:
        """The scenario that these inputs describe; not yet validated."""
        # What overflows is refused by its `validate`.
        with np.errstate(over="ignore", invalid="ignore"):
            return Scenario(
                model=self.model_record(),
                gpu=self.gpu_record(),
                precision=self.precision_record(),
                workload=Workload(
                    self.context,
                    self.batch,
                    given(self.prompt, self.context),
                    self.output,
                    self.prefix_hit,
                ),
                speculation=Speculation(
                    self.spec_k,
                    self.alpha,
                    self.draft_cost,
                    record_of(ACCEPTANCES, self.acceptance),
                ),
                assumptions=self.assumptions_record(),
                parallelism=self.sharing(self.gpus),
            )

    def validate(self) -> Inputs:
        """These inputs themselves, if they break no rule.

        Raises
        ------
        ValueError
            Names the first input that is not allowed, or says what does not go together.
        """
        values = {key: getattr(self, key) for key in INPUTS}
        keys = {
            key
            for key, value in values.items()
            if not is_open(value) and np.any(value != INPUTS[key].default)
        }
        if complaint := self.complaint(keys):
            raise ValueError(complaint)
        return self

    def as_dict(self) -> dict[str, Any]:
        """Value by key, as in JSON: null is what NaN is in Python, not given."""
        return as_json(vars(self))

    def complaint(self, keys: Collection[str]) -> str:
        """What is wrong with these inputs, in a sentence; "" if they break no rule.

        Parameters
        ----------
        keys : collection of str
            The inputs that were set, be it to their default.
        """
        # Ranges first: rules divide by what has none.
        for key, within in self.within().items():
            if not np.all(within):
                value = np.broadcast_to(getattr(self, key), np.shape(within))
                return refusal(key, typed(float(value[~np.asarray(within)].flat[0])))
        own, own_card = _own(keys)
        model, precision = self.model_record(), self.precision_record()
        sharing, counts = self.sharing(self.gpus), (len(own), len(own_card))
        names = np.asarray(broken(self, *self._presets(), model, precision, sharing, *counts))
        if not np.any(names != ""):
            is_named = all(isinstance(getattr(self, key), str) for key in CHOICES)
            return "" if is_named else self.scenario().complaint()
        place = np.flatnonzero(names != "")[0]

        def there(value: Value) -> float:
            return float(np.broadcast_to(value, names.shape).flat[place])

        return RULES[str(names.flat[place])].sentence.format(
            keys=", ".join(own),
            model=_model_name(self.model),
            card_keys=", ".join(own_card),
            card=_card_name(self.gpu),
            gqa=typed(there(self.gqa)),
            **words_of(self.scenario(), there),
        )

    def within(self) -> dict[str, Flag]:
        """By key, whether each number that is not the default itself is in its range."""
        values = vars(self)
        return {
            key: number.takes(values[key])
            for key, number in NUMBERS.items()
            if values[key] is not number.default
        }

    def broken(self, n_own: Value, n_own_card: Value) -> Word:
        """Key of the first input outside its range, or name of the first rule that they break.

        Of numbers, arrays or symbols; `n_own` and `n_own_card` as `calc.rules.broken` has them.
        """
        model, precision = self.model_record(), self.precision_record()
        sharing = self.sharing(self.gpus)
        name = broken(self, *self._presets(), model, precision, sharing, n_own, n_own_card)
        for key, within in reversed(self.within().items()):
            name = word(within, name, key)
        return name

    def _presets(self) -> tuple[Model, Gpu]:
        """The records that are named, open where they are the reader's own."""
        return record_of(MODELS, self.model), record_of(GPUS, self.gpu)


#: Every input by its key, in the order in which they are shown.
INPUTS = inputs_of(Inputs)
NUMBERS = numbers_of(Inputs)
CHOICES = {key: each for key, each in INPUTS.items() if isinstance(each, Choice)}

#: Inputs that say what an own model is: a published one and a config.json have their own.
MODEL_KEYS = tuple(key for key, number in NUMBERS.items() if number.group == "Model")

#: Inputs that say what an own card is: all others have their own.
CARD_KEYS = tuple(
    key
    for key, number in NUMBERS.items()
    if number.group == "Hardware" and math.isnan(number.default)
)

#: Inputs that change one field of the set of assumptions.
ASSUMPTION_KEYS = tuple(
    key for key, each in INPUTS.items() if each.group == "Assumptions" and key != "assumptions"
)


def _own(keys: Collection[str]) -> tuple[list[str], list[str]]:
    """Those of some inputs that say what an own model is, and what an own card is."""
    return [key for key in MODEL_KEYS if key in keys], [key for key in CARD_KEYS if key in keys]


def refusal(key: str, text: str, inputs: Mapping[str, Number | Choice] = INPUTS) -> str:
    """What is said to a value that an input does not take.

    Parameters
    ----------
    key : str
        One of `inputs`.
    text : str
        The value as it was written.
    inputs : mapping of str to Number or Choice, optional

    Returns
    -------
    str
        Names the input, the value, what may have been meant, and what is allowed.
    """
    what = inputs[key]
    if isinstance(what, Number) and what.range[0] == 0 and _is_tiny(text):
        return f"{key}={shortened(text)}: smaller than 1e-9 is none but 0"
    if isinstance(what, Choice) and what.why and (why := what.why(text)):
        return f"{key}={shortened(text)}: {why}"
    hint = suggestion(text, what.table) if isinstance(what, Choice) else ""
    return f"{key}={shortened(text)}: {hint}allowed is {what.allowed}"


def _is_tiny(text: str) -> bool:
    """Whether a text is a number that is above 0, and below what is told apart from it."""
    try:
        return 0 < float(text) < SMALLEST
    except ValueError:
        return False


def unknown(key: str, inputs: Collection[str] = INPUTS) -> str:
    """What is said to a key that is none.

    Parameters
    ----------
    key : str
        As it was text.
    inputs : collection of str, optional
        The keys that there are.

    Returns
    -------
    str
        Names it, what may have been meant, and where the keys are listed.
    """
    hint = suggestion(key, inputs)
    return (
        f"{shortened(key)}: there is no such input; {hint}`decode-arithmetic inputs` lists them all"
    )


def _with_keywords_of(
    record: Callable[_Keywords, Inputs],
) -> Callable[[Callable[..., Scenario]], Callable[_Keywords, Scenario]]:
    """Types a function's keywords as those of a record, which documents them."""

    def with_keywords(function: Callable[..., Scenario]) -> Callable[_Keywords, Scenario]:
        keywords = signature(record).replace(return_annotation="Scenario")
        function.__signature__ = keywords  # type: ignore[attr-defined]
        return function

    return with_keywords


@_with_keywords_of(Inputs)
def scenario(**inputs: Any) -> Scenario:
    """The scenario that these inputs describe; without arguments, the lesson's default.

    Parameters
    ----------
    **inputs : scalar, array, name or record
        Fields of `Inputs`, each in its own unit; `INPUTS` says what each one takes and
        means. What is not given, or NaN, is as the model or the set of assumptions has it.

    Returns
    -------
    Scenario
        It breaks no rule. `Inputs(...).scenario()` asks none: formulas go beyond the ranges.

    Raises
    ------
    TypeError
        A keyword that is none, or a value that is neither a number nor a name.
    ValueError
        Names the first input that is not allowed, or says what does not go together; arrays
        whose shapes do not, too.

    Notes
    -----
    N = params_b · 1e9; layers, heads and head size from `sizes.usual_architecture`;
    n_kv = h / g. With `active_b`, the experts hold (N − N_active)·E/(E − k).

    References
    ----------
    The serving lesson, section 7.
    """
    for key in inputs:
        if key not in INPUTS:
            raise TypeError(unknown(key))
    record = Inputs(**inputs)
    if complaint := record.complaint([key for key in inputs if not is_open(inputs[key])]):
        raise ValueError(complaint)
    return record.scenario()


def _model_name(model: str | Model) -> str:
    row = model_rows().get(model) if isinstance(model, str) else None
    return str(row["name"]) if row else "the model"


def _card_name(gpu: str | Gpu) -> str:
    return str(gpu_rows()[gpu]["name"]) if isinstance(gpu, str) and gpu != OWN_GPU else "the card"
