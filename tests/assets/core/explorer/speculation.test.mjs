import assert from "node:assert/strict";
import {test} from "node:test";

import {pieces, speedups} from "#modules/core/explorer/speculation.mjs";
import {consistent, defaults} from "#modules/core/rules.mjs";
import {crossing, sentence, table} from "#modules/core/words/speculation.mjs";

import {SETTINGS, whole} from "../../state.mjs";

function at(inputs) {
  const {state, report} = consistent({...defaults, ...inputs}), both = speedups(state, report);
  return {both, text: sentence(both, report), crossings: both.map(crossing)};
}

test("off or on, so many drafted tokens pay alike; what is drafted is the reader's where there is one", () => {
  assert.deepEqual(at({}).crossings, at({spec_k: 4}).crossings);
  assert.match(at({}).text, /^With 4 drafted tokens \(none is set now\) a pass brings 2\.77\. /);
  assert.match(at({spec_k: 2}).text, /^With 2 drafted tokens a pass brings 2\.19\. /);
});

test("with a short context the batch ends it, with a long one it does not", () => {
  const {crossings, text} = at({context: 65536});
  assert.deepEqual(crossings, ["", "pays up to 593"]);
  assert.match(text, /verifying 5 tokens of each sequence is compute-bound there\.$/);
});

test("drafts that are seldom right never pay", () => {
  const {both, text} = at({alpha: 0.05, spec_k: 4});
  assert.deepEqual(both.map(({pays}) => pays), [0, 0]);
  assert.match(text, /it loses at every batch: a pass and its draft take longer than the 1\.05 steps that it saves/);
});

test("a curve is pale from the last batch that fits", () => {
  const [inside, beyond] = pieces(at({}).both[0].report);
  assert.deepEqual([inside.xs.at(-1), beyond.xs[0], beyond.xs.at(-1)], [57, 57, 1024]);   // 65.3 GB beside weights and draft, 1.127 of each
  assert.ok(inside.fits && !beyond.fits && inside.ys.at(-1) === beyond.ys[0]);
  // What does not even fit once is pale as a whole.
  assert.deepEqual(pieces(at({params_b: 1000}).both[0].report).map(({fits}) => fits), [false]);
});

for (const inputs of [...SETTINGS, {model: "deepseek-v3", gpus: 8}, {model: "mixtral-8x7b", spec_k: 3}]) {
  test(`every text is whole: ${JSON.stringify(inputs)}`, () => {
    const {both, text} = at(inputs);
    whole(text, "sentence");
    for (const cell of table(both).flat()) whole(cell, "table");
  });
}
