// What a replay's passes come to over time: tokens, memory, the waits of one reader.
import {DECODING, PREEMPTED, PREFILLING, passed_s, passes_within} from "../../built/replay.mjs";
import {busyUntil, promptEnds, upTo} from "./picture.mjs";

/**
 * @import {Passes as AllPasses} from "../../built/replay.mjs"
 * @import {Phases} from "./picture.mjs"
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
 * in which they worked for one; at the end as the totals have it.
 * @param {Phases} phases
 * @param {Passes} passes
 * @param {number} n_slots
 * @param {number} since_s the first arrival
 */
export function progress(phases, passes, n_slots, since_s) {
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
  const ofPrompts = promptEnds(phases);
  /** @param {number} at [s] */
  return at => {
    const passed = at - since_s, whole = upTo(ends, at), now = runs[whole];
    const begun = now === undefined ? 0 : passes.n_decoding[now] * ended(passes, now, at);
    return {
      tokens: tokens[whole] + begun + upTo(ofPrompts, at),
      passed_s: passed,
      busy: passed > 0 ? busyUntil(phases, at) / (n_slots * passed) : 0,
    };
  };
}

/**
 * When the tokens of one request came, from its first one on, and how long its reader waited for
 * each: it is in all passes while it decodes, and the end of a prefill gives one.
 * @param {Phases} phases
 * @param {Passes} passes
 * @param {number} request
 * @returns {{at_s: number[], gap_s: number[]}}
 */
export function gaps(phases, passes, request) {
  /** @type {number[]} */
  const ends = [];
  /** @type {number[]} its phases */
  const own = [];
  for (let i = 0; i < phases.n; i++) if (phases.request[i] === request) own.push(i);
  own.forEach((phase, i) => {
    const status = phases.status[phase], to = phases.end_s[phase];
    if (status === PREFILLING && phases.status[own[i + 1]] !== PREEMPTED) ends.push(to);
    if (status === DECODING) ends.push(...endsWithin(passes, phases.start_s[phase], to));
  });
  const [first] = ends;
  return {
    at_s: ends.slice(1).map(end => end - first),
    gap_s: ends.slice(1).map((end, i) => end - ends[i]),
  };
}

/**
 * When those passes end in which sequences decode and which lie between two moments.
 * @param {Passes} passes
 * @param {number} from [s]
 * @param {number} to [s]
 */
function endsWithin(passes, from, to) {
  /** @type {number[]} */
  const ends = [];
  for (let run = 0; run < passes.n; run++) {
    if (passes.is_apart[run] || !passes.n_decoding[run]) continue;
    if (passes.start_s[run] < from || passes.end_s[run] > to) continue;
    for (let pass = 1; pass <= passes.n_passes[run]; pass++) ends.push(endOf(passes, run, pass));
  }
  return ends;
}

/**
 * The KV cache at some moments, on each GPU: what holds tokens, what is taken for tokens to come,
 * and what is taken and will never hold one that is needed. [B]
 * @param {Passes} passes
 * @param {number[]} at_s in their order
 */
export function cache(passes, at_s) {
  /** @type {number[]} */
  const holding = [], toCome = [], never = [];
  let run = 0;
  for (const at of at_s) {
    while (run < passes.n && (passes.end_s[run] < at || passes.is_apart[run])) run++;
    // Between two passes nobody is there.
    const isBusy = run < passes.n && passes.start_s[run] <= at;
    const {reserved, held, wasted} = isBusy ? memoryIn(passes, run, at) : {reserved: 0, held: 0, wasted: 0};
    holding.push(held);
    never.push(Math.min(wasted, reserved - held));
    toCome.push(reserved - held - Math.min(wasted, reserved - held));
  }
  return {holding, toCome, never};
}

/**
 * What memory comes to in a run: of its passes each adds as much, on average.
 * @param {Passes} passes
 * @param {number} run
 * @param {number} at [s]
 */
function memoryIn(passes, run, at) {
  const {n_passes, reserved_bytes, reserved_more_bytes, holding_bytes, holding_more_bytes, to_come_bytes} = passes;
  const left = Math.max(0, n_passes[run] - 1 - ended(passes, run, at)) / n_passes[run];
  const reserved = reserved_bytes[run] - reserved_more_bytes[run] * left;
  return {
    reserved,
    held: Math.min(reserved, holding_bytes[run] - holding_more_bytes[run] * left),
    wasted: Math.max(0, reserved_bytes[run] - holding_bytes[run] - to_come_bytes[run]),
  };
}
