import assert from "node:assert/strict";
import {test} from "node:test";

import {MEASURES, bars, pulls, ranked} from "#modules/core/explorer/levers.mjs";
import {consistent, defaults} from "#modules/core/rules.mjs";
import {change, sentence} from "#modules/core/words/levers.mjs";

/** Levers in a state by a measure, the best first, and the sentence. */
function at(inputs, name = "together", isFull = false) {
  const {state, report} = consistent({...defaults, ...inputs}), measure = MEASURES[name];
  const found = ranked(measure, report, pulls(state, isFull));
  return {names: found.map(({lever}) => lever.name), gains: Object.fromEntries(found.map(({lever, gain}) => [lever.name, gain])), text: sentence(measure, report, found)};
}

test("a faster chip does nothing for a step that waits for memory, and the sentence says why", () => {
  const {gains, text} = at({});
  assert.equal(gains.peak, 1);
  assert.equal(gains.bandwidth, 2);
  assert.match(text, /FLOP\/s × 2 changes nothing here, as decode waits for memory, 61× below the ridge\.$/);
});

test("what helps is another thing where the batch is large and the context short", () => {
  assert.equal(at({batch: 1}).names[0], "weights_4bit");
  const {gains} = at({batch: 1024, context: 512});
  assert.ok(gains.speculation < 1 && gains.weights_4bit < 1.2);
});

test("a price that falls is a gain", () => {
  assert.equal(at({}, "price").gains.price.toFixed(3), "1.250");
});

test("a published model's g is no lever, nor what is so already", () => {
  const {names} = at({model: "llama-3-70b", kv: "fp8", gpus: 4});
  assert.ok(!names.includes("gqa") && !names.includes("kv_8bit"));
});

test("where GPUs would change the group size they are no single change", () => {
  // 10 KV heads: 2 GPUs share them, 4 do not.
  assert.ok(!at({params_b: 13, gqa: 4, gpus: 2}).names.includes("gpu"));
});

test("with as many as fit, what saves memory brings speed", () => {
  assert.ok(at({}, "together", true).gains.kv_8bit > at({}).gains.kv_8bit);
});

test("twice is as long as half, and begins where it ends", () => {
  const [twice, half, none] = bars([2, 0.5, 1]);
  assert.deepEqual([twice, half, none], [{from: 0.5, length: 0.5}, {from: 0, length: 0.5}, {from: 0.5, length: 0}]);
});

test("changes are told in a few digits", () => {
  const told = {2.31: "+131 %", 0.718: "−28 %", 1.037: "+3.7 %", 12.4: "12×", 1: "no change", 0.99999: "under −0.1 %", 1.0004: "under +0.1 %", 0.004: "over −99 %"};
  for (const [ratio, text] of Object.entries(told)) assert.equal(change(Number(ratio)), text);
});
