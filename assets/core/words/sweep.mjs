// A sweep in words.
import {quantities} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {amount, count, inputText} from "./format.mjs";
import {uncapitalised} from "./phrases.mjs";
/**
 * @import {Key} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Point} from "../explorer/sweep.mjs"
 */

/** What stands along an axis. @param {Key} key @param {string} quantity */
export function axes(key, quantity) {
  const {label, unit} = data.inputs[key];
  return `${quantities[quantity][0]} over ${uncapitalised(label)}${unit ? ` (${unit})` : ""}`;
}

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
 */
export function table(points, key, quantity) {
  return [
    [data.inputs[key].label, quantities[quantity][0], "fits"],
    ...points.map(({x, y, report}) => [inputText(x), shown(y, quantity), report.fits ? "yes" : "no"]),
  ];
}
