import assert from "node:assert/strict";
import {test} from "node:test";

import {MEASURES, bars, pulls, ranked} from "#modules/core/explorer/levers.mjs";
import {consistent, defaults} from "#modules/core/rules.mjs";
import {Store} from "#modules/core/store.mjs";
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

test("a press makes the very state of its row, whatever gave way to the move before", () => {
  let n_pressed = 0;
  for (const [inputs, key, value] of [
    [{gpus: 16, dp: 4}, "gpus", 2], [{gpus: 8, dp: 2}, "gpus", 1], [{params_b: 13, gpus: 5}, "gpus", 4],
    [{model: "mixtral-8x7b", gpus: 8, dp: 2, ep: 8}, "gpus", 4], [{gpus: 16, gqa: 32}, "params_b", 3], [{gqa: 4}, "batch", 16],
  ]) {
    for (const {lever: {name}} of pulls(consistent({...defaults, ...inputs}).state)) {
      const store = new Store({...defaults, ...inputs}, defaults);
      store.move(key, value);
      const {state} = store, row = pulls(state).find(({lever}) => lever.name === name);
      if (!row) continue;
      n_pressed += 1;
      assert.equal(store.choose(row.state, row.lever.key), "");
      assert.deepEqual([store.state, store.report], [row.state, row.report], name);
      assert.equal(store.moved, row.lever.key);
      // A press is a move of its own, also where the one before had not come to rest.
      store.undo();
      assert.deepEqual(store.state, state, name);
      store.settle();
    }
  }
  assert.ok(n_pressed > 40, String(n_pressed));
});
