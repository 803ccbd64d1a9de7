// A model from its config.json, in the page: the arithmetic is traced from calc/hf_config, and so are the tables.
import {bounds, defaults, derive, encoder_decoder, families, lists, model, most_bytes, unknown, words} from "../../built/config.mjs";
import {shortened} from "../text.mjs";
import {account} from "./account.mjs";
import {FORMS, Own, take, takeAround} from "./fields.mjs";
import {parsed} from "./json.mjs";
import {blocksOf, layersOf} from "./lists.mjs";
import {statedPrecision} from "./precision.mjs";
import {ConfigError, isPart, significant, whole} from "./values.mjs";
/**
 * @import {FamilyRow} from "../../built/config.mjs"
 * @import {Account} from "./account.mjs"
 * @import {Part} from "./values.mjs"
 * @typedef {{whole: Part, part: Part, path: string, around: [path: string, part: Part][]}} Config
 * @typedef {Record<string, number>} Record_
 * @typedef {{fields: Record_, layers: Record_, blocks: Record_, family: Record_, ofClass: Record_, nulls: Record<string, string>, own: Own, kinds: Record<string, string[]>,
 *   paths: string[], words: Record<string, string>}} Numbers
 * @typedef {Account & {model: Record_, config: Config, numbers: Numbers, weights: string, kv: string}} Reading
 *   "" is a format of weights or cache that is not stated
 */

/**
 * The model that a config.json describes, and what became of each of its fields; throws a ConfigError.
 * @param {string} text
 * @returns {Reading}
 */
export function readConfig(text) {
  if (text.length > most_bytes) {
    throw new ConfigError(`The file is larger than ${most_bytes / 2 ** 20} MiB, as no config.json is.`);
  }
  const config = languagePart(parsed(text)), numbers = numbersOf(config);
  const derivation = derive(numbers.fields, numbers.layers, numbers.blocks, numbers.family);
  const fates = account(config, numbers, derivation);
  const formats = statedPrecision(config, numbers, derivation.fields, derivation.architecture);
  return {
    config, numbers,
    used: [...fates.used, ...formats.paths],
    derived: [...fates.derived, ...formats.remarks],
    assumed: fates.assumed,
    ignored: fates.ignored.filter(path => !formats.paths.includes(path)),
    guesses: [...fates.guesses, ...formats.guesses],
    weights: formats.weights, kv: formats.kv,
    model: withinBounds({
      ...model({...derivation.architecture, ...formats.shares}),
      n_tower: derivation.holds.tower_counted ? derivation.beside.n_tower_params : 0,
    }),
  };
}

/** @param {Part} whole @returns {Config} */
function languagePart(whole) {
  /** @type {Config} */
  const config = {whole, part: whole, path: "", around: []};
  for (let name = wrapperOf(whole); name; name = wrapperOf(config.part)) {
    config.around.push([config.path, config.part]);
    config.part = config.part[name];
    config.path += `${name}.`;
  }
  return config;
}

/** The wrapper that holds the language model: its width, another wrapper, or all there is. @param {Part} part */
function wrapperOf(part) {
  const widths = FORMS.d_model.names;
  /** @param {Part} inside @param {string[]} names */
  const has = (inside, names) => names.some(name => name in inside);
  return words.WRAPPERS.find(name => isPart(part[name])
    && (has(part[name], widths) || has(part[name], words.WRAPPERS) || !has(part, widths)));
}

/** @param {Config} config @returns {Numbers} */
function numbersOf(config) {
  const {name, row} = familyOf(config);
  const refusal = row.refusal || (config.part.is_encoder_decoder === true && encoder_decoder);
  if (refusal) throw new ConfigError(`model_type ${shortened(name)} is ${refusal}.`);
  const part = ofFamily(row, config.part), own = new Own();
  take(own, part, config.path);
  for (const [path, around] of [...config.around].reverse()) takeAround(own, config.path, ofFamily(row, around), path);
  // Where a name of what the class has is null there is none, or of what there must be one its default.
  const nulls = Object.fromEntries(Object.keys(row.fields ?? {}).flatMap(key => {
    const name = FORMS[key].names.find(each => each in part && part[each] === null);
    return name === undefined ? [] : [[key, name]];
  }));
  const ofClass = Object.fromEntries(Object.entries(row.fields ?? {}).filter(([key]) => !(key in nulls)));
  const none = Object.keys(nulls).filter(key => FORMS[key].holds === "count" && !FORMS[key].low).map(key => [key, 0]);
  const fields = {...defaults.Fields, ...ofClass, ...Object.fromEntries(none), ...own.values};
  const {layers, kinds, names, paths} = layersOf(part, fields, own);
  if (Object.values(names).includes(lists.RATIOS)) checkRatios(own);
  checkHeads(own);
  const blocks = blocksOf(part, fields);
  return {
    fields, layers, blocks: blocks ?? defaults.Blocks, family: {...defaults.Family, ...row.family}, ofClass, nulls, own, kinds,
    paths: [...paths, ...blocks ? [lists.BLOCKS] : []].map(path => config.path + path),
    words: {
      family: shortened(name) || "missing",
      ...Object.fromEntries(Object.keys(nulls).map(key => [key, FORMS[key].label])),
      ...Object.fromEntries(Object.keys(ofClass).map(key => [key, `the ${name} family`])),
      ...own.at, ...names,
    },
  };
}

/** A list may say itself how many tokens an entry is for. @param {Own} own */
function checkRatios({values, at, wrong}) {
  for (const [key, length] of Object.entries(lists.RATIO_LENGTHS)) {
    if ((values[key] ?? length) === length) continue;
    wrong[key] = `${at[key]} is ${whole(values[key])}, but ${lists.RATIOS} says ${whole(length)}.`;
  }
}

/** Query heads and KV heads that lists say by layer go together in each. @param {Own} own */
function checkHeads({values, at, wrong, lists: {n_heads, n_kv_heads}}) {
  if ("n_heads" in wrong || "n_kv_heads" in wrong || "n_window_heads" in values || !n_kv_heads?.length) return;
  const heads = n_heads?.length ? n_heads : n_kv_heads.map(() => values.n_heads ?? n_kv_heads[0]);
  heads.slice(0, n_kv_heads.length).forEach((n, layer) => {
    if (!(n % n_kv_heads[layer])) return;
    wrong.n_kv_heads = `${at.n_kv_heads} has ${n_kv_heads[layer]} in layer ${layer}, where ${whole(n)} query heads `
      + "cannot share them evenly.";
  });
}

/** @param {Config} config @returns {{name: string, row: FamilyRow}} */
function familyOf({part, whole}) {
  const name = "model_type" in part ? part.model_type : whole.model_type;
  if (typeof name !== "string") return {name: "", row: unknown};
  const found = [name, `${name}_text`].find(each => Object.hasOwn(families, each));
  return {name, row: found === undefined ? unknown : families[found]};
}

/** Names that count in some families alone. */
const OWN_NAMES = Object.values(families).flatMap(row => row.names ?? []);

/** A part of a config without names that count in other families alone. @param {FamilyRow} row @param {Part} part @returns {Part} */
function ofFamily(row, part) {
  const others = OWN_NAMES.filter(name => !row.names?.includes(name));
  return Object.assign(Object.create(null), Object.fromEntries(Object.entries(part).filter(([name]) => !others.includes(name))));
}

/** The model itself; sizes that are possible one by one may make one that is not. @param {Record_} numbers */
function withinBounds(numbers) {
  for (const [name, [label, low, high]] of Object.entries(bounds)) {
    if (numbers[name] >= low && numbers[name] <= high) continue;
    throw new ConfigError(`${label[0].toUpperCase()}${label.slice(1)}: the file makes it ${significant(numbers[name], 6)}; `
      + `it must be between ${significant(low, 6)} and ${significant(high, 6)}.`);
  }
  return numbers;
}
