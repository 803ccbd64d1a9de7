// Patterns of module names, run without going back, as calc/hf_config/patterns.py runs them.
import {stored} from "../../built/config.mjs";
import {Automaton} from "./automaton.mjs";
/**
 * @import {Test} from "./automaton.mjs"
 * @typedef {[first: number, last: number]} Piece
 */

const {LONGEST_PATTERN, MOST_STATES, MOST_REPEATS} = stored;

/** @type {Record<string, Test>} */
const CLASSES = {
  d: each => /\p{Nd}/u.test(each), w: each => /[\p{L}\p{N}_]/u.test(each), s: each => /\s/.test(each),
  D: each => !/\p{Nd}/u.test(each), W: each => !/[\p{L}\p{N}_]/u.test(each), S: each => !/\s/.test(each),
};

/** A pattern that is not understood. */
export class PatternError extends Error {}

/** A compiled pattern: `start`, then `step` by step through a name, then `holds`. */
export class Pattern extends Automaton {
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    super();
    this.letters = [...text];
    if (this.letters.length > LONGEST_PATTERN) throw new PatternError();
    this.done = this.#state();
    const [first, last] = this.#either();
    if (this.#at < this.letters.length) throw new PatternError();
    this.free[last].push(["", this.done]);
    this.moves[this.done] = [() => true, this.done];
    this.start = this.closed([first], "start");
  }

  // Reading: each part gives its first and its last state.

  #state() {
    if (this.free.length >= MOST_STATES) throw new PatternError();
    this.moves.push(null);
    this.free.push([]);
    return this.free.length - 1;
  }

  #next() { return this.letters[this.#at] ?? ""; }
  #take() {
    if (this.#at >= this.letters.length) throw new PatternError();
    return this.letters[this.#at++];
  }

  /** @returns {Piece} */
  #either() {
    const first = this.#state(), last = this.#state();
    for (;;) {
      const [begin, end] = this.#sequence();
      this.free[first].push(["", begin]);
      this.free[end].push(["", last]);
      if (this.#next() !== "|") return [first, last];
      this.#take();
    }
  }

  /** @returns {Piece} */
  #sequence() {
    const first = this.#state();
    let last = first;
    while (!["", "|", ")"].includes(this.#next())) {
      const [begin, end] = this.#repeated();
      this.free[last].push(["", begin]);
      last = end;
    }
    return [first, last];
  }

  /** @returns {Piece} */
  #repeated() {
    const before = this.#at;
    let part = this.#one();
    const [least, most] = this.#times();
    if (least === 1 && most === 1) return part;
    const first = this.#state();
    let last = first;
    for (let n = 0; n < (most === Infinity ? Math.max(least, 1) : most); n++) {
      if (n) {
        const stay = this.#at;
        this.#at = before;
        part = this.#one();
        this.#at = stay;
      }
      if (n < least) {
        this.free[last].push(["", part[0]]);
        last = part[1];
        continue;
      }
      const end = this.#state();
      this.free[last].push(["", end]);
      this.free[part[1]].push(["", end]);
      this.free[last].push(["", part[0]]);
      last = end;
    }
    if (most === Infinity) this.free[part[1]].push(["", part[0]]);
    return [first, last];
  }

  /** How often a part stands at least and at most. @returns {[least: number, most: number]} */
  #times() {
    const counted = /^\{(\d{1,2})(,?)(\d{0,2})\}/.exec(this.letters.slice(this.#at, this.#at + 8).join(""));
    /** @type {[number, number]} */
    let times = [1, 1];
    if (counted) {
      this.#at += counted[0].length;
      const least = Number(counted[1]);
      times = [least, counted[3] ? Number(counted[3]) : counted[2] ? Infinity : least];
      const largest = times[1] === Infinity ? least : Math.max(...times);
      if (largest > MOST_REPEATS || times[1] === 0) throw new PatternError();
    } else {
      /** @type {Record<string, [number, number]>} */
      const signs = {"*": [0, Infinity], "+": [1, Infinity], "?": [0, 1]};
      if (!this.#next() || !Object.hasOwn(signs, this.#next())) return times;
      times = signs[this.#take()];
    }
    // Whether it takes few or many first makes no difference here.
    if (this.#next() === "?") this.#take();
    if (this.#next() && "*+?{".includes(this.#next())) throw new PatternError();
    return times;
  }

  /** @returns {Piece} */
  #one() {
    const letter = this.#take();
    if ("*+?{)".includes(letter)) throw new PatternError();
    if (letter === "(") return this.#group();
    if (letter === "^" || letter === "$") return this.#place(letter === "^" ? "start" : "end");
    if (letter === "." || letter === "[") return this.#moving(letter === "." ? () => true : this.#class());
    return this.#moving(letter === "\\" ? this.#escaped() : each => each === letter);
  }

  /** @returns {Piece} */
  #group() {
    if (this.#next() === "?") {
      this.#take();
      if (this.#take() !== ":") throw new PatternError();
    }
    const part = this.#either();
    if (this.#take() !== ")") throw new PatternError();
    return part;
  }

  /** @param {string} place @returns {Piece} */
  #place(place) {
    const first = this.#state(), last = this.#state();
    this.free[first].push([place, last]);
    return [first, last];
  }

  /** @param {Test} test @returns {Piece} */
  #moving(test) {
    const first = this.#state(), last = this.#state();
    this.moves[first] = [test, last];
    return [first, last];
  }

  /** @returns {Test} */
  #escaped() {
    const letter = this.#take();
    if (Object.hasOwn(CLASSES, letter)) return CLASSES[letter];
    if (/[\p{L}\p{N}]/u.test(letter)) throw new PatternError();
    return each => each === letter;
  }

  /** What stands in square brackets. @returns {Test} */
  #class() {
    const isOther = this.#next() === "^";
    if (isOther) this.#take();
    /** @type {Test[]} */
    const tests = [];
    for (let letter = this.#take(); letter !== "]" || !tests.length; letter = this.#take()) {
      const after = this.letters[this.#at + 1] ?? "";
      if (letter === "\\") tests.push(this.#escaped());
      else if (this.#next() === "-" && after !== "" && after !== "]") {
        this.#take();
        const low = letter, high = this.#take();
        tests.push(each => low <= each && each <= high);
      } else {
        const own = letter;
        tests.push(each => each === own);
      }
    }
    return each => tests.some(test => test(each)) !== isOther;
  }
}

/** A pattern with *, ? and classes in brackets; what is inside of a module has it, too. @param {string} text */
export function glob(text) {
  const parts = [...text].slice(0, LONGEST_PATTERN + 1).join("").split(/(\*+|\?|\[[^[\]]+\])/);
  return new Pattern(`${parts.map(ofGlob).join("")}(\\..*)?$`);
}

/** A part of a glob as a regular expression. @param {string} part */
function ofGlob(part) {
  if (part.startsWith("*")) return ".*";
  if (part === "?") return ".";
  if (part.startsWith("[") && part.endsWith("]")) {
    const inside = part.slice(1, -1).replaceAll("\\", "\\\\");
    return inside.startsWith("!") ? `[^${inside.slice(1)}]` : `[${inside}]`;
  }
  return part.replace(/[\s()[\]{}?*+\-|^$\\.&~#]/g, "\\$&");
}
