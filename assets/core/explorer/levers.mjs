// Single changes to a state, each tried alone: `calc.studies.levers`, for the page.
import {evaluate} from "../../built/arithmetic.mjs";
import {levers} from "../../built/explorer.mjs";
import {singleChange} from "./single_change.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Lever} from "../../built/explorer.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {object} Pull what a lever does
 * @property {Lever} lever
 * @property {number | string} value that its input gets
 * @property {State} state
 * @property {Report} report
 * @typedef {Pull & {gain: number}} Ranked how many times as good it makes it
 * @typedef {object} Measure what levers are compared by
 * @property {string} name
 * @property {string} unit
 * @property {keyof Report & string} quantity
 * @property {boolean} [isLess] whether less of it is better
 * @property {boolean} [isOfDecode] whether it is a speed of decode
 */

/** What levers can be compared by, by the names of their buttons. @type {Record<string, Measure>} */
export const MEASURES = {
  together: {name: "All users together", unit: "tokens/s", quantity: "tokens_per_s", isOfDecode: true},
  user: {name: "One user", unit: "tokens/s", quantity: "tokens_per_s_per_user", isOfDecode: true},
  room: {name: "How many fit", unit: "", quantity: "max_batch"},
  price: {name: "Price of a million tokens out", unit: "USD", quantity: "usd_per_million_output_tokens", isLess: true},
};

/**
 * With as many sequences as fit; nothing where not one does.
 * @param {State} state
 * @param {Report} report
 */
export function filled(state, report) {
  return report.max_batch >= 1 ? evaluate({...state, batch: report.max_batch}) : undefined;
}

/**
 * Every lever that can be pulled in a state and changes its input alone.
 * @param {State} state
 * @param {boolean} [isFull] each with as many sequences as fit then, without those after which none does
 * @returns {Pull[]}
 */
export function pulls(state, isFull = false) {
  return levers.flatMap(lever => {
    const key = /** @type {Key} */ (lever.key), before = state[key];
    const value = lever.becomes ?? Number(before) * lever.times;
    const after = Object.is(value, before) ? undefined : singleChange(state, key, value);
    const report = after && isFull ? filled(after.state, after.report) : after?.report;
    return after && report ? [{lever, value, state: after.state, report}] : [];
  });
}

/**
 * How many times as good a pull makes it: of nothing, ∞ times.
 * @param {Measure} measure
 * @param {Report | undefined} before
 * @param {Report} after
 */
export function gain({quantity, isLess}, before, after) {
  if (!before) return Infinity;
  const [from, to] = [before, after].map(report => Number(report[quantity]));
  if (from === to) return 1;
  return isLess ? from / to : to / from;
}

/**
 * Pulls with their gains, the best first; those alike stay in their order.
 * @param {Measure} measure
 * @param {Report | undefined} before
 * @param {Pull[]} pulls
 * @returns {Ranked[]}
 */
export function ranked(measure, before, pulls) {
  const score = (/** @type {Pull} */ {report}) => (measure.isLess ? -1 : 1) * Number(report[measure.quantity]);
  // Of infinite gains the difference is no number.
  return pulls.map(pull => ({...pull, gain: gain(measure, before, pull.report)}))
    .sort((a, b) => b.gain - a.gain || score(b) - score(a));
}

/** A bar reaches as far as twice as good, where none is longer. */
const LEAST = Math.log(2);

/**
 * Where each gain's bar begins and how long it is, as shares of the room for them; twice is as long as half.
 * @param {number[]} gains
 * @returns {{from: number, length: number}[]}
 */
export function bars(gains) {
  const logs = gains.map(gain => Math.log(Math.min(Math.max(gain, 1e-3), 1e3)));
  const low = Math.min(0, ...logs), high = Math.max(LEAST, ...logs), all = high - low;
  return logs.map(log => ({from: (Math.min(log, 0) - low) / all, length: Math.abs(log) / all}));
}
