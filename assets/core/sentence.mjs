// The sentence under the meter: what the last move did, and why.
import {speedup} from "../built/arithmetic.mjs";
import {amount, count, number, times} from "./format.mjs";
import {boundWord, isMha, many} from "./words.mjs";
/** @import {Report} from "../built/arithmetic.mjs" */

/**
 * What stands there before anything was moved.
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
  const stay = /^(weights|all)/i.test(what) ? "stay" : "stays";
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
 * Whether there is no move to speak of: nothing was moved, or all of it was taken back.
 * @param {string} moved
 */
export function isStart(moved) { return moved === "" || moved === "reset"; }

/**
 * One sentence: what the last move did, and why; where nothing was moved, what a step does.
 * @param {{moved: string, before: {report: Report}, report: Report}} store
 */
export function sentence({moved, before, report}) {
  const reason = isStart(moved) ? undefined : REASONS[moved];
  return reason ? reason(before.report, report) + fit(before.report, report) : opening(report);
}
