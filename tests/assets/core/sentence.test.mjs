// The default: 7 B parameters in bf16 are 14 GB; a token's KV cache is 2 · 32 layers · 8 KV heads
// · 128 · 2 bytes = 128 KiB, so 8 sequences of 8,192 tokens hold 8.59 GB. One H100 of the lesson:
// 80 GB, 3.3 TB/s, 990 TFLOP/s, ridge 300.
import assert from "node:assert/strict";
import {test} from "node:test";

import {evaluate} from "#modules/built/arithmetic.mjs";
import {sentence} from "#modules/core/sentence.mjs";
import {SETTINGS, state, whole} from "../state.mjs";

/** The sentence before anything was moved. */
function opening(changes = {}) {
  return move("", changes);
}

/** The sentence for a move from one set of inputs to another. */
function move(key, to, from = {}) {
  return sentence({moved: key, before: {report: evaluate(state(from))}, report: evaluate(state({...from, ...to}))});
}

test("the opening sentence follows the state", () => {
  assert.equal(opening(),
    "Each step reads 14.0 GB of weights and 8.59 GB of KV cache to make 8 tokens: decode is memory-bound.");
  assert.equal(opening({batch: 1}),
    "Each step reads 14.0 GB of weights and 1.07 GB of KV cache to make 1 token: decode is memory-bound.");
  assert.match(opening({gpus: 2}), /^On each GPU a step reads 7\.00 GB of weights and 4\.29 GB /);
  assert.equal(opening({spec_k: 4}),
    "Each pass reads 14.0 GB of weights to check 4 guesses for 8 sequences, and yields 2.77 tokens of each: " +
    "it is memory-bound.");
  assert.match(opening({spec_k: 1, batch: 1}), / to check 1 guess for 1 sequence, /);
});

test("each control's move says what it did and why", () => {
  assert.equal(move("gqa", {gqa: 1}),
    "KV cache went from 8.59 GB to 34.4 GB: each of the 32 query heads now keeps its own keys and values.");
  assert.equal(move("gqa", {gqa: 8}),
    "KV cache went from 8.59 GB to 4.29 GB: 8 query heads share each pair of key and value.");
  assert.equal(move("context", {context: 32768}),
    "KV cache went from 8.59 GB to 34.4 GB: every sequence holds 32,768 tokens, and every step reads all of them.");
  assert.equal(move("weights", {weights: "int4"}),
    "All users together went from 1,170 tokens/s to 2,180 tokens/s (1.87×): a step reads 3.50 GB of weights " +
    "instead of 14.0 GB, and decode stays memory-bound.");
  assert.equal(move("kv", {kv: "fp8"}),
    "KV cache went from 8.59 GB to 4.29 GB, all users together went from 1,170 tokens/s to 1,440 tokens/s: " +
    "room for 122 sequences.");
  assert.equal(move("spec_k", {spec_k: 4}),
    "2.77 tokens per pass, 2.31× the speed: the big model checks 4 guesses in one read of its weights.");
  assert.equal(move("alpha", {alpha: 0.1}, {spec_k: 4}),
    "1.11 tokens per pass, 0.926× the speed: drafting and checking now cost more than they yield.");
  assert.equal(move("spec_k", {spec_k: 0}, {spec_k: 4}),
    "Speculation is off: every pass yields one token per sequence.");
});

test("a move past the limit, and back", () => {
  assert.equal(move("batch", {batch: 64}),
    "All users together went from 1,170 tokens/s to 2,550 tokens/s (2.18×), one user went from 146 tokens/s " +
    "to 39.9 tokens/s: one read of the weights serves 64 sequences, but each brings its own cache. " +
    "64 sequences no longer fit (61 do).");
  assert.equal(move("params_b", {params_b: 70}),
    "Weights went from 14.0 GB to 140 GB: every step reads them all, once. " +
    "8 sequences no longer fit (not even one does).");
  assert.match(move("batch", {batch: 8}, {batch: 64}), / Now it fits\.$/);
});

test("a move that changes nothing says that it stays", () => {
  assert.match(move("kv", {kv: "bf16"}), /^KV cache stays at 8\.59 GB, all users together stay at 1,170 tokens\/s/);
});

test("a control without a sentence of its own gets the opening one", () => {
  assert.equal(move("gpus", {gpus: 2}), opening({gpus: 2}));
});

test("no sentence is broken, whatever is moved", () => {
  for (const changes of SETTINGS) {
    for (const key of ["", ...Object.keys(changes)]) whole(move(key, changes), JSON.stringify(changes));
  }
});
