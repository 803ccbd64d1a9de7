// Why a move did what it did: what goes on after a colon.
import {speedup} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {isOwnModel} from "../rules.mjs";
import {speculates} from "../speculation.mjs";
import {fromTo, insteadOf, same, went} from "./change.mjs";
import {amount, count, kibibytes, number, percent, rating, times} from "./format.mjs";
import {boundWord, many} from "./phrases.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {(before: Report, after: Report, state: State) => string} Says
 */

/** What a token keeps. @type {Says} */
export function keeps(b, a) {
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
export const dense = (b, a) => `every step reads ${a.expert_bytes > 0 ? "those of the experts that it touches"
  : `all of them, once for ${a.batch === 1 ? "one sequence" : `all ${many(a.batch, "sequence")}`}`}`;

/** Whether the rate of all rose. @type {(before: Report, after: Report) => boolean} */
const helps = (b, a) => a.tokens_per_s > b.tokens_per_s && !same(b.tokens_per_s, a.tokens_per_s, "tokens/s");

/** @type {Says} */
export function serves(b, a) {
  const longest = a.verify_bound === b.verify_bound ? "takes longest" : "takes longest now";
  if (a.verify_bound === "compute") {
    return `arithmetic ${longest}, so that more sequences ${helps(b, a) ? "help less and less" : "only take longer"}`;
  }
  if (a.verify_bound === "comms") return `what the GPUs tell each other ${longest}`;
  if (a.verify_bound === "overhead") return `starting the layers ${longest}, and as long for one sequence as for many`;
  if (a.batch === 1) return "every read of the weights serves one sequence alone";
  return `one read of the weights serves ${many(a.batch, "sequence")}, but each brings ${amount(a.kv_bytes_per_sequence, "B")} of cache to read`;
}

/** @type {Says} */
export function formats(b, a) {
  if (!same(b.weight_bytes_read, a.weight_bytes_read, "B")) {
    return a.verify_bound === "memory"
      ? `beside ${amount(a.kv_read_bytes_per_gpu, "B")} of KV cache, that makes ${times(speedup(a.tokens_per_s, b.tokens_per_s))} the speed`
      : `but decode is ${boundWord(a.verify_bound)}-bound and does not wait for them`;
  }
  if (a.peak_flops_per_s === b.peak_flops_per_s) {
    return "these formats differ in how they scale their numbers, which is left out here";
  }
  return `arithmetic runs at ${rate(b, a)}, which ` + (a.verify_bound === "compute"
    ? "decode feels, as it is compute-bound"
    : a.verify_bound === "memory"
      ? `does not matter to decode, ${times(a.verify_times_from_ridge)} below the ridge`
      : `does not matter to decode, which is ${boundWord(a.verify_bound)}-bound`);
}

/** @type {Says} */
export function guesses(b, a) {
  if (!speculates(a)) return speculates(b) ? "every pass yields one token of each sequence again" : "nothing is guessed";
  const yields = `${number(a.spec_tokens_per_pass)} tokens, its own and the guesses that stand`;
  if (a.spec_speedup > 1) {
    return `a pass checks ${many(a.n_drafted, "guess", "guesses")} in one read of the weights and yields ${yields}: ${times(a.spec_speedup)} the speed`;
  }
  return a.verify_bound === "compute"
    ? `checking ${many(a.n_drafted, "guess", "guesses")} for ${many(a.batch, "sequence")} is compute-bound, so that guesses cost more than they yield`
    : `a pass yields only ${yields}, and takes longer by more than that: ${times(a.spec_speedup)} the speed`;
}

/** What stands of as many guesses. @type {Says} */
export function stands(b, a, state) {
  if (!speculates(a) || !speculates(b)) return guesses(b, a, state);
  const which = a.spec_tokens_per_pass < b.spec_tokens_per_pass ? "fewer" : "more";
  return `${which} guesses stand, so that a pass yields ${insteadOf(b.spec_tokens_per_pass, a.spec_tokens_per_pass, "tokens")}: ${versusNone(a)}`;
}

/** How long the draft takes for as many guesses. @type {Says} */
export function drafts(b, a, state) {
  if (!speculates(a) || !speculates(b)) return guesses(b, a, state);
  return `the draft takes ${insteadOf(b.draft_s, a.draft_s, "s")} for ${many(a.n_drafted, "guess", "guesses")}: ${versusNone(a)}`;
}

/** @param {Report} r */
const versusNone = r => `${times(r.spec_speedup)} the speed without guesses`;

/** @type {Says} */
export function parameters(b, a, state) {
  const name = isOwnModel(state) ? "a model of this size" : data.names.model[state.model];
  const active = a.n_active_params < a.n_params ? ` (a token uses ${number(a.n_active_params)})` : "";
  return `${name} has ${count(a.n_params)} parameters${active}, and a token ${keeps(b, a, state)}`;
}

/** @type {Says} */
export function hardware(b, a) {
  if (a.hbm_bytes_per_s !== b.hbm_bytes_per_s) return `Memory is read at ${insteadOf(b.hbm_bytes_per_s, a.hbm_bytes_per_s, "B/s")}`;
  if (a.peak_flops_per_s !== b.peak_flops_per_s) return `Arithmetic runs at ${rate(b, a)}`;
  return same(b.hbm_limit_bytes, a.hbm_limit_bytes, "B") ? "The figures that count here stay as they were"
    : went("Memory", b.hbm_limit_bytes, a.hbm_limit_bytes, "B");
}

/** @type {Says} */
export function follows(b, a) {
  const decode = a.verify_bound === "memory" ? "decode is memory-bound and follows the bandwidth alone"
    : a.verify_bound === "compute" ? "decode is compute-bound here and follows the FLOP/s"
    : a.verify_bound === "comms" ? "decode waits for what the GPUs tell each other"
    : "decode waits for its layers to start";
  return same(b.ttft_s, a.ttft_s, "s") ? decode
    : `${decode}; prefill follows the FLOP/s, ${fromTo(b.ttft_s, a.ttft_s, "s")}`;
}

/** @type {Says} */
export function shares(b, a) {
  const exchange = a.communication_s > 0 ? `, and what they tell each other takes ${amount(a.communication_s, "s")}` : "";
  if (a.n_gpus === 1) return "it reads all of them alone";
  const kv = same(b.kv_bytes_per_gpu, a.kv_bytes_per_gpu, "B") ? "but each keeps as much KV cache as before" : "and of the KV cache";
  return `each reads its share of them at the same time, ${kv}${exchange}`;
}

/** @type {Says} */
export function assumptions(b, a, state) {
  if (state.assumptions === "lesson") return "the whole bandwidth counts, and every byte of memory";
  const exchange = a.communication_s > 0 ? `, the GPUs tell each other for ${amount(a.communication_s, "s")} of a step` : "";
  const starts = a.overhead_s > 0 ? `, start layers for ${amount(a.overhead_s, "s")} of a step` : "";
  return `engines reach ${percent(a.bandwidth_efficiency)} of the bandwidth${starts}${exchange}, and may fill ${rating(a.hbm_limit_bytes, "B")} of ${rating(a.hbm_bytes, "B")}`;
}
