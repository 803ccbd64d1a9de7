// The default is a 7 B model of the reader's own with 32 query heads; 13 B has 40, 70 B has 64.
import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {consistent, defaults, refusal, stops, takes, unusedKeys} from "#modules/core/rules.mjs";

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

test("the group size follows the heads, down to one that divides them", () => {
  // 13 B: 40 heads; of 1, 2, 4, 5, 8, … the largest not above 16 is 10.
  const {state: shown, report} = consistent(state({params_b: 13, gqa: 16}));
  assert.equal(report.n_heads, 40);
  assert.equal(shown.gqa, 10);
  assert.deepEqual(report, evaluate(shown));
});

test("a consistent state is left as it is", () => {
  const asked = state({gqa: 8});
  assert.equal(consistent(asked).state, asked);
});

test("the group sizes of a slider divide the heads", () => {
  assert.deepEqual(stops("gqa", evaluate(defaults)), [1, 2, 4, 8, 16, 32]);
  for (const stop of stops("gqa", evaluate(state({params_b: 13})))) assert.equal(40 % stop, 0, stop);
});

test("of these there are as many as leave KV heads that the GPUs can share", () => {
  // 3 B: 24 heads. Eight GPUs share 24, 8, 4, 2 or 1 KV heads, but neither 12, 6 nor 3.
  const {report} = consistent(state({params_b: 3, gpus: 8, gqa: 1}));
  assert.deepEqual(stops("gqa", report), [1, 3, 6, 12, 24]);
  assert.equal(stops("gqa", report), stops("gqa", report));
  assert.equal(consistent(state({params_b: 3, gpus: 8, gqa: 4})).state.gqa, 3);
});

test("as many GPUs as can share the heads", () => {
  const shared = changes => consistent(state(changes)).state.gpus;
  assert.equal(shared({gpus: 64}), 32);   // of the 32 heads
  assert.equal(shared({params_b: 13, gpus: 16}), 10);   // of 40
  assert.equal(shared({model: "phi-4", gpus: 4}), 2);   // 40 heads, 10 KV heads
  assert.equal(shared({model: "falcon-7b", gpus: 8}), 1);   // 71 heads
  assert.equal(shared({model: "falcon-7b", gpus: 8, pp: 8}), 8);
});

test("ways of sharing that a model has not are left, the GPUs stay", () => {
  const {state: shown} = consistent(state({gpus: 16, dp: 16, ep: 16, redundant_experts: 16}));
  assert.deepEqual(shown, state({gpus: 16}));
  const asked = state({model: "deepseek-v3", gpus: 16, dp: 16, ep: 16, redundant_experts: 16});
  assert.equal(consistent(asked).state, asked);
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
