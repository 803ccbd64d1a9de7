import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {scenarioBar} from "#modules/core/words/scenario_bar.mjs";

const texts = changes => scenarioBar(state(changes), evaluate(state(changes)));

test("the bar says what is in use", () => {
  const bar = texts({model: "llama-3-70b", gpu: "mi300x", gpus: 8, prompt: 2000, assumptions: "engine"});
  assert.deepEqual(bar, {
    model: "Llama 3 / 3.1 / 3.3 70B",
    hardware: "8 × Instinct MI300X 192GB",
    request: "2,000 in, 500 out",
    // 90 % of what its driver reports, 206.1 GB.
    assumed: "85 % of the bandwidth, 185.5 GB of 206.1 GB usable",
    scenario: "Llama 3 / 3.1 / 3.3 70B · 8 × Instinct MI300X 192GB · estimate",
  });
  assert.equal(texts({params_b: 13}).model, "13B class");
});

test("what is set beside a set of assumptions is named", () => {
  assert.equal(texts({mbu: 0.5}).assumed, "50 % of the bandwidth; set: mbu 0.5");
  assert.equal(texts({attention: 1}).assumed, "nothing is lost; set: attention 1");
});
