// Corpora of tests/hostile, and the loop of tests/helpers/hostile.py, for tests in Node; fuzzers
// are those in `*.fuzz.test.mjs`.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";

import data from "#modules/built/data.mjs";
import {shortened, suggestion} from "#modules/core/text.mjs";

const seconds = Number(process.env.FUZZ_SECONDS ?? 0);

/** The kinds of a corpus, as [name, kind]. */
export function kinds(file) {
  return Object.entries(JSON.parse(readFileSync(new URL(`../hostile/${file}`, import.meta.url), "utf8")));
}

/** Which inputs a kind of value speaks of. */
export const INPUTS = {
  numbers: Object.keys(data.inputs).filter(key => !data.inputs[key].options),
  wholes: Object.keys(data.inputs).filter(key => data.inputs[key].whole),
  choices: Object.keys(data.inputs).filter(key => data.inputs[key].options),
};

/** Every value of the corpus for every input: {name, key, text, said}. */
export function* values() {
  for (const [name, {of, texts = [], repeated = [], said}] of kinds("values.json")) {
    for (const text of [...texts, ...repeated.map(each => each.repeat(1e4))]) {
      for (const key of INPUTS[of]) yield {name, key, text, said};
    }
  }
}

/** The sentence that a value of the corpus must end in. */
export function sentence(said, key, text) {
  const {options = [], allowed} = data.inputs[key];
  const words = {key, shown: shortened(text), allowed: `${suggestion(text, options)}allowed is ${allowed}`};
  return said.replace(/{(\w+)}/g, (_, word) => words[word]);
}

/** Fails on a sentence that is long, or that a page or a terminal would act upon. */
export function harmless(said) {
  assert.match(said, /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,2000}$/u);
  assert.doesNotMatch(said.replaceAll(/one of [-\w., ]+/g, ""), /.{200}/);
}

/** Numbers from 0 to 1 by chance, the same ones for a seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6D2B79F5 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

/** What a fuzzer draws, given such numbers. */
export function draws(chance) {
  const below = n => Math.floor(chance() * n);
  const one = list => list[below(list.length)];
  const CHARACTERS = [..."0123456789.,eE+-_ &=?#%;/:<>'\"\\{}[]()$", "٨", "\u202e", "\u0000", "\u001b", "\n", "\ud800", "😀", "é", "\ufeff", "%2C", "%00", "%", "__proto__"];
  const text = () => Array.from({length: below(12)}, () => one(CHARACTERS)).join("");
  const key = () => one(Object.keys(data.inputs));
  /** One that an input takes, by itself. */
  const taken = name => {
    const {options, range, whole, stops} = data.inputs[name];
    if (options) return one(options);
    if (stops?.length && chance() < 0.5) return one(stops);
    const [low, high] = range, value = low + (high - low) * chance() ** 8;
    return whole ? Math.round(value) : value;
  };
  /** Any value there is, of numbers rather those beside a range. */
  const any = () => one([
    () => one([NaN, Infinity, -Infinity, 0, -0, -1, 1, 1.5, 3, 7, 64, 2 ** 31, 2 ** 53, 5e-324, 1e308]),
    () => one([undefined, null, true, false, "", "∞", "NaN", "undefined", "8", "8.5", "1e3", "8,192"]),
    () => one([64n, [64], [[]], {}, {valueOf: 64}, new Uint8Array([64]), new Date(64), new Map([["batch", 1]]), new Number(8), /8/]),
    text,
    () => taken(key()),
  ])();
  return {below, one, text, key, taken, any};
}

/** Attack again and again, each time with other numbers; a failure says how to repeat it. */
export function fuzz(attack, rounds) {
  const end = performance.now() + 1000 * seconds;
  let seed = Number(process.env.FUZZ_SEED ?? 0);
  for (let done = 0; seconds ? performance.now() < end : done < rounds; done++, seed++) {
    try {
      attack(random(seed));
    } catch (failure) {
      throw new Error(`Repeat it with FUZZ_SEED=${seed}`, {cause: failure});
    }
  }
}
