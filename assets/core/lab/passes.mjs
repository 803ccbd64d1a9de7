// What a replay's passes come to over time: tokens, memory, the waits of one reader.
import {passed_s, passes_within} from "../../built/replay.mjs";
import {largest, upTo} from "./picture.mjs";

/**
 * @import {Passes as AllPasses} from "../../built/replay.mjs"
 * @import {Requests} from "./picture.mjs"
 * @typedef {AllPasses & {n: number}} Passes of which the first n count: runs of passes, each some of them that are alike
 */

/**
 * Passes of a run that have ended by a moment.
 * @param {Passes} passes
 * @param {number} run
 * @param {number} at [s]
 */
function ended({start_s, first_s, last_s, n_passes}, run, at) {
  return passes_within(first_s[run], last_s[run], n_passes[run], at - start_s[run]);
}

/**
 * When a pass of a run ends.
 * @param {Passes} passes
 * @param {number} run
 * @param {number} pass the first is 1
 */
function endOf({start_s, end_s, first_s, last_s, n_passes}, run, pass) {
  return pass === n_passes[run] ? end_s[run]
    : start_s[run] + passed_s(first_s[run], last_s[run], n_passes[run], pass);
}

/**
 * When the next pass ends after a moment; of none, infinity.
 * @param {Passes} passes
 * @param {number} at [s]
 */
export function nextEnd(passes, at) {
  let next = Infinity;
  for (let run = 0; run < passes.n; run++) {
    if (passes.end_s[run] <= at) continue;
    // The end of a pass is rounded, so that the pass may not count as ended at it.
    let pass = ended(passes, run, at) + 1;
    while (endOf(passes, run, pass) <= at) pass++;
    next = Math.min(next, endOf(passes, run, pass));
  }
  return next;
}

/**
 * What came out by a moment: gives the tokens that readers have, and the share of all slots' time
 * in which they worked for one.
 * @param {Requests} requests
 * @param {Passes} passes
 * @param {number} n_slots
 */
export function progress(requests, passes, n_slots) {
  const tokens = [0];
  /** @type {number[]} */
  const runs = [];
  /** @type {number[]} */
  const ends = [];
  for (let run = 0; run < passes.n; run++) {
    if (passes.is_apart[run] || !passes.n_decoding[run]) continue;
    runs.push(run);
    ends.push(passes.end_s[run]);
    tokens.push(/** @type {number} */ (tokens.at(-1)) + passes.n_decoding[run] * passes.n_passes[run]);
  }
  const firsts = requests.first_token_s.slice(0, requests.n).sort();
  const since = Math.min(...requests.arrival_s.slice(0, requests.n));
  /** @param {number} at [s] */
  return at => {
    let busy_s = 0;
    for (let i = 0; i < requests.n; i++) {
      busy_s += Math.max(0, Math.min(at, requests.finish_s[i]) - requests.start_s[i]);
    }
    const passed = at - since, whole = upTo(ends, at), now = runs[whole];
    const begun = now === undefined ? 0 : passes.n_decoding[now] * ended(passes, now, at);
    return {
      tokens: tokens[whole] + begun + upTo(firsts, at),
      passed_s: passed,
      busy: passed > 0 ? busy_s / (n_slots * passed) : 0,
    };
  };
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
  for (let run = passes.n - 1; run >= 0 && ends.length < n; run--) {
    if (passes.is_apart[run] || !passes.n_decoding[run] || passes.end_s[run] > finish) continue;
    for (let pass = passes.n_passes[run]; pass > 0 && ends.length < n; pass--) ends.push(endOf(passes, run, pass));
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
  let run = 0;
  for (let place = 0; place <= n_places; place++) {
    const at = end_s * place / n_places;
    while (run < passes.n && (passes.end_s[run] < at || passes.is_apart[run])) run++;
    at_s.push(at);
    // Between two passes nobody is there.
    const isBusy = run < passes.n && passes.start_s[run] <= at;
    // Blocks are taken one by one: on average, evenly.
    const n = passes.n_passes[run], left = isBusy ? Math.max(0, n - 1 - ended(passes, run, at)) : 0;
    held.push(isBusy ? passes.tokens_held[run] - passes.n_decoding[run] * left : 0);
    reserved.push(isBusy ? (passes.blocks_held[run] - passes.blocks_grown[run] * left / n) * block_len : 0);
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
