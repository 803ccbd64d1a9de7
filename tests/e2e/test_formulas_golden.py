"""Every formula as the page prints it, at five scenarios: symbols, then the values put in."""

from __future__ import annotations

import pytest

from tests.helpers.golden import frozen
from tests.helpers.widget import Widget

SCENARIOS = {
    "default": {},
    "overflow": {"context": 32768, "batch": 8, "gqa": 1},
    "speculation": {"spec_k": 4, "batch": 1},
    "experts_on_several_gpus": {
        "model": "deepseek-v3",
        "gpus": 8,
        "gpu": "h200-sxm",
        "weights": "fp8",
        "batch": 64,
    },
    "engine": {"assumptions": "engine"},
}

_TEXTS = """async inputs => {
  const {modules} = await pageModules();
  const {evaluate, quantities} = modules["built/arithmetic.mjs"];
  const {formulas} = modules["core/words/derivation.mjs"];
  const {amount} = modules["core/words/format.mjs"];
  const {default: data} = modules["built/data.mjs"];
  const defaults = Object.fromEntries(
    Object.entries(data.defaults).map(([key, value]) => [key, value ?? NaN]));
  const q = evaluate({...defaults, ...inputs});
  return Object.entries(formulas).map(([name, text]) => {
    const symbols = text(q, each => quantities[each][2]);
    const values = text(q, each => amount(q[each], quantities[each][1]));
    return `${name}: ${quantities[name][2]} = ${symbols} = ${values}`;
  }).join("\\n") + "\\n";
}"""


@pytest.mark.parametrize("name", SCENARIOS)
def test_formulas_are_the_frozen_ones(widget: Widget, name: str) -> None:
    texts = widget.page.evaluate(_TEXTS, SCENARIOS[name])
    assert texts == frozen(f"formulas_{name}.txt", texts)
