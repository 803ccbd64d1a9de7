// What each input's move does: what changed most, from what to what; why; and what follows for a
// reader who waits for tokens. Of several inputs, the one that stands first here leads.
import data from "../../built/data.mjs";
import {isMha} from "../attention.mjs";
import {PREFILL, waits} from "./causes.mjs";
import {fromTo, insteadOf, same, went} from "./change.mjs";
import {amount, count, inputText, percent, times} from "./format.mjs";
import {many, onEach, uncapitalised} from "./phrases.mjs";
import {
  assumptions, computes, dense, drafts, follows, formats, guesses, hardware, holds, keeps, parameters, prefill, room, serves, shares,
  stands,
} from "./reasons.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Says} from "./reasons.mjs"
 * @typedef {object} Move
 * @property {Says} what begins a sentence
 * @property {Says} why goes on after a colon
 * @property {Says} [then] sentences; if there are none, what one user gets
 */

/** @type {Says} */
export function user(b, a) {
  const before = b.tokens_per_s_per_user, after = a.tokens_per_s_per_user, rate = amount(after, "tokens/s");
  if (!a.fits) return `If it fitted, one user would get ${rate}.`;
  if (!b.fits) return `One user gets ${rate}.`;
  if (same(before, after, "tokens/s")) return `One user still gets ${rate}.`;
  return `One user ${after > before ? "rises" : "falls"} ${fromTo(before, after, "tokens/s")}.`;
}

/** @type {Says} */
const cache = (b, a) => went("KV cache", b.kv_bytes, a.kv_bytes, "B");

/** @type {Says} */
export const together = (b, a) => went("All users together", b.tokens_per_s, a.tokens_per_s, "tokens/s");

/** @type {Says} */
const decodes = (b, a) => same(b.tokens_per_s_per_user, a.tokens_per_s_per_user, "tokens/s")
  ? "Decode does not change: it reads what is in the cache." : user(b, a, /** @type {any} */ (null));

/** @type {Says} */
const firstToken = (b, a) => went("Prefill", b.ttft_s, a.ttft_s, "s");

/** @type {(before: Report, after: Report) => string} */
export const prefills = (b, a) => same(b.ttft_s, a.ttft_s, "s") ? `Prefill still takes ${amount(a.ttft_s, "s")}`
  : `Prefill ${a.ttft_s < b.ttft_s ? "falls" : "rises"} ${fromTo(b.ttft_s, a.ttft_s, "s")}`;

/** What prefill reaches of what it waits for. @param {Report} r */
function reached(r) {
  if (["comms", "overhead"].includes(r.prefill_bound)) return `and ${waits(PREFILL, r, r)}`;
  const [share, of] = r.prefill_bound === "memory" ? [r.bandwidth_efficiency, "bandwidth"] : [r.prefill_efficiency, "peak"];
  return share === 1 ? `at the full ${of}` : `at ${percent(share)} of the ${of}`;
}

/** @type {Says} */
const request = (b, a) => `A request takes ${amount(a.request_s, "s")} and costs ${amount(a.request_usd, "USD")}.`;

/** @type {Says} */
const served = (b, a, state) => `${decodes(b, a, state)} ${request(b, a, state)}`;

const HARDWARE = {what: hardware, why: follows};

/** @type {Partial<Record<Key, Move>>} */
export const MOVES = {
  model: {what: (b, a) => went("Weights", b.weight_bytes, a.weight_bytes, "B"), why: parameters},
  params_b: {what: (b, a) => went("Weights", b.weight_bytes, a.weight_bytes, "B"), why: dense},
  context: {what: cache, why: holds},
  gqa: {
    what: cache,
    why: (b, a) => isMha(a) ? `each of the ${count(a.n_heads)} query heads keeps its own keys and values`
      : `${count(a.gqa)} query heads share each pair of key and value`,
  },
  kv: {
    what: cache,
    why: (b, a, state) => a.bytes_per_kv === b.bytes_per_kv ? "both formats take the same bytes"
      : `a token ${keeps(b, a, state)}, ${room(b, a, state)}`,
  },
  batch: {
    what: together,
    why: serves,
    then: (b, a, state) => user(b, a, state) + (a.spec_speedup < 1 ? ` Without guesses it would be faster: they make ${times(a.spec_speedup)} the speed.` : ""),
  },
  weights: {
    what: (b, a) => same(b.weight_bytes_read, a.weight_bytes_read, "B")
      ? `${onEach(a, "step") || "A step"} still reads ${amount(a.weight_bytes_read, "B")} of weights`
      : `${onEach(a, "step") || "A step"} reads ${insteadOf(b.weight_bytes_read, a.weight_bytes_read, "B", "of weights")}`,
    why: formats,
    then: (b, a, state) => `${user(b, a, state)} ${prefills(b, a)}: ${prefill(b, a, state)}.`,
  },
  spec_k: {what: together, why: guesses},
  alpha: {what: together, why: stands},
  draft_cost: {what: together, why: drafts},
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
    why: assumptions,
    then: (b, a, state) => `${user(b, a, state)} ${firstToken(b, a, state)}, ${reached(a)}.`,
  },
  prompt: {what: firstToken, why: computes, then: served},
  prefix_hit: {
    what: firstToken,
    why: (b, a) => `${many(a.computed_prompt_len, "token")} of the prompt ${a.computed_prompt_len === 1 ? "is" : "are"} not in the cache yet`,
    then: served,
  },
  output: {
    what: (b, a) => went("A request", b.request_s, a.request_s, "s"),
    why: (b, a) => a.output_len === 1 ? "its one token comes with the prefill"
      : `after ${amount(a.ttft_s, "s")} of prefill its ${many(a.output_len, "token")} come, one every ${amount(a.request_tpot_s, "s")} on average`,
    then: (b, a) => `It costs ${amount(a.request_usd, "USD")}.`,
  },
};

/**
 * The move of an input that has none of its own above.
 * @param {Key} key
 * @returns {Move}
 */
export function other(key) {
  const label = uncapitalised(data.inputs[key].label);
  return {
    what: together,
    why: (b, a, state) => `${label} is ${typeof state[key] === "number" ? isNaN(state[key]) ? "as assumed" : inputText(state[key]) : state[key]} now`,
  };
}
