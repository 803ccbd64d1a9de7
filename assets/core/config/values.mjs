// Values of a config.json: what is the same, what counts as yes, and how a sentence writes one, all as in Python.
import {shortened} from "../text.mjs";
/**
 * @typedef {null | boolean | number | string | any[] | {[name: string]: any}} Value
 * @typedef {{[name: string]: any}} Part an object of the file, without a prototype
 */

/** The one way in which reading ends without a model: one sentence that names the field. */
export class ConfigError extends Error {}

/** @param {unknown} value @returns {value is Part} */
export function isPart(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether two values are equal; true is 1.
 * @param {any} one
 * @param {any} other
 * @returns {boolean}
 */
export function same(one, other) {
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((each, i) => same(each, other[i]));
  }
  if (isPart(one)) {
    const names = Object.keys(one);
    return isPart(other) && names.length === Object.keys(other).length
      && names.every(name => name in other && same(one[name], other[name]));
  }
  return plain(one) === plain(other);
}

/** @param {any} value */
function plain(value) {
  return typeof value === "boolean" ? Number(value) : value;
}

/**
 * Whether a value says something: no 0, and nothing that is empty.
 * @param {any} value
 */
export function isSomething(value) {
  if (Array.isArray(value)) return value.length > 0;
  return isPart(value) ? Object.keys(value).length > 0 : Boolean(value) || Number.isNaN(value);
}

/**
 * A whole number in words, rounded half to even, with commas if asked for.
 * @param {number} value
 * @param {boolean} [isGrouped]
 */
export function whole(value, isGrouped = false) {
  if (!Number.isFinite(value)) return number(value);
  const low = Math.floor(value), rest = value - low;
  const rounded = rest > 0.5 || (rest === 0.5 && low % 2) ? low + 1 : low;
  const digits = BigInt(rounded).toString();
  return isGrouped ? digits.replace(/\B(?=(\d{3})+$)/g, ",") : digits;
}

/**
 * A number with so many digits at most.
 * @param {number} value
 * @param {number} digits
 */
export function significant(value, digits) {
  const text = value.toExponential(digits - 1), exponent = Number(text.split("e")[1]);
  const short = Number(text);
  if (exponent >= -4 && exponent < digits) return String(short);
  return short.toExponential().replace(/([+-])(\d)$/, "$10$2");
}

/**
 * A value of the wrong type, or unlike another one: short, and a text in quotes.
 * @param {any} value
 */
export function quoted(value) {
  return shortened(typeof value === "string" ? text([...value.slice(0, 198)].slice(0, 99).join("")) : short(value, 6));
}

/** @param {number} value */
function number(value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e-(\d)$/, "e-0$1");
}

/** What Python does not print as it is. */
const UNPRINTED = /[\p{C}\p{Zl}\p{Zp}\p{Zs}]/u;

/** @type {Record<string, string>} */
const ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"};

/** A text in quotes. @param {string} value */
function text(value) {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const letters = [...value].map(letter => {
    if (letter === quote) return `\\${quote}`;
    if (letter in ESCAPES) return ESCAPES[letter];
    return letter !== " " && UNPRINTED.test(letter) ? escaped(/** @type {number} */ (letter.codePointAt(0))) : letter;
  });
  return `${quote}${letters.join("")}${quote}`;
}

/** @param {number} code */
function escaped(code) {
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/**
 * Of lists and objects the first few, of texts start and end: Python's reprlib.
 * @param {any} value
 * @param {number} levels
 * @returns {string}
 */
function short(value, levels) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return middle(number(value), 40);
  if (typeof value === "string") return shortText(value);
  if (Array.isArray(value)) {
    const more = value.length > 6 ? ["..."] : [];
    if (!levels && value.length) return "[...]";
    return `[${[...value.slice(0, 6).map(each => short(each, levels - 1)), ...more].join(", ")}]`;
  }
  const names = Object.keys(value).sort();
  if (!levels && names.length) return "{...}";
  const pairs = names.slice(0, 4).map(name => `${shortText(name)}: ${short(value[name], levels - 1)}`);
  return `{${[...pairs, ...names.length > 4 ? ["..."] : []].join(", ")}}`;
}

/** @param {string} value */
function shortText(value) {
  const start = text([...value.slice(0, 60)].slice(0, 30).join(""));
  if (start.length <= 30) return start;
  const ends = text(value.slice(0, 13) + value.slice(Math.max(0, value.length - 14)));
  return `${ends.slice(0, 13)}...${ends.slice(-14)}`;
}

/** Start and end of a text that is longer. @param {string} value @param {number} most */
function middle(value, most) {
  if (value.length <= most) return value;
  const start = Math.floor((most - 3) / 2);
  return `${value.slice(0, start)}...${value.slice(value.length - (most - 3 - start))}`;
}
