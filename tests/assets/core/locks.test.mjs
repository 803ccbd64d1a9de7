import assert from "node:assert/strict";
import {test} from "node:test";
import {isDeepStrictEqual} from "node:util";

import data from "#modules/built/data.mjs";
import {fromAddress} from "#modules/core/address.mjs";
import {defaults} from "#modules/core/rules.mjs";
import {Store} from "#modules/core/store.mjs";

import {random} from "../hostile.mjs";

/** A store at an address, with what is locked there. */
function opened(search) {
  const {state, settings} = fromAddress(search), store = new Store(state, defaults);
  store.lock = settings.lock;
  return store;
}

const STARTS = [
  "", "?gpus=8", "?params_b=70&gqa=64&gpus=4", "?model=deepseek-v4-flash&gpus=8", "?model=deepseek-v3&gpus=16&kv=fp8_ds_mla",
  "?model=mixtral-8x7b&gpus=8&dp=2&ep=8", "?gpu=custom&hbm_gb=160", "?spec_k=4&alpha=0.9", "?assumptions=engine&kv_heads=8",
];

test("whatever is locked, a reader comes back from wherever they may go", () => {
  const keys = Object.keys(data.inputs), next = random(7);
  const one = list => list[Math.floor(next() * list.length)];
  const valueOf = key => one(data.inputs[key].options ?? data.inputs[key].stops ?? [NaN, 1, 2, 4, 8, 64, 0.5]);
  let n_moved = 0;
  for (let n = 0; n < 300; n++) {
    const store = opened(one(STARTS)), passed = [store.state];
    store.lock = Array.from({length: 3}, () => one(keys));
    const name = `${store.lock}, from ${JSON.stringify(store.state)}`;
    for (let i = 0; i < 12; i++) {
      const key = one([...keys, "model", "gpus", "spec_k", "gpu"]);
      if (i % 5) store.move(key, valueOf(key)); else if (i) store.reset();
      if (!isDeepStrictEqual(store.state, passed.at(-1))) passed.push(store.state);
      store.settle();
    }
    n_moved += passed.length - 1;
    while (store.undoable) {
      const left = passed.pop();
      assert.equal(store.undo(), "", `${name}, back from ${JSON.stringify(left)}`);
      assert.deepEqual(store.state, passed.at(-1), name);
    }
    store.settle();
  }
  assert.ok(n_moved > 500, String(n_moved));
});

test("what had no say where the reader was put may lose it again: by Undo, by choice, by Reset", () => {
  const store = opened("?model=deepseek-v4-flash&gpus=8&lock=gqa,params_b"), {state} = store;
  const toOwn = () => { assert.equal(store.move("model", "7b-class"), ""); store.settle(); };
  toOwn();
  assert.match(store.move("params_b", 8), /locked here: Parameters$/);
  assert.equal(store.undo(), "");
  assert.deepEqual(store.state, state);
  toOwn();
  assert.equal(store.move("model", "deepseek-v4-flash"), "");
  assert.deepEqual(store.state, state);
  toOwn();
  assert.equal(store.set({batch: 64}), "");   // of something else
  const {place} = store;
  store.resume({state: defaults, home: defaults, past: []});
  assert.match(store.move("model", "deepseek-v3"), /locked here: GQA group size, g$/);
  store.resume(place);
  assert.equal(store.goTo(state, ""), "");
  assert.deepEqual(store.state, state);
  store.settle();
});

test("what a lesson gives a say keeps it", () => {
  const store = opened("?lock=alpha");
  store.move("spec_k", 4);
  store.move("spec_k", 0);
  assert.equal(store.set({spec_k: 2}), "");
  for (const back of [() => store.move("spec_k", 0), () => store.undo(), () => store.reset()]) {
    assert.equal(back(), "This would change what is locked here: Acceptance, α");
  }
  assert.equal(store.set({spec_k: 0}), "");
  assert.equal(store.move("spec_k", 4), "");
  assert.equal(store.move("spec_k", 0), "");
  store.settle();
});
