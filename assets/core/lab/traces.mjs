// What is served: requests by chance, or a trace of the reader's own.
import data from "../../built/data.mjs";
import {Requests as ARRIVALS, arrays, draw, lengths, source} from "../../built/replay.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Requests} from "../../built/replay.mjs"
 * @import {Lab} from "./replays.mjs"
 * @typedef {{name: string, requests: Requests, lines: number[]} | null} Own a trace of the reader's own, with the lines of its file; its first request comes at 0
 */

/** Mean prompt of a trace. @param {State} state */
export function prompt(state) {
  return isNaN(state.prompt) ? data.lab.usual_prompt : state.prompt;
}

/**
 * What is served: how many requests, and their means.
 * @param {State} state
 * @param {Lab} lab
 * @param {Own} own
 */
export function outline(state, lab, own) {
  if (!own) return {n: Number(lab.requests), prompt_len: prompt(state), output_len: state.output};
  const {prompt_len, output_len} = own.requests;
  return {n: prompt_len.length, prompt_len: mean(prompt_len), output_len: mean(output_len)};
}

/**
 * Requests by chance: the same for the same seed, however they are served.
 * @param {State} state
 * @param {Lab} lab
 * @param {number} n
 * @param {number} rate_per_s 0 = all at once
 */
export function drawn(state, lab, n, rate_per_s) {
  const requests = arrays(ARRIVALS, n);
  draw({
    rate_per_s,
    burst: Number(lab.burst),
    lengths: lengths[/** @type {keyof typeof lengths} */ (lab.lengths)],
    prompt_len: prompt(state),
    output_len: state.output,
    max_len: state.context,
  }, source(Number(lab.seed)), requests, n);
  return requests;
}

/**
 * A trace with its times since its first request: a clock's own are far from 0.
 * @param {Requests} requests
 */
export function sinceFirst(requests) {
  const [first] = requests.arrival_s;
  return {...requests, arrival_s: requests.arrival_s.map(each => each - first)};
}

/**
 * Whether all requests of a trace come at once, so that it can be neither faster nor slower.
 * @param {{arrival_s: Float64Array}} requests
 */
export function isRush({arrival_s}) {
  return arrival_s.every(each => each === arrival_s[0]);
}

/**
 * A trace of one's own, faster or slower; one that comes at once has no other rate than 0.
 * @param {Requests} requests
 * @param {number} rate_per_s 0 = all at once
 */
export function paced(requests, rate_per_s) {
  const {arrival_s} = requests, n = arrival_s.length;
  // A share of the span first: what is divided by a tiny one may be beyond all numbers.
  return {...requests, arrival_s: arrival_s.map(each => rate_per_s && each / arrival_s[n - 1] * (n / rate_per_s))};
}

/**
 * A trace whose requests come one at a time, alike far apart.
 * @param {Requests} requests
 * @param {number} rate_per_s
 */
export function apart(requests, rate_per_s) {
  return {...requests, arrival_s: requests.arrival_s.map((_, i) => i / rate_per_s)};
}

/**
 * How many requests of a trace come at the same moment, at most.
 * @param {{arrival_s: Float64Array}} requests by their arrival
 */
export function largestGroup({arrival_s}) {
  let most = 0;
  for (let i = 0, first = 0; i < arrival_s.length; i++) {
    if (arrival_s[i] !== arrival_s[first]) first = i;
    most = Math.max(most, i - first + 1);
  }
  return most;
}

/** @param {Float64Array} values */
export function mean(values) {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
