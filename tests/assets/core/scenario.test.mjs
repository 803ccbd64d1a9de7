import assert from "node:assert/strict";
import {test} from "node:test";

import {inputsOf, scenarioOf} from "#modules/core/scenario.mjs";
import {state} from "../state.mjs";

test("inputs are taken as they are, null as not given", () => {
  assert.deepEqual(inputsOf({batch: 64, weights: "int4", prompt: null}), {batch: 64, weights: "int4", prompt: NaN});
  assert.deepEqual(inputsOf({}), {});
});

test("what is no object of inputs is one sentence", () => {
  for (const scenario of [undefined, null, 1, "batch", [], [["batch", 1]], () => 1]) {
    assert.throws(() => inputsOf(scenario), {message: "setState needs a scenario: an object of inputs"});
  }
});

test("what is no input, and no value of one, is named", () => {
  assert.throws(() => inputsOf({batch: 2, nothing: 1}), {message: "nothing: there is no such input"});
  assert.throws(() => inputsOf(JSON.parse('{"__proto__": 1}')), {message: "__proto__: there is no such input"});
  assert.throws(() => inputsOf({["x".repeat(100)]: 1}), /^Error: x{39}…: there is no such input$/);
  assert.throws(() => inputsOf({batch: 0}), /^Error: batch=0: allowed is a whole number from 1/);
  assert.throws(() => inputsOf({batch: null}), /^Error: batch=null: allowed is /);
  assert.throws(() => inputsOf({weights: "toString"}), /^Error: weights=toString: allowed is one of /);
  for (const batch of [NaN, Infinity, -1, 1.5, {}, [8, 9], "x".repeat(1e6), true]) {
    assert.throws(() => inputsOf({batch}), error => /^batch=.*: allowed is /.test(error.message) && error.message.length < 200);
  }
});

test("a state that was told can be set again", () => {
  for (const changes of [{}, {model: "llama-3-8b", gpus: 2}, {spec_k: 4, alpha: 0.5, mbu: 0.65}]) {
    const told = structuredClone(scenarioOf(state(changes)));
    assert.deepEqual(inputsOf(told), state(changes));
  }
});
