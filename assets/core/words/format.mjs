// Numbers as readers see them. Every text on the page is formatted here.
import data from "../../built/data.mjs";
/** @import {Unit} from "../../built/data.mjs" */

const whole = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});
const typed = new Intl.NumberFormat("en-US", {maximumSignificantDigits: 6});
const sourced = new Intl.NumberFormat("en-US", {maximumSignificantDigits: 4});
const three = new Intl.NumberFormat("en-US", {minimumSignificantDigits: 3, maximumSignificantDigits: 3});
const upToThree = new Intl.NumberFormat("en-US", {maximumSignificantDigits: 3});
const every = new Intl.NumberFormat("en-US", {maximumFractionDigits: 20, maximumSignificantDigits: 17});

/** Sizes that are said in words. @type {[string, number][]} */
const WORDS = [["trillion", 1e12], ["billion", 1e9], ["million", 1e6]];

let units = data.units;

/**
 * Show memory in "GB" or "GiB".
 * @param {string} name
 */
export function setMemoryUnit(name) {
  units = name === "GiB" ? {...data.units, ...data.binary_units} : data.units;
}

/** The unit for large memory that is shown: its name, and its size in bytes. */
export function memoryUnit() {
  return /** @type {Unit} */ (units.B.find(([name]) => /^Gi?B$/.test(name)));
}

/**
 * A unit as the page shows it: its name, and its size in the one that is named, where memory is
 * counted in powers of two.
 * @param {string} name
 */
export function shownUnit(name) {
  const at = data.units.B.findIndex(([each]) => each === name);
  if (at < 0) return {unit: name, size: 1};
  return {unit: units.B[at][0], size: units.B[at][1] / data.units.B[at][1]};
}

/**
 * A measured amount, three digits of it: 0.740 · 4.96 · 219 · 2,550 · 11.1 million.
 * @param {number} value
 */
export function number(value) {
  if (!Number.isFinite(value)) return "∞";
  if (value === 0) return "0";
  return Math.abs(value) < 999_500 ? three.format(value) : inWords(value, three);
}

/**
 * @param {number} value
 * @param {Intl.NumberFormat} digits
 */
function inWords(value, digits) {
  const [word, size] = WORDS.find(([, from]) => Math.abs(value) >= 0.9995 * from) ?? ["", 1];
  return `${digits.format(value / size)} ${word}`;
}

/**
 * A count: whole numbers stay whole, 8,192, as long as people read them: 7 billion.
 * @param {number} value
 */
export function count(value) {
  if (!Number.isInteger(value)) return Math.abs(value) < 1 ? upToThree.format(value) : number(value);
  return Math.abs(value) < 1e7 ? whole.format(value) : inWords(value, upToThree);
}

/**
 * What a reader has set, as it was set: 8,192 · 0.7 · 12.34; nothing where it was left open.
 * @param {number} value
 */
export function inputText(value) {
  if (isNaN(value)) return "";
  return Number.isInteger(value) ? whole.format(value) : typed.format(value);
}

/**
 * The display unit for a value: [name, size].
 * @param {Unit[]} table
 * @param {number} value
 */
function scale(table, value) {
  return table.find(([, , from]) => Math.abs(value) >= from) ?? /** @type {Unit} */ (table.at(-1));
}

/**
 * "1 byte", "1 token", all else as it is.
 * @param {number} value
 * @param {string} name
 */
function unitName(value, name) {
  return value === 1 && /^(bytes|tokens)$/.test(name) ? name.slice(0, -1) : name;
}

/** Units of which there are whole numbers, and plain fractions: half a byte. */
const COUNTED = ["", "tokens", "B"];

/**
 * An SI value in the unit it is shown in, or that of another beside it: {number: "22.6", unit: "GB"}.
 * @param {number} value
 * @param {string} unit
 * @param {number} [like] the other
 */
export function scaled(value, unit, like = value) {
  const [name, size] = unit in units ? scale(units[unit], like) : [unit, 1];
  const isCounted = COUNTED.includes(unit) || (Number.isInteger(value) && unit in units);
  return {number: size === 1 && isCounted ? count(value) : number(value / size), unit: unitName(value, name)};
}

/**
 * The same as one text: "22.6 GB".
 * @param {number} value
 * @param {string} unit
 * @param {number} [like]
 */
export function amount(value, unit, like) {
  const {number, unit: name} = scaled(value, unit, like);
  return name ? `${number} ${name}` : number;
}

/**
 * Values in the one unit in which the largest is shown: {unit: "ms", texts: ["0.740", "219"]}; of what is
 * not there "".
 * @param {(number | undefined)[]} values
 * @param {string} unit
 */
export function alike(values, unit) {
  const most = values.reduce((/** @type {number} */ a, b = 0) => Math.max(a, b), 0);
  const [name, size] = unit in units ? scale(units[unit], most) : [unit, 1];
  const write = size === 1 && COUNTED.includes(unit) ? count : number;
  return {unit: name, texts: values.map(each => each === undefined ? "" : write(each / size))};
}

/**
 * A given of the hardware: "3.3 TB/s", "990 TFLOP/s", "80 GB".
 * @param {number} value
 * @param {string} unit
 */
export function rating(value, unit) {
  const [name, size] = scale(units[unit], value);
  return `${sourced.format(value / size)} ${name}`;
}

/**
 * How many times: "3.30×", "61×", "6,670×".
 * @param {number} ratio
 */
export function times(ratio) {
  return `${ratio >= 9.995 && ratio < 999.5 ? Math.round(ratio) : number(ratio)}×`;
}

/** What two sums of the same differ by. */
const ROUNDING = 1e-9;

/**
 * A share in whole hundredths: below all never 100, above none never 0.
 * @param {number} share
 */
export function hundredths(share) {
  const nearest = Math.round(share * 100);
  if (nearest === 100 && share < 1 - ROUNDING) return 99;
  return nearest === 0 && share > 0 ? 1 : nearest;
}

/**
 * A share: "38 %", "over 99 %"; of more than ten times the whole, "16.3 times".
 * @param {number} share
 */
export function percent(share) {
  if (share >= 9.995) return `${number(share)} times`;
  const nearest = Math.round(share * 100), shown = hundredths(share);
  const about = shown < nearest ? "over " : shown > nearest ? "under " : "";
  return `${about}${shown} %`;
}

/**
 * Every digit, in SI: what a number shows when pointed at.
 * @param {number} value
 * @param {string} unit
 */
export function exact(value, unit) {
  return `${every.format(value)} ${unit.replace(/^B/, "bytes").replace("/B", "/byte")}`.trim();
}

/**
 * Bytes in binary units, for the cache of one token: {number: "128", unit: "KiB"}.
 * @param {number} bytes
 */
export function kibibytes(bytes) {
  return {number: count(bytes / data.KiB), unit: "KiB"};
}
