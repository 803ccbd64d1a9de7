// A sweep in words.
import {quantities} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {edges} from "../explorer/sweep.mjs";
import {amount, count, inputText, scaled} from "./format.mjs";
import {capitalised, uncapitalised} from "./phrases.mjs";
/**
 * @import {Key} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Grid, Point} from "../explorer/sweep.mjs"
 */

/** A unit that is the same for all amounts; "" of one that has smaller and larger ones. @param {string} quantity */
function fixedUnit(quantity) {
  const unit = quantities[quantity][1];
  return unit in data.units && data.units[unit].length > 1 ? "" : scaled(1, unit).unit;
}

/** @param {string} text */
function bracketed(text) { return text && ` (${text})`; }

/** An input with its unit, within a sentence. @param {Key} key */
function withUnit(key) { return `${uncapitalised(data.inputs[key].label)}${bracketed(data.inputs[key].unit)}`; }

/** What stands along the axes. @param {Key} key @param {string} quantity */
export function axes(key, quantity) { return `${quantities[quantity][0]}${bracketed(fixedUnit(quantity))} over ${withUnit(key)}`; }

/** What stands along the axes of a map. @param {Key} over @param {Key} against */
export function mapAxes(over, against) { return `${withUnit(against)}, upwards, over ${withUnit(over)}`; }

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
  const [label] = quantities[quantity], name = nameOf(key);
  if (!points.length) return `${name} cannot be changed here without something else.`;
  const [first, last] = [points[0], points[points.length - 1]], from = inputText(first.x);
  if (first === last) return `${name}: ${from} alone goes with the rest. ${capitalised(label)} ${shown(first.y, quantity)}; ${first.report.fits ? "it fits" : "it does not fit"}.`;
  return `${name} from ${from} to ${inputText(last.x)}: ${label} ${shown(first.y, quantity)} to ${shown(last.y, quantity)}. ${room(points, key)}`;
}

/**
 * Which of the values fit.
 * @param {Point[]} points
 * @param {Key} key
 */
function room(points, key) {
  const [edge, ...others] = edges(points, key), {fits} = points[0].report;
  if (!edge) return fits ? "All of it fits." : "None of it fits.";
  if (others.length) return `Of these ${count(points.length)} values ${count(points.filter(({report}) => report.fits).length)} fit.`;
  const where = fits ? `up to ${inputText(edge.last)}` : `only from ${inputText(edge.first)} on`;
  return edge.isExact ? `It fits ${where}.` : `Of the values tried it fits ${where}.`;
}

/**
 * A map for a file, a row for each of its cells that can be: numbers as they are, in SI.
 * @param {any} grid
 * @param {Key[]} keys
 * @param {keyof Report & string} quantity
 * @returns {(string | number)[][]}
 */
export function mapNumbers({xs, ys, rows}, keys, quantity) {
  return [
    [...keys, quantity, "fits"],
    ...rows.flatMap((/** @type {any[]} */ row, /** @type {number} */ y) => row.flatMap((report, x) =>
      report ? [[xs[x], ys[y], Number(report[quantity]), String(report.fits)]] : [])),
  ];
}

/**
 * A curve for a file: numbers as they are, in SI.
 * @param {Point[]} points
 * @param {Key} key
 * @param {keyof Report & string} quantity
 * @param {Point[]} beside
 * @returns {(string | number)[][]}
 */
export function numbers(points, key, quantity, beside) {
  return [
    [key, quantity, ...beside.length ? [`${quantity} of A`] : [], "fits"],
    ...points.map(({x, y, report}) => [
      x, y, ...beside.length ? [beside.find(each => each.x === x)?.y ?? ""] : [], String(report.fits),
    ]),
  ];
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

/** An input's name without its letter. @param {Key} key */
function nameOf(key) { return data.inputs[key].label.replace(/,.*/, ""); }

/**
 * A cell's lines: its values, what is there, whether it fits.
 * @param {Grid} grid
 * @param {Key[]} keys of both inputs
 * @param {keyof Report & string} quantity
 * @param {number} column
 * @param {number} row
 */
export function cell({xs, ys, rows}, keys, quantity, column, row) {
  const report = rows[row][column];
  return [
    ...[xs[column], ys[row]].map((value, i) => `${nameOf(keys[i])} ${inputText(value)}`),
    ...report ? [`${quantities[quantity][0]} ${shown(Number(report[quantity]), quantity)}`, ...report.fits ? [] : ["does not fit"]] : ["do not go together"],
  ];
}

/**
 * @param {Grid} grid
 * @param {Key[]} keys of both inputs
 * @param {keyof Report & string} quantity
 */
export function mapSentence({xs, ys, rows}, keys, quantity) {
  const names = keys.map((key, i) => `${i ? uncapitalised(nameOf(key)) : nameOf(key)} from ${inputText([xs, ys][i][0])} to ${inputText(Number([xs, ys][i].at(-1)))}`).join(", ");
  const there = rows.flatMap((row, y) => row.flatMap((report, x) => report ? [{report, at: ` at ${inputText(xs[x])} and ${inputText(ys[y])}`, value: Number(report[quantity])}] : []));
  const fit = there.filter(({report}) => report.fits).sort((a, b) => a.value - b.value);
  const room = fit.length === there.length ? "all of it fits" : `${count(fit.length)} of ${count(there.length)} cells fit`;
  if (!fit.length) return `${names}: none of it fits.`;
  const [low, high] = [fit[0], fit[fit.length - 1]].map(({value, at}) => shown(value, quantity) + at);
  return `${names}: ${room}, with ${quantities[quantity][0]} from ${low} to ${high}.`;
}

/**
 * A column for each of the first input's values, a row for each of the second's.
 * @param {Grid} grid
 * @param {Key[]} keys of both inputs
 * @param {keyof Report & string} quantity
 */
export function mapTable({xs, ys, rows}, keys, quantity) {
  const [over, against] = keys.map(nameOf);
  return [
    [`${against} ↓, ${uncapitalised(over)} →`, ...xs.map(inputText)],
    ...rows.map((row, i) => [inputText(ys[i]), ...row.map(report => !report ? "–" : `${shown(Number(report[quantity]), quantity)}${report.fits ? "" : ", does not fit"}`)]),
  ];
}
