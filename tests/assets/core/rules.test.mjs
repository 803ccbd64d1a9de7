// The default is a 7 B model of the reader's own with 32 query heads; 13 B has 40, 70 B has 64.
import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {complaint, consistent, defaults, isOwnModel, refusal, stops, takes, unusedKeys} from "#modules/core/rules.mjs";

/** What is wrong with a state that these inputs led to. */
function wrong(inputs) {
  return complaint(state(inputs), Object.keys(inputs));
}

test("what is not given is NaN, all else is the lesson's", () => {
  assert.deepEqual([defaults.params_b, defaults.context, defaults.batch, defaults.gqa], [7, 8192, 8, 4]);
  assert.equal(defaults.prompt, NaN);
  assert.equal(defaults.kv_heads, NaN);
});

test("a number is taken within its range, ends included, and whole where it has to be", () => {
  for (const value of [1, 8, 1024]) assert.ok(takes("batch", value), value);
  for (const value of [0, 0.5, 8.5, -1, NaN, Infinity]) assert.ok(!takes("batch", value), value);
  for (const value of [0, 0.5, 1]) assert.ok(takes("alpha", value), value);
  for (const value of [-0.1, 1.1, NaN]) assert.ok(!takes("alpha", value), value);
});

test("a choice is taken by its name", () => {
  assert.ok(takes("weights", "int4"));
  for (const value of ["int5", "INT4", "", 4, undefined]) assert.ok(!takes("weights", value), value);
  assert.match(refusal("weights", "int5"),
    /^weights=int5: did you mean int8 or int4\? allowed is one of .*\bint4\b/);
  assert.equal(refusal("gpu", "xyz"), "gpu=xyz: allowed is custom, or a name that `decode-arithmetic gpus` lists");
});

test("the default breaks no rule", () => {
  assert.equal(complaint(defaults, []), undefined);
  assert.equal(complaint(defaults, Object.keys(defaults).filter(key => !Number.isNaN(defaults[key]))), undefined);
});

test("a rule that is broken names what to leave out", () => {
  assert.deepEqual(wrong({gqa: 3}), {sentence: "gqa=3: allowed is a divisor of the 32 query heads: 1, 2, 4, 8, 16 or 32", keys: ["gqa"]});
  assert.deepEqual(wrong({params_b: 70, gqa: 3}).sentence, "gqa=3: allowed is a divisor of the 64 query heads: 1, 2, 4, 8, 16, 32 or 64");
  assert.deepEqual(wrong({experts: 8}), {sentence: "experts need their number per token (top_k)", keys: ["experts"]});
  assert.deepEqual(wrong({top_k: 4}).keys, ["top_k"]);
  assert.deepEqual(wrong({experts: 8, top_k: 9}).keys, ["experts", "top_k"]);
});

test("what a published model has its own of cannot be given", () => {
  const model = "llama-3-8b";
  assert.ok(!isOwnModel(state({model})));
  assert.equal(wrong({model}), undefined);
  assert.deepEqual(wrong({model, params_b: 8, gqa: 4}),
    {sentence: "params_b, gqa: Llama 3 / 3.1 8B has its own", keys: ["params_b", "gqa"]});
});

test("the group size follows the heads, down to one that divides them", () => {
  // 13 B: 40 heads; of 1, 2, 4, 5, 8, … the largest not above 16 is 10.
  const {state: shown, report} = consistent(state({params_b: 13, gqa: 16}));
  assert.equal(report.n_heads, 40);
  assert.equal(shown.gqa, 10);
  assert.deepEqual(report, evaluate(shown));
  assert.equal(wrong({params_b: 13}), undefined);
});

test("a consistent state is left as it is", () => {
  const asked = state({gqa: 8});
  assert.equal(consistent(asked).state, asked);
});

test("the group sizes of a slider divide the heads", () => {
  assert.deepEqual(stops("gqa", evaluate(defaults)), [1, 2, 4, 8, 16, 32]);
  for (const stop of stops("gqa", {n_heads: 40})) assert.equal(40 % stop, 0, stop);
});

test("inputs that say nothing are unused", () => {
  const cards = ["hbm_gb", "hbm_gb_per_s", "bf16_tflops", "fp8_tflops", "fp4_tflops", "link_gb_per_s"];
  const of = changes => unusedKeys(state({gpu: "custom", ...changes}), evaluate(state({gpu: "custom", ...changes})));
  const ofSpeculation = ["alpha", "draft_cost", "acceptance"];
  assert.deepEqual(of({}), ofSpeculation);
  assert.deepEqual(of({spec_k: 4}), []);
  assert.deepEqual(of({spec_k: 4, acceptance: "kimi-k2.5-eagle3"}), ["alpha"]);
  assert.deepEqual(of({kv_heads: 8}), ["gqa", ...ofSpeculation]);
  const published = of({model: "llama-3-8b"});
  for (const key of ["params_b", "gqa", "layers", "alpha"]) assert.ok(published.includes(key), key);
  assert.deepEqual(of({gpu: "h200-sxm"}), [...cards, ...ofSpeculation]);
});
