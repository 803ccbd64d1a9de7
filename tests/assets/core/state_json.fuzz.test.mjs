// Messages from outside: all of what they set, or a sentence and nothing.
import assert from "node:assert/strict";
import {test} from "node:test";

import {draws, fuzz, harmless, kinds, sentence, values} from "../hostile.mjs";
import {complaint} from "#modules/core/complaint.mjs";
import {defaults} from "#modules/core/rules.mjs";
import {inputsFromJson, stateToJson} from "#modules/core/state_json.mjs";
import {Store} from "#modules/core/store.mjs";

/** What is said to a scenario as a message brings it; "" where it is set. */
function said(store, scenario) {
  const before = store.state;
  let wrong;
  try {
    wrong = store.set(inputsFromJson(structuredClone(scenario)));
  } catch (error) {
    assert.equal(error.constructor, Error, error.stack);
    wrong = error.message;
  }
  if (wrong) {
    harmless(wrong);
    assert.equal(store.state, before);
  }
  assert.equal(complaint(store.state, []), undefined);
  return wrong;
}

test("a text that is no value of an input is said", () => {
  const store = new Store(defaults, defaults);
  for (const {name, key, text, said: due} of values()) {
    assert.equal(said(store, {[key]: text}),
      sentence(due, key, text), name);
  }
});

for (const [name, kind] of kinds("messages.json")) {
  test(`a message with ${name}`, () => {
    const store = new Store(defaults, defaults);
    for (const text of kind.scenarios) {
      assert.match(said(store, new Function(`return ${text}`)()), new RegExp(kind.said, "u"), text);
    }
  });
}

test("whatever is set is all or none, and what is told can be set again", () => {
  fuzz(chance => {
    const {below, one, text, key, taken, any} = draws(chance), store = new Store(defaults, defaults);
    for (let times = 0; times < 4; times++) {
      const pairs = Array.from({length: below(5)}, () => {
        const name = chance() < 0.95 ? key() : text();
        return [name, chance() < 0.8 && Object.hasOwn(defaults, name) ? taken(name) : any()];
      });
      said(store, one([Object.fromEntries(pairs), Object.fromEntries(pairs), any()]));
      const other = new Store(defaults, defaults);
      assert.equal(said(other, stateToJson(store.state)), "");
      assert.deepEqual(other.state, store.state);
      other.settle();
    }
    store.settle();
  }, 500);
});
