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

/**
 * @typedef {object} Edge where a sweep begins to fit, or no longer does
 * @property {number} last value before it
 * @property {number} first value after it
 * @property {boolean} isExact whether there is none between them
 */

/**
 * Where what fits and what does not meet: between two points, and where an input is whole, and goes with the
 * rest at all that lies between them, to the very value.
 * @param {Point[]} points
 * @param {Key} key
 * @returns {Edge[]}
 */
export function edges(points, key) {
  return points.slice(1).flatMap((point, i) => points[i].report.fits === point.report.fits ? [] : [edge(points[i], point, key)]);
}

/**
 * @param {Point} from
 * @param {Point} to
 * @param {Key} key
 * @returns {Edge}
 */
function edge(from, to, key) {
  const {whole: isWhole} = data.inputs[key];
  let [last, first] = [from.x, to.x];
  while (isWhole && first - last > 1) {
    const middle = Math.floor((last + first) / 2), at = singleChange(from.report.inputs, key, middle);
    if (!at) return {last: from.x, first: to.x, isExact: false};
    if (at.report.fits === from.report.fits) last = middle;
    else first = middle;
  }
  return {last, first, isExact: isWhole};
}

/**
 * What does not fit, from one value to another: of values that are all above 0.
 * @param {Point[]} points
 * @param {Key} key
 * @returns {[from: number, to: number][]}
 */
export function unfit(points, key) {
  if (!points.length) return [];
  const starts = points[0].report.fits, all = edges(points, key);
  const ends = all.map(({last, first}, i) => (i % 2 === 0) === starts ? last : first);
  const bounds = [...starts ? [] : [0], ...ends, ...points[points.length - 1].report.fits ? [] : [Infinity]];
  return Array.from({length: bounds.length / 2}, (_, i) => [bounds[2 * i], bounds[2 * i + 1]]);
}
