// What a replay's requests look like: bars in slots, and which of them to watch.

/**
 * @import {Finished} from "../../built/replay.mjs"
 * @typedef {{slot: number, from: number, to: number, what: "prefill" | "decode" | "held", request: number}} Bar
 * @typedef {Finished & {n: number}} Requests of which the first n count
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
 * Of some bars those that can be seen: one that is narrower than a pixel is left out where the bar
 * before it in its slot reaches that pixel.
 * @param {Bar[]} all
 * @param {number} pixel_s what a pixel is of the time
 */
export function visible(all, pixel_s) {
  /** @type {Map<number, number>} where the last one that is seen ends, by slot */
  const ends = new Map();
  const inOrder = [...all].sort((a, b) => a.from - b.from);
  return inOrder.filter(({slot, from, to}) => {
    const isSeen = to - from >= pixel_s || from - (ends.get(slot) ?? -Infinity) >= pixel_s;
    if (isSeen) ends.set(slot, to);
    return isSeen;
  });
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
 * The share of all slots' time in which a static batch holds one though its answer has ended.
 * @param {Requests} requests
 * @param {string} policy
 * @param {number} n_slots
 * @param {number} makespan_s from the first arrival to the last token
 */
export function heldFraction(requests, policy, n_slots, makespan_s) {
  const held = bars(requests, policy).filter(each => each.what === "held");
  const held_s = held.reduce((sum, {from, to}) => sum + (to - from), 0);
  return held_s / (n_slots * makespan_s);
}

/**
 * Requests that are served at once, at most; one that ends makes room for another at that moment.
 * @param {Requests} requests
 */
export function mostAtOnce({n, start_s, finish_s}) {
  const starts = start_s.slice(0, n).sort(), ends = finish_s.slice(0, n).sort();
  let most = 0, ended = 0;
  for (let started = 1; started <= n; started++) {
    while (ends[ended] <= starts[started - 1]) ended++;
    most = Math.max(most, started - ended);
  }
  return most;
}

/**
 * The request to watch: whose reader waits longest for a token while it decodes, of those that
 * never gave way, since their waits are known.
 * @param {Requests} requests
 */
export function mostDelayed({n, longest_gap_s, n_preemptions}) {
  let found = 0;
  for (let i = 1; i < n; i++) {
    const isKnown = !n_preemptions[i], wasKnown = !n_preemptions[found];
    if (isKnown === wasKnown ? longest_gap_s[i] > longest_gap_s[found] : isKnown) found = i;
  }
  return found;
}
