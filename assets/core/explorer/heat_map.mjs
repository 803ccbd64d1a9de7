// A grid as a map: how strong each cell is, runs of cells that do not fit, and the line around them.
/**
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Grid} from "./sweep.mjs"
 */

/**
 * A quantity's lowest and highest value of what can be drawn; NaN where there is none.
 * @param {Grid} grid
 * @param {keyof Report & string} quantity
 */
export function ends({rows}, quantity) {
  const all = rows.flat().flatMap(each => each ? [Number(each[quantity])] : []).filter(value => value > 0 && Number.isFinite(value));
  return all.length ? {low: Math.min(...all), high: Math.max(...all)} : {low: NaN, high: NaN};
}

/**
 * How strong a value is between the ends, from 0 to 1, on a scale of powers; what is 0 or none has no colour.
 * @param {number} value
 * @param {{low: number, high: number}} ends
 */
export function strength(value, {low, high}) {
  if (!(value > 0) || !Number.isFinite(value)) return NaN;
  return high > low ? Math.log(value / low) / Math.log(high / low) : 0.5;
}

/**
 * Runs of a row's cells that do not fit.
 * @param {(Report | undefined)[]} row
 * @returns {{left: number, right: number}[]}
 */
export function beyond(row) {
  const starts = row.flatMap((each, i) => isOver(each) && !isOver(row[i - 1]) ? [i] : []);
  return starts.map(left => {
    const length = row.slice(left).findIndex(each => !isOver(each));
    return {left, right: length < 0 ? row.length : left + length};
  });
}

/**
 * The frontier: edges between a cell that fits and a neighbour that does not, as ends of lines.
 * @param {Grid} grid
 * @returns {{xs: [number, number], ys: [number, number]}[]}
 */
export function frontier({rows}) {
  /** @param {Report | undefined} one @param {Report | undefined} other */
  const divides = (one, other) => one !== undefined && other !== undefined && one.fits !== other.fits;
  return rows.flatMap((row, y) => row.flatMap((each, x) => /** @type {{xs: [number, number], ys: [number, number]}[]} */ ([
    ...divides(each, row[x + 1]) ? [{xs: [x + 1, x + 1], ys: [y, y + 1]}] : [],
    ...divides(each, rows[y + 1]?.[x]) ? [{xs: [x, x + 1], ys: [y + 1, y + 1]}] : [],
  ])));
}

/** @param {Report | undefined} report */
function isOver(report) { return report !== undefined && !report.fits; }
