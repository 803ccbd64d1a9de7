// Two scenarios, A and B: in what they differ, and what each difference does by itself.
import data from "../../built/data.mjs";
import {SHARING, unusedKeys} from "../rules.mjs";
import {changed} from "./single_change.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Moment} from "../scenario_text.mjs"
 * @typedef {object} Difference inputs that go over from A to B together
 * @property {Key[]} keys the first one leads
 * @property {Moment | undefined} alone A with these alone as B has them, where that can be
 * @property {number} ratio by which that changes what is measured; NaN where it cannot be
 * @typedef {object} Comparison
 * @property {keyof Report & string} quantity what is measured: the first that differs
 * @property {number} ratio of B to A
 * @property {Difference[]} differences the one that does most first
 */

/** What differences are measured by: the first of these that they change. @type {(keyof Report & string)[]} */
export const MEASURED = ["tokens_per_s", "ttft_s", "request_s", "max_batch", "request_usd"];

/** A ratio within this of 1 is none that a reader would pay for. */
export const NOTHING = 0.005;

/** Inputs that say something only with the one that leads. @type {Partial<Record<Key, string[]>>} */
const FOLLOWERS = {model: data.model_keys, gpu: data.card_keys};

/**
 * The inputs in which two scenarios differ, those together that go over together.
 * @param {Moment} a
 * @param {Moment} b
 * @returns {Key[][]}
 */
export function differing(a, b) {
  const silent = [a, b].map(({state, report}) => unusedKeys(state, report));
  const keys = /** @type {Key[]} */ (Object.keys(b.state))
    .filter(key => !Object.is(a.state[key], b.state[key]) && !silent.every(each => each.includes(key)));
  /** @type {Map<string, Key[]>} */
  const groups = new Map();
  for (const key of keys) {
    const lead = SHARING.includes(key) ? "gpus"
      : Object.keys(FOLLOWERS).find(each => keys.includes(/** @type {Key} */ (each)) && FOLLOWERS[/** @type {Key} */ (each)]?.includes(key)) ?? key;
    groups.set(lead, [...groups.get(lead) ?? [], key]);
  }
  return [...groups].map(([lead, group]) => group.sort((one, other) => Number(other === lead) - Number(one === lead)));
}

/**
 * How many times as much; 1 where both are the same, be they nothing.
 * @param {number} from
 * @param {number} to
 */
export function ratio(from, to) { return from === to ? 1 : to / from; }

/** @param {number} value a ratio */
export function isNothing(value) { return Math.abs(value - 1) <= NOTHING; }

/** How much a ratio does, in either direction; what is none does least. @param {number} value */
function weight(value) { return isNaN(value) ? -1 : Math.abs(Math.log(value)); }

/**
 * @param {Moment} a
 * @param {Moment} b
 * @returns {Comparison}
 */
export function compare(a, b) {
  /** @param {keyof Report & string} name @param {Moment} to */
  const change = (name, to) => ratio(Number(a.report[name]), Number(to.report[name]));
  const quantity = MEASURED.find(name => !isNothing(change(name, b))) ?? MEASURED[0];
  const differences = differing(a, b).map(keys => {
    const alone = changed(a.state, Object.fromEntries(keys.map(key => [key, b.state[key]])));
    return {keys, alone, ratio: alone ? change(quantity, alone) : NaN};
  });
  differences.sort((one, other) => weight(other.ratio) - weight(one.ratio));
  return {quantity, ratio: change(quantity, b), differences};
}
