// Why a move did what it did: what goes on after a colon.
import {speedup} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {isOwnModel} from "../rules.mjs";
import {speculates} from "../speculation.mjs";
import {DECODE, PREFILL, allOf, boundThroughout, waits} from "./causes.mjs";
import {fromTo, insteadOf, same, went} from "./change.mjs";
import {amount, count, kibibytes, number, percent, rating, times} from "./format.mjs";
import {boundWord, many, ridgeSide} from "./phrases.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Bound, Report} from "../../built/arithmetic.mjs"
 * @import {Phase} from "./causes.mjs"
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
  : `all of them, once for ${a.batch_per_pass === 1 ? "one sequence" : `all ${many(a.batch_per_pass, "sequence")}`}`}`;

/** What each sequence holds, and how much of that is read. @type {Says} */
export function holds(b, a) {
  const tokens = `each sequence holds ${many(a.context_len, "token")}`;
  const read = a.kv_read_bytes_per_gpu / a.batch_per_pass * a.stage_fraction;
  const share = read / a.kv_bytes_per_sequence_per_gpu;
  // Where some layers read all of a compressed cache, it is not the best of the tokens.
  if (a.hca_bytes_per_token > 0) return `${tokens}, and every step reads ${percent(share)} of what it keeps`;
  if (share < 1 - 1e-9) return `${tokens}, of which every step reads the best`;
  const windows = a.context_len <= a.window_kept_len ? a.window_bytes_per_token_per_gpu : 0;
  const kept = a.full_bytes_per_token_per_gpu + a.index_bytes_per_token_per_gpu + a.hca_bytes_per_token_per_gpu;
  const whole = (kept + windows) * a.context_len / a.kv_bytes_per_sequence_per_gpu;
  return whole > 1 - 1e-9 ? `${tokens}, all read in every step`
    : `${tokens}; ${percent(whole)} of the cache that a step reads is in layers that keep all of them`;
}

/** How many sequences fit. @type {Says} */
export function room(b, a) {
  const fit = (/** @type {number} */ n) => n < 1 ? "no sequence fits" : `${many(n, "sequence")} ${n === 1 ? "fits" : "fit"}`;
  if (count(a.max_batch) === count(b.max_batch)) return `and still ${fit(a.max_batch)}`;
  return `so that ${fit(a.max_batch)} instead of ${b.max_batch < 1 ? "none" : count(b.max_batch)}`;
}

/** @type {Says} */
export function serves(b, a) {
  const longest = a.verify_bound === b.verify_bound ? "takes longest" : "takes longest now";
  if (a.verify_bound === "compute") {
    const [fewer, more] = a.batch < b.batch ? [a, b] : [b, a];
    const helps = more.tokens_per_s > fewer.tokens_per_s && !same(more.tokens_per_s, fewer.tokens_per_s, "tokens/s");
    return `arithmetic ${longest}, so that more sequences ${helps ? "help less and less" : "yield no more"}`;
  }
  if (a.verify_bound === "comms") return `what the GPUs tell each other ${longest}`;
  if (a.verify_bound === "overhead") return `starting the layers ${longest}, and as long for one sequence as for many`;
  if (a.batch_per_pass === 1) return "every read of the weights serves one sequence alone";
  return `one read of the weights serves ${many(a.batch_per_pass, "sequence")}, but each brings ${amount(a.kv_bytes_per_sequence, "B")} of cache to read`;
}

/** What decode makes of other weights. @type {Says} */
export function formats(b, a) {
  const reads = !same(b.weight_bytes_read, a.weight_bytes_read, "B"), multiplies = b.peak_flops_per_s !== a.peak_flops_per_s;
  if (!reads && !multiplies) return "these formats differ in how they scale their numbers, which is left out here";
  const bound = boundThroughout(DECODE, b, a), arithmetic = `arithmetic runs at ${rate(b, a)}`;
  if (bound === "memory" && reads) {
    return `beside ${amount(a.kv_read_bytes_per_gpu, "B")} of KV cache, that makes ${times(speedup(a.tokens_per_s, b.tokens_per_s))} the speed`;
  }
  if (bound && same(b.tokens_per_s, a.tokens_per_s, "tokens/s")) {
    if (reads) return `but decode is ${boundWord(bound)}-bound and does not wait for them`;
    const why = bound === "memory" ? `${times(a.verify_times_from_ridge)} ${ridgeSide(a.verify_flops_per_byte, a)} the ridge` : `which is ${boundWord(bound)}-bound`;
    return `${arithmetic}, which does not matter to decode, ${why}`;
  }
  if (bound === "compute" && multiplies) return `${arithmetic}, which decode feels, as it is compute-bound`;
  const matters = multiplies && (!reads || [b.verify_bound, a.verify_bound].includes("compute"));
  return `${matters ? `${arithmetic}; ` : ""}decode ${waits(DECODE, b, a)}`;
}

/** What prefill makes of other weights. @type {Says} */
export function prefill(b, a) {
  const bound = boundThroughout(PREFILL, b, a), stays = same(b.ttft_s, a.ttft_s, "s");
  if (bound === "memory" && !stays) return "a prompt this short waits for the weights, too";
  if (bound !== "compute" || !stays && b.peak_flops_per_s === a.peak_flops_per_s) {
    return `${bound && !stays ? "no further, as " : ""}it ${waits(PREFILL, b, a)}`;
  }
  if (a.math_falls_back) return "this GPU has no arithmetic as narrow";
  if (a.chip_math_bits !== b.chip_math_bits) return `its arithmetic is ${a.chip_math_bits} bit wide now`;
  return stays ? `its arithmetic stays ${a.chip_math_bits} bit wide` : `its arithmetic runs at ${rate(b, a)}`;
}

/** @type {Says} */
export function guesses(b, a) {
  if (!speculates(a)) return speculates(b) ? "every pass yields one token of each sequence again" : "nothing is guessed";
  const yields = `${number(a.spec_tokens_per_pass)} tokens, its own and the guesses that stand`;
  const result = `${versusNone(a)}${speculates(b) ? `, where ${count(b.n_drafted)} made ${times(b.spec_speedup)}` : ""}`;
  if (a.spec_speedup > 1) {
    return `a pass checks ${many(a.n_drafted, "guess", "guesses")} in one read of the weights and yields ${yields}: ${result}`;
  }
  // Also of a draft that takes no time.
  return a.verify_bound === "compute" && a.verify_s >= a.spec_tokens_per_pass * a.step_s
    ? `checking ${many(a.n_drafted, "guess", "guesses")} for ${many(a.batch, "sequence")} is compute-bound, so that guesses cost more than they yield`
    : `a pass yields only ${yields}, and takes longer by more than that: ${result}`;
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
  if (!same(b.verify_communication_s, a.verify_communication_s, "s")) {
    return went("What the GPUs tell each other in a step", b.verify_communication_s, a.verify_communication_s, "s");
  }
  return same(b.hbm_limit_bytes, a.hbm_limit_bytes, "B") ? "The figures that count here stay as they were"
    : went("Memory", b.hbm_limit_bytes, a.hbm_limit_bytes, "B");
}

/** What of a prompt goes through the weights. @type {Says} */
export function computes(b, a) {
  const computed = a.computed_prompt_len, go = computed === 1 ? "goes" : "go";
  if (computed < a.prompt_len) return `${count(computed)} of its ${many(a.prompt_len, "token")} ${go} through the weights in one pass, the rest is in the cache`;
  return `${computed === 1 ? "its one token" : `all ${many(computed, "token")}`} ${go} through the weights in one pass`;
}

/**
 * A phase that follows what binds it, where it takes all of the time; else what it waits for.
 * @param {Phase} phase
 * @param {Partial<Record<Bound, string>>} laws
 * @param {Report} b
 * @param {Report} a
 */
function abides(phase, laws, b, a) {
  const all = allOf(phase, b, a);
  return `${phase.name} ${(all && laws[all]) ?? waits(phase, b, a)}`;
}

/** What decode and prefill make of other hardware. @type {Says} */
export function follows(b, a) {
  const decode = abides(DECODE, {
    memory: "is memory-bound and follows the bandwidth alone",
    compute: "is compute-bound here and follows the FLOP/s",
  }, b, a);
  if (same(b.ttft_s, a.ttft_s, "s")) return decode;
  const prefill = abides(PREFILL, {memory: "follows the bandwidth", compute: "follows the FLOP/s"}, b, a);
  return `${decode}; ${prefill}, ${fromTo(b.ttft_s, a.ttft_s, "s")}`;
}

/** @type {Says} */
export function shares(b, a) {
  const exchange = a.communication_s > 0 ? `, and what they tell each other takes ${amount(a.communication_s, "s")}` : "";
  if (a.n_gpus === 1) return "it reads all of them alone";
  const kv = same(b.kv_bytes_per_gpu, a.kv_bytes_per_gpu, "B") ? "but each keeps as much KV cache as before"
    : a.kv_bytes_per_gpu < (1 - 1e-9) * a.kv_bytes ? "and of the KV cache" : "but each keeps all of the KV cache";
  return `each reads its share of the weights at the same time, ${kv}${exchange}`;
}

/** @type {Says} */
export function assumptions(b, a, state) {
  if (state.assumptions === "lesson") return "the whole bandwidth counts, and every byte of memory";
  const exchange = a.communication_s > 0 ? `, the GPUs tell each other for ${amount(a.communication_s, "s")} of a step` : "";
  const starts = a.overhead_s > 0 ? `, start layers for ${amount(a.overhead_s, "s")} of a step` : "";
  return `engines reach ${percent(a.bandwidth_efficiency)} of the bandwidth${starts}${exchange}, and may fill ${rating(a.hbm_limit_bytes, "B")} of ${rating(a.hbm_bytes, "B")}`;
}
