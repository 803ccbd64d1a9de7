// Two scenarios side by side, in words: A that was pinned, and B as the controls stand.
import {quantities} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {compared} from "../../built/explorer.mjs";
import {isNothing, ratio} from "../explorer/compare.mjs";
import {presetKeys, unusedKeys} from "../rules.mjs";
import {fromTo} from "./change.mjs";
import {placeholder, unitOf} from "./controls.mjs";
import {amount, inputText, scaled, times} from "./format.mjs";
import {MOVES, other} from "./moves.mjs";
import {uncapitalised} from "./phrases.mjs";
/**
 * @import {Key} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Comparison, Difference} from "../explorer/compare.mjs"
 * @import {Moment} from "../scenario_text.mjs"
 */

/** So many differences are named in one list. */
const MOST = 3;

/** What differences are measured by, in short. @type {Record<string, string>} */
const SHORT = {tokens_per_s: "speed", ttft_s: "first token", request_s: "request", max_batch: "how many fit", request_usd: "price"};

/** What is said while nothing is pinned. */
export const UNPINNED = "Pin what the controls say as A. Then change whatever you like: that is B, and both stand here side by side.";

/** What is said while both are the same. */
const SAME = "A and B are the same: change a control, and this says what differs and what that does.";

/**
 * The rows of all quantities: what, its unit, A and B in that, B to A; whether each fits, last.
 * @param {Moment} a
 * @param {Moment} b
 */
export function quantityRows({report: a}, {report: b}) {
  return [
    ...Object.entries(compared).map(([name, title]) => {
      const [, unit] = quantities[name], values = [a, b].map(each => Number(each[/** @type {keyof Report} */ (name)]));
      const [one, other] = values.map(each => scaled(each, unit, Math.max(...values))), how = ratio(values[0], values[1]);
      return [title, other.unit, one.number, other.number, factor(how) || "–"];
    }),
    ["Fits", "", a.fits ? "yes" : "no", b.fits ? "yes" : "no", ""],
  ];
}

/** How many times as much; "" where it came from nothing. @param {number} value */
function factor(value) { return Number.isFinite(value) ? times(value) : ""; }

/** The same behind a comma. @param {number} value */
function comma(value) { return factor(value) && `, ${factor(value)}`; }

/** @param {Key} key */
export function named(key) { return data.inputs[key].label.replace(/,.*/, ""); }

/**
 * An input's value as a reader would say it; nothing where the model or the card has its own.
 * @param {Key} key
 * @param {Moment} moment
 */
export function valueOf(key, {state, report}) {
  if (presetKeys(state).includes(key) || unusedKeys(state, report).includes(key)) return "–";
  const value = state[key];
  if (typeof value === "string") return data.names[key]?.[value] ?? value;
  const text = inputText(value) || placeholder(key, report);
  return `${text} ${unitOf(key, state, report).replace(/^· /, "")}`.trim();
}

/**
 * The rows of what differs: the input, A, B, and what it does by itself, where it leads.
 * @param {Moment} a
 * @param {Moment} b
 * @param {Comparison} comparison
 */
export function differenceRows(a, b, {differences}) {
  return differences.flatMap(({keys, ratio: does}) => keys.map((key, i) => [
    named(key), valueOf(key, a), valueOf(key, b), i ? "" : isNaN(does) ? "not by itself" : isNothing(does) ? "no change" : factor(does) || "–",
  ]));
}

/** What the last column has. @param {Comparison} comparison */
export function alone({quantity}) { return `${SHORT[quantity]}, alone`; }

/**
 * What differs, and which difference did it.
 * @param {Moment} a
 * @param {Moment} b
 * @param {Comparison} comparison
 */
export function sentence(a, b, comparison) {
  const {quantity, differences, ratio: all} = comparison;
  if (!differences.length) return SAME;
  const [label, unit] = quantities[quantity];
  const [from, to] = [a, b].map(({report}) => Number(report[quantity]));
  const stays = isNothing(all) ? `${amount(from, unit)} in both` : `${fromTo(from, to, unit)}${comma(all)}`;
  return [`From A to B ${label}: ${stays}.`, ...room(a, b, differences), ...causes(a, comparison)].join(" ");
}

/**
 * What does not fit, and which difference alone is too much.
 * @param {Moment} a
 * @param {Moment} b
 * @param {Difference[]} differences
 */
function room({report: a}, {report: b}, differences) {
  if (a.fits && b.fits) return [];
  if (!a.fits && !b.fits) return ["Neither fits: these are the numbers if they did."];
  if (!a.fits) return ["A does not fit, B does."];
  const guilty = differences.filter(({alone}) => alone && !alone.report.fits).map(({keys: [key]}) => inText(key));
  const who = guilty.length ? `too much by itself: ${listed(guilty)}` : "no difference is too much by itself, only together";
  return [`B does not fit, ${amount(b.hbm_over_bytes, "B")} missing; ${who}.`];
}

/** An input's name within a sentence. @param {Key} key */
function inText(key) { return uncapitalised(named(key)); }

/**
 * What a difference changes by itself, and why; the speed that all differences are measured by is told already.
 * @param {Key} key
 * @param {Moment} a
 * @param {Moment} alone
 */
function reason(key, {report: before}, {report, state}) {
  const move = MOVES[key] ?? other(key), why = move.why(before, report, state), what = move.what(before, report, state);
  return /^All users/.test(what) ? `${why[0].toUpperCase()}${why.slice(1)}.` : `${what}: ${why}.`;
}

/**
 * Which difference did it and why, what works against it, what does nothing, and whether they add up.
 * @param {Moment} a
 * @param {Comparison} comparison
 */
function causes(a, {differences, ratio: all}) {
  const [first, ...others] = differences;
  if (!first.alone) return ["None of the differences goes over by itself."];
  const [key] = first.keys, why = reason(key, a, first.alone);
  if (!others.length) return [`The only difference is ${inText(key)}. ${why}`];
  if (isNothing(first.ratio)) return isNothing(all) ? ["No difference changes it."] : ["No difference does it by itself, only together."];
  const against = others.find(each => !isNothing(each.ratio) && each.ratio > 1 !== first.ratio > 1);
  const idle = others.filter(each => isNothing(each.ratio)).map(each => inText(each.keys[0]));
  const product = differences.reduce((so_far, each) => so_far * each.ratio, 1);
  return [
    `Most comes from ${inText(key)}${comma(first.ratio)} alone. ${why}`,
    ...against ? [`Against it goes ${inText(against.keys[0])}${comma(against.ratio)} alone.`] : [],
    ...idle.length ? [`Nothing comes of ${listed(idle)} alone.`] : [],
    ...!Number.isFinite(product / all) || isNothing(product / all) ? [] : [`What each does alone multiplies to ${times(product)}: they act on each other.`],
  ];
}

/** @param {string[]} names */
function listed(names) {
  const shown = names.length > MOST ? [...names.slice(0, MOST - 1), `${names.length - MOST + 1} more`] : names;
  return shown.join(", ").replace(/, ([^,]+)$/, " and $1");
}
