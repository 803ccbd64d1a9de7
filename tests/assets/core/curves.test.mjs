// Where the cache is next to nothing, a step reads 14 GB and multiplies 14 GFLOP per sequence: on
// the lesson's H100 both take equally long at batch 990 / 3.3 = 300.
import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {at, boundOverBatch, curve, decades, plainOverBatch, rounds, runs} from "#modules/core/curves.mjs";

const report = changes => evaluate(state(changes));

test("a curve goes over the stops of an input", () => {
  const r = report(), batches = curve("batch", r);
  assert.deepEqual([batches[0], batches[5], batches.at(-1)].map(each => each.batch), [1, 8, 1024]);
  assert.equal(curve("batch", r), batches);
  assert.equal(at("context", 512, r).kv_bytes, 8 * 512 * 131072);
});

test("what binds over batch", () => {
  assert.deepEqual(boundOverBatch(report({context: 1})), [{is: "memory", upTo: 300}, {is: "compute", upTo: Infinity}]);
  // Each sequence's 1.07 GB take 325 µs to read, its 14 GFLOP 14 µs to compute.
  assert.deepEqual(boundOverBatch(report()), [{is: "memory", upTo: Infinity}]);
});

test("where speculation pays", () => {
  // 4 guesses at 0.7 yield 2.773 tokens; drafting takes 0.2 steps and verifying 5 · B / 300 of one:
  // B = 300 · (2.773 − 0.2) / 5 = 154.4.
  assert.deepEqual(plainOverBatch(report({spec_k: 4, context: 1})),
    [{is: "slower", upTo: 154}, {is: "faster", upTo: Infinity}]);
  assert.deepEqual(plainOverBatch(report({spec_k: 4})), [{is: "slower", upTo: Infinity}]);
  assert.deepEqual(plainOverBatch(report({spec_k: 8, alpha: 0.01})), [{is: "faster", upTo: Infinity}]);
  // Nothing stands of guesses that cost nothing.
  assert.equal(plainOverBatch(report({spec_k: 4, alpha: 0, draft_cost: 0}))[0].is, "as fast");
});

test("experts: few sequences touch few of them, and a pass that verifies many", () => {
  const [few, many] = plainOverBatch(report({model: "minimax-m2.5", spec_k: 8, alpha: 0.3}));
  assert.deepEqual([few.is, many], ["faster", {is: "slower", upTo: Infinity}]);
  const speedup = batch => report({model: "minimax-m2.5", spec_k: 8, alpha: 0.3, batch}).spec_speedup;
  assert.ok(speedup(1) < 0.3 && speedup(few.upTo) < 1 && speedup(few.upTo + 1) > 1);
});

test("runs of what is the same, to the last value of each", () => {
  const r = report();
  for (const most of [1, 2, 61, 700, 1023]) {
    assert.deepEqual(runs("batch", r, each => each.batch <= most ? "few" : "many"),
      [{is: "few", upTo: most}, {is: "many", upTo: Infinity}]);
  }
  const three = runs("batch", r, ({batch}) => batch < 10 ? "few" : batch > 300 ? "many" : "some");
  assert.deepEqual(three.map(({upTo}) => upTo), [9, 300, Infinity]);
  assert.deepEqual(runs("batch", r, () => "all"), [{is: "all", upTo: Infinity}]);
});

test("the cache outweighs the weights beyond 14 GB / (8 · 131,072 B) tokens", () => {
  assert.equal(report().even_context_len, 13351);
  assert.equal(report({gqa: 1}).even_context_len, 3337);
});

test("axes end at round numbers", () => {
  assert.deepEqual(decades([0.7, 2950]), [0.1, 1, 10, 100, 1000, 1e4]);
  assert.deepEqual(decades([10, 10]), [10, 100]);
  assert.deepEqual(rounds(6.85), [0, 2, 4, 6, 8]);
  assert.deepEqual(rounds(0.3), [0, 0.1, 0.2, 0.3]);
});
