// What weights are stored as, and the words that files have for it.
import {stored} from "../../built/config.mjs";
import {shortened} from "../text.mjs";
import {isPart} from "./values.mjs";
/**
 * @import {Part} from "./values.mjs"
 * @typedef {{format: string, bytes: number, label: string}} Storage the same object for the same values
 */

const {FORMATS, WORDS} = stored;

/** @type {Map<string, Storage>} */
const storages = new Map();

/** @param {string} format @param {number} bytes @param {string} label @returns {Storage} */
export function storage(format, bytes, label) {
  const key = `${format} ${bytes} ${label}`, found = storages.get(key) ?? {format, bytes, label};
  storages.set(key, found);
  return found;
}

export const WIDE = storage(...stored.WIDE);
export const MXFP8 = storage(...stored.MXFP8);

/** What is not known, as the end of a sentence. */
export class UnknownError extends Error {}

export const CHOSEN = "weights are as chosen";

/** @param {any} value */
export const word = value => (typeof value === "string" ? value.toLowerCase() : "");

/** @param {any} value */
export const count = value => (Number.isInteger(value) ? /** @type {number} */ (value) : 0);

/** An object inside of another, empty if there is none. @param {Part} part @param {string} name @returns {Part} */
export const member = (part, name) => (isPart(part[name]) ? part[name] : {});

/** @param {string} name */
export const plain = name => storage(name, FORMATS[name], name);

/** What a word means. @param {string} text */
export function worded(text) {
  if (!Object.hasOwn(WORDS, text)) {
    throw new UnknownError(`names ${shortened(text) || "a format"}, which is not known: ${CHOSEN}`);
  }
  return plain(WORDS[text]);
}

/** Integers of so many bits; without a group's size a scale stands for a whole row. @param {number} bits @param {number} perGroup @param {number} size */
export function integers(bits, perGroup, size) {
  if (![3, 4, 5, 6, 8].includes(bits)) {
    throw new UnknownError(`${bits ? `has ${BigInt(bits)} bit` : "names no bits"}, which is not known: ${CHOSEN}`);
  }
  const scale = size > 0 ? perGroup / size : 0;
  const label = scale ? `${bits} bit with a scale per ${BigInt(size)} weights` : `${bits} bit`;
  return storage(bits === 4 ? "int4" : bits === 8 ? "int8-wo" : "", bits / 8 + scale, label);
}

/** The kind of a name, and the name itself; regular expressions begin with "re:". @param {string} text */
export function regexOr(text) {
  return text.startsWith("re:") ? ["regex", text.slice(3)] : [kindOf(text), text];
}

/** @param {string} text */
export function kindOf(text) {
  return /[*?[]/.test(text) ? "glob" : "name";
}
