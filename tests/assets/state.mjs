// States for the tests, and what is asked of every text that is made of one.
import assert from "node:assert/strict";

import {defaults} from "#modules/core/rules.mjs";

/** The page's default, and what is changed of it. */
export function state(changes = {}) {
  return {...defaults, ...changes};
}

/** Changes that lead into every corner that texts speak of. */
export const SETTINGS = [
  {}, {batch: 1024, context: 1048576}, {spec_k: 4}, {gpus: 4}, {assumptions: "engine"},
  {kv_heads: 4}, {weights: "int4", kv: "int4"}, {prompt: 1000, output: 1},
];

/** Fails on a text in which something is missing. */
export function whole(text, name) {
  assert.equal(typeof text, "string", name);
  assert.doesNotMatch(text, /undefined|NaN|null|∞|\[object/, name);
}
