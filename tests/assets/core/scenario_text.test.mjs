import assert from "node:assert/strict";
import {test} from "node:test";

import {draws, fuzz, harmless} from "../hostile.mjs";
import {state} from "../state.mjs";
import data from "#modules/built/data.mjs";
import {complaint} from "#modules/core/complaint.mjs";
import {consistent} from "#modules/core/rules.mjs";
import {pinnedMoment, scenarioOf, scenarioText} from "#modules/core/scenario_text.mjs";

test("a scenario is what differs from the defaults", () => {
  assert.equal(scenarioText(state()), "defaults");
  assert.equal(scenarioText(state({batch: 64, gpu: "h200-sxm", alpha: 0.5})), "batch:64,alpha:0.5,gpu:h200-sxm");
  assert.equal(pinnedMoment("batch:64").state.batch, 64);
  assert.equal(pinnedMoment("batch:64"), pinnedMoment("batch:64"));
  assert.equal(pinnedMoment(""), null);
});

test("what is none is said in a sentence", () => {
  const said = {
    "": /: allowed are inputs, such as/,
    "batch": /^batch=: allowed is a whole number/,
    "batch:0": /^batch=0: allowed is a whole number/,
    "batch:8,192": /^192: allowed are inputs, such as batch:64,gpus:2$/,
    "batch:64,": /: allowed are inputs/,
    "batch:8,batch:8": /^batch is given twice$/,
    "__proto__:1": /^__proto__:1: allowed are inputs/,
    "batch:8:8": /^batch=8:8: allowed is/,
    "a:batch:8": /^a:batch:8: allowed are inputs/,
    "gpus:3": /^tp=3 \(gpus \/ dp \/ pp\): allowed is a divisor/,
    "model:llama-3-8b,gqa:1": /^gqa: Llama 3 \/ 3\.1 8B has its own$/,
    "defaults,batch:64": /^defaults: allowed are inputs/,
    [`batch:64,${"x".repeat(70_000)}`]: /^it has more than 60,000 characters$/,
  };
  for (const [text, sentence] of Object.entries(said)) {
    assert.match(scenarioOf(text), sentence, text);
    harmless(scenarioOf(text));
  }
});

test("no scenario is too long for its text", () => {
  const longest = key => data.inputs[key].options?.reduce((a, b) => a.length > b.length ? a : b) ?? "0.12345678901234567890";
  const text = Object.keys(data.inputs).map(key => `${key}:${longest(key)}`).join(",");
  assert.doesNotMatch(String(scenarioOf(text)), /characters/);
});

test("every state comes back from its text", () => {
  fuzz(chance => {
    const {below, key, taken, text} = draws(chance);
    const drawn = state(Object.fromEntries(Array.from({length: below(6)}, () => key()).map(each => [each, taken(each)])));
    if (!complaint(drawn, [])) {
      const {state: shown} = consistent(drawn);
      assert.deepEqual(scenarioOf(scenarioText(shown)).state, shown);
    }
    const found = scenarioOf(text());
    if (typeof found === "string") harmless(found);
  }, 1500);
});
