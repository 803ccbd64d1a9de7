// What a replay looks like: bars in slots, memory over time, the waits of one reader.

/**
 * @import {Finished, Passes as AllPasses} from "../../built/replay.mjs"
 * @typedef {{slot: number, from: number, to: number, what: "prefill" | "decode" | "held", request: number}} Bar
 * @typedef {Finished & {n: number}} Requests of which the first n count
 * @typedef {AllPasses & {n: number}} Passes likewise
 */

/**
 * What slots do: prefill until the first token, decode until the last; in a static batch they are
 * held until its longest answer ends.
 * @param {Requests} requests
 * @param {string} policy
 * @returns {Bar[]}
 */
export function bars(requests, policy) {
  const {n, slot, start_s, first_token_s, finish_s} = requests;
  /** @type {Bar[]} */
  const rows = [];
  /** @type {Map<number, number>} end of a batch by its start */
  const ends = new Map();
  for (let i = 0; i < n; i++) {
    ends.set(start_s[i], Math.max(ends.get(start_s[i]) ?? 0, finish_s[i]));
    rows.push({slot: slot[i], from: start_s[i], to: first_token_s[i], what: "prefill", request: i});
    if (finish_s[i] > first_token_s[i]) {
      rows.push({slot: slot[i], from: first_token_s[i], to: finish_s[i], what: "decode", request: i});
    }
  }
  if (policy !== "static") return rows;
  for (let i = 0; i < n; i++) {
    const end = /** @type {number} */ (ends.get(start_s[i]));
    if (end > finish_s[i]) rows.push({slot: slot[i], from: finish_s[i], to: end, what: "held", request: i});
  }
  return rows;
}

/**
 * How many of some values, in order, are not above one.
 * @param {ArrayLike<number>} values
 * @param {number} value
 * @param {number} [n] of the first so many
 */
export function upTo(values, value, n = values.length) {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * What came out by a moment: gives the tokens that readers have, and the share of all slots' time
 * in which they worked for one.
 * @param {Requests} requests
 * @param {Passes} passes
 * @param {number} n_slots
 */
export function progress(requests, passes, n_slots) {
  /** @type {number[]} */
  const ends = [], tokens = [0];
  for (let pass = 0; pass < passes.n; pass++) {
    if (passes.is_apart[pass] || !passes.n_decoding[pass]) continue;
    ends.push(passes.end_s[pass]);
    tokens.push(/** @type {number} */ (tokens.at(-1)) + passes.n_decoding[pass]);
  }
  const firsts = requests.first_token_s.slice(0, requests.n).sort();
  const since = Math.min(...requests.arrival_s.slice(0, requests.n));
  /** @param {number} at [s] */
  return at => {
    let busy_s = 0;
    for (let i = 0; i < requests.n; i++) {
      busy_s += Math.max(0, Math.min(at, requests.finish_s[i]) - requests.start_s[i]);
    }
    const passed_s = at - since;
    return {
      tokens: tokens[upTo(ends, at)] + upTo(firsts, at),
      passed_s,
      busy: passed_s > 0 ? busy_s / (n_slots * passed_s) : 0,
    };
  };
}

/**
 * The largest of some values, none of which is negative; they may be hundreds of thousands.
 * @param {ArrayLike<number>} values
 * @param {number} [n] of the first so many
 */
export function largest(values, n = values.length) {
  let most = 0;
  for (let i = 0; i < n; i++) if (values[i] > most) most = values[i];
  return most;
}

/**
 * The share of all slots' time in which a static batch holds one though its answer has ended.
 * @param {Requests} requests
 * @param {string} policy
 * @param {number} n_slots
 */
export function heldFraction(requests, policy, n_slots) {
  const held = bars(requests, policy).filter(each => each.what === "held");
  const held_s = held.reduce((sum, {from, to}) => sum + (to - from), 0);
  return held_s / (n_slots * largest(requests.finish_s, requests.n));
}

/**
 * When the tokens of one request came, from its first one on, and how long its reader waited for
 * each: it is in all passes of its last tokens. One that gave way to others was out of some that
 * are not known, so of that there is nothing.
 * @param {Requests} requests
 * @param {Passes} passes
 * @param {number} request
 * @returns {{at_s: number[], gap_s: number[]}}
 */
export function gaps(requests, passes, request) {
  const first = requests.first_token_s[request], finish = requests.finish_s[request];
  const n = requests.n_preemptions[request] ? 0 : requests.output_len[request] - 1;
  /** @type {number[]} */
  const ends = [];
  for (let pass = passes.n - 1; pass >= 0 && ends.length < n; pass--) {
    const isOne = !passes.is_apart[pass] && passes.n_decoding[pass] > 0 && passes.end_s[pass] <= finish;
    if (isOne) ends.push(passes.end_s[pass]);
  }
  ends.reverse();
  return {at_s: ends.map(end => end - first), gap_s: ends.map((end, i) => end - (ends[i - 1] ?? first))};
}

/**
 * The KV cache over time, in so many places: tokens that are held, and that memory is taken for.
 * @param {Passes} passes
 * @param {number} block_len [tokens]
 * @param {number} end_s
 * @param {number} n_places
 */
export function cache(passes, block_len, end_s, n_places) {
  /** @type {number[]} */
  const at_s = [], held = [], reserved = [];
  let pass = 0;
  for (let place = 0; place <= n_places; place++) {
    const at = end_s * place / n_places;
    while (pass < passes.n && (passes.end_s[pass] < at || passes.is_apart[pass])) pass++;
    at_s.push(at);
    // Between two passes nobody is there.
    const isBusy = pass < passes.n && passes.start_s[pass] <= at;
    held.push(isBusy ? passes.tokens_held[pass] : 0);
    reserved.push(isBusy ? passes.blocks_held[pass] * block_len : 0);
  }
  return {at_s, held, reserved};
}

/**
 * The most that memory is taken for at any time.
 * @param {Passes} passes
 * @param {number} block_len [tokens]
 */
export function mostReserved({n, blocks_held}, block_len) {
  return largest(blocks_held, n) * block_len;
}

/**
 * The request whose reader waits longest for a token while it decodes: the one to watch.
 * @param {Requests} requests
 */
export function mostDelayed(requests) {
  let found = 0;
  for (let i = 1; i < requests.n; i++) {
    if (requests.longest_gap_s[i] > requests.longest_gap_s[found]) found = i;
  }
  return found;
}
