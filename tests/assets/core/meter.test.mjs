// One H100 of the lesson: 80 GB. 7 B parameters in bf16 are 14 GB, 8 sequences of 8,192 tokens
// 8.59 GB; without GQA and at 32,768 tokens they are 137.4 GB.
import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {filling} from "#modules/core/meter.mjs";

/** The pieces, each as [part, from, to] in GB; a star beyond the limit. */
function pieces(changes = {}) {
  return filling(evaluate(state(changes))).pieces.map(({part, beyond, from, to}) =>
    [beyond ? `${part}*` : part, ...[from, to].map(bytes => Number((bytes / 1e9).toFixed(1)))]);
}

test("parts stand side by side, and free ends at the limit", () => {
  assert.deepEqual(pieces(), [["weights", 0, 14], ["kv", 14, 22.6], ["free", 22.6, 80]]);
  assert.deepEqual(pieces({assumptions: "engine", spec_k: 4}).map(([part]) => part),
    ["weights", "kv", "draft", "reserve", "free"]);
});

test("what passes the limit is cut there", () => {
  assert.deepEqual(pieces({gqa: 1, context: 32768}),
    [["weights", 0, 14], ["kv", 14, 80], ["kv*", 80, 151.4]]);
  assert.deepEqual(pieces({params_b: 70}).map(([part]) => part), ["weights", "weights*", "kv*"]);
});

test("the scale goes beyond the limit and beyond all that is asked for", () => {
  assert.equal(filling(evaluate(state())).end, 1.2 * 80e9);
  const {end, pieces: [, , last]} = filling(evaluate(state({gqa: 1, context: 32768})));
  assert.ok(end > last.to);
});
