// The projections of a model's layers by their modules' names, and which of them a name means; as calc/hf_config/modules.py.
import {projection_sizes, stored} from "../../built/config.mjs";
import {PatternError, Pattern, glob} from "./patterns.mjs";
import {placed} from "./placed.mjs";
/**
 * @import {States} from "./automaton.mjs"
 * @import {Numbers} from "./read.mjs"
 * @typedef {{part: string, label: string, paths: string[], nParams: number, nAlike: number, stays: boolean, layers: number[]}} Projection
 * @typedef {{n: number, layer: number | null, share: number}} Share of those alike; null = all layers
 * @typedef {{shares: Share[], tables: string[], isElsewhere: boolean}} Covered
 */

const LAYERS = /^\^?(?:model\\?\.)?((?:[A-Za-z_]+\\?\.)*)(?:layers|h|blocks)(?=\\?\.|\*|$)/;
const NUMBERED = /^model\.layers\.(\d{1,6})([.*])/;
const EXPERT = /(^|\.)experts\.(\d{1,6})(?=\.|$)/;
const OTHERS = new RegExp(stored.OTHERS);
const PARTS = stored.PARTS.map(([words, part]) => /** @type {const} */ ([new RegExp(words), part]));
const TABLES = Object.entries(stored.TABLES).map(([table, names]) => /** @type {const} */ ([table, names.split(" ")]));

/** @type {Covered} */
const ELSEWHERE = {shares: [], tables: [], isElsewhere: true};

/** @param {string} text */
const start = text => [...text.slice(0, 2 * stored.LONGEST_NAME)].slice(0, stored.LONGEST_NAME).join("");

/** @param {string} name */
const inside = name => name.replace(/\.weight$/, "");

/** The modules of a model's layers. */
export class Modules {
  /** @type {Projection[]} */
  projections = [];
  #runs = 0;
  /** @type {Map<string, Map<number, number>>} */
  #bySuffix = new Map();

  /**
   * @param {Numbers} numbers
   * @param {Record<string, number>} f fields, completed
   * @param {Record<string, number>} a
   */
  constructor(numbers, f, a) {
    this.nLayers = Math.trunc(a.n_layers);
    const sizes = projection_sizes(a), layers = placed(numbers, f, a), blocks = blocksOf(a);
    for (const [part, size, names] of stored.PROJECTIONS) {
      const nParams = sizes[`${part}_${size}`];
      if (!(nParams > 0)) continue;
      this.projections.push({
        part, nParams, label: stored.LABELS[size] ?? stored.LABELS[part],
        paths: blocks[part].flatMap(block => names.split(" ").map(name => `${block}.${name}`)),
        nAlike: part === "experts" ? Math.max(Math.trunc(a.n_experts), 1) : 1,
        stays: stored.STAYING.includes(size), layers: layers[part],
      });
    }
    const rows = a.n_lookup + (a.n_more_rows + a.n_position_rows) * a.d_model, table = a.n_vocab * a.d_model;
    /** @type {Record<string, number>} */
    this.tables = {head: a.tied > 0 ? 0 : table + a.head_bias * a.n_vocab, embedding: table + rows};
  }

  /** What a plain name means: a module, what is inside of it, and of that name anywhere. @param {string} text @returns {Covered} */
  named(text) {
    const name = start(text), path = canonical(name);
    if (path === null) return ELSEWHERE;
    const last = inside(name).split(".").at(-1) ?? "";
    const tables = TABLES.filter(([, names]) => names.includes(last)).map(([table]) => table);
    const at = path.indexOf("model.layers.");
    let suffix = at < 0 ? "" : path.slice(at + "model.layers.".length);
    const [number, ...rest] = suffix.split(".");
    if (/^\d+$/.test(number) && number.length <= String(this.nLayers).length) {
      const layer = Number(number);
      if (layer >= this.nLayers) return ELSEWHERE;
      return {shares: shares(this.#inside(rest.join("."), true), layer), tables: [], isElsewhere: false};
    }
    if (path === "model.layers") suffix = "";
    else suffix ||= name;
    return {shares: tables.length ? [] : shares(this.#inside(suffix, false), null), tables, isElsewhere: false};
  }

  /** The projections that a name below a layer means, and their shares. @param {string} name @param {boolean} isWhole */
  #inside(name, isWhole) {
    let suffix = inside(name);
    const expert = EXPERT.exec(suffix);
    if (expert) suffix = suffix.replace(EXPERT, "$1experts.{e}");
    const key = `${isWhole} ${suffix}`;
    let found = this.#bySuffix.get(key);
    if (!found) {
      // What means all layers is tried in each of them.
      this.#count(isWhole ? Math.floor(stored.MOST_RUNS / stored.MOST_NAMES) : Math.floor(this.nLayers / 10) + 1);
      const wanted = suffix ? `.${suffix}.` : ".";
      found = new Map(this.projections.flatMap(({paths}, n) => (paths.some(path =>
        (isWhole ? `.${path}.`.startsWith(wanted) : `.${path}.`.includes(wanted))) ? [/** @type {[number, number]} */ ([n, 1])] : [])));
      this.#bySuffix.set(key, found);
    }
    if (!expert) return found;
    const own = [...found.keys()].filter(n => Number(expert[2]) < this.projections[n].nAlike);
    return new Map(own.map(n => /** @type {[number, number]} */ ([n, 1 / this.projections[n].nAlike])));
  }

  /** What a pattern means, a "glob" or a "regex". @param {string} text @param {string} kind @returns {Covered} */
  matching(text, kind) {
    const path = canonical(text);
    if (path === null) return ELSEWHERE;
    const numbered = kind === "glob" ? NUMBERED.exec(path) : null;
    let layers = Array.from({length: this.nLayers}, (_, n) => n);
    if (numbered?.[2] === ".") layers = layers.filter(n => n === Number(numbered[1]));
    this.#count(layers.length + 1);
    const pattern = kind === "glob" ? glob(path) : new Pattern(path), open = new Map(), ends = new Map();
    const begun = pattern.step(pattern.start, "model.layers.");
    const found = layers.flatMap(layer => {
      const states = pattern.step(begun, `${layer}.`);
      if (!ends.has(states)) ends.set(states, this.#ending(pattern, states, open));
      return shares(ends.get(states), layer);
    });
    const tables = TABLES.filter(([, names]) => names.some(name => pattern.matches(name) || pattern.matches(`model.${name}`)));
    return {shares: found, tables: tables.map(([table]) => table), isElsewhere: Number(numbered?.[1] ?? -1) >= this.nLayers};
  }

  /**
   * The projections whose paths have the rest of a pattern, and their shares.
   * @param {Pattern} pattern
   * @param {States} states
   * @param {Map<string, Map<States, number>>} open how many experts lead where
   */
  #ending(pattern, states, open) {
    /** @type {Map<number, number>} */
    const found = new Map();
    for (const [n, {paths, nAlike}] of this.projections.entries()) {
      let share = 0;
      for (const path of paths) {
        if (share >= 1 || stored.NAMES_ONLY.some(name => path.includes(name))) continue;
        const [first, last] = path.split("{e}"), begun = pattern.step(states, first);
        const ways = last === undefined ? new Map([[begun, 1]]) : this.#numbered(pattern, begun, nAlike, open);
        const held = [...ways].filter(([reached]) => pattern.holds(pattern.step(reached, last ?? "")));
        const nHeld = held.reduce((sum, [, n]) => sum + n, 0);
        share = Math.max(share, nHeld / (last === undefined ? 1 : nAlike));
      }
      if (share) found.set(n, share);
    }
    return found;
  }

  /**
   * The states after an expert's number, and how many experts lead there.
   * @param {Pattern} pattern
   * @param {States} begun
   * @param {number} nExperts
   * @param {Map<string, Map<States, number>>} open
   */
  #numbered(pattern, begun, nExperts, open) {
    if (!begun.states.length || pattern.isDone(begun)) return new Map([[begun, nExperts]]);
    const key = `${begun.key} ${nExperts}`, known = open.get(key);
    if (known) return known;
    this.#count(nExperts);
    /** @type {Map<States, number>} */
    const ways = new Map();
    for (let expert = 0; expert < nExperts; expert++) {
      const reached = pattern.step(begun, String(expert));
      ways.set(reached, (ways.get(reached) ?? 0) + 1);
    }
    open.set(key, ways);
    return ways;
  }

  /** @param {number} nRuns */
  #count(nRuns) {
    this.#runs += nRuns;
    if (this.#runs > stored.MOST_RUNS) throw new PatternError();
  }

  /** Whether a name is known to mean nothing that counts here. @param {string} text */
  hasNothingOf(text) {
    const name = start(text).toLowerCase().replaceAll("\\", "").replace(/[*$.]+$/, "");
    const part = PARTS.find(([words]) => words.test(name))?.[1];
    return part === "" || (part !== undefined && this.projections.every(each => each.part !== part));
  }
}

/** @param {Map<number, number>} found @param {number | null} layer @returns {Share[]} */
function shares(found, layer) {
  return [...found].map(([n, share]) => ({n, layer, share}));
}

/** A name or pattern whose layers are at "model.layers"; null if it is of other layers. @param {string} text */
function canonical(text) {
  const found = LAYERS.exec(start(text));
  if (!found) return text;
  return OTHERS.test(found[1].toLowerCase()) ? null : `model.layers${text.slice(found[0].length)}`;
}

/** What each part's modules may be called in this model. @param {Record<string, number>} a @returns {Record<string, string[]>} */
function blocksOf(a) {
  const mixers = a.n_mamba ? [stored.MIXER] : [], all = Object.entries(stored.BLOCKS);
  const states = all.filter(([name]) => name.startsWith("n_") && a[name]).flatMap(([, names]) => names.split(" "));
  return {...Object.fromEntries(all.map(([part, names]) => [part, [...names.split(" "), ...mixers]])), states: [...states, ...mixers]};
}
