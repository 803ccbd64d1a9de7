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

test("what is set beside a set of assumptions is said in words, and no loss beside none", () => {
  assert.equal(texts({mbu: 0.5}).assumed, "50 % of the bandwidth");
  assert.equal(texts({attention: 1}).assumed, "with attention's arithmetic");
  assert.equal(texts({attention: 0}).assumed, "without attention's arithmetic");
  assert.equal(texts({reserve_gb: 8.589934592}).assumed, "8.59 GB in reserve");
  assert.equal(texts({reserve_gb: 8.589934592, gpus: 4}).assumed, "8.59 GB in reserve per GPU");
  assert.equal(texts({mfu: 0.4, overlap: "operator", layer_us: 12}).assumed,
    "peak reached 40 %, overlap per operator, overhead per layer 12 µs");
});

test("how GPUs share the model is said where not all of them share each layer", () => {
  assert.equal(texts({model: "deepseek-v3", gpu: "h200-sxm", gpus: 16, dp: 16, ep: 16, redundant_experts: 32}).hardware,
    "16 × H200 SXM 141GB, dp 16, ep 16, R 32");
});

test("a card with twice the arithmetic is not the one that is sold", () => {
  assert.equal(texts({peak_factor: 2}).hardware, "1 × H100 80GB, 2× FLOP/s");
  assert.equal(texts({peak_factor: 2, bandwidth_factor: 0.5}).hardware, "1 × H100 80GB, 2× FLOP/s, 0.5× bandwidth");
});
