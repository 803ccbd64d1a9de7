// States for the tests, and what is asked of every text that is made of one.
import assert from "node:assert/strict";

import {draws} from "./hostile.mjs";
import data from "#modules/built/data.mjs";
import {complaint} from "#modules/core/complaint.mjs";
import {consistent, defaults} from "#modules/core/rules.mjs";

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

/** Values that lead across bounds; any other input takes what it takes. */
export const VALUES = {
  params_b: [0.5, 1, 7, 30, 70, 405], gqa: [1, 2, 4, 8], context: [1, 128, 1024, 8192, 131072, 1048576],
  batch: [1, 2, 8, 64, 300, 1024], weights: data.inputs.weights.options, kv: data.inputs.kv.options,
  spec_k: [0, 1, 4, 8], alpha: [0, 0.3, 0.7, 1], draft_cost: [0, 0.05, 0.5, 1], gpu: data.inputs.gpu.options,
  gpus: [1, 2, 8, 64], bandwidth_factor: [0.1, 1, 2, 10], peak_factor: [0.1, 1, 2, 10], output: [1, 2, 500],
  prompt: [1, 64, 512, 8192], prefix_hit: [0, 0.5, 0.99, 1], assumptions: ["lesson", "engine"],
  model: data.inputs.model.options, link_gb_per_s: [64, 450, 900],
  dp: [1, 8, 32], ep: [1, 8, 32], pp: [1, 2], dcp: [1, 8],
};

/** One input with a value, by chance: rather of some keys. */
export function drawn(chance, keys = Object.keys(VALUES)) {
  const {below, one, key: any, taken} = draws(chance);
  const key = below(8) ? one(keys) : any();
  return {[key]: VALUES[key] ? one(VALUES[key]) : taken(key)};
}

/** A state with its report, by chance; undefined where its inputs do not go together. */
export function place(chance, most = 7) {
  const {below} = draws(chance), inputs = Object.assign(state(), ...Array.from({length: below(most)}, () => drawn(chance)));
  return complaint(inputs, []) ? undefined : consistent(inputs);
}
