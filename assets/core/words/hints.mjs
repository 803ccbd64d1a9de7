// What stands beside the controls: what follows from one, or why it is as it is.
import {evaluate, group_size} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {choices} from "../../built/presets.mjs";
import {mainKind} from "../attention.mjs";
import {isOwnModel} from "../rules.mjs";
import {amount, count, inputText, number, percent} from "./format.mjs";
import {many} from "./phrases.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Texts} from "./phrases.mjs"
 */

/** What makes an own model's shape its own. */
const SHAPE = /** @type {const} */ (["layers", "heads", "kv_heads", "d_head", "d_model"]);

/**
 * How a model's query heads share keys and values.
 * @param {Pick<Report, "n_heads" | "full_n_kv_heads" | "full_cache_width" | "full_d_head">} model
 */
export function sharing(model) {
  const {n_kv_heads, cache_width} = mainKind(model);
  if (n_kv_heads === 1 && cache_width > 0) return "one latent for all of them (MLA): no g";
  return `${many(n_kv_heads, "KV head")}: g = ${inputText(group_size(model.n_heads, n_kv_heads))}`;
}

/**
 * @param {State} state
 * @param {Report} r
 */
function architecture(state, r) {
  const heads = `${many(r.n_layers, "layer")}, ${many(r.n_heads, "query head")}`;
  if (!isOwnModel(state)) {
    return `${number(r.n_params)} parameters in ${heads}, ${sharing(r)}.`;
  }
  const {d_head, n_kv_heads} = mainKind(r);
  const usual = SHAPE.every(key => isNaN(state[key]));
  return `${heads} of ${count(d_head)}, ${many(n_kv_heads, "KV head")}${usual ? ": Llama-style, interpolated" : ""}`;
}

/**
 * Where the price of a GPU hour comes from.
 * @param {State} state
 */
function price({gpu, usd_per_gpu_hour}) {
  const usd = data.prices[gpu];
  if (usd === undefined) return `No price known for this one: ${usd_per_gpu_hour === data.defaults.usd_per_gpu_hour ? "the lesson's" : "yours"} is taken.`;
  return usd === usd_per_gpu_hour ? "A usual rent for this one; rents move." : `A usual rent for this one: ${inputText(usd)} USD/h.`;
}

/**
 * What a request takes and costs.
 * @param {State} state
 * @param {Report} r
 */
function request(state, r) {
  return `It takes ${amount(r.request_s, "s")}: ${amount(r.ttft_s, "s")} of prefill, then ${amount(r.request_tpot_s, "s")} a token, with ${amount(r.mean_context_len, "tokens")} in cache on average. It costs ${amount(r.request_usd, "USD")}, which is ${amount(r.usd_per_million_output_tokens, "USD")} for a million output tokens with their prompts.`;
}

/**
 * What a weight format means here: on this card, and beside formats of as many bytes.
 * @param {State} state
 * @param {Report} r
 */
function weights(state, r) {
  const {[state.weights]: own, ...others} = choices.weights;
  const twins = Object.keys(others).filter(name => others[name].bytes_per_weight === own.bytes_per_weight
    && isTwin(r, evaluate({...state, weights: name})));
  return [
    data.meanings.weights[state.weights],
    r.math_falls_back ? `; this GPU takes ${count(r.chip_math_bits)}` : "",
    ".",
    twins.length ? ` Same numbers as ${twins.join(", ")}: ${r.real_checkpoint ? "as many bytes, the same rate" : "scales left out"}.` : "",
  ].join("");
}

/**
 * @param {Report} r
 * @param {Report} other
 */
function isTwin(r, other) {
  return r.weight_bytes === other.weight_bytes && r.peak_flops_per_s === other.peak_flops_per_s;
}

/**
 * By the input beside whose control it stands. What is said of the architecture stands by itself: it
 * stays where a model has its own parameters, and no control for them.
 * @type {Record<string, (state: State, r: Report) => string>}
 */
const HINTS = {
  architecture,
  gqa: () => "Fixed by training: Llama 3 8B has 4.",
  weights,
  kv: ({kv}) => `${data.meanings.kv[kv]}.`,
  alpha: (_, r) => `The draft model has ${percent(r.draft_cost)} of the big one's size and step time.`,
  usd_per_gpu_hour: price,
  prompt: () => "What prefill works through. Left empty, it is as long as the context: what decode finds in the cache.",
  output: request,
};

/**
 * The hints of some controls, those that have one; or all.
 * @param {State} state
 * @param {Report} r
 * @param {string[]} keys
 * @returns {Texts}
 */
export function hints(state, r, keys = Object.keys(HINTS)) {
  return Object.fromEntries(keys.filter(key => key in HINTS).map(key => [`hint_${key}`, HINTS[key](state, r)]));
}
