// What lists with an entry per layer add up to, and blocks with sizes of their own: as calc/hf_config/numbers.py does.
import {defaults, lists, rows, with_block, words} from "../../built/config.mjs";
import {BLOCK_NAMES, FORMS, Own, take} from "./fields.mjs";
import {ConfigError, isPart, quoted, whole} from "./values.mjs";
/**
 * @import {Row} from "../../built/config.mjs"
 * @import {Part} from "./values.mjs"
 * @typedef {Record<string, number>} Sums
 */

/**
 * What the lists of a config add up to, each layer's kind, which list said it, and where they are.
 * @param {Part} part
 * @param {Sums} fields
 * @param {Own} own
 * @returns {{layers: Sums, kinds: Record<string, string[]>, names: Record<string, string>, paths: string[]}}
 */
export function layersOf(part, fields, own) {
  /** @type {Record<string, string[]>} */
  const kindsOf = {};
  /** @type {Sums} */
  const sums = {};
  /** @type {Record<string, string>} */
  const names = {};
  /** @type {string[]} */
  const paths = [];
  for (const [role, row] of Object.entries(rows)) {
    const found = row.lists.flatMap(name => {
      const kinds = kindsIn(part, name, row, fields.n_layers);
      return kinds ? [{name, kinds}] : [];
    });
    if (!found.length) continue;
    paths.push(...found.flatMap(({name}) => pathsOf(name)));
    // Some lists go on with the draft layers.
    const all = fields.n_layers + fields.n_draft * Number(fields.n_draft > 0);
    const [{name, kinds}, ...others] = found.map(each => ({
      name: each.name, kinds: each.kinds.length === all ? each.kinds.slice(0, fields.n_layers) : each.kinds,
    }));
    kindsOf[role] = kinds;
    for (const other of others) {
      if (other.kinds.length !== kinds.length || other.kinds.some((kind, i) => kind !== kinds[i])) {
        throw new ConfigError(`${name} and ${other.name} say different things of the layers.`);
      }
    }
    const nOwn = kinds.length - Math.trunc(Math.min(fields.n_sharing_cache, kinds.length));
    names[`${role}_list`] = name;
    sums[`n_${role}`] = kinds.length;
    for (const count of row.counts) sums[count] = counted(kinds, count);
    if (fields.n_sharing_cache > 0) {
      for (const count of row.cached) sums[`${count}_own`] = counted(kinds.slice(0, nOwn), count);
    }
  }
  const nLayers = Number.isNaN(fields.n_layers) ? sums.n_layers ?? 0 : fields.n_layers;
  return {layers: {...defaults.Layers, ...sums, ...byLayer(own, nLayers, kindsOf)}, kinds: kindsOf, names, paths};
}

/** @param {string[]} kinds @param {string} count */
function counted(kinds, count) {
  return kinds.filter(kind => kind === count).length;
}

/**
 * What fields that are said by layer add up to, over layers that attend alike.
 * @param {Own} own
 * @param {number} nLayers
 * @param {Record<string, string[]>} kindsOf
 */
function byLayer(own, nLayers, kindsOf) {
  /** @type {Sums} */
  const sums = {};
  for (const [key, entries] of Object.entries(own.lists)) {
    const isPlace = FORMS[key].holds === "places";
    const most = isPlace && !(key in own.wrong) ? entries.reduce((a, b) => Math.max(a, b), 0) + 1 : 0;
    if (most > nLayers || (!isPlace && entries.length !== nLayers)) {
      own.wrong[key] ??= `${own.at[key]} does not go with ${whole(nLayers)} layers.`;
    }
    const isAlike = entries.every(each => each === entries[0]);
    if (key in own.wrong || !(key in lists.BY_LAYER) || isAlike) continue;
    const [full, window] = lists.BY_LAYER[key];
    const kinds = kindsOf.attention ?? entries.map(() => "n_full");
    sums[full] = sums[window] = 0;
    entries.slice(0, kinds.length).forEach((entry, i) => {
      if (full === window || kinds[i] === "n_full" || kinds[i] === "n_window") {
        sums[kinds[i] === "n_window" ? window : full] += entry;
      }
    });
  }
  return sums;
}

/**
 * What a list says of each layer, as far as its row counts that; null without a list.
 * @param {Part} part
 * @param {string} name
 * @param {Row} row
 * @param {number} nLayers
 * @returns {string[] | null}
 */
function kindsIn(part, name, row, nLayers) {
  let entries = part[name] ?? null;
  const table = lists.ENTRIES[name];
  if (name === lists.MAYBE_EMPTY && Array.isArray(entries) && !entries.length) return null;
  if (name === lists.AN_OBJECT) return kindsByPlaces(entries, name, table);
  if (entries === null || (lists.MAYBE_A_NUMBER.includes(name) && typeof entries === "number")) return null;
  const isText = typeof entries === "string" && lists.MAYBE_A_TEXT.includes(name);
  if (!Array.isArray(entries) && !isText) throw new ConfigError(`${name} must be a list with one entry per layer.`);
  entries = [...entries];
  checkLength(name, entries);
  if (name === lists.REPEATED && entries.length && nLayers > 0) {
    const period = entries;
    entries = Array.from({length: Math.trunc(nLayers)}, (_, layer) => period[layer % period.length]);
  }
  return entries.map((/** @type {any} */ entry) => {
    const kind = kindOf(entry, table);
    if (kind === null) throw new ConfigError(`${name} names a kind of layer that is not known: ${quoted(entry)}.`);
    return row.counts.includes(kind) ? kind : "";
  });
}

/** @param {any} entry @param {Record<string, string>} table */
function kindOf(entry, table) {
  // As a text true is none of the kinds.
  const isCount = Number.isInteger(entry) && entry >= 0 && entry <= words.LARGEST_COUNT;
  const text = isCount || typeof entry === "string" ? String(entry) : "";
  return Object.hasOwn(table, text) ? table[text] : null;
}

/**
 * What an object with a list of layers' numbers for each kind says of each layer.
 * @param {any} entries
 * @param {string} name
 * @param {Record<string, string>} table
 */
function kindsByPlaces(entries, name, table) {
  if (!isPart(entries) || Object.keys(table).every(each => (entries[each] ?? null) === null)) return null;
  /** @type {Map<number, string>} */
  const kinds = new Map();
  let nPlaces = 0;
  for (const [inner, kind] of Object.entries(table)) {
    const places = entries[inner];
    if (!Array.isArray(places) || !places.every(each => Number.isInteger(each) && each > 0 && each <= words.LARGEST_COUNT)) {
      throw new ConfigError(`${name}.${inner} must be a list of layers' numbers, from 1 on.`);
    }
    checkLength(`${name}.${inner}`, places);
    for (const each of places) kinds.set(each, kind);
    nPlaces += places.length;
  }
  if (nPlaces !== kinds.size || kinds.size !== Math.max(0, ...kinds.keys())) {
    throw new ConfigError(`${name} must have each layer once, in ${Object.keys(table).join(" or in ")}.`);
  }
  return [...kinds].sort(([one], [other]) => one - other).map(([, kind]) => kind);
}

/** Where a list stands, or the lists of an object. @param {string} name */
function pathsOf(name) {
  return name === lists.AN_OBJECT ? Object.keys(lists.ENTRIES[name]).map(inner => `${name}.${inner}`) : [name];
}

/** @param {string} name @param {any[]} entries */
function checkLength(name, entries) {
  if (entries.length > lists.MOST_LAYERS) {
    throw new ConfigError(`${name} has ${whole(entries.length, true)} entries; no model has so many.`);
  }
}

/**
 * What blocks with sizes of their own add up to, or null without any.
 * @param {Part} part
 * @param {Sums} fields
 * @returns {Sums | null}
 */
export function blocksOf(part, fields) {
  const entries = part[lists.BLOCKS] ?? null;
  if (entries === null) return null;
  if (!Array.isArray(entries)) throw new ConfigError(`${lists.BLOCKS} must be a list with one entry per layer.`);
  checkLength(lists.BLOCKS, entries);
  /** @type {Sums} */
  let total = {...defaults.Blocks, n_blocks: 0};
  for (const entry of entries) {
    if (!isPart(entry) || !lists.PARTS.every(name => isPart(entry[name]))) {
      throw new ConfigError("block_configs must hold an attention and an ffn per layer.");
    }
    const own = new Own();
    take(own, entry, `${lists.BLOCKS}.`, BLOCK_NAMES);
    const [wrong] = Object.values(own.wrong);
    if (wrong) throw new ConfigError(wrong);
    total = with_block(total, {...defaults.Block, ...own.values}, fields.d_model, fields.n_heads);
  }
  return total;
}
