// Where the cache is next to nothing, a step reads 14 GB and multiplies 14 GFLOP per sequence: on
// the lesson's H100 both take equally long at batch 990 / 3.3 = 300.
import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {at, curve, decades, last, memoryBoundUpTo, paysUpTo, rounds} from "#modules/core/curves.mjs";

const report = changes => evaluate(state(changes));

test("a curve goes over the stops of an input", () => {
  const r = report(), batches = curve("batch", r);
  assert.deepEqual([batches[0], batches[5], batches.at(-1)].map(each => each.batch), [1, 8, 1024]);
  assert.equal(curve("batch", r), batches);
  assert.equal(at("context", 512, r).kv_bytes, 8 * 512 * 131072);
});

test("the ridge over batch", () => {
  assert.equal(memoryBoundUpTo(report({context: 1})), 300);
  // Each sequence's 1.07 GB take 325 µs to read, its 14 GFLOP 14 µs to compute.
  assert.equal(memoryBoundUpTo(report()), Infinity);
});

test("where speculation stops paying", () => {
  // 4 guesses at 0.7 yield 2.773 tokens; drafting takes 0.2 steps and verifying 5 · B / 300 of one:
  // B = 300 · (2.773 − 0.2) / 5 = 154.4.
  assert.equal(paysUpTo(report({spec_k: 4, context: 1})), 154);
  assert.equal(paysUpTo(report({spec_k: 4})), Infinity);
  assert.equal(paysUpTo(report({spec_k: 8, alpha: 0.01})), 0);
});

test("the last value at which something holds", () => {
  const r = report();
  for (const most of [1, 2, 61, 700, 1023]) {
    assert.equal(last("batch", r, each => each.batch <= most), most);
  }
  assert.equal(last("batch", r, () => false), 0);
  assert.equal(last("batch", r, () => true), Infinity);
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
