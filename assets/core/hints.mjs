// What stands beside the controls: what follows from one, or why it is as it is.
import data from "../built/data.mjs";
import {group_size} from "../built/arithmetic.mjs";
import {count, number, percent, setting} from "./format.mjs";
import {isOwnModel} from "./rules.mjs";
import {many} from "./words.mjs";
/**
 * @import {State} from "../built/data.mjs"
 * @import {Report} from "../built/arithmetic.mjs"
 * @import {Texts} from "./words.mjs"
 */

/** What makes an own model's shape its own. */
const SHAPE = /** @type {const} */ (["layers", "heads", "kv_heads", "d_head", "d_model"]);

/**
 * How a model's query heads share keys and values.
 * @param {{n_layers: number, n_heads: number, full_n_kv_heads: number, full_cache_width: number}} model
 */
export function sharing({n_heads, full_n_kv_heads, full_cache_width}) {
  if (full_n_kv_heads === 1 && full_cache_width > 0) return "one latent for all of them (MLA): no g";
  return `${many(full_n_kv_heads, "KV head")}: g = ${setting(group_size(n_heads, full_n_kv_heads))}`;
}

/**
 * @param {State} state
 * @param {Report} r
 */
function architecture(state, r) {
  const heads = `${many(r.n_layers, "layer")}, ${many(r.n_heads, "query head")}`;
  if (!isOwnModel(state)) {
    return `${number(r.n_params)} parameters in ${heads}, ${sharing(r)}, as it was trained.`;
  }
  const usual = SHAPE.every(key => isNaN(state[key]));
  return `${heads} of ${count(r.full_d_head)}, ${many(r.full_n_kv_heads, "KV head")}${usual ? ": Llama-style, interpolated" : ""}`;
}

/**
 * Where the price of a GPU hour comes from.
 * @param {State} state
 */
function price({gpu, usd_per_gpu_hour}) {
  const known = data.prices[gpu];
  if (known === undefined) return `No price is known for this one: ${usd_per_gpu_hour === data.defaults.usd_per_gpu_hour ? "the lesson's stands" : "yours stands"}.`;
  return known === usd_per_gpu_hour ? "A usual rent for this one; rents move." : `A usual rent for this one: ${setting(known)} USD/h.`;
}

/**
 * By the names of their places.
 * @param {State} state
 * @param {Report} r
 * @returns {Texts}
 */
export function hints(state, r) {
  return {
    architecture: architecture(state, r),
    group: "A trained model has its own: Llama 3 8B has 4.",
    draft: r.n_drafted > 0 ? `The draft model has ${percent(r.draft_cost)} of the big one's size and step time.` : "",
    fallback: r.math_falls_back
      ? `This card multiplies them at ${count(r.chip_math_bits)} bit: it has no arithmetic as narrow.` : "",
    price: price(state),
  };
}

/**
 * What an input is where it is left open: the value that it follows, in its own unit.
 * @param {string} key
 * @param {Report} r
 */
export function usual(key, r) {
  const {sets, factor} = data.inputs[key];
  return data.defaults[key] === null ? setting(/** @type {any} */ (r)[sets] / factor) : "";
}
