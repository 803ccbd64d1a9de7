// What the page says about a report. Pure: (state, report) in, texts by name out.
import data from "../built/data.mjs";
import {amount, count, given, kibibytes, number, percent, scaled, setting, times} from "./format.mjs";
import {evaluate, speedup} from "../built/model.mjs";
import {isOwnModel} from "./rules.mjs";
/**
 * @import {Key, State} from "../built/data.mjs"
 * @import {Bound, Report} from "../built/model.mjs"
 * @typedef {Record<string, string>} Texts by their names on the page
 */

const SLIDERS = data.shown.filter(key => data.controls[key].stops);
const SHAPE = /** @type {const} */ (["layers", "heads", "kv_heads", "d_head", "d_model"]);
const PLACE = {memory: "below", compute: "above"};

/**
 * @param {Bound} name
 * @param {number} distance
 */
function bound(name, distance) {
  if (name === "comms") return "bound by what the GPUs tell each other";
  return `${name}-bound, ${times(distance)} ${PLACE[name]} the ridge`;
}

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
function many(n, one, more = `${one}s`) {
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
function isMha(r) { return r.full_n_kv_heads === r.n_heads; }

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
function unitOf(key, state, r) {
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
  const name = data.gpu_names[state.gpu];
  return r.n_gpus > 1 ? `${count(r.n_gpus)} × ${name}` : `one ${name}`;
}

/**
 * @param {State} state
 * @param {Report} r
 */
function architecture(state, r) {
  if (!isOwnModel(state)) return `${data.model_names[state.model]}: ${count(r.n_params)} parameters`;
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
 * The estimate's spread, from what measured engines reach of the bandwidth.
 * @param {State} state
 */
function spread(state) {
  if (state.assumptions === "lesson" || !isNaN(state.mbu)) return "";
  const [low, high] = data.bands.mbu.map(mbu => evaluate({...state, mbu}).tokens_per_s);
  return `engines: ${number(low)} to ${number(high)} · `;
}

/**
 * @param {State} state
 * @param {Report} r
 * @returns {Texts}
 */
export function texts(state, r) {
  const gb = (/** @type {number} */ value) => amount(value, "B");
  const ifFitted = r.fits ? "" : "if it fitted · ";
  const each = r.n_gpus > 1 ? "each GPU: " : "";
  const perToken = kibibytes(r.kv_bytes_per_token);
  const kv = scaled(r.kv_bytes, "B");
  const fitting = count(r.max_batch);
  const speculating = r.n_drafted > 0;
  return {
    card: `${card(state, r)}, ${given(r.hbm_bytes, "B")} at ${given(r.hbm_bytes_per_s, "B/s")}`,
    assumptions: assumed(state),
    architecture: architecture(state, r),
    ...Object.fromEntries(SLIDERS.map(key => [`unit_${key}`, unitOf(key, state, r)])),
    draft: speculating ? `Draft model: ${setting(r.draft_cost)} of the big one.` : "",

    fallback: r.math_falls_back
      ? `This card multiplies them at ${count(r.chip_math_bits)} bit: it has no arithmetic as narrow.` : "",

    meter: r.fits
      ? `${gb(r.hbm_used_bytes)} of ${given(r.hbm_limit_bytes, "B")}`
      : `${gb(r.hbm_used_bytes)} asked, ${gb(r.hbm_over_bytes)} over`,
    room: `${each}${percent(r.hbm_used_fraction)} · ` +
      (r.fits ? `room for ${many(r.max_batch, "sequence")}` : `${fitting} of ${count(r.batch)} sequences fit`),
    limit: r.hbm_limit_bytes < r.hbm_bytes
      ? `usable ${given(r.hbm_limit_bytes, "B")} of ${given(r.hbm_bytes, "B")}`
      : `HBM ${given(r.hbm_bytes, "B")}`,
    meter_weights: `weights ${gb(r.weight_bytes_per_gpu)}`,
    meter_kv: `KV cache ${gb(r.kv_bytes_per_gpu)} = ${count(r.batch)} × ${gb(r.kv_bytes_per_sequence_per_gpu)}`,
    meter_draft: r.draft_bytes > 0 ? `draft model ${gb(r.draft_bytes)}` : "",
    meter_reserve: r.reserved_bytes > 0
      ? `reserve ${gb(r.reserved_bytes)} (engines: ${data.bands.reserve.map(gb).join(" to ")})` : "",
    meter_free: r.fits ? `free ${gb(r.hbm_free_bytes)}` : "",

    kv_bytes_per_token: perToken.number,
    kv_bytes_per_token_unit: perToken.unit,
    kv_bytes_per_token_sub: `${count(r.kv_bytes_per_token)} bytes`,
    tokens_per_s: number(r.tokens_per_s),
    tokens_per_s_unit: "tokens/s",
    tokens_per_s_sub: speculating
      ? `${ifFitted}${times(r.spec_speedup)} by ${number(r.spec_tokens_per_pass)} tokens per pass`
      : `${ifFitted}${spread(state)}one step takes ${amount(r.step_s, "s")}`,
    tokens_per_s_per_user: number(r.tokens_per_s_per_user),
    tokens_per_s_per_user_unit: "tokens/s",
    tokens_per_s_per_user_sub: `${ifFitted}${amount(r.tpot_s, "s")} per token`,
    kv_bytes: kv.number,
    kv_bytes_unit: kv.unit,
    kv_bytes_sub: `${percent(r.kv_read_fraction)} of what a step reads`,
    prefill_flops_per_byte: number(r.prefill_flops_per_byte),
    prefill_flops_per_byte_unit: "FLOP/byte",
    prefill_flops_per_byte_sub: bound(r.prefill_bound, r.prefill_times_from_ridge),
    decode_flops_per_byte: number(r.decode_flops_per_byte),
    decode_flops_per_byte_unit: "FLOP/byte",
    decode_flops_per_byte_sub: bound(r.bound, r.decode_times_from_ridge),
  };
}

/** @type {Record<string, (state: State, r: Report) => Texts>} */
export const legends = {
  throughput: (state, r) => ({
    legend_total: `all users together ${number(r.tokens_per_s)} tokens/s`,
    legend_user: `one user ${number(r.tokens_per_s_per_user)} tokens/s`,
    legend_wall: r.max_batch < data.controls.batch.range[1]
      ? (r.max_batch < 1 ? "not even one sequence fits" : `does not fit beyond ${count(r.max_batch)}`)
      : "",
  }),
  roofline: (state, r) => ({
    legend_roof: `roof: ${given(r.hbm_bytes_per_s, "B/s")} up to ${given(r.peak_flops_per_s, "FLOP/s")}`,
    legend_ridge: `ridge ${amount(r.ridge_flops_per_byte, "FLOP/B")}`,
  }),
  steptime: (state, r) => ({
    legend_binding: {
      memory: `reading HBM binds: ${amount(r.verify_memory_s, "s")}`,
      compute: `arithmetic binds: ${amount(r.verify_compute_s, "s")}`,
      comms: `communication binds: ${amount(r.verify_communication_s, "s")}`,
    }[r.verify_bound],
    legend_weights: `reading weights ${amount(r.verify_weight_read_s, "s")}`,
    legend_kv: `reading KV cache ${amount(r.kv_read_s, "s")}`,
    legend_compute: `arithmetic ${amount(r.verify_compute_s, "s")}`,
    legend_comms: r.verify_communication_s > 0 ? `communication ${amount(r.verify_communication_s, "s")}` : "",
    legend_draft: r.n_drafted > 0 ? `drafting ${amount(r.draft_s, "s")}` : "",
  }),
};

/**
 * What stands under the chart before anything was moved.
 * @param {Report} r
 */
function opening(r) {
  if (r.n_drafted > 0) {
    return `Each pass reads ${amount(r.verify_weight_bytes, "B")} of weights${r.n_gpus > 1 ? " on each GPU" : ""} to check ${many(r.n_drafted, "guess", "guesses")} for ${many(r.batch, "sequence")}, and yields ${number(r.spec_tokens_per_pass)} tokens of each: it is ${boundWord(r.verify_bound)}-bound.`;
  }
  const who = r.n_gpus > 1 ? "On each GPU a step reads" : "Each step reads";
  return `${who} ${amount(r.weight_bytes_read, "B")} of weights and ${amount(r.kv_bytes_per_gpu, "B")} of KV cache to make ${many(r.batch, "token")}: decode is ${boundWord(r.bound)}-bound.`;
}

/**
 * @param {string} what
 * @param {number} before
 * @param {number} after
 * @param {string} unit
 */
function went(what, before, after, unit) {
  const from = amount(before, unit), to = amount(after, unit);
  const stay = what === "Weights" || what.startsWith("All") ? "stay" : "stays";
  return from === to ? `${what} ${stay} at ${to}` : `${what} went from ${from} to ${to}`;
}

/**
 * Throughput from before to after, and how many times that is.
 * @param {Report} before
 * @param {Report} after
 */
function faster(before, after) {
  const ratio = speedup(after.tokens_per_s, before.tokens_per_s);
  return `${went("All users together", before.tokens_per_s, after.tokens_per_s, "tokens/s")} (${times(ratio)})`;
}

/**
 * @param {Report} before
 * @param {Report} after
 */
function fit(before, after) {
  if (before.fits && !after.fits) return ` ${many(after.batch, "sequence")} no longer ${after.batch === 1 ? "fits" : "fit"} (${after.max_batch ? count(after.max_batch) : "not even one"} ${after.max_batch > 1 ? "do" : "does"}).`;
  if (!before.fits && after.fits) return ` Now it fits.`;
  return "";
}

/** @type {Record<string, (before: Report, after: Report) => string>} */
const REASONS = {
  params_b: (b, a) =>
    `${went("Weights", b.weight_bytes, a.weight_bytes, "B")}: every step reads ${a.expert_bytes > 0 ? "those of the experts it touches" : "them all, once"}.`,
  gqa: (b, a) => isMha(a)
    ? `${went("KV cache", b.kv_bytes, a.kv_bytes, "B")}: each of the ${count(a.n_heads)} query heads now keeps its own keys and values.`
    : `${went("KV cache", b.kv_bytes, a.kv_bytes, "B")}: ${count(a.gqa)} query heads share each pair of key and value.`,
  context: (b, a) =>
    `${went("KV cache", b.kv_bytes, a.kv_bytes, "B")}: every sequence holds ${many(a.context_len, "token")}, and every step reads all of them.`,
  batch: (b, a) =>
    `${faster(b, a)}, ${went("one user", b.tokens_per_s_per_user, a.tokens_per_s_per_user, "tokens/s")}: ` +
    (a.bound === "memory"
      ? `one read of the weights serves ${many(a.batch, "sequence")}, but each brings its own cache.`
      : a.bound === "compute" ? `decode is compute-bound now, more sequences only take longer.`
      : `what the GPUs tell each other now takes longest.`),
  weights: (b, a) =>
    `${faster(b, a)}: a step reads ${amount(a.weight_bytes_read, "B")} of weights instead of ${amount(b.weight_bytes_read, "B")}, and decode ${b.bound === a.bound ? "stays" : "is now"} ${boundWord(a.bound)}-bound.`,
  kv: (b, a) =>
    `${went("KV cache", b.kv_bytes, a.kv_bytes, "B")}, ${went("all users together", b.tokens_per_s, a.tokens_per_s, "tokens/s")}: room for ${many(a.max_batch, "sequence")}.`,
  spec_k: (b, a) => a.n_drafted === 0
    ? `Speculation is off: every pass yields one token per sequence.`
    : `${number(a.spec_tokens_per_pass)} tokens per pass, ${times(a.spec_speedup)} the speed: ` +
      (a.spec_speedup > 1
        ? `the big model checks ${many(a.n_drafted, "guess", "guesses")} in one read of its weights.`
        : `drafting and checking now cost more than they yield.`),
};
REASONS.alpha = REASONS.spec_k;

/**
 * One sentence: what the last move did, and why; where nothing was moved, what a step does.
 * @param {{moved: string, before: Report, report: Report}} store
 */
export function sentence({moved, before, report}) {
  const reason = REASONS[moved];
  return reason ? reason(before, report) + fit(before, report) : opening(report);
}
