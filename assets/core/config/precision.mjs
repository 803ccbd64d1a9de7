// The number formats that a config.json states, by module, added up as calc/hf_config/precision.py does.
import {stored} from "../../built/config.mjs";
import {shortened} from "../text.mjs";
import {Modules} from "./modules.mjs";
import {PatternError} from "./patterns.mjs";
import {quantization} from "./rules.mjs";
import {WIDE} from "./storages.mjs";
import {ConfigError, isPart, isSomething, same, significant, whole} from "./values.mjs";
/**
 * @import {Rule} from "./methods.mjs"
 * @import {Covered} from "./modules.mjs"
 * @import {Config, Numbers} from "./read.mjs"
 * @import {Quantization} from "./rules.mjs"
 * @import {Storage} from "./storages.mjs"
 * @typedef {{weights: string, kv: string, shares: Record<string, number>, paths: string[], remarks: string[], guesses: string[]}} Formats
 *   "" = not stated; `shares` of parts stay at 16 bit
 * @typedef {Map<string, {part: string, label: string, by: Map<Storage, number>}>} Stored parameters by part, label and storage
 */

const {FORMATS, LABELS, SAME} = stored;

/** @type {Formats} */
const NONE = {weights: "", kv: "", shares: {}, paths: [], remarks: [], guesses: []};

/** @param {any} value */
const word = value => (typeof value === "string" ? value.toLowerCase().replace(/^torch\./, "") : "");

/**
 * The number formats that a config states.
 * @param {Config} config
 * @param {Numbers} numbers
 * @param {Record<string, number>} fields completed
 * @param {Record<string, number>} architecture
 * @returns {Formats}
 */
export function statedPrecision({around, part, path: place}, numbers, fields, architecture) {
  const places = [...around, /** @type {[string, any]} */ ([place, part])];
  const stated = places.flatMap(([path, each]) => stored.QUANTIZATIONS
    .filter(name => isPart(each[name]) && isSomething(each[name])).map(name => ({path: path + name, value: each[name]})));
  const experts = word(part[stored.EXPERT_DTYPE]), expertPath = experts && place + stored.EXPERT_DTYPE;
  const last = stated.at(-1);
  if (!last) return unquantised(places, expertPath, experts);
  const other = stated.find(({value}) => !same(value, last.value));
  if (other) throw new ConfigError(`${shortened(other.path)} and ${shortened(last.path)} are not the same.`);
  const read = quantization(last.value, experts), paths = [...stated.map(({path}) => path), ...expertPath ? [expertPath] : []];
  const guesses = read.guesses.map(each => last.path + each);
  if (!read.isKnown) return {...NONE, kv: read.kv, guesses, paths};
  const formats = addedUp(last.path, read, new Modules(numbers, fields, architecture));
  // What a family keeps by itself, another method may convert.
  const isOther = formats.weights && word(last.value.quant_method) !== "mxfp4";
  return {
    ...formats, kv: read.kv, paths,
    shares: {...formats.shares, ...isOther ? {keeps_only_experts_quantised: 0} : {}},
    remarks: [...formats.remarks, ...read.kv ? [`the cache is ${read.kv} (${last.path})`] : []],
    guesses: [...guesses, ...formats.guesses],
  };
}

/** What follows where a file has no quantisation. @param {[string, any][]} places @param {string} path @param {string} experts */
function unquantised(places, path, experts) {
  /** @type {string[]} */
  let remarks = [];
  /** @type {string[]} */
  let guesses = [];
  const types = places.flatMap(([place, part]) => stored.DTYPES.map(name => ({name: place + name, type: word(part[name])})));
  for (const {name, type} of types.reverse()) {
    if (type === "float32") remarks = [`${name} is float32: engines load the weights at 16 bit`];
    else if (!stored.WIDE_DTYPES.includes(type)) guesses = [`${name} is ${shortened(type)}: weights are as chosen`];
  }
  if (path) guesses.push(`${path} is ${shortened(experts)}: weights are as chosen`);
  return {...NONE, remarks, guesses};
}

/** Parameters by what they are stored as, and what is to be said of it. @param {string} path @param {Quantization} read @param {Modules} modules */
function addedUp(path, read, modules) {
  const {projections, nLayers} = modules;
  const left = projections.map(({layers}) => [...layers]);
  /** @type {Stored} */
  const sums = new Map();
  /** @type {Map<string, string[]>} */
  const unknown = new Map();
  const open = new Set(), tables = new Map(Object.keys(modules.tables).map(table => [table, read.tables]));

  /** @param {string} part @param {string} label @returns {Map<Storage, number>} */
  const of = (part, label) => {
    const key = `${part} ${label}`;
    if (!sums.has(key)) sums.set(key, {part, label, by: new Map()});
    return /** @type {any} */ (sums.get(key)).by;
  };
  /** Let a share of a layer's projections be stored as something, as far as it is left. @param {number} n @param {number} layer @param {number} share @param {Storage} as */
  const take = (n, layer, share, as) => {
    const {part, label, layers, nParams, nAlike} = projections[n], taken = Math.min(left[n][layer], share * layers[layer]);
    left[n][layer] -= taken;
    const by = of(part, label);
    by.set(as, (by.get(as) ?? 0) + taken * nParams * nAlike);
  };

  for (const {rule, covered} of coveredBy(modules, read.rules, unknown)) {
    if (rule.isExact) for (const table of covered.tables) tables.set(table, rule.storage);
    for (const {n, layer, share} of covered.shares) {
      const has = layer === null ? 0 : projections[n].layers[layer];
      if (has > 0 && has < 1) open.add(LABELS[projections[n].part]);
      if (layer !== null) take(n, layer, share, rule.storage);
      else for (let each = 0; each < nLayers; each++) take(n, each, share, rule.storage);
    }
  }
  projections.forEach(({stays}, n) => {
    for (let layer = 0; layer < nLayers; layer++) take(n, layer, 1, stays ? read.tables : read.usual);
  });
  for (const [table, nParams] of Object.entries(modules.tables)) {
    if (nParams) of("tables", LABELS[table]).set(/** @type {Storage} */ (tables.get(table)), nParams);
  }
  const guesses = [...unknown].map(([what, texts]) => `${path}.${what} (${some(texts)}): not counted`);
  if (open.size) {
    guesses.push(`${path} names modules by layer, and which layers have ${[...open].sort().join(" and ")} is not read: `
      + "they are counted as alike");
  }
  if (read.headOpen && modules.tables.head) {
    guesses.push(`${path} does not say whether the head is converted: counted at 16 bit`);
  }
  const formats = formatsOf(path, [...sums.values()]);
  return {...formats, guesses: [...guesses, ...formats.guesses]};
}

/** What each rule means, once; those that mean nothing known are added to `unknown`. @param {Modules} modules @param {Rule[]} rules @param {Map<string, string[]>} unknown */
function coveredBy(modules, rules, unknown) {
  const done = new Set();
  /** @type {{rule: Rule, covered: Covered}[]} */
  const found = [];
  /** @param {string} what @param {string} text */
  const miss = (what, text) => unknown.set(what, [...unknown.get(what) ?? [], text]);
  for (const rule of rules) {
    let covered;
    try {
      covered = rule.kind === "name" ? modules.named(rule.text) : modules.matching(rule.text, rule.kind);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      miss(`${rule.field} has patterns that are not understood`, rule.text);
      continue;
    }
    if (covered.shares.length || covered.tables.length) {
      const all = covered.shares.filter(({layer}) => layer === null).map(({n}) => n);
      const key = `${all} | ${covered.tables} | ${rule.storage.label} ${rule.storage.bytes} ${rule.storage.format}`;
      if (!all.length || !done.has(key)) found.push({rule, covered});
      done.add(key);
    } else if (!covered.isElsewhere && !modules.hasNothingOf(rule.text)) {
      miss(`${rule.field} names modules that are not known`, rule.text);
    }
  }
  return found;
}

/** @param {string[]} texts */
function some(texts) {
  const more = texts.length - stored.MOST_TOLD, told = texts.slice(0, stored.MOST_TOLD).map(shortened).join(", ");
  return more > 0 ? `${told} and ${whole(more, true)} more` : told;
}

/** The format of most weights, and the others as shares at 16 bit. @param {string} path @param {{part: string, label: string, by: Map<Storage, number>}[]} sums @returns {Formats} */
function formatsOf(path, sums) {
  /** @type {Map<Storage, number>} */
  const totals = new Map();
  for (const {by} of sums) for (const [as, n] of by) totals.set(as, (totals.get(as) ?? 0) + n);
  const names = Object.keys(FORMATS);
  const amounts = names.map(name => [...totals].reduce((sum, [as, n]) => (as.format === name ? sum + n : sum), 0));
  const most = Math.max(...amounts), base = names[amounts.indexOf(most)];
  if (!most) return {...NONE, remarks: [`no weights are quantised (${path})`]};
  const baseBytes = FORMATS[base], span = WIDE.bytes - baseBytes;
  /** @param {Storage} as */
  const at16 = as => (as.bytes < baseBytes * (1 + SAME) ? 0 : (as.bytes - baseBytes) / span);
  /** @type {Map<string, [kept: number, all: number]>} */
  const parts = new Map();
  for (const {part, by} of sums) {
    const [kept, all] = parts.get(part) ?? [0, 0];
    const more = [...by].reduce((sum, [as, n]) => sum + n * at16(as), 0);
    parts.set(part, [kept + more, all + [...by.values()].reduce((sum, n) => sum + n, 0)]);
  }
  const kept = sums.flatMap(keptOf);
  const told = [...totals].filter(([, n]) => n);
  return {
    ...NONE, weights: base,
    shares: Object.fromEntries([...parts].map(([part, [some, all]]) => [`${part}_kept`, all ? some / all : 0])),
    remarks: [
      `weights are ${base} (${path})`,
      ...kept.length ? [`at 16 bit stay ${kept.join(", ")} (${path})`] : [],
      // What is stored neither at 16 bit nor as most.
      ...told.filter(([as]) => as !== WIDE && as.bytes >= baseBytes * (1 + SAME)).map(([as, n]) =>
        `${whole(n, true)} weights are ${as.label}, counted at ${significant(as.bytes, 4)} B each (${path})`),
    ],
    guesses: told.filter(([as]) => as.bytes < baseBytes * (1 - SAME)).map(([as, n]) =>
      `${path}: ${whole(n, true)} weights are ${as.label}, of ${significant(as.bytes, 4)} B each, counted as ${base} of `
      + `${significant(baseBytes, 4)} B`),
  };
}

/** What stays at 16 bit, beside tables, which do as a rule. @param {{part: string, label: string, by: Map<Storage, number>}} sum */
function keptOf({part, label, by}) {
  const share = (by.get(WIDE) ?? 0) / Math.max([...by.values()].reduce((sum, n) => sum + n, 0), 1);
  if (!share || part === "tables") return [];
  return [share > 1 - 1e-9 ? label : `${significant(Math.min(100 * share, 99.9), 3)}% of ${label}`];
}
