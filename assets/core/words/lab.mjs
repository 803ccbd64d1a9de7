// What the batching lab says: of a trace, of two replays of it, and which difference did what.
import {heldFraction} from "../lab/picture.mjs";
import {amount, count, number, percent, times} from "./format.mjs";
import {many} from "./phrases.mjs";
/**
 * @import {Served, Way} from "../lab/replays.mjs"
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
 */
export function trace({requests, rate}, {prompt_len, output_len, speculates}) {
  const n = Number(rate);
  return `the same ${many(Number(requests), "request")}, twice, ${n ? `${number(n)} a second` : "all at once"}; in the mean ${count(prompt_len)} tokens in, ${count(output_len)} out${speculates ? "; without speculation" : ""}`;
}

/**
 * What a replay's memory does.
 * @param {Served} served
 */
export function memory({totals}) {
  return `${percent(totals.kv_most_fraction)} of the pool taken at most; of what is taken, ${percent(totals.kv_holding_fraction)} holds tokens`;
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
  return `longest wait ${amount(requests.longest_gap_s[request], "s")}${away ? `; it gave way ${many(away, "time")}, so its waits are not drawn` : ""}`;
}

/**
 * The sentence: what the second replay does better or worse than the first, and why.
 * @param {Served} first
 * @param {Served} second
 */
export function sentence(first, second) {
  const gain = second.totals.tokens_per_s / first.totals.tokens_per_s;
  const [a, b] = [first.totals, second.totals];
  const better = gain >= 1.005, worse = gain <= 0.995;
  const speed = better || worse
    ? `the same ${many(b.output_tokens, "token")} take ${amount(b.makespan_s, "s")} instead of ${amount(a.makespan_s, "s")}: ${times(gain)} the throughput`
    : `both write the same ${many(b.output_tokens, "token")} in ${amount(b.makespan_s, "s")}`;
  return `${cause(first, second)} ${speed[0].toUpperCase()}${speed.slice(1)}, same model, same requests.`;
}

/**
 * @param {Served} first
 * @param {Served} second
 */
function cause(first, second) {
  const [a, b] = [first.totals, second.totals], ways = [first.policy, second.policy];
  if (ways[0] === ways[1]) {
    if (first.allocator === second.allocator) return "Both replays serve alike.";
    return `Of the memory that is taken, ${percent(a.kv_holding_fraction)} holds tokens when it is ${first.allocator}, ${percent(b.kv_holding_fraction)} when it is ${second.allocator}.`;
  }
  if (ways.includes("static")) {
    const waiting = ways[0] === "static" ? first : second;
    const held = heldFraction(waiting.requests, "static", waiting.n_slots);
    return held < 0.005 ? "Hardly a slot is held here without work."
      : `The static batch waits for its longest answer: ${percent(held)} of its slot time is held and empty.`;
  }
  const apart = ways.indexOf("disaggregated"), smooth = apart < 0 ? ways.indexOf("chunked") : apart;
  const waits = [a, b].map(each => amount(each.itl_p99_s, "s"));
  const why = apart < 0 ? "A long prompt in pieces holds nobody up for long"
    : "Nobody waits for another's prompt where prefill has GPUs of its own";
  return `${why}: 99 in 100 tokens come within ${waits[smooth]}, against ${waits[1 - smooth]}.`;
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
  ["First token, half within", t => amount(t.ttft_p50_s, "s"), t => t.ttft_p50_s],
  ["First token, 99 in 100 within", t => amount(t.ttft_p99_s, "s"), t => t.ttft_p99_s],
  ["Each next, half within", t => amount(t.itl_p50_s, "s"), t => t.itl_p50_s],
  ["Each next, 99 in 100 within", t => amount(t.itl_p99_s, "s"), t => t.itl_p99_s],
  ["KV memory that holds tokens", t => percent(t.kv_holding_fraction), t => t.kv_holding_fraction],
  ["KV memory taken at most", t => percent(t.kv_most_fraction), t => t.kv_most_fraction],
  ["Preemptions", t => count(t.n_preemptions), t => t.n_preemptions],
  ["Good answers per second", t => number(t.goodput_per_s), t => t.goodput_per_s],
];
