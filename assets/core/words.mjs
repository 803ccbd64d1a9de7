// What the page says about a report. Pure: (state, report) in, texts by name out.
import data from "../built/data.mjs";
import {amount, count, given, number, percent, setting} from "./format.mjs";
import {isOwnModel} from "./rules.mjs";
/**
 * @import {Key, State} from "../built/data.mjs"
 * @import {Bound, Report} from "../built/arithmetic.mjs"
 * @typedef {Record<string, string>} Texts by their names on the page
 */

const SHAPE = /** @type {const} */ (["layers", "heads", "kv_heads", "d_head", "d_model"]);

/** @param {Bound} name */
export function boundWord(name) {
  return name === "comms" ? "communication" : name;
}

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
 * The unit of a setting: "token" for 1, else "tokens".
 * @param {string} key
 * @param {number | string} value
 */
function unitFor(key, value) {
  const {unit} = data.controls[key];
  return value === 1 && unit.length > 2 ? unit.replace(/s$/, "") : unit;
}

/** @param {Report} r */
export function isMha(r) { return r.full_n_kv_heads === r.n_heads; }

/** @param {Report} r */
function attention(r) {
  if (isMha(r)) return "MHA";
  return r.full_n_kv_heads === 1 ? "MQA" : "GQA";
}

/**
 * The words that stand beside a slider's value.
 * @param {Key} key
 * @param {State} state
 * @param {Report} r
 */
export function unitOf(key, state, r) {
  if (key === "gqa") return `· ${attention(r)}`;
  if (key === "spec_k") return state.spec_k === 0 ? "· off" : "";
  return key === "batch" ? "" : unitFor(key, state[key]);
}

/**
 * What a screen reader says for a slider's value.
 * @param {string} key
 * @param {number} value
 */
export function spoken(key, value) {
  if (key === "params_b") return `${setting(value)} billion parameters`;
  if (key === "gqa") return `${many(value, "query head")} per KV head`;
  return `${setting(value)} ${unitFor(key, value)}`.trim();
}

/**
 * @param {State} state
 * @param {Report} r
 */
function card(state, r) {
  const name = data.names.gpu[state.gpu];
  return r.n_gpus > 1 ? `${count(r.n_gpus)} × ${name}` : `one ${name}`;
}

/**
 * @param {State} state
 * @param {Report} r
 */
function architecture(state, r) {
  if (!isOwnModel(state)) return `${data.names.model[state.model]}: ${number(r.n_params)} parameters`;
  return `${many(r.n_layers, "layer")}, ${many(r.n_heads, "query head")} of ${count(r.full_d_head)}, ${many(r.full_n_kv_heads, "KV head")}${SHAPE.some(key => !isNaN(state[key])) ? "" : ": Llama-style, interpolated"}`;
}

/**
 * Which set of assumptions is on, and which of its fields are given beside it.
 * @param {State} state
 */
function assumed(state) {
  const own = data.assumption_keys.filter(key =>
    typeof state[key] === "number" ? !isNaN(state[key]) : state[key] !== data.defaults[key]);
  const set = state.assumptions === "lesson" ? "ceiling" : "estimate";
  return own.length ? `${set}, but ${own.map(key => `${key} ${state[key]}`).join(", ")}` : set;
}

/**
 * The line under the title.
 * @param {State} state
 * @param {Report} r
 * @returns {Texts}
 */
export function header(state, r) {
  return {
    card: `${card(state, r)}, ${given(r.hbm_bytes, "B")} at ${given(r.hbm_bytes_per_s, "B/s")}`,
    assumptions: assumed(state),
  };
}

/**
 * Beside the controls.
 * @param {State} state
 * @param {Report} r
 * @returns {Texts}
 */
export function hints(state, r) {
  return {
    architecture: architecture(state, r),
    draft: r.n_drafted > 0 ? `Draft model: ${setting(r.draft_cost)} of the big one.` : "",
    fallback: r.math_falls_back
      ? `This card multiplies them at ${count(r.chip_math_bits)} bit: it has no arithmetic as narrow.` : "",
  };
}

/**
 * What the meter says.
 * @param {Report} r
 * @returns {Texts}
 */
export function memory(r) {
  const gb = (/** @type {number} */ value) => amount(value, "B");
  const each = r.n_gpus > 1 ? "each GPU: " : "";
  return {
    meter: r.fits
      ? `${gb(r.hbm_used_bytes)} of ${given(r.hbm_limit_bytes, "B")}`
      : `${gb(r.hbm_used_bytes)} asked, ${gb(r.hbm_over_bytes)} over`,
    room: `${each}${percent(r.hbm_used_fraction)} · ` + (r.fits
      ? `room for ${many(r.max_batch, "sequence")}`
      : `${count(r.max_batch)} of ${count(r.batch)} sequences fit`),
    limit: r.hbm_limit_bytes < r.hbm_bytes
      ? `usable ${given(r.hbm_limit_bytes, "B")} of ${given(r.hbm_bytes, "B")}`
      : `HBM ${given(r.hbm_bytes, "B")}`,
    meter_weights: `weights ${gb(r.weight_bytes_per_gpu)}`,
    meter_kv: `KV cache ${gb(r.kv_bytes_per_gpu)} = ${count(r.batch)} × ${gb(r.kv_bytes_per_sequence_per_gpu)}`,
    meter_draft: r.draft_bytes > 0 ? `draft model ${gb(r.draft_bytes)}` : "",
    meter_reserve: r.reserved_bytes > 0
      ? `reserve ${gb(r.reserved_bytes)}` : "",
    meter_free: r.fits ? `free ${gb(r.hbm_free_bytes)}` : "nothing free",
  };
}
