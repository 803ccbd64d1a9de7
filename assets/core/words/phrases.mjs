// Words that many texts are made of.
import {alike, count} from "./format.mjs";
/**
 * @import {Bound, Report} from "../../built/arithmetic.mjs"
 * @typedef {Record<string, string>} Texts by their names on the page
 */

/** @param {Bound} name */
export function boundWord(name) {
  return name === "comms" ? "communication" : name;
}

/**
 * On which side of the ridge an intensity lies. Of an estimate that alone does not say what binds.
 * @param {number} flops_per_byte
 * @param {Report} r
 */
export function ridgeSide(flops_per_byte, r) {
  return flops_per_byte > r.ridge_flops_per_byte ? "above" : "below";
}

/**
 * A label as it stands within a sentence: "drafted tokens", but "GQA group size".
 * @param {string} label
 */
export function uncapitalised(label) {
  return label.replace(/^.(?=[^A-Z])/, first => first.toLowerCase());
}

/** As it stands where a sentence begins. @param {string} text */
export function capitalised(text) { return text.replace(/^./, first => first.toUpperCase()); }

/**
 * "a", "a and b", "a, b and c".
 * @param {string[]} texts
 */
export function listed(texts) { return texts.join(", ").replace(/, (?!.*, )/, " and "); }

/**
 * "1 token", "8 tokens".
 * @param {number} n
 * @param {string} one
 * @param {string} [more]
 */
export function many(n, one, more = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : more}`;
}

/**
 * A column of a table, its head first, which has the unit of all that is beneath.
 * @param {string} title
 * @param {(number | undefined)[]} values
 * @param {string} unit
 */
export function column(title, values, unit) {
  const {unit: name, texts} = alike(values, unit);
  return [name ? `${title}, ${name}` : title, ...texts];
}

/**
 * Columns of a table as its rows.
 * @param {string[][]} columns
 */
export function transposed(columns) {
  return columns[0].map((_, row) => columns.map(each => each[row]));
}

/**
 * Of which GPUs a step or a pass is told: "On each GPU a step"; "" of a single one. The stages of a
 * pipeline read in turn, each its own layers.
 * @param {Report} r
 * @param {string} step
 */
export function onEach({n_gpus, pipeline_parallel: n_stages}, step) {
  if (n_gpus === 1) return "";
  if (n_stages === 1) return `On each GPU a ${step}`;
  return `Over its ${count(n_stages)} stages${n_gpus > n_stages ? ", with one GPU of each," : ""} a ${step}`;
}
