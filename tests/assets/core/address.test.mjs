import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../state.mjs";
import {fromAddress, query, read, waiting} from "#modules/core/address.mjs";

const {settings: DEFAULTS} = read("");

/** The one note on an address, which else asks for nothing. */
function note(search) {
  const {inputs, settings, notes} = read(search);
  assert.deepEqual([inputs, settings], [{}, DEFAULTS], search);
  assert.equal(notes.length, 1, search);
  return notes[0];
}

test("nothing is asked for", () => {
  assert.deepEqual(read(""), {inputs: {}, settings: DEFAULTS, notes: []});
  assert.equal(DEFAULTS.view, "widget");
  assert.equal(DEFAULTS.theme, "auto");
  assert.deepEqual(DEFAULTS.show, []);
});

test("inputs and settings are read", () => {
  const {inputs, settings, notes} = read("?context=32768&weights=int4&alpha=0.5&theme=dark&show=meter,readouts&lock=all");
  assert.deepEqual(inputs, {context: 32768, weights: "int4", alpha: 0.5});
  assert.deepEqual([settings.theme, settings.show, settings.lock], ["dark", ["meter", "readouts"], ["all"]]);
  assert.deepEqual(notes, []);
});

test("numbers are read as people write them", () => {
  assert.deepEqual(read("?context=8,192&batch=1e2").inputs, {context: 8192, batch: 100});
  assert.deepEqual(read("?context=8%2C192").inputs, {context: 8192});
});

test("what is wrong is left out, and said", () => {
  assert.equal(note("?contexts=1"), "contexts=1: there is no such key; did you mean context?");
  assert.equal(note("?toString=1"), "toString=1: there is no such key");
  assert.equal(note("?__proto__=1"), "__proto__=1: there is no such key");
  assert.match(note("?weights=fp7"), /^weights=fp7: did you mean fp8\? allowed is one of .*\bbf16\b/);
  assert.match(note("?batch=0"), /^batch=0: allowed is /);
  assert.match(note("?batch=1.5"), /^batch=1\.5: allowed is /);
  assert.match(note("?batch="), /^batch=: allowed is /);
  assert.match(note("?batch=-8"), /^batch=-8: allowed is /);
  assert.match(note("?batch=%D9%A8"), /^batch=٨: allowed is /);
  assert.equal(note("?theme=pink"), "theme=pink: allowed is one of auto, light, dark");
  assert.match(note("?show=nothing"), /^show=nothing: allowed is one of .*\bmeter\b/);
});

test("a bad key takes no good one with it", () => {
  const {inputs, settings, notes} = read("?batch=0&context=512&weights=&nothing=1&lock=batch,wieghts,kv");
  assert.deepEqual([inputs, settings.lock], [{context: 512}, ["batch", "kv"]]);
  assert.deepEqual(notes.map(each => each.split(":")[0]), ["batch=0", "weights=", "nothing=1", "lock=wieghts"]);
});

test("of two the first one counts", () => {
  const {inputs, notes} = read("?batch=16&batch=32");
  assert.deepEqual(inputs, {batch: 16});
  assert.deepEqual(notes, ["batch=32: batch is given twice, the first one counts"]);
});

test("a text from outside is cut and stays a text", () => {
  assert.equal(note(`?x=${"y".repeat(100)}`), `x=${"y".repeat(39)}…: there is no such key`);
  assert.equal(note("?%3Cscript%3E=%0A"), "<script>= : there is no such key");
});

test("of many notes the first are read, and how many there are", () => {
  const many = fromAddress(`?batch=64&${Array.from({length: 1e4}, (_, i) => `k${i}=1`).join("&")}`);
  assert.equal(many.state.batch, 64);
  assert.equal(many.notes.length, 8);
  assert.deepEqual(many.notes.slice(-2), ["k6=1: there is no such key", "9993 more: left out, too"]);
});

test("the default needs no query", () => {
  assert.equal(query(state(), DEFAULTS), "");
});

test("only what differs is written", () => {
  assert.equal(query(state({batch: 64}), DEFAULTS), "?batch=64");
  assert.equal(query(state({alpha: 0.75, weights: "int4"}), {...DEFAULTS, theme: "dark"}),
    "?weights=int4&alpha=0.75&theme=dark");
  assert.equal(query(state(), {...DEFAULTS, show: ["meter", "readouts"]}), "?show=meter,readouts");
});

test("what is not given is not written, what is given again is", () => {
  assert.equal(query(state({prompt: NaN}), DEFAULTS), "");
  assert.equal(query(state({prompt: 1000}), DEFAULTS), "?prompt=1000");
});

test("what a published model has its own of is not written", () => {
  assert.equal(query(state({model: "llama-3-8b", params_b: 70, gqa: 8}), DEFAULTS), "?model=llama-3-8b");
});

test("what is written is read back", () => {
  for (const changes of [
    {context: 1048576, batch: 1024}, {gqa: 1, params_b: 0.5}, {spec_k: 4, alpha: 0.123456789},
    {weights: "int8", kv: "fp8", assumptions: "engine"}, {gpus: 8, mbu: 0.65, usd_per_gpu_hour: 2.49},
  ]) {
    const settings = {...DEFAULTS, lock: ["batch", "context"], hide: ["meter"], units: "GiB"};
    const search = query(state(changes), settings);
    assert.deepEqual(read(search), {inputs: changes, settings, notes: []}, search);
  }
});

test("what cannot go together is left out until the rest can, and said", () => {
  const {state: asked, notes} = fromAddress("?gqa=3&batch=64&experts=8");
  assert.deepEqual(asked, state({batch: 64}));
  assert.deepEqual(notes.toSorted(), [
    "experts need their number per token (top_k)",
    "gqa=3: allowed is a divisor of the 32 query heads: 1, 2, 4, 8, 16 or 32",
  ]);
});

test("a set-up beside an exercise is said to wait", () => {
  assert.deepEqual(waiting(fromAddress("?exercise=a-question&batch=64&gqa=4&units=GiB").state),
    ["batch: an exercise has a set-up of its own; this one waits for Leave"]);
  assert.deepEqual(waiting(fromAddress("?exercise=a-question").state), []);
});
