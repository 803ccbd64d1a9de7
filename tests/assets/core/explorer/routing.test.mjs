import assert from "node:assert/strict";
import {test} from "node:test";

import {cheapUsd, curve, routing, worseAt} from "#modules/core/explorer/routing.mjs";
import {consistent, defaults} from "#modules/core/rules.mjs";
import {rows, sentence, table} from "#modules/core/words/routing.mjs";

import {whole} from "../../state.mjs";

const ASKED = {easy: 0.8, easyError: 0.1, hardError: 0.1, worse: 0.03, saved: 0.3};

test("the curve goes from none to all, through the judge as it is", () => {
  const points = curve(ASKED);
  assert.deepEqual([points[0], points.at(-1).cheap], [{cheap: 0, worse: 0}, 1]);
  assert.ok(Math.abs(worseAt(points, 0.74) - 0.02) < 2e-4);
  assert.ok(points.every((each, i) => !i || each.cheap >= points[i - 1].cheap));
});

test("a cheap model is priced, or runs on the same GPUs", () => {
  const {state, report} = consistent({...defaults, model: "llama-3-70b", gpus: 4});
  assert.equal(cheapUsd(state, report, "priced", 0.1), 0.1 * report.request_usd);
  const {report: small} = consistent({...state, model: "llama-3-8b"});
  assert.equal(cheapUsd(state, report, "llama-3-8b", 0.1), small.request_usd);
  assert.ok(isNaN(cheapUsd({...state, batch: 1024, context: 131072}, report, "llama-3-8b", 0.1)));
});

test("where no threshold is safe the sentence says why", () => {
  const said = (changes, cheap = 1) => sentence(routing({...ASKED, ...changes}, cheap, 10), {...ASKED, ...changes});
  assert.match(said({}), /Thresholds that send 33 % to 78 % there are safe/);
  assert.match(said({easy: 0.1}), /No threshold is safe: .* Most requests are hard/);
  assert.match(said({easyError: 0.5, hardError: 0.5}), /A better judge makes room\.$/);
  assert.match(said({}, 9), /with all at the cheap model less than 30 % would be saved/);
});

test("of what is free nothing is saved", () => {
  const found = routing(ASKED, 0, 0);
  assert.deepEqual([found.saved, found.band, found.fails], [0, null, "price"]);
  for (const cell of rows(found, 0, 0).flat()) whole(cell, "table");
});

for (const changes of [{}, {easy: 0}, {easy: 1}, {worse: 0}, {saved: 1}, {easyError: 0.001, hardError: 0.999}]) {
  test(`every text is whole: ${JSON.stringify(changes)}`, () => {
    const asked = {...ASKED, ...changes}, found = routing(asked, 1, 10);
    whole(sentence(found, asked), "sentence");
    for (const cell of [...rows(found, 1, 10), ...table(curve(asked), 0.9)].flat()) whole(cell, "table");
  });
}
