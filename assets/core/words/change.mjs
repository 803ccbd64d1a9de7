// Two amounts, before a move and after it, in words.
import {amount, scaled} from "./format.mjs";

/**
 * "from 8.59 to 34.4 GB"; the first unit only where it is another.
 * @param {number} before
 * @param {number} after
 * @param {string} unit
 */
export function fromTo(before, after, unit) {
  const from = scaled(before, unit), to = scaled(after, unit);
  return `from ${from.unit === to.unit ? from.number : amount(before, unit)} to ${amount(after, unit)}`;
}

/**
 * "3.50 GB of weights instead of 14.0"; "3.50 GB of weights as before" where a reader sees no difference.
 * @param {number} before
 * @param {number} after
 * @param {string} unit
 * @param {string} [what]
 */
export function insteadOf(before, after, unit, what = "") {
  const from = scaled(before, unit), to = scaled(after, unit);
  if (same(before, after, unit)) return `${amount(after, unit)}${what && ` ${what}`} as before`;
  return `${amount(after, unit)}${what && ` ${what}`} instead of ${from.unit === to.unit ? from.number : amount(before, unit)}`;
}

/**
 * @param {string} what
 * @param {number} before
 * @param {number} after
 * @param {string} unit
 */
export function went(what, before, after, unit) {
  const stay = /^(Weights|All)/.test(what) ? "stay" : "stays";
  return same(before, after, unit) ? `${what} ${stay} at ${amount(after, unit)}` : `${what} went ${fromTo(before, after, unit)}`;
}

/**
 * Whether a reader sees no difference.
 * @param {number} before
 * @param {number} after
 * @param {string} unit
 */
export function same(before, after, unit) { return amount(before, unit) === amount(after, unit); }
