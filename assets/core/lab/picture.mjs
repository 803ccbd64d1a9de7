// What a replay looks like: what its slots did, how many wait, and which request to watch.
import {DECODING, IN_TRANSIT, PADDING, PREEMPTED, PREFILLING} from "../../built/replay.mjs";

/**
 * @import {Finished, Phases as AllPhases} from "../../built/replay.mjs"
 * @typedef {"prefill" | "decode" | "transit" | "away" | "held"} What a slot does
 * @typedef {{slot: number, from: number, to: number, what: What, request: number}} Bar
 * @typedef {Finished & {n: number}} Requests of which the first n count
 * @typedef {AllPhases & {n: number}} Phases of which the first n count
 */

/** @type {Record<number, What>} */
const WHAT = {
  [PREFILLING]: "prefill", [DECODING]: "decode", [IN_TRANSIT]: "transit", [PREEMPTED]: "away", [PADDING]: "held",
};

/**
 * What slots do over time.
 * @param {Phases} phases
 * @returns {Bar[]} of each slot in their order
 */
export function bars({n, slot, request, status, start_s, end_s}) {
  /** @type {Bar[]} */
  const rows = [];
  for (let i = 0; i < n; i++) {
    if (end_s[i] > start_s[i]) {
      rows.push({slot: slot[i], from: start_s[i], to: end_s[i], what: WHAT[status[i]], request: request[i]});
    }
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
 * Whether a slot serves somebody, as the replay's totals have it.
 * @param {number} status
 */
function serves(status) {
  return status >= PREFILLING && status <= IN_TRANSIT;
}

/**
 * The time by a moment in which slots served somebody, in the order in which the replay adds it up.
 * @param {Phases} phases
 * @param {number} at [s]
 */
export function busyUntil({n, status, start_s, end_s}, at) {
  let busy_s = 0;
  for (let i = 0; i < n; i++) {
    if (serves(status[i]) && start_s[i] < at) busy_s += Math.min(at, end_s[i]) - start_s[i];
  }
  return busy_s;
}

/**
 * When a prompt's end gave a token, in order: each prefill's end, but of one that gave way in it.
 * @param {Phases} phases
 */
export function promptEnds({n, slot, status, end_s}) {
  /** @type {number[]} */
  const ends = [], following = [];   // what comes next in a slot
  for (let i = n - 1; i >= 0; i--) {
    if (status[i] === PREFILLING && following[slot[i]] !== PREEMPTED) ends.push(end_s[i]);
    following[slot[i]] = status[i];
  }
  return Float64Array.from(ends).sort();
}

/**
 * The shares of all slots' time in which a static batch holds one though its answer has ended: in all,
 * and once the batch's prompts are in, for an answer that is longer.
 * @param {Phases} phases
 * @param {Requests} requests
 * @param {number} n_slots
 * @param {number} makespan_s from the first arrival to the last token
 */
export function heldFractions(phases, {n, finish_s, output_len}, n_slots, makespan_s) {
  const all = bars(phases), held = all.filter(({what}) => what === "held");
  const ends = Float64Array.from(all.filter(({what}) => what === "prefill"), each => each.to).sort();
  /** @type {Map<number, number>} output by when it ends */
  const longest = new Map();
  for (let i = 0; i < n; i++) longest.set(finish_s[i], Math.max(longest.get(finish_s[i]) ?? 0, output_len[i]));
  /** @param {Bar[]} some @param {(bar: Bar) => number} start */
  const share = (some, start) => some.reduce((sum, bar) => sum + bar.to - start(bar), 0) / (n_slots * makespan_s);
  const beside = held.filter(({request, to}) => output_len[request] < (longest.get(to) ?? 0));
  return {
    all: share(held, ({from}) => from),
    forLonger: share(beside, ({from, to}) => Math.max(from, ends[upTo(ends, to) - 1])),
  };
}

/**
 * Requests that are served at once, at most; one that ends makes room for another at that moment.
 * @param {Phases} phases
 */
export function mostAtOnce(phases) {
  const served = bars(phases).filter(({what}) => what !== "away" && what !== "held");
  const starts = Float64Array.from(served, each => each.from).sort();
  const ends = Float64Array.from(served, each => each.to).sort();
  let most = 0, ended = 0;
  for (let started = 1; started <= starts.length; started++) {
    while (ends[ended] <= starts[started - 1]) ended++;
    most = Math.max(most, started - ended);
  }
  return most;
}

/**
 * Requests that have come and wait for a slot: a function of the moment.
 * @param {Requests} requests in the order in which they come, and come into slots
 */
export function waiting({n, arrival_s, start_s}) {
  /** @param {number} at [s] */
  return at => upTo(arrival_s, at, n) - upTo(start_s, at, n);
}

/**
 * The most that wait at any time in each of some places along the time.
 * @param {Requests} requests
 * @param {number[]} at_s where places begin, and where the last one ends
 */
export function queue(requests, at_s) {
  const {n, arrival_s} = requests, waits = waiting(requests), most = at_s.slice(1).map((_, i) => waits(at_s[i]));
  for (let i = 0, place = 0; i < n; i++) {
    while (place < most.length - 1 && at_s[place + 1] <= arrival_s[i]) place++;
    most[place] = Math.max(most[place], waits(arrival_s[i]));
  }
  return most;
}

/**
 * The request to watch: whose reader waits longest for a token.
 * @param {Requests} requests
 */
export function mostDelayed({n, longest_gap_s}) {
  return longest_gap_s.indexOf(largest(longest_gap_s, n));
}

/**
 * The mean of those that wait in each of some places along the time, all of one length: their area is all
 * the time that is waited.
 * @param {Requests} requests
 * @param {number[]} at_s where places begin, and where the last one ends
 */
export function meanQueue({n, arrival_s, start_s}, at_s) {
  const last = at_s.length - 2, length_s = at_s[1] - at_s[0];
  const spent_s = new Array(last + 1).fill(0), throughout = new Array(last + 2).fill(0);
  /** @param {number} at [s] */
  const placeOf = at => Math.min(Math.max(Math.floor((at - at_s[0]) / length_s), 0), last);
  for (let i = 0; i < n; i++) {
    if (start_s[i] <= arrival_s[i]) continue;
    const from = placeOf(arrival_s[i]), to = placeOf(start_s[i]);
    if (from === to) spent_s[from] += start_s[i] - arrival_s[i];
    else {
      spent_s[from] += Math.max(at_s[from + 1] - arrival_s[i], 0);
      spent_s[to] += Math.max(start_s[i] - at_s[to], 0);
      throughout[from + 1]++;
      throughout[to]--;
    }
  }
  let all = 0;
  return spent_s.map((spent, i) => (all += throughout[i]) + spent / length_s);
}
