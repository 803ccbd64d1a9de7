// What became of each field of a config.json, by the conditions that hold: as calc/hf_config/account.py has it.
import {remarks, words} from "../../built/config.mjs";
import {shortened} from "../text.mjs";
import {FORMS} from "./fields.mjs";
import {ignored} from "./ignored.mjs";
import {ConfigError, whole} from "./values.mjs";
/**
 * @import {Form} from "../../built/config.mjs"
 * @import {Config, Numbers} from "./read.mjs"
 * @import {Part} from "./values.mjs"
 * @typedef {Record<"used" | "derived" | "assumed" | "ignored" | "guesses", string[]>} Account `assumed` stands in
 *   for what is missing
 */

/**
 * What became of a config's fields.
 * @param {Config} config
 * @param {Numbers} numbers
 * @param {Record<string, Record<string, number>>} derivation
 * @returns {Account}
 */
export function account(config, numbers, derivation) {
  // Of two numbers with one name, the later one is meant.
  const values = {
    ...numbers.family, ...numbers.blocks, ...numbers.layers,
    ...derivation.architecture, ...derivation.holds, ...derivation.fields, ...derivation.beside,
  };
  /** @param {string} condition */
  const holds = condition => {
    const name = condition.replace(/^not /, "");
    return (values[name] > 0) === (name === condition);
  };
  const used = new Set(numbers.paths);
  /** @type {string[]} */
  const defaults = [];
  for (const [name, form] of Object.entries(FORMS)) {
    const counts = holds(form.when), path = numbers.own.at[name];
    if (counts && name in numbers.own.wrong) throw new ConfigError(numbers.own.wrong[name]);
    const place = (numbers.fields[name] > form.silent && path) || numbers.own.outside[name];
    const against = place && Object.entries(form.against).find(([condition]) => holds(condition));
    if (against) throw new ConfigError(`${place} is stated, but ${filled(against[1], values, numbers.words)}.`);
    if (path && counts) used.add(path);
    else if (counts && Number.isNaN(values[name])) throw new ConfigError(missing(config, form, numbers));
    else if (counts && name in numbers.ofClass) {
      defaults.push(`${usual(form, numbers.ofClass[name], words.MISSING)}, as ${numbers.words[name]} has it`);
    } else if (counts && holds(form.mention)) defaults.push(usual(form, values[name], form.sentence));
  }
  /** @type {Record<string, string[]>} */
  const said = {problem: [], derived: [], guess: []};
  for (const [name, {kind, text}] of Object.entries(remarks)) {
    if (holds(name)) said[kind].push(filled(text, values, numbers.words));
  }
  if (said.problem.length) throw new ConfigError(said.problem[0]);
  return {
    used: [...used].sort(),
    derived: said.derived,
    assumed: defaults,
    ignored: ignored(config, used, holds),
    guesses: [
      ...said.guess,
      ...addedIn(config, used).map(name => `${shortened(config.path + name)} is true, and what it adds is not counted`),
    ],
  };
}

/** @param {Config} config @param {Form} form @param {Numbers} numbers */
function missing(config, form, numbers) {
  // Inside a wrapper files name a model, whose sizes no file here has.
  const why = config.path && "model_type" in config.part ? `, and model_type ${numbers.words.family} alone is no size` : "";
  return `${config.path}${form.label} is missing${why}.`;
}

/**
 * What is said of a value that stands in for a missing one.
 * @param {Form} form
 * @param {number} value
 * @param {string} sentence
 */
function usual(form, value, sentence) {
  const text = form.holds === "switch" ? form.words[Number(value > 0)] : whole(value);
  return sentence.replaceAll("{label}", () => form.label).replaceAll("{value}", () => text);
}

/**
 * A sentence with its words, {words.name}, and numbers, {name} or {name:,}.
 * @param {string} text
 * @param {Record<string, number>} values
 * @param {Record<string, string>} names
 */
function filled(text, values, names) {
  return text.replace(/\{(words\.)?(\w+)(?::(,))?\}/g, (_, isWord, name, comma) =>
    isWord ? names[name] : whole(values[name], Boolean(comma)));
}

/**
 * Switches that are on and add biases or norms, but were not used.
 * @param {Config} config
 * @param {Set<string>} used
 */
export function addedIn(config, used) {
  return Object.entries(config.part).filter(([name, value]) => {
    const parts = name.toLowerCase().split("_");
    const isAdding = words.ADDING.some(each => each.every(word => parts.includes(word))) && !words.ADDED.includes(name);
    return value === true && isAdding && !used.has(config.path + name);
  }).map(([name]) => name);
}
