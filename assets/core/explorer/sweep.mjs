// A quantity along an input: a report at each value that the input can have here.
import {evaluate} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {swept as all} from "../../built/explorer.mjs";
import {stops, unusedKeys} from "../rules.mjs";
import {goes, singleChange} from "./single_change.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {{x: number, y: number, report: Report}} Point
 * @typedef {object} Grid reports at pairs of values, a row for each of the second input's
 * @property {number[]} xs
 * @property {number[]} ys
 * @property {(Report | undefined)[][]} rows none where two values do not go together
 */

/**
 * Inputs that a sweep can go along in a state: those that say something there.
 * @param {State} state
 * @param {Report} report
 */
export function swept(state, report) {
  const unused = unusedKeys(state, report);
  return all.filter(key => !unused.includes(key));
}

/**
 * Values of an input, on a scale of powers: its slider's, else the context's, or powers of two.
 * @param {Key} key
 * @param {Report} report
 */
function values(key, report) {
  const {stops: own, unit, range: [, most]} = data.inputs[key];
  const all = own.length ? stops(key, report) : unit === "tokens" ? data.inputs.context.stops
    : Array.from({length: 1 + Math.floor(Math.log2(most))}, (_, i) => 2 ** i);
  return all.filter(value => value > 0);
}

/** So many values of each input a grid has at most: with more, a frame would be too short. */
const SIDE = 13;

/** Some of many values: powers of two, or else evenly, the first of them. @param {number[]} all */
function thinned(all) {
  const powers = all.filter(value => Number.isInteger(Math.log2(value))), every = Math.ceil(all.length / SIDE);
  return every > 1 && powers.length > all.length / 3 ? powers.slice(0, SIDE) : all.filter((_, i) => i % every === 0);
}

/**
 * Reports over two inputs.
 * @param {State} state
 * @param {Report} report
 * @param {Key} over
 * @param {Key} against
 * @returns {Grid}
 */
export function grid(state, report, over, against) {
  const [xs, ys] = [over, against].map(key => thinned(values(key, report)));
  return {xs, ys, rows: ys.map(y => xs.map(x => {
    const at = {...state, [over]: x, [against]: y};
    return goes(at) ? evaluate(at) : undefined;
  }))};
}

/**
 * The points of a sweep; where a value goes with nothing else there is none.
 * @param {State} state
 * @param {Report} report
 * @param {Key} key
 * @param {keyof Report & string} quantity
 * @returns {Point[]}
 */
export function sweep(state, report, key, quantity) {
  return values(key, report).flatMap(value => {
    const at = singleChange(state, key, value)?.report;
    return at ? [{x: value, y: Number(at[quantity]), report: at}] : [];
  });
}
