import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../state.mjs";
import {inputsFromJson, stateToJson} from "#modules/core/state_json.mjs";

test("inputs are taken as they are, null as not given", () => {
  assert.deepEqual(inputsFromJson({batch: 64, weights: "int4", prompt: null}), {batch: 64, weights: "int4", prompt: NaN});
  assert.deepEqual(inputsFromJson({}), {});
});

test("what is no object of inputs is one sentence", () => {
  for (const scenario of [undefined, null, 1, "batch", [], [["batch", 1]], () => 1]) {
    assert.throws(() => inputsFromJson(scenario), {message: "setState needs a scenario: an object of inputs"});
  }
  // These have no keys of their own: nothing would be set, and nothing be said.
  for (const scenario of [new Map([["batch", 1]]), new Set(), new Date(), /batch/, new ArrayBuffer(8), new Error("batch")]) {
    assert.throws(() => inputsFromJson(structuredClone(scenario)), /^Error: setState needs a scenario/);
  }
});

test("what is no input, and no value of one, is named", () => {
  assert.throws(() => inputsFromJson({batch: 2, nothing: 1}), {message: "nothing: there is no such input"});
  assert.throws(() => inputsFromJson(JSON.parse('{"__proto__": 1}')), {message: "__proto__: there is no such input"});
  assert.throws(() => inputsFromJson({["x".repeat(100)]: 1}), /^Error: x{39}…: there is no such input$/);
  assert.throws(() => inputsFromJson({batch: 0}), /^Error: batch=0: allowed is a whole number from 1/);
  assert.throws(() => inputsFromJson({batch: null}), /^Error: batch=null: allowed is /);
  assert.throws(() => inputsFromJson({weights: "toString"}), /^Error: weights=toString: allowed is one of /);
  for (const batch of [NaN, Infinity, -1, 1.5, {}, [8, 9], "x".repeat(1e6), true, undefined]) {
    assert.throws(() => inputsFromJson({batch}), error => /^batch=.*: allowed is /.test(error.message) && error.message.length < 200);
  }
});

test("a number is a number or its text; what only becomes one is refused by its type", () => {
  assert.deepEqual(inputsFromJson({spec_k: -0}), {spec_k: 0});
  assert.deepEqual(inputsFromJson({alpha: 1e-7, context: "8,192", batch: "64"}), {alpha: 1e-7, context: 8192, batch: 64});
  const valued = {valueOf: () => 64, toString: () => "64"};
  for (const batch of [[64], ["64"], new Uint8Array([64]), new Number(64), new String("64"), new Date(64), valued]) {
    assert.throws(() => inputsFromJson({batch}), {message: "batch=[object]: allowed is a whole number from 1 to 1,024"});
  }
  assert.throws(() => inputsFromJson({batch: 64n}), {message: "batch=[bigint]: allowed is a whole number from 1 to 1,024"});
  for (const weights of [["int4"], new String("int4"), {toString: () => "int4"}]) {
    assert.throws(() => inputsFromJson({weights}), /^Error: weights=\[object\]: allowed is one of /);
  }
});

test("a state that was told can be set again", () => {
  for (const changes of [{}, {model: "llama-3-8b", gpus: 2}, {spec_k: 4, alpha: 0.5, mbu: 0.65}]) {
    const told = structuredClone(stateToJson(state(changes)));
    assert.deepEqual(inputsFromJson(told), state(changes));
  }
});
