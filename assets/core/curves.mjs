// What the charts draw over an input: reports along it, and the places on it that have a name.
import {evaluate} from "../built/arithmetic.mjs";
import data from "../built/data.mjs";
/**
 * @import {Key} from "../built/data.mjs"
 * @import {Report} from "../built/arithmetic.mjs"
 */

/** @type {Map<string, WeakMap<Report, Report[]>>} */
const cache = new Map();

/**
 * The same scenario at each stop of one input: evaluated once for a report and its ghost.
 * @param {Key} key
 * @param {Report} report
 */
export function curve(key, report) {
  if (!cache.has(key)) cache.set(key, new WeakMap());
  const reports = /** @type {WeakMap<Report, Report[]>} */ (cache.get(key));
  const points = reports.get(report) ?? data.inputs[key].stops.map(stop => at(key, stop, report));
  reports.set(report, points);
  return points;
}

/**
 * The same scenario at another value of one input.
 * @param {Key} key
 * @param {number} value
 * @param {Report} report
 */
export function at(key, value, report) {
  return evaluate({...report.inputs, [key]: value});
}

/**
 * In which runs of an input's values something is the same: what it is, and the last whole value at
 * which it still is, ∞ in the last run. Two stops enclose an end, and halving what lies between finds it.
 * @template {string} Kind
 * @param {Key} key
 * @param {Report} report
 * @param {(report: Report) => Kind} kind
 * @returns {{is: Kind, upTo: number}[]}
 */
export function runs(key, report, kind) {
  const {stops} = data.inputs[key], kinds = curve(key, report).map(kind);
  return kinds.flatMap((is, i) => {
    if (i === stops.length - 1) return [{is, upTo: Infinity}];
    if (is === kinds[i + 1]) return [];
    let [low, high] = stops.slice(i);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (kind(at(key, middle, report)) === is) low = middle;
      else high = middle;
    }
    return [{is, upTo: low}];
  });
}

/**
 * What binds decode over the batch.
 * @param {Report} report
 */
export function boundOverBatch(report) {
  return runs("batch", report, each => each.verify_bound);
}

/**
 * What decode without speculation is over the batch, beside decode with it.
 * @param {Report} report
 */
export function plainOverBatch(report) {
  return runs("batch", report, ({spec_speedup: speedup}) => speedup > 1 ? "slower" : speedup < 1 ? "faster" : "as fast");
}

/**
 * Powers of ten around some positive values, for a log axis that moves in steps.
 * @param {number[]} values
 */
export function decades(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return Array.from({length: high - low + 1}, (_, i) => Number(`1e${low + i}`));
}

/**
 * Round numbers from 0 to the first one that is not below the longest.
 * @param {number} longest
 */
export function rounds(longest) {
  const power = 10 ** Math.floor(Math.log10(longest));
  const steps = [0.2, 0.5, 1, 2];
  const step = /** @type {number} */ (steps.find(each => each * power * 5 >= longest)) * power;
  const ticks = [0];
  while (ticks[ticks.length - 1] < longest) ticks.push(Number((ticks.length * step).toPrecision(6)));
  return ticks;
}
