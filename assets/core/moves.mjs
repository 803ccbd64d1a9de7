// What each input's move does: what changed most, from what to what; why; and what follows for a
// reader who waits for tokens. Of several inputs, the one that stands first here leads.
import data from "../built/data.mjs";
import {speedup} from "../built/arithmetic.mjs";
import {fromTo, insteadOf, same, went} from "./change.mjs";
import {amount, count, given, kibibytes, number, percent, setting, times} from "./format.mjs";
import {isOwnModel} from "./rules.mjs";
import {boundWord, isMha, many} from "./words.mjs";
/**
 * @import {Key, State} from "../built/data.mjs"
 * @import {Report} from "../built/arithmetic.mjs"
 * @typedef {(before: Report, after: Report, state: State) => string} Says
 * @typedef {object} Move
 * @property {Says} what begins a sentence
 * @property {Says} why goes on after a colon
 * @property {Says} [then] sentences; if there are none, what one user gets
 */

/** @type {Says} */
export function user({tokens_per_s_per_user: before, fits}, {tokens_per_s_per_user: after, ...a}) {
  const rate = amount(after, "tokens/s");
  if (!a.fits) return `If it fitted, one user would get ${rate}.`;
  if (!fits) return `One user gets ${rate}.`;
  if (same(before, after, "tokens/s")) return `One user still gets ${rate}.`;
  return `One user ${after > before ? "rises" : "falls"} ${fromTo(before, after, "tokens/s")}.`;
}

/** @type {Says} */
function prefill(b, a) {
  const width = a.math_falls_back ? "this GPU has no arithmetic as narrow"
    : a.chip_math_bits === b.chip_math_bits ? `its arithmetic stays ${a.chip_math_bits} bit wide`
    : `its arithmetic is ${a.chip_math_bits} bit wide now`;
  if (same(b.ttft_s, a.ttft_s, "s")) return `Prefill still takes ${amount(a.ttft_s, "s")}: ${width}.`;
  return `Prefill ${a.ttft_s < b.ttft_s ? "falls" : "rises"} ${fromTo(b.ttft_s, a.ttft_s, "s")}: ${width}.`;
}

/** @type {Says} */
const cache = (b, a) => went("KV cache", b.kv_bytes, a.kv_bytes, "B");

/** @type {Says} */
const together = (b, a) => went("All users together", b.tokens_per_s, a.tokens_per_s, "tokens/s");

/** What a token keeps. @type {Says} */
function keeps(b, a) {
  const [before, after] = [b, a].map(r => kibibytes(r.kv_bytes_per_token).number);
  return before === after ? `keeps ${after} KiB as before` : `keeps ${after} KiB instead of ${before}`;
}

/**
 * How fast arithmetic is now.
 * @param {Report} b
 * @param {Report} a
 */
function rate(b, a) {
  const ratio = speedup(a.peak_flops_per_s, b.peak_flops_per_s);
  return ratio === 0.5 ? "half the rate" : ratio === 2 ? "twice the rate" : `${times(ratio)} the rate`;
}

/** @type {Says} */
const dense = (b, a) => `every step reads ${a.expert_bytes > 0 ? "those of the experts that it touches"
  : `all of them, once for ${a.batch === 1 ? "one sequence" : `all ${many(a.batch, "sequence")}`}`}`;

/** Whether the rate of all rose. @type {(before: Report, after: Report) => boolean} */
const helps = (b, a) => a.tokens_per_s > b.tokens_per_s && !same(b.tokens_per_s, a.tokens_per_s, "tokens/s");

/** @type {Says} */
function serves(b, a) {
  if (a.verify_bound === "compute") {
    return `arithmetic takes longest now, so that more sequences ${helps(b, a) ? "help less and less" : "only take longer"}`;
  }
  if (a.verify_bound === "comms") return "what the GPUs tell each other takes longest now";
  if (a.batch === 1) return "every read of the weights serves one sequence alone";
  return `one read of the weights serves ${many(a.batch, "sequence")}, but each brings ${amount(a.kv_bytes_per_sequence, "B")} of cache to read`;
}

/** @type {Says} */
function formats(b, a) {
  if (!same(b.weight_bytes_read, a.weight_bytes_read, "B")) {
    return a.verify_bound === "memory"
      ? `beside ${amount(a.kv_bytes_per_gpu, "B")} of KV cache, that makes ${times(speedup(a.tokens_per_s, b.tokens_per_s))} the speed`
      : `but decode is ${boundWord(a.verify_bound)}-bound and does not wait for them`;
  }
  if (a.peak_flops_per_s === b.peak_flops_per_s) {
    return "these formats differ in how they scale their numbers, which is left out here";
  }
  return `arithmetic runs at ${rate(b, a)}, which ` + (a.verify_bound === "memory"
    ? `does not matter to decode, ${times(a.verify_times_from_ridge)} below the ridge`
    : "decode feels, as it is compute-bound");
}

/** @type {Says} */
function guesses(b, a) {
  if (a.n_drafted === 0) return "every pass yields one token of each sequence again";
  const yields = `${number(a.spec_tokens_per_pass)} tokens, its own and the guesses that stand`;
  if (a.spec_speedup > 1) {
    return `a pass checks ${many(a.n_drafted, "guess", "guesses")} in one read of the weights and yields ${yields}: ${times(a.spec_speedup)} the speed`;
  }
  return a.verify_bound === "compute"
    ? `checking ${many(a.n_drafted, "guess", "guesses")} for ${many(a.batch, "sequence")} is compute-bound, so that guesses cost more than they yield`
    : `a pass yields only ${yields}, and takes longer by more than that: ${times(a.spec_speedup)} the speed`;
}

/** @type {Says} */
function published(b, a, state) {
  const name = isOwnModel(state) ? "a model of this size" : data.names.model[state.model];
  const active = a.n_active_params < a.n_params ? ` (a token uses ${number(a.n_active_params)})` : "";
  return `${name} has ${count(a.n_params)} parameters${active}, and a token ${keeps(b, a, state)}`;
}

/** @type {Says} */
function hardware(b, a) {
  if (a.hbm_bytes_per_s !== b.hbm_bytes_per_s) return `HBM is read at ${insteadOf(b.hbm_bytes_per_s, a.hbm_bytes_per_s, "B/s")}`;
  if (a.peak_flops_per_s !== b.peak_flops_per_s) return `Arithmetic runs at ${rate(b, a)}`;
  return same(b.hbm_limit_bytes, a.hbm_limit_bytes, "B") ? "The figures that count here stay as they were"
    : went("HBM", b.hbm_limit_bytes, a.hbm_limit_bytes, "B");
}

/** @type {Says} */
function follows(b, a) {
  const decode = a.verify_bound === "memory" ? "decode is memory-bound and follows the bandwidth alone"
    : a.verify_bound === "compute" ? "decode is compute-bound here and follows the FLOP/s"
    : "decode waits for what the GPUs tell each other";
  return same(b.ttft_s, a.ttft_s, "s") ? decode
    : `${decode}; prefill follows the FLOP/s, ${fromTo(b.ttft_s, a.ttft_s, "s")}`;
}

/** @type {Says} */
function shares(b, a) {
  const told = a.communication_s > 0 ? `, and what they tell each other takes ${amount(a.communication_s, "s")}` : "";
  if (a.n_gpus === 1) return "it reads all of them alone";
  const kv = same(b.kv_bytes_per_gpu, a.kv_bytes_per_gpu, "B") ? "but each keeps as much KV cache as before" : "and of the KV cache";
  return `each reads its share of them at the same time, ${kv}${told}`;
}

/** @type {Says} */
function assumed(b, a, state) {
  if (state.assumptions === "lesson") return "the whole bandwidth counts, and every byte of HBM";
  const left = a.reserved_bytes > 0 ? `, ${amount(a.reserved_bytes, "B")} of it in reserve` : "";
  const told = a.communication_s > 0 ? `, the GPUs tell each other for ${amount(a.communication_s, "s")} of a step` : "";
  return `engines reach about ${percent(a.bandwidth_efficiency)} of the bandwidth${told}, and may fill ${given(a.hbm_limit_bytes, "B")} of ${given(a.hbm_bytes, "B")}${left}`;
}

/** @type {Says} */
const decodes = (b, a) => same(b.tokens_per_s_per_user, a.tokens_per_s_per_user, "tokens/s")
  ? "Decode does not change: it reads what is in the cache." : user(b, a, /** @type {any} */ (null));

/** @type {Says} */
const firstToken = (b, a) => went("Prefill", b.ttft_s, a.ttft_s, "s");

/** @type {Says} */
const request = (b, a) => `A request takes ${amount(a.request_s, "s")} and costs ${amount(a.usd_per_request, "USD")}.`;

const HARDWARE = {what: hardware, why: follows};

/** @type {Partial<Record<Key, Move>>} */
export const MOVES = {
  model: {what: (b, a) => went("Weights", b.weight_bytes, a.weight_bytes, "B"), why: published},
  params_b: {what: (b, a) => went("Weights", b.weight_bytes, a.weight_bytes, "B"), why: dense},
  context: {what: cache, why: (b, a) => `each sequence holds ${many(a.context_len, "token")}, ${a.window_bytes_per_token > 0 ? "of which every step reads what the windows keep" : "all read in every step"}`},
  gqa: {
    what: cache,
    why: (b, a) => isMha(a) ? `each of the ${count(a.n_heads)} query heads keeps its own keys and values`
      : `${count(a.gqa)} query heads share each pair of key and value`,
  },
  kv: {
    what: cache,
    why: (b, a, state) => a.bytes_per_kv === b.bytes_per_kv ? "both formats take the same bytes"
      : `a token ${keeps(b, a, state)}, so that ${count(a.max_batch)} sequences fit instead of ${count(b.max_batch)}`,
  },
  batch: {
    what: together,
    why: serves,
    then: (b, a, state) => user(b, a, state) + (a.spec_speedup < 1 ? ` Without guesses it would be faster: they make ${times(a.spec_speedup)} the speed.` : ""),
  },
  weights: {
    what: (b, a) => same(b.weight_bytes_read, a.weight_bytes_read, "B")
      ? `A step still reads ${amount(a.weight_bytes_read, "B")} of weights`
      : `A step reads ${insteadOf(b.weight_bytes_read, a.weight_bytes_read, "B", "of weights")}`,
    why: formats,
    then: (b, a, state) => `${user(b, a, state)} ${prefill(b, a, state)}`,
  },
  spec_k: {what: together, why: guesses},
  alpha: {what: together, why: guesses},
  draft_cost: {what: together, why: guesses},
  gpu: HARDWARE,
  bandwidth_factor: HARDWARE,
  peak_factor: HARDWARE,
  ...Object.fromEntries(data.card_keys.map(key => [key, HARDWARE])),
  gpus: {
    what: (b, a) => `${a.n_gpus === 1 ? "One GPU" : `Each of ${count(a.n_gpus)} GPUs`} holds ${insteadOf(b.weight_bytes_per_gpu, a.weight_bytes_per_gpu, "B", "of weights")}`,
    why: shares,
  },
  usd_per_gpu_hour: {
    what: (b, a) => went("The price of a million output tokens", b.usd_per_million_output_tokens, a.usd_per_million_output_tokens, "USD"),
    why: () => "the price changes no speed",
    then: request,
  },
  assumptions: {
    what: together,
    why: assumed,
    then: (b, a, state) => `${user(b, a, state)} ${firstToken(b, a, state)}.`,
  },
  prompt: {what: firstToken, why: (b, a) => `all ${many(a.prompt_len, "token")} go through the weights in one pass`, then: (b, a, state) => `${decodes(b, a, state)} ${request(b, a, state)}`},
  prefix_hit: {what: firstToken, why: (b, a) => `${many(a.computed_prompt_len, "token")} of the prompt are not in the cache yet`, then: (b, a, state) => `${decodes(b, a, state)} ${request(b, a, state)}`},
  output: {
    what: (b, a) => went("A request", b.request_s, a.request_s, "s"),
    why: (b, a) => `after ${amount(a.ttft_s, "s")} of prefill its ${many(a.output_len, "token")} come one by one, ${amount(a.request_tpot_s, "s")} each`,
    then: (b, a) => `It costs ${amount(a.usd_per_request, "USD")}.`,
  },
};

/**
 * The move of an input that has none of its own above.
 * @param {Key} key
 * @returns {Move}
 */
export function other(key) {
  const label = data.controls[key].label.replace(/^.(?=[^A-Z])/, first => first.toLowerCase());
  return {
    what: together,
    why: (b, a, state) => `${label} is ${typeof state[key] === "number" ? isNaN(state[key]) ? "as assumed" : setting(state[key]) : state[key]} now`,
  };
}
