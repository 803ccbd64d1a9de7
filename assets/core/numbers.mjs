// Numbers as people and programs write them.
import data from "../built/data.mjs";
/** @import {Unit} from "../built/data.mjs" */

/** A millisecond. [s] */
export const MS = /** @type {Unit} */ (data.units.s.find(([name]) => name === "ms"))[1];

/** Between 0 and this is nothing that anybody means. */
export const SMALLEST = 1e-9;

/** What is said to that. */
export const TINY = `smaller than ${SMALLEST} is none but 0`;

const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(?!\d)/;
const NUMBER = new RegExp(
  `${GROUPED.source}(\\.\\d*)?$|^(0|[1-9]\\d*(?!,\\d{3}$)),\\d+$|^(\\d+(\\.\\d*)?|\\.\\d+)(e[+-]?\\d+)?$`, "i");

/**
 * The number that a typed text means, or NaN; Python's `parsed` says the same. A comma groups
 * thousands, 1,024, where it stands as it does in groups; any other one is a decimal comma, 2,5 and
 * 0,125. No sign, as no input is negative; and none that is too large or small to compute with.
 * @param {string} text
 * @param {string} [unit] of tokens there may be 32K
 */
export function parsed(text, unit = "") {
  const plain = text.trim(), size = data.typed_suffixes[unit]?.[plain.slice(-1).toUpperCase()];
  const digits = size ? plain.slice(0, -1) : plain;
  if (!NUMBER.test(digits)) return NaN;
  const value = (size ?? 1) * Number(digits.replaceAll(",", GROUPED.test(digits) ? "" : "."));
  const isNothing = !/[1-9]/.test(digits.split(/e/i)[0]);
  return Number.isFinite(value) && (value !== 0 || isNothing) ? value : NaN;
}
