// Figures of cards as their vendors publish them; Llama 3 70B: 80 layers, 64 query heads, 8 KV heads.
import assert from "node:assert/strict";
import {test} from "node:test";

import {evaluate} from "#modules/built/arithmetic.mjs";
import {rows, scenarioBar} from "#modules/core/words/scenario_bar.mjs";
import {hints, usual} from "#modules/core/words/hints.mjs";
import {SETTINGS, state, whole} from "../../state.mjs";

const of = (say, changes) => say(state(changes), evaluate(state(changes)));
const facts = (key, id) => rows(key).find(row => row.id === id).facts;

test("the bar says what is in use", () => {
  const texts = of(scenarioBar, {model: "llama-3-70b", gpu: "mi300x", gpus: 8, prompt: 2000, assumptions: "engine"});
  assert.deepEqual(texts, {
    model: "Llama 3 / 3.1 / 3.3 70B",
    hardware: "8 × Instinct MI300X 192GB",
    request: "2,000 in, 500 out",
    // 90 % of what its driver reports, 206.1 GB.
    assumed: "65 % of the bandwidth, 185.5 GB of 206.1 GB usable",
    scenario: "Llama 3 / 3.1 / 3.3 70B · 8 × Instinct MI300X 192GB · estimate",
  });
  assert.equal(of(scenarioBar, {params_b: 13}).model, "13B class");
});

test("what is set beside a set of assumptions is named", () => {
  assert.equal(of(scenarioBar, {mbu: 0.5}).assumed, "50 % of the bandwidth; set: mbu 0.5");
  assert.equal(of(scenarioBar, {attention: 1}).assumed, "nothing is lost; set: attention 1");
});

test("a row of a list has what one chooses by", () => {
  assert.equal(facts("gpu", "h200-sxm"), "141 GB at 4.8 TB/s · 2.9 USD/h · no fp4");
  assert.equal(facts("gpu", "a100-sxm-40gb"), "40 GB at 1.555 TB/s · no price known · no fp8, fp4");
  assert.equal(facts("gpu", "b200-sxm"), "180 GB at 8 TB/s · 3.7 USD/h");
  assert.equal(facts("model", "llama-3-70b"), "70.6 billion parameters, 80 layers, 64 query heads, 8 KV heads: g = 8");
  assert.match(facts("model", "deepseek-v3"), /, 128 query heads, one latent for all of them \(MLA\): no g$/);
  for (const key of ["model", "gpu"]) {
    for (const row of rows(key)) for (const text of Object.values(row)) whole(text, row.id);
  }
  assert.deepEqual([rows("model")[0].id, rows("gpu")[0].id], ["7b-class", "custom"]);
});

test("no hint is broken, whatever is set", () => {
  for (const changes of SETTINGS) {
    for (const [name, text] of Object.entries(of(hints, changes))) whole(text, `${name} of ${JSON.stringify(changes)}`);
  }
});

test("formats with the same numbers say why", () => {
  const weights = changes => of(hints, changes).hint_weights;
  assert.equal(weights({weights: "bf16"}), "2 bytes per weight, multiplied in 16 bit.");
  // An H100 has no fp4: all three are expanded to 16 bit, and the ceiling counts no scales.
  assert.equal(weights({weights: "int4"}),
    "Weights only: stored in 4 bit, multiplied in 16. Same numbers as mxfp4, nvfp4: scales left out.");
  assert.equal(weights({weights: "mxfp4", assumptions: "engine"}),
    "4 bit, a scale per 32 weights, multiplied in 4 bit; this GPU takes 16.");
  // A B200 has one: int4 is alone.
  assert.equal(weights({weights: "int4", gpu: "b200-sxm"}), "Weights only: stored in 4 bit, multiplied in 16.");
});

test("a price says where it is from", () => {
  const price = changes => of(hints, changes).hint_usd_per_gpu_hour;
  assert.equal(price({gpu: "h200-sxm", usd_per_gpu_hour: 2.9}), "A usual rent for this one; rents move.");
  assert.equal(price({gpu: "h200-sxm", usd_per_gpu_hour: 4}), "A usual rent for this one: 2.9 USD/h.");
  assert.equal(price({gpu: "t4"}), "No price known for this one: the lesson's is taken.");
  assert.equal(price({gpu: "t4", usd_per_gpu_hour: 0.35}), "No price known for this one: yours is taken.");
});

test("what is left open follows something, in its own unit", () => {
  const report = evaluate(state({context: 4096, gpu: "custom", bf16_tflops: 500}));
  assert.equal(usual("prompt", report), "4,096");
  assert.equal(usual("hbm_gb", report), "80");
  assert.equal(usual("fp8_tflops", report), "1,000");   // twice the 16-bit peak
  assert.equal(usual("batch", report), "");
});
