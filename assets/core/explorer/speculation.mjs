// What speculation brings over the batch, at the present context and at another one.
import {evaluate} from "../../built/arithmetic.mjs";
import {levers} from "../../built/explorer.mjs";
import {at, curve, plainOverBatch} from "../curves.mjs";
import {speculates} from "../speculation.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {object} Speedups over the batch, at one context
 * @property {Report} report
 * @property {{is: "slower" | "faster" | "as fast", upTo: number}[]} plain what decode without speculation is beside it
 * @property {number} pays largest batch at which speculation pays: 0 where none, ∞ where all
 */

/** Contexts to compare with: the short one, unless that is about where the controls stand. [tokens] */
const SHORT = 512, LONG = 32768;

/** So many tokens are drafted where the state has none. */
const DRAFTED = Number(levers.find(({name}) => name === "speculation")?.becomes);

/**
 * The speed-up at the present context, and at the one to compare with.
 * @param {State} state
 * @param {Report} report of it
 * @returns {Speedups[]}
 */
export function speedups(state, report) {
  const present = speculates(report) ? report : evaluate({...state, spec_k: DRAFTED});
  const other = at("context", state.context > 2 * SHORT ? SHORT : LONG, present);
  return [present, other].map(each => {
    const plain = plainOverBatch(each);
    return {report: each, plain, pays: plain.findLast(({is}) => is !== "faster")?.upTo ?? 0};
  });
}

/**
 * A curve as far as it fits, and beyond; both have the point between.
 * @param {Report} report
 * @returns {{fits: boolean, xs: number[], ys: number[]}[]}
 */
export function pieces(report) {
  const reports = curve("batch", report), most = report.max_batch;
  const [inside, beyond] = [reports.filter(each => each.batch <= most), reports.filter(each => each.batch > most)];
  const edge = inside.length && beyond.length ? [at("batch", most, report)] : [];
  return [{fits: true, points: [...inside, ...edge]}, {fits: false, points: [...edge, ...beyond]}]
    .filter(({points}) => points.length)
    .map(({fits, points}) => ({fits, xs: points.map(each => each.batch), ys: points.map(each => each.spec_speedup)}));
}
