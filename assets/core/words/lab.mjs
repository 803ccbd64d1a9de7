// What the batching lab says: of a trace, of two replays of it, and which difference did what.
import {crossing} from "../lab/load.mjs";
import {isRush} from "../lab/traces.mjs";
import {amount, count, number, percent, times} from "./format.mjs";
import {order, reasons} from "./lab_reasons.mjs";
import {many, uncapitalised} from "./phrases.mjs";
/**
 * @import {Curve} from "../lab/load.mjs"
 * @import {Served, Way} from "../lab/replays.mjs"
 * @import {Own} from "../lab/traces.mjs"
 */

const ABOUT = {
  static: "a new batch starts when the last one has ended",
  continuous: "a slot that is free takes the next request at once",
  chunked: "as continuous, and a long prompt goes in piece by piece, beside the tokens of the others",
  disaggregated: "as many GPUs more do the prefill and send the cache over",
};

const NAMES = {
  static: "Static", continuous: "Continuous", chunked: "Chunked prefill", disaggregated: "Prefill apart",
};

/**
 * A replay by its policy, and by its memory where that is what differs.
 * @param {Way} way
 * @param {Way} other
 */
export function name({policy, allocator}, other) {
  return policy === other.policy ? `${NAMES[policy]}, ${allocator}` : NAMES[policy];
}

/** @param {Way} way */
export function about({policy}) {
  return ABOUT[policy];
}

/**
 * The trace in a line.
 * @param {Record<string, any>} lab
 * @param {{prompt_len: number, output_len: number, speculates: boolean}} scenario
 * @param {Own} own
 */
export function trace({requests, rate, burst}, {prompt_len, output_len, speculates}, own) {
  const means = `in the mean ${count(prompt_len)} tokens in, ${count(output_len)} out${speculates ? "; without speculation" : ""}`;
  if (own) return `the ${many(own.requests.arrival_s.length, "request")} of ${own.name}, twice; ${means}`;
  const n = Number(rate), groups = n && Number(burst) > 1 ? ` in groups of ${count(Number(burst))}` : "";
  return `the same ${many(Number(requests), "request")}, twice, ${n ? `${number(n)} a second${groups}` : "all at once"}; ${means}`;
}

/**
 * A replay's slots, for who does not see them.
 * @param {Served} served
 */
export function described({policy, n_slots, requests, totals}) {
  return `${NAMES[policy]}: ${many(requests.n, "request")} in ${many(n_slots, "slot")} over ${amount(totals.makespan_s, "s")}, ${percent(totals.slot_utilisation)} of the slots' time busy`;
}

/**
 * How long the reader of a request waits.
 * @param {Served} served
 * @param {number} request
 */
export function waits({requests}, request) {
  if (requests.output_len[request] < 2) return "a single token";
  const away = requests.n_preemptions[request];
  return `longest wait ${amount(requests.longest_gap_s[request], "s")}${away ? `; it gave way ${many(away, "time")}` : ""}`;
}

/**
 * The most requests per second that keep the limit.
 * @param {Curve} curve
 * @param {number} limit_s
 */
export function knee({points, alone_s, grouped_s, rush_s, n, n_together}, limit_s) {
  const rate = crossing(points, limit_s), [least] = points, most = points[points.length - 1];
  if (rate) return `within the limit up to about ${number(rate)} a second`;
  if (least.ttft_p99_s > limit_s) {
    if (alone_s > limit_s) return "beyond the limit even with one reader at a time";
    return grouped_s > limit_s && n_together > 1 ? `beyond the limit at every rate: up to ${count(n_together)} come at once`
      : `beyond the limit at ${number(least.rate_per_s)} a second already, the least that was tried`;
  }
  return rush_s <= limit_s ? `within the limit even when all ${count(n)} come at once`
    : `within the limit up to ${number(most.rate_per_s)} a second, the most that was tried`;
}

/**
 * Which request can never fit, in which replay, why and what helps; "" where all can.
 * @param {Served[]} runs
 * @param {Own} own
 */
export function roomless(runs, own) {
  const refused = runs.filter(each => each.refused);
  const [one] = refused;
  if (!one?.refused) return "";
  const {number: place, prompt_len, output_len, max_len, pool_bytes, cache_bytes} = one.refused;
  const request = `${own ? `Line ${count(own.lines[place - 1])}` : `Request ${count(place)}`}, with a prompt of ${count(prompt_len)} and an output of ${many(output_len, "token")}, can never fit`;
  const who = refused.length > 1 ? request
    : `In the ${runs[0].refused ? "first" : "second"} replay, ${NAMES[one.policy].toLowerCase()} and ${one.allocator}: ${uncapitalised(request)}`;
  const orElse = own ? ", or leave that line out of the file" : "";
  if (prompt_len + output_len > max_len) {
    return `${who}: the context, ${count(max_len)}, is the longest sequence that is served. Take a longer one${orElse}.`;
  }
  const why = pool_bytes > 0 ? `its cache takes ${amount(cache_bytes, "B")}, and the weights leave ${amount(pool_bytes, "B")} on each GPU`
    : "the weights leave no room for a cache";
  const paged = refused.some(each => each.allocator === "contiguous") ? "paged memory, " : "";
  return `${who}: ${why}. Take ${paged}a smaller model, a narrower format, more GPUs, or less context${orElse}.`;
}

/**
 * The sentence: what the second replay does better or worse than the first, and why.
 * @param {Served} first
 * @param {Served} second
 */
export function sentence(first, second) {
  const [a, b] = [first.totals, second.totals];
  const isSeen = amount(a.makespan_s, "s") !== amount(b.makespan_s, "s");
  const speed = !order(first, second) || !isSeen ? `Both write the same ${many(b.output_tokens, "token")} in ${amount(b.makespan_s, "s")}`
    : `The same ${many(b.output_tokens, "token")} take ${amount(b.makespan_s, "s")} instead of ${amount(a.makespan_s, "s")}: ${times(b.tokens_per_s / a.tokens_per_s)} the throughput`;
  const why = reasons(first, second).join(" ") || "Both replays serve alike.";
  const within = isRush(first.requests) ? "" : `; ${withinLimits(a, b)}`;
  return `${why} ${speed}${within}, same model, same ${first.requests.n > 1 ? "requests" : "request"}.`;
}

/**
 * Where requests come over time the clock of arrivals bounds the throughput: what readers feel are waits.
 * @param {Served["totals"]} a
 * @param {Served["totals"]} b
 */
function withinLimits(a, b) {
  const [was, is] = [a, b].map(each => percent(each.goodput_per_s * each.makespan_s / each.n_finished));
  const [before, now] = [a, b].map(each => amount(each.ttft_p99_s, "s"));
  return `${is} of the answers keep the limits${is === was ? " in both" : `, instead of ${was}`}, and 99 in 100 first tokens come within ${now}${now === before ? "" : `, instead of ${before}`}`;
}

/**
 * A measured time, if anything was there to be measured.
 * @param {number} time_s
 */
function measured(time_s) {
  return isNaN(time_s) ? "none" : amount(time_s, "s");
}

/**
 * Rows of the totals: a title, how each replay's is written, and the number itself.
 * @type {[string, (t: any) => string, (t: any) => number][]}
 */
export const TOTALS = [
  ["Tokens per second", t => number(t.tokens_per_s), t => t.tokens_per_s],
  ["… of each GPU", t => number(t.tokens_per_s_per_gpu), t => t.tokens_per_s_per_gpu],
  ["Time in all", t => amount(t.makespan_s, "s"), t => t.makespan_s],
  ["Slots busy", t => percent(t.slot_utilisation), t => t.slot_utilisation],
  ["First token, half within", t => measured(t.ttft_p50_s), t => t.ttft_p50_s],
  ["First token, 99 in 100 within", t => measured(t.ttft_p99_s), t => t.ttft_p99_s],
  ["Each next, half within", t => measured(t.itl_p50_s), t => t.itl_p50_s],
  ["Each next, 99 in 100 within", t => measured(t.itl_p99_s), t => t.itl_p99_s],
  ["KV memory that holds tokens", t => isNaN(t.kv_holding_fraction) ? "none" : percent(t.kv_holding_fraction), t => t.kv_holding_fraction],
  ["KV memory taken at most", t => percent(t.kv_most_fraction), t => t.kv_most_fraction],
  ["Preemptions", t => count(t.n_preemptions), t => t.n_preemptions],
  ["Good answers per second", t => number(t.goodput_per_s), t => t.goodput_per_s],
];
