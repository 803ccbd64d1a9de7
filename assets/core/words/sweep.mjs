// A sweep in words.
import {quantities} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {amount, count, inputText, scaled} from "./format.mjs";
import {uncapitalised} from "./phrases.mjs";
/**
 * @import {Key} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Point} from "../explorer/sweep.mjs"
 */

/** A unit that is the same for all amounts; "" of one that has smaller and larger ones. @param {string} quantity */
function fixedUnit(quantity) {
  const unit = quantities[quantity][1];
  return unit in data.units && data.units[unit].length > 1 ? "" : scaled(1, unit).unit;
}

/** What stands along the axes. @param {Key} key @param {string} quantity */
export function axes(key, quantity) {
  const {label, unit} = data.inputs[key], bracketed = (/** @type {string} */ text) => text && ` (${text})`;
  return `${quantities[quantity][0]}${bracketed(fixedUnit(quantity))} over ${uncapitalised(label)}${bracketed(unit)}`;
}

/** What stands at a tick: without a unit that stands along the axis. @param {number} value @param {string} quantity */
export function tick(value, quantity) { return fixedUnit(quantity) ? count(value) : shown(value, quantity); }

/** @param {number} value @param {string} quantity */
export function shown(value, quantity) { return amount(value, quantities[quantity][1]); }

/**
 * @param {Point[]} points
 * @param {Key} key
 * @param {keyof Report & string} quantity
 */
export function sentence(points, key, quantity) {
  const [label] = quantities[quantity], name = data.inputs[key].label.replace(/,.*/, "");
  if (!points.length) return `${name} cannot be changed here without something else.`;
  const [first, last] = [points[0], points[points.length - 1]];
  const fit = points.filter(({report}) => report.fits).length;
  const room = fit === points.length ? "All of it fits."
    : !fit ? "None of it fits." : points[0].report.fits ? `It fits up to ${inputText(points[fit - 1].x)}.` : `It fits at ${count(fit)} of ${count(points.length)} values.`;
  return `${name} from ${inputText(first.x)} to ${inputText(last.x)}: ${label} ${shown(first.y, quantity)} to ${shown(last.y, quantity)}. ${room}`;
}

/**
 * @param {Point[]} points
 * @param {Key} key
 * @param {keyof Report & string} quantity
 * @param {Point[]} beside those of A, where it is pinned
 */
export function table(points, key, quantity, beside) {
  /** @param {number} x */
  const atA = x => beside.find(each => each.x === x);
  return [
    [data.inputs[key].label, quantities[quantity][0], ...beside.length ? ["of A"] : [], "fits"],
    ...points.map(({x, y, report}) => {
      const a = atA(x);
      return [inputText(x), shown(y, quantity), ...beside.length ? [a ? shown(a.y, quantity) : "–"] : [], report.fits ? "yes" : "no"];
    }),
  ];
}
