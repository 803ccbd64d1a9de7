import assert from "node:assert/strict";
import {test} from "node:test";

import {SETTINGS, state, whole} from "../../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {hints} from "#modules/core/words/hints.mjs";

const of = (say, changes) => say(state(changes), evaluate(state(changes)));

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
