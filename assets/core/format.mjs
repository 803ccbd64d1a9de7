// Numbers as readers see them. Every text on the page is formatted here.
import data from "../built/data.mjs";
/** @import {Unit} from "../built/data.mjs" */

const grouped = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});
const precise = new Intl.NumberFormat("en-US", {maximumSignificantDigits: 6});
const rounded = new Intl.NumberFormat("en-US", {maximumSignificantDigits: 4});
const whole = new Intl.NumberFormat("en-US", {maximumFractionDigits: 20, maximumSignificantDigits: 17});

let units = data.units;

/**
 * Show memory in "GB" or "GiB".
 * @param {string} name
 */
export function setMemoryUnit(name) {
  units = name === "GiB" ? {...data.units, ...data.binary_units} : data.units;
}

/**
 * A measured amount, rounded for reading: 2,553 · 218.9 · 4.96 · 0.738.
 * @param {number} value
 */
export function number(value) {
  if (!Number.isFinite(value)) return "∞";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 0.9995) return String(Number(value.toPrecision(3)));
  if (size < 9.995) return value.toFixed(2);
  if (size < 999.95) return value.toFixed(1);
  return grouped.format(value);
}

/**
 * A count: whole numbers stay whole, 8,192.
 * @param {number} value
 */
export function count(value) {
  return Number.isInteger(value) ? grouped.format(value) : number(value);
}

/**
 * What a reader has set, as it was set: 8,192 · 0.7 · 12.34.
 * @param {number} value
 */
export function setting(value) {
  return Number.isInteger(value) ? grouped.format(value) : precise.format(value);
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
 * An SI value in the unit it is shown in: {number: "22.6", unit: "GB"}.
 * @param {number} value
 * @param {string} unit
 */
export function scaled(value, unit) {
  const table = units[unit];
  if (!table) return {number: unit ? number(value) : count(value), unit};
  const [name, size] = scale(table, value);
  return {number: size === 1 ? count(value) : number(value / size), unit: name};
}

/**
 * The same as one text: "22.6 GB".
 * @param {number} value
 * @param {string} unit
 */
export function amount(value, unit) {
  const shown = scaled(value, unit);
  return shown.unit ? `${shown.number} ${shown.unit}` : shown.number;
}

/**
 * A given of the hardware: "3.3 TB/s", "990 TFLOP/s", "80 GB".
 * @param {number} value
 * @param {string} unit
 */
export function given(value, unit) {
  const [name, size] = scale(units[unit], value);
  return `${rounded.format(value / size)} ${name}`;
}

/**
 * How many times: "3.30×", "61×".
 * @param {number} ratio
 */
export function times(ratio) {
  return `${ratio < 9.995 ? number(ratio) : count(Math.round(ratio))}×`;
}

/**
 * A share: "38 %".
 * @param {number} share
 */
export function percent(share) {
  const whole = Math.round(share * 100);
  return whole < 1 && share > 0 ? "under 1 %" : `${count(whole)} %`;
}

/**
 * To six digits, for the end of a formula: "1,168.66 tokens/s".
 * @param {number | string} value
 * @param {string} unit
 */
export function preciseAmount(value, unit) {
  if (typeof value !== "number") return String(value);
  const table = units[unit];
  if (!table) return unit ? `${precise.format(value)} ${unit}` : precise.format(value);
  const [name, size] = scale(table, value);
  return `${precise.format(value / size)} ${name}`;
}

/**
 * Every digit, in SI: what a number shows when pointed at.
 * @param {number} value
 * @param {string} unit
 */
export function exact(value, unit) {
  return unit ? `${whole.format(value)} ${unit}` : whole.format(value);
}

/**
 * Bytes in binary units, for the cache of one token: {number: "128", unit: "KiB"}.
 * @param {number} bytes
 */
export function kibibytes(bytes) {
  return {number: count(bytes / data.KiB), unit: "KiB"};
}

const NUMBER = /^(\d{1,3}(,\d{3})+(\.\d*)?|(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?)$/i;

/**
 * The number that a typed text means, or NaN; Python's `parsed` says the same. Commas only where
 * thousands are grouped; no sign, as no input is negative.
 * @param {string} text
 */
export function parsed(text) {
  const plain = text.trim();
  return NUMBER.test(plain) ? Number(plain.replaceAll(",", "")) : NaN;
}
