// Addresses from outside: whatever they ask for opens, is said, and is written again.
import assert from "node:assert/strict";
import {test} from "node:test";

import {draws, fuzz, harmless, kinds, sentence, values} from "../hostile.mjs";
import {evaluate, quantities} from "#modules/built/arithmetic.mjs";
import data from "#modules/built/data.mjs";
import {fromAddress, query} from "#modules/core/address.mjs";
import {complaint} from "#modules/core/complaint.mjs";
import {defaults} from "#modules/core/rules.mjs";
import {pinnedMoment} from "#modules/core/scenario_text.mjs";
import {Store} from "#modules/core/store.mjs";
import {shortened} from "#modules/core/text.mjs";

/** What an address leads to; fails where that is not sound. */
function sound(search) {
  const found = fromAddress(search), {state, settings, notes} = found;
  assert.equal(complaint(state, []), undefined, search);
  assert.ok(notes.length <= 8, search);
  notes.forEach(harmless);
  const home = new Store(state, defaults).state, again = fromAddress(query(home, settings));
  assert.deepEqual([again.state, again.settings, again.notes], [home, settings, []], search);
  const report = evaluate(home), missing = Object.keys(quantities).filter(name => report[name] === undefined);
  assert.deepEqual(missing, [], search);
  if (settings.origin) assert.equal(new URL(settings.origin).origin, settings.origin);
  for (const key in settings) {
    if (data.settings[key].kind === "origin") continue;
    if (data.settings[key].kind === "id") {
      assert.match(settings[key], /^[a-z0-9-]*$/, search);
      continue;
    }
    if (data.settings[key].kind === "scenario") {
      if (settings[key]) assert.equal(complaint(pinnedMoment(settings[key]).state, []), undefined, search);
      continue;
    }
    if (data.settings[key].kind === "number") {
      const {range: [low, high], whole} = data.settings[key], value = Number(settings[key]);
      assert.ok(value >= low && value <= high && (!whole || Number.isInteger(value)), search);
      continue;
    }
    for (const name of [settings[key]].flat()) assert.ok(name === data.settings[key].default || data.settings[key].options.includes(name), search);
  }
  assert.deepEqual(Object.keys(Object.prototype), []);
  return found;
}

test("what is no value of an input is said", () => {
  let tried = 0;
  for (const {name, key, text, said} of values()) {
    const {state, notes} = sound(`?${new URLSearchParams([[key, text]])}`);
    const due = sentence(said, key, text.toWellFormed());
    assert.deepEqual(notes, [due], `${name}: ${key}=${shortened(text)}`);
    assert.deepEqual(state, defaults);
    tried += 1;
  }
  assert.ok(tried > 1500, tried);
});

for (const [name, kind] of kinds("addresses.json")) {
  test(`an address with ${name}`, () => {
    for (const search of kind.addresses) {
      const {state, settings, notes} = sound(search);
      assert.ok(notes.length === 1 && new RegExp(kind.said, "u").test(notes[0]), `${search}: ${notes}`);
      if (kind["leads to"]) assert.equal(query(state, settings), kind["leads to"]);
    }
  });
}

test("every address opens, and what it shows has an address", () => {
  fuzz(chance => {
    const {below, one, text, key, taken, any} = draws(chance);
    const pairs = Array.from({length: below(8)}, () => {
      const name = one([key, key, key, () => one(Object.keys(data.settings)), text])();
      const value = one([() => Object.hasOwn(defaults, name) ? taken(name) : text(), () => String(any()), text])();
      const plain = `${name}=${value}`;
      return one([plain, new URLSearchParams([[name, value]]).toString(), plain.slice(0, below(20)), encodeURI(plain.toWellFormed())]);
    });
    sound(`?${pairs.join("&")}`);
  }, 1500);
});
