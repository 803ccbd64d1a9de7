// What single changes bring, in words.
import {evaluate} from "../../built/arithmetic.mjs";
import {DECODE, waits} from "./causes.mjs";
import {fromTo} from "./change.mjs";
import {amount, count, times} from "./format.mjs";
import {MOVES} from "./moves.mjs";
import {many, ridgeSide, uncapitalised} from "./phrases.mjs";
/**
 * @import {Key} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Measure, Ranked} from "../explorer/levers.mjs"
 */

/** A gain within this is none that a reader would pay for. */
const NOTHING = 0.005;

/** What surprises most where it does nothing, in this order. */
const SURPRISES = ["peak", "bandwidth", "speculation", "weights_4bit", "weights_8bit", "gpu", "prefix", "price"];

/** @param {{gain: number}} pull */
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
 * @param {Report | undefined} report nothing where not one sequence fits
 */
export function value({quantity, unit}, report) { return report ? amount(Number(report[quantity]), unit) : "none fits"; }

/**
 * What the best change does that fits, and why; one that would bring more but does not fit, and one that
 * does nothing here.
 * @param {Measure} measure
 * @param {Report | undefined} before nothing where not one sequence fits
 * @param {Ranked[]} ranked
 */
export function sentence(measure, before, ranked) {
  if (!before) return fromNone(measure, ranked[0]);
  const {quantity, unit} = measure, name = uncapitalised(measure.name);
  // How many fit is asked whether as many do as are set.
  const asFits = (/** @type {Report} */ {fits}) => quantity === "max_batch" || fits;
  const helps = ranked.filter(each => each.gain > 1 && !isNothing(each)), [most] = helps;
  const best = helps.find(({report}) => asFits(report));
  const over = most && most !== best && !(best && isNothing({gain: most.gain / best.gain})) ? most : undefined;
  // What no longer fits is not as it was.
  const idle = SURPRISES.map(each => ranked.find(({lever}) => lever.name === each))
    .find(each => each && isNothing(each) && each.report.fits === before.fits);
  const then = best && asFits(best.report) !== asFits(before) ? ", and it fits then" : "";
  return [
    best ? `${best.lever.label} helps most${over ? " of what fits" : ""}: ${name}, ${fromTo(Number(before[quantity]), Number(best.report[quantity]), unit)}${then}${because(measure, before, best)}.`
      : `No single change${over ? " that fits" : ""} helps here: ${name}, ${value(measure, before)}.`,
    ...over ? [`${over.lever.label} would bring more, ${value(measure, over.report)}, but ${before.fits ? "does" : "still does"} not fit.`] : [],
    ...idle ? [`${idle.lever.label} changes nothing here${because(measure, before, idle)}.`] : [],
  ].join(" ");
}

/**
 * What is said where not one sequence fits.
 * @param {Measure} measure
 * @param {Ranked | undefined} best
 */
function fromNone(measure, best) {
  if (!best) return "Not one sequence fits, nor does one after any single change.";
  const {batch} = best.report, isRoom = measure.quantity === "max_batch";
  const what = `${count(batch)} ${batch === 1 ? "does" : "do"} with ${best.lever.label}`;
  return `Not one sequence fits now; ${what}${isRoom ? "" : `: ${uncapitalised(measure.name)}, ${value(measure, best.report)}`}.`;
}

/**
 * Why a change does to the speed of decode what it does; of what else is measured it is plain.
 * @param {Measure} measure
 * @param {Report} before
 * @param {Ranked} pull
 */
function because({isOfDecode, quantity}, before, pull) {
  if (!isOfDecode) return "";
  const {lever: {key}, report, state} = pull;
  if (key !== "batch" && report.batch !== before.batch) return `: ${fuller(/** @type {"tokens_per_s"} */ (quantity), before, pull)}`;
  if (key === "prefix_hit") return ": decode computes no prompts";
  if (!(key in MOVES) || key.endsWith("_factor") || key === "gpus" && isNothing(pull)) return `, as ${decodeWaits(before, report)}`;
  return `: ${MOVES[/** @type {Key} */ (key)]?.why(before, report, state).replace(/^but /, "")}`;
}

/**
 * Why a change does what it does with as many sequences as fit then: that many, and what it would do without.
 * @param {keyof Report & string} quantity
 * @param {Report} before
 * @param {Ranked} pull
 */
function fuller(quantity, before, {report, state}) {
  const alone = Number(evaluate({...state, batch: before.batch})[quantity]) / Number(before[quantity]);
  return `${many(report.batch, "sequence")} ${report.batch === 1 ? "fits" : "fit"} then instead of ${count(before.batch)}; with as many as before it would be ${times(alone)}`;
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
