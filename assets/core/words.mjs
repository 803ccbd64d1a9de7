// What the page says about a report. Pure: (state, report) in, texts by name out.
import data from "../built/data.mjs";
import {amount, count, given, percent, setting} from "./format.mjs";
/**
 * @import {Key, State} from "../built/data.mjs"
 * @import {Bound, Report} from "../built/arithmetic.mjs"
 * @typedef {Record<string, string>} Texts by their names on the page
 */

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

/**
 * The kind of layer that is meant by "the" KV heads of a model: `Model.main` in `calc`.
 * @param {{full_n_kv_heads: number, full_cache_width: number, full_d_head: number}} model
 */
export function mainKind(model) {
  return {n_kv_heads: model.full_n_kv_heads, cache_width: model.full_cache_width, d_head: model.full_d_head};
}

/** @param {Report} r */
export function isMha(r) { return mainKind(r).n_kv_heads === r.n_heads; }

/** @param {Report} r */
function attention(r) {
  if (isMha(r)) return "MHA";
  return mainKind(r).n_kv_heads === 1 ? "MQA" : "GQA";
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
 * What the meter says.
 * @param {Report} r
 * @returns {Texts}
 */
export function memory(r) {
  const gb = (/** @type {number} */ value) => amount(value, "B");
  const each = r.n_gpus > 1 ? " per GPU" : "";
  return {
    meter: r.fits
      ? `${gb(r.hbm_used_bytes)} of ${given(r.hbm_limit_bytes, "B")}${each}`
      : `${gb(r.hbm_used_bytes)}${each || " asked"}, ${gb(r.hbm_over_bytes)} over`,
    room: `${percent(r.hbm_used_fraction)} · ` + (r.fits
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
