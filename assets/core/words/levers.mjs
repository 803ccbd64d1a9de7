// What single changes bring, in words.
import {DECODE, waits} from "./causes.mjs";
import {fromTo} from "./change.mjs";
import {amount, count, times} from "./format.mjs";
import {MOVES} from "./moves.mjs";
import {ridgeSide, uncapitalised} from "./phrases.mjs";
/**
 * @import {Key} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Measure, Ranked} from "../explorer/levers.mjs"
 */

/** A gain within this is none that a reader would pay for. */
const NOTHING = 0.005;

/** What surprises most where it does nothing, in this order. */
const SURPRISES = ["peak", "bandwidth", "speculation", "weights_4bit", "weights_8bit", "gpu", "prefix", "price"];

/** @param {Ranked} pull */
function isNothing({gain}) { return Math.abs(gain - 1) <= NOTHING; }

/**
 * A change of an amount: "+98 %", "−12 %", "12×", "no change"; some is never written 0, all but some never 100.
 * @param {number} ratio
 */
export function change(ratio) {
  if (!Number.isFinite(ratio)) return "∞";
  if (ratio === 1) return "no change";
  if (ratio >= 9.995) return `${count(Math.round(ratio))}×`;
  const hundredths = Math.abs(ratio - 1) * 100, sign = ratio < 1 ? "−" : "+";
  if (hundredths < 0.05) return `under ${sign}0.1 %`;
  if (ratio < 0.005) return `over ${sign}99 %`;
  return `${sign}${hundredths.toFixed(hundredths < 9.95 ? 1 : 0)} %`;
}

/**
 * @param {Measure} measure
 * @param {Report} report
 */
export function value({quantity, unit}, report) { return amount(Number(report[quantity]), unit); }

/**
 * What the best change does and why, and one that does nothing here.
 * @param {Measure} measure
 * @param {Report} before
 * @param {Ranked[]} ranked
 */
export function sentence(measure, before, ranked) {
  const [best] = ranked, name = uncapitalised(measure.name);
  if (!best || best.gain < 1 || isNothing(best)) return `No single change helps here: ${name}, ${value(measure, before)}.`;
  const idle = SURPRISES.map(each => ranked.find(({lever}) => lever.name === each)).find(each => each && isNothing(each));
  const {quantity, unit} = measure;
  return [
    `${best.lever.label} helps most: ${name}, ${fromTo(Number(before[quantity]), Number(best.report[quantity]), unit)}${because(measure, before, best)}.`,
    ...idle ? [`${idle.lever.label} changes nothing here${because(measure, before, idle)}.`] : [],
  ].join(" ");
}

/**
 * Why a change does to the speed of decode what it does; of what else is measured it is plain.
 * @param {Measure} measure
 * @param {Report} before
 * @param {Ranked} pull
 */
function because({isOfDecode}, before, {lever, report, state}) {
  if (!isOfDecode) return "";
  if (!(lever.key in MOVES) || lever.key.endsWith("_factor") || lever.key === "prefix_hit") return `, as ${decodeWaits(before, report)}`;
  return `: ${MOVES[/** @type {Key} */ (lever.key)]?.why(before, report, state)}`;
}

/**
 * What decode waits for: of memory also how far the ridge is.
 * @param {Report} b
 * @param {Report} a
 */
function decodeWaits(b, a) {
  const far = b.verify_bound === "memory" && a.verify_bound === "memory"
    ? `, ${times(b.verify_times_from_ridge)} ${ridgeSide(b.verify_flops_per_byte, b)} the ridge` : "";
  return `decode ${waits(DECODE, b, a)}${far}`;
}
