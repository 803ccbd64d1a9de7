// A text as JSON: each object without a prototype, and no member twice with different values.
import {shortened} from "../text.mjs";
import {ConfigError, isPart, same} from "./values.mjs";
/** @import {Part, Value} from "./values.mjs" */

/** No real config.json comes near these. */
const DEEPEST = 500, MOST_DIGITS = 4300;

const BLANKS = /[ \t\n\r]*/y;
// All but quotes, backslashes and what is below a blank; then escapes, and such again.
const TEXT = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null|NaN|-?Infinity/y;

/** @type {Record<string, any>} */
const WORDS = {true: true, false: false, null: null, NaN, Infinity, "-Infinity": -Infinity};

/**
 * The object that a text holds.
 * @param {string} text
 * @returns {Part}
 */
export function parsed(text) {
  const reader = new Reader(text.replace(/^\ufeff/, ""));
  const content = reader.whole();
  if (!isPart(content)) throw new ConfigError("The file holds no JSON object, so it is not a config.json.");
  return content;
}

class Reader {
  #at = 0;
  #depth = 0;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  whole() {
    const value = this.#value();
    if (this.#next()) this.#refuse("something follows its end");
    return value;
  }

  /** The character that comes next, blanks apart. */
  #next() {
    this.#take(BLANKS);
    return this.text[this.#at];
  }

  /** @param {RegExp} pattern */
  #take(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** @returns {Value} */
  #value() {
    const first = this.#next();
    if (first === "{" || first === "[") {
      if (++this.#depth > DEEPEST) throw new ConfigError("The file is nested too deeply to be a config.json.");
      this.#at++;
      const value = first === "{" ? this.#members() : this.#entries();
      this.#depth--;
      return value;
    }
    if (first === '"') return this.#text();
    const word = this.#take(WORD);
    if (word) return WORDS[word];
    const digits = this.#take(NUMBER);
    if (!digits) this.#refuse("a value is missing or none");
    if (digits.length > MOST_DIGITS) throw new ConfigError("The file holds a number with thousands of digits.");
    const value = Number(digits);
    // One without a point is a whole number, however large.
    return Number.isFinite(value) || /[.eE]/.test(digits) ? value : Math.sign(value) * Number.MAX_VALUE;
  }

  #text() {
    const text = this.#take(TEXT);
    if (!text) this.#refuse("a text is not closed, or holds what none can");
    return JSON.parse(text);
  }

  #entries() {
    /** @type {Value[]} */
    const entries = [];
    if (this.#next() === "]") return this.#end(entries);
    do entries.push(this.#value()); while (this.#goesOn("]"));
    return entries;
  }

  #members() {
    /** @type {Part} */
    const members = Object.create(null);
    if (this.#next() === "}") return this.#end(members);
    do {
      if (this.#next() !== '"') this.#refuse("a name in quotes is missing");
      const name = this.#text();
      if (this.#next() !== ":") this.#refuse("a colon is missing");
      this.#at++;
      const value = this.#value();
      if (name in members && !same(members[name], value)) {
        throw new ConfigError(`${shortened(name)} stands twice with different values.`);
      }
      members[name] = value;
    } while (this.#goesOn("}"));
    return members;
  }

  /** @template T @param {T} value */
  #end(value) {
    this.#at++;
    return value;
  }

  /** Whether a comma is next, and not the end. @param {string} end */
  #goesOn(end) {
    const next = this.#next();
    if (next !== "," && next !== end) this.#refuse("a comma or bracket is missing");
    this.#at++;
    return next === ",";
  }

  /** @param {string} why @returns {never} */
  #refuse(why) {
    const line = this.text.slice(0, this.#at).split("\n").length;
    throw new ConfigError(`The file is not JSON: ${why} in line ${line}.`);
  }
}
