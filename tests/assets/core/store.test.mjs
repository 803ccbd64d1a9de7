import assert from "node:assert/strict";
import {test} from "node:test";

import {evaluate} from "#modules/built/arithmetic.mjs";
import {defaults} from "#modules/core/rules.mjs";
import {Store} from "#modules/core/store.mjs";

/** A store, and what it has told since. */
function opened(changes = {}, home = defaults) {
  const store = new Store({...defaults, ...changes}, home), told = [];
  for (const what of ["change", "settle"]) store.addEventListener(what, () => told.push(what));
  return {store, told};
}

test("a store has a state and its report from the beginning", () => {
  const {store} = opened({batch: 64});
  assert.equal(store.state.batch, 64);
  assert.deepEqual(store.report, evaluate(store.state));
  assert.deepEqual(store.before, {state: store.state, report: store.report});
  assert.equal(store.moved, "");
});

test("a change is told after it is done, once, and brings its report", () => {
  const {store, told} = opened();
  store.addEventListener("change", () => assert.equal(store.report.batch, 64));
  assert.equal(store.move("batch", 64), "");
  assert.deepEqual(told, ["change"]);
  store.settle();
});

test("one move goes from where it began until it is settled, or another input moves", () => {
  const {store, told} = opened();
  store.move("batch", 16);
  store.move("batch", 64);
  assert.equal(store.before.report.batch, 8);
  store.move("context", 512);
  assert.deepEqual([store.moved, store.before.state.batch, store.before.report.context_len], ["context", 64, 8192]);
  store.settle();
  store.move("context", 1024);
  assert.equal(store.before.report.context_len, 512);
  store.settle();
  assert.deepEqual(told, ["change", "change", "change", "settle", "change", "settle"]);
});

test("a move is over after a pause", async () => {
  const {store} = opened();
  store.move("batch", 64);
  await new Promise(done => { store.addEventListener("settle", done); });
  store.move("batch", 128);
  assert.equal(store.before.report.batch, 64);
  store.settle();
});

test("nothing is settled twice", () => {
  const {store, told} = opened();
  store.settle();
  store.move("batch", 64);
  store.settle();
  store.settle();
  assert.deepEqual(told, ["change", "settle"]);
});

test("the group size follows the heads at the moment of the change", () => {
  const {store} = opened({params_b: 70, gqa: 64});
  store.move("params_b", 13);   // 40 heads: 64 does not divide them
  assert.equal(store.state.gqa, 40);
  assert.equal(store.report.full_n_kv_heads, 1);
  store.settle();
  assert.equal(new Store({...defaults, gqa: 5}, defaults).state.gqa, 4);
});

test("a format of the cache follows the model, and comes back with the next one that has it", () => {
  const {store} = opened({model: "deepseek-v3", kv: "fp8_ds_mla"});
  const shown = ["llama-3-8b", "deepseek-v4-pro", "kimi-k2"].map(model => {
    assert.equal(store.move("model", model), "");
    return store.state.kv;
  });
  assert.deepEqual(shown, ["fp8", "fp8_ds_v4", "fp8_ds_mla"]);
  store.settle();
  assert.match(store.move("kv", "fp8_ds_v4"), /^this KV format \(kv\) is for models /);
  assert.equal(store.state.kv, "fp8_ds_mla");
});

test("what gave way to a value comes back where the next one of that input leaves it room", () => {
  const {store} = opened({gpus: 16, gqa: 32});
  store.move("params_b", 3);   // 24 heads
  assert.deepEqual([store.state.gqa, store.state.gpus], [24, 12]);
  store.settle();
  store.move("params_b", 7);
  assert.deepEqual([store.state.gqa, store.state.gpus], [32, 16]);
  // Another input goes on from what is shown.
  store.move("params_b", 3);
  store.move("batch", 16);
  store.move("params_b", 7);
  assert.deepEqual([store.state.gqa, store.state.gpus], [16, 8]);
  store.settle();
});

test("ways to share come back with the GPUs", () => {
  const {store} = opened({model: "mixtral-8x7b", gpus: 8, dp: 2, ep: 8});
  const {state} = store;
  store.move("gpus", 4);
  assert.deepEqual([store.state.dp, store.state.ep], [1, 1]);
  store.settle();
  store.move("gpus", 8);
  assert.deepEqual(store.state, state);
  store.undo();
  store.move("gpus", 8);
  assert.deepEqual([store.state.dp, store.state.ep], [1, 1]);
  store.settle();
});

test("what the rules refuse changes nothing, and whoever shows it shows it again", () => {
  const {store, told} = opened({active_b: 5, experts: 8, top_k: 2});
  const {state, report} = store;
  assert.match(store.move("params_b", 3), /more active parameters/);
  assert.equal(store.state, state);
  assert.equal(store.report, report);
  assert.equal(store.moved, "");
  assert.deepEqual(told, ["change"]);
});

/** What no input takes, with its key and what is said. */
const STRAYS = [
  ...[undefined, null, NaN, Infinity, -1, 2.5, "64", "∞", [64], new Uint8Array([64]), new Number(64), 64n, true]
    .map(value => ["batch", value, /^batch=.*: allowed is a whole number from 1 to 1,024$/]),
  ...[undefined, null, "", "INT4", ["int4"], NaN, 4].map(value => ["weights", value, /^weights=.*: (did you mean .*? )?allowed is one of /]),
  ...[undefined, NaN, 3, 64].map(value => ["gqa", value, /^gqa=.*: (allowed is a|g must divide the 32 query heads)/]),
  ...[undefined, null, "", 0, -0, [8]].map(value => ["prompt", value, /^prompt=.*: allowed is a whole number from 1 to /]),
  ...[2 ** 31, 1e308].map(value => ["heads", value, /^heads=.*: allowed is a whole number from 1 to 1,024$/]),
  ["usd_per_gpu_hour", -0, /^usd_per_gpu_hour=0: allowed is /],
  ...["batches", "__proto__", "constructor", "toString", ""].map(key => [key, 1, /there is no such input$/]),
];

test("nothing writes what the rules refuse, by any way", () => {
  const {store} = opened(), {state, report} = store;
  for (const [key, value, said] of STRAYS) {
    const inputs = Object.fromEntries([[key, value]]), whole = Object.defineProperty({...state}, key, {value, enumerable: true});
    const name = `${key}=${typeof value}`;
    assert.match(store.move(key, value), said, name);
    assert.match(store.set(inputs), said, name);
    assert.match(store.set({context: 512, ...inputs}), said, name);
    if (key !== "gqa" || Number.isNaN(value) || value === undefined) {   // by itself it follows the heads
      assert.match(store.open(whole), said, name);
      assert.throws(() => new Store(whole, defaults), {message: said}, name);
      assert.throws(() => new Store(defaults, whole), {message: said}, name);
    }
    assert.equal(store.state, state, name);
    assert.equal(store.report, report, name);
  }
  const {batch, ...less} = state;
  assert.match(store.open(less), /^batch=undefined: allowed is /);
  assert.equal(store.state.batch, batch);
});

test("a group size that says nothing stays as it was asked for", () => {
  const {store} = opened();
  assert.equal(store.set({kv_heads: 4, gqa: 10}), "");
  assert.equal(store.state.gqa, 10);
  // Without KV heads it says something, and follows the 32 query heads: but not of a message, which moves nothing else.
  assert.match(store.set({kv_heads: NaN}), /^gqa=10: allowed is a divisor of the 32 query heads/);
  assert.equal(store.move("kv_heads", NaN), "");
  assert.equal(store.state.gqa, 8);
  store.settle();
});

test("what is not given is NaN, and is so again", () => {
  const {store} = opened();
  assert.equal(store.set({prompt: 1000}), "");
  assert.equal(store.set({prompt: NaN}), "");
  assert.equal(store.move("kv_heads", 8), "");
  assert.equal(store.move("kv_heads", NaN), "");
  assert.deepEqual(store.state, defaults);
  store.settle();
});

test("inputs from elsewhere come together or not at all, and are no move", () => {
  const {store, told} = opened();
  store.move("batch", 64);
  assert.match(store.set({context: 512, gqa: 5}), /divisor of the 32 query heads/);
  assert.equal(store.state.context, 8192);
  assert.equal(store.set({context: 512, gqa: 8}), "");
  assert.deepEqual([store.state.context, store.state.gqa, store.moved], [512, 8, "set"]);
  assert.deepEqual(told, ["change", "change"]);
  assert.equal(store.set(store.state), "");
  store.settle();
});

test("a message moves nothing but what it asks for", () => {
  const {store} = opened({gpus: 8}), {state} = store;
  store.lock = ["gqa"];
  const said = "tp=8 (gpus / dp / pp): it must divide the 10 KV heads, or be a multiple of them; with 40 query heads these do: 1, 2, 5, 10, 20 or 40";
  for (const inputs of [{params_b: 13}, {params_b: 13, gpus: 8}]) {
    assert.equal(store.set(inputs), said);
    assert.equal(store.state, state);
  }
  assert.equal(store.set({params_b: 13, gpus: 5}), "");
  assert.deepEqual(store.state, {...state, params_b: 13, gpus: 5});
  const {store: split} = opened({model: "mixtral-8x7b", gpus: 8, dp: 8, ep: 8});
  assert.equal(split.set({gpus: 4}), "gpus=4: allowed is a whole multiple of dp · pp, here 8 · 1 = 8");
  assert.match(split.set({model: "7b-class"}), /need a model with experts$/);
  assert.equal(split.set({gpus: 4, dp: 4, ep: 4}), "");
  store.settle();
  split.settle();
});

test("a state that was told can be set in another page", () => {
  const {store} = opened({params_b: 70, gqa: 8}), other = opened().store;
  assert.equal(store.move("model", "llama-3-8b"), "");
  assert.match(other.set({model: "llama-3-8b", params_b: 70}), /has its own$/);
  assert.equal(other.set(store.state), "");
  assert.deepEqual(other.state, store.state);
  assert.match(other.set({...store.state, model: "7b-class", gqa: 3}), /divisor of the 32/);
  store.settle();
  other.settle();
});

test("a reset leads home, with what is not the reader's to change", () => {
  const home = {...defaults, context: 512};
  const {store} = opened({batch: 64, context: 1024}, home);
  store.lock = ["batch"];
  store.reset();
  assert.deepEqual([store.state.batch, store.state.context], [64, 512]);
  store.lock = [];
  store.reset();
  assert.equal(store.state.batch, 8);
  store.settle();
});

test("each step can be taken back, a reset, a message and another state too", () => {
  const {store} = opened(), batches = [8];
  assert.ok(!store.undoable);
  store.undo();   // there is nothing: nothing happens
  const doings = [
    () => store.move("batch", 16), () => store.set({batch: 32}), () => store.open({...store.state, batch: 64}),
    () => store.reset(), () => store.move("batch", 128),
  ];
  for (const done of doings) {
    done();
    store.settle();
    batches.push(store.state.batch);
  }
  assert.deepEqual(batches, [8, 16, 32, 64, 8, 128]);
  for (const batch of batches.slice(0, -1).reverse()) {
    store.undo();
    assert.deepEqual([store.state.batch, store.moved], [batch, "undo"]);
    assert.deepEqual(store.report, evaluate(store.state));
  }
  assert.ok(!store.undoable);
});

test("a move is one step, however far it goes; what changes nothing is none", () => {
  const {store} = opened();
  for (const batch of [16, 32, 64]) store.move("batch", batch);
  store.set({batch: 64});
  store.move("batch", 0);
  store.settle();
  store.undo();
  assert.deepEqual([store.state.batch, store.undoable], [8, false]);
});

test("what is not the reader's to change stays when a step is taken back", () => {
  const {store} = opened();
  store.lock = ["batch"];
  store.set({batch: 64});   // a lesson may
  store.move("context", 512);
  store.undo();
  assert.deepEqual([store.state.batch, store.state.context], [64, 8192]);
  store.settle();
});

test("a GPU brings its price, unless that is not the reader's to change", () => {
  const {store} = opened();
  store.move("gpu", "h200-sxm");
  assert.equal(store.state.usd_per_gpu_hour, 2.9);
  store.move("gpu", "t4");   // none is known: the lesson's
  assert.equal(store.state.usd_per_gpu_hour, 3);
  store.undo();   // one move, as nothing paused it
  assert.deepEqual([store.state.gpu, store.state.usd_per_gpu_hour], ["h100-80gb-lesson", 3]);
  store.lock = ["usd_per_gpu_hour"];
  store.move("gpu", "h200-sxm");
  assert.equal(store.state.usd_per_gpu_hour, 3);
  store.set({gpu: "mi300x"});   // whoever says all says the price, too
  assert.equal(store.state.usd_per_gpu_hour, 3);
  store.settle();
});

test("what a model or card has its own of is forgotten when it is chosen", () => {
  const {store} = opened({params_b: 70, gqa: 8, gpu: "custom", hbm_gb: 160});
  assert.equal(store.report.hbm_bytes, 160e9);
  store.move("model", "llama-3-8b");
  store.move("gpu", "h100-sxm");
  assert.deepEqual([store.state.params_b, store.state.gqa, store.state.hbm_gb], [7, 4, NaN]);
  assert.match(store.move("hbm_gb", 96), /^hbm_gb: H100 SXM 80GB has its own$/);
  store.settle();
});

test("no move changes what is locked: neither its own, nor what would follow from another", () => {
  const {store, told} = opened({params_b: 70, gqa: 64, gpu: "custom", hbm_gb: 160}), {state} = store;
  for (const [lock, key, value, label] of [
    ["batch", "batch", 64, "Batch, B"],
    ["gqa", "params_b", 13, "GQA group size, g"],   // 40 heads: 64 does not divide them
    ["gqa", "model", "llama-3-8b", "GQA group size, g"],
    ["params_b", "model", "llama-3-8b", "Parameters"],
    ["hbm_gb", "gpu", "h200-sxm", "Memory"],
    ["link_gb_per_s", "gpu", "h200-sxm", "Link"],   // open, and it would have no say any more
  ]) {
    store.lock = ["context", lock];
    assert.equal(store.move(key, value), `This would change what is locked here: ${label}`);
    assert.equal(store.state, state);
    assert.equal(told.pop(), "change");   // the control shows the state again
  }
  assert.equal(store.move("params_b", 60), "");
  assert.equal(store.move("gqa", 64), "");   // it is
  store.settle();
});

test("what is locked keeps its say: nothing switches off what it sets", () => {
  const home = {...defaults, spec_k: 0}, asked = {params_b: 70, gqa: 8, spec_k: 4, alpha: 0.9};
  const {store} = opened(asked, home), {state} = store;
  for (const [lock, key, value, label] of [
    ["alpha", "spec_k", 0, "Acceptance, α"],
    ["gqa", "kv_heads", 8, "GQA group size, g"],
  ]) {
    store.lock = [lock];
    assert.equal(store.move(key, value), `This would change what is locked here: ${label}`);
    assert.equal(store.state, state);
  }
  store.lock = ["alpha"];
  assert.equal(store.reset(), "This would change what is locked here: Acceptance, α");
  assert.equal(store.move("spec_k", 2), "");
  store.lock = ["spec_k", "alpha"];
  assert.equal(store.reset(), "");   // both stay
  assert.deepEqual([store.state.spec_k, store.state.alpha, store.state.params_b], [2, 0.9, 7]);
  store.set({spec_k: 0});   // a lesson may
  store.lock = ["alpha"];
  assert.equal(store.move("batch", 64), "");   // what had no say loses none
  store.settle();
});

test("what is locked and was left open follows what it follows", () => {
  const {store} = opened({gpu: "custom", bf16_tflops: 500});
  store.lock = ["prompt", "fp8_tflops"];
  assert.equal(store.move("context", 512), "");
  assert.equal(store.move("bf16_tflops", 800), "");
  assert.deepEqual([store.state.prompt, store.state.fp8_tflops], [NaN, NaN]);
  store.set({prompt: 256});
  assert.match(store.move("prompt", 512), /locked here: /);
  assert.equal(store.move("context", 1024), "");
  assert.equal(store.state.prompt, 256);
  store.settle();
});

test("a way back that would change what is locked is not gone", () => {
  const home = {...defaults, active_b: 5, experts: 8, top_k: 2};
  const {store} = opened(home, home);
  store.lock = ["params_b", "gqa"];
  store.move("batch", 64);
  store.set({active_b: NaN, experts: 0, top_k: 0, params_b: 3});   // a lesson may
  const {state} = store;
  for (const back of ["reset", "undo"]) {   // 3 B in all, 5 B of them active
    assert.equal(store[back](), "This would change what is locked here: Parameters");
    assert.equal(store.state, state);
  }
  store.set({params_b: 7});
  assert.equal(store.reset(), "");
  assert.deepEqual(store.state, home);
  store.settle();
});

test("whoever comes back to a place finds it as it was, with where Reset and Undo lead", () => {
  const {store} = opened();
  store.open({...defaults, batch: 64});
  const {place, state} = store, away = {...defaults, batch: 1};
  store.resume({state: away, home: away, past: []});
  assert.deepEqual([store.state.batch, store.undoable, store.moved], [1, false, ""]);
  store.move("context", 512);
  store.resume(place);
  assert.deepEqual(store.state, state);
  store.undo();
  assert.equal(store.state.batch, defaults.batch);
  store.resume(place);
  store.reset();
  assert.deepEqual(store.state, defaults);
  store.settle();
});

test("a reader who goes elsewhere takes along what is locked", () => {
  const {store} = opened({batch: 64});
  store.lock = ["batch"];
  assert.equal(store.goTo({...defaults, batch: 1, context: 512}, "set"), "");
  assert.deepEqual([store.state.batch, store.state.context], [64, 512]);
  store.settle();
});

test("a reader's own move to a whole state is made as it is, or not at all: what is locked is asked of all that changes", () => {
  const {store, told} = opened({usd_per_gpu_hour: 2, gpu: "custom", hbm_gb: 40, hbm_gb_per_s: 1000, bf16_tflops: 100});
  const {state} = store, next = {...state, gpu: "l4", batch: 4, usd_per_gpu_hour: 0.7, hbm_gb: NaN, hbm_gb_per_s: NaN, bf16_tflops: NaN};
  for (const key of ["gpu", "batch", "usd_per_gpu_hour", "hbm_gb"]) {
    store.lock = [key];
    assert.match(store.choose(next, "set"), /^This would change what is locked here: /);
    assert.equal(store.choose(next, "set"), store.lockComplaint(next));
    assert.equal(store.state, state);
  }
  assert.deepEqual(told, []);
  store.lock = ["context"];
  assert.equal(store.choose(next, "set"), "");
  assert.deepEqual([store.state.usd_per_gpu_hour, store.moved, store.moving], [0.7, "set", false]);
});

test("what a message gives and its own model has not is refused, also where it stands so already", () => {
  for (const gqa of [1, 8]) {
    const {store} = opened({gqa});
    assert.match(store.set({model: "llama-3-8b", gqa: 8}), /gqa/, String(gqa));
    assert.equal(store.state.model, defaults.model);
    assert.match(store.set({gpu: "l4", hbm_gb: 40}), /hbm_gb/);
    assert.equal(store.set({gqa}), "");
  }
});
