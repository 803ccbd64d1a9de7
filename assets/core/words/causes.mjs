// What decode and prefill wait for: what the reports before a move and after it bear out.
import {percent} from "./format.mjs";
/**
 * @import {Bound, Report} from "../../built/arithmetic.mjs"
 * @typedef {object} Phase
 * @property {string} name
 * @property {(r: Report) => Bound} bound
 * @property {(r: Report) => number} total_s
 * @property {(r: Report) => Record<Bound, number>} parts_s of the total, what each takes
 */

/** What a pass waits for, by what binds it. */
const WAITED_FOR = {
  memory: "memory",
  compute: "arithmetic",
  comms: "what the GPUs tell each other",
  overhead: "its layers to start",
};

/** From this share on, what binds is all of the time: the rest is no more than a reader overlooks. */
const ALL = 0.97;

/** Steps; with speculation drafts, each a share of a step, and the pass that verifies. @type {Phase} */
export const DECODE = {
  name: "decode",
  bound: r => r.verify_bound,
  total_s: r => r.cycle_s,
  parts_s(r) {
    const drafted = r.draft_s / r.step_s;
    return {
      memory: r.verify_memory_s + drafted * r.memory_s,
      compute: r.verify_compute_s + drafted * r.compute_s,
      comms: r.verify_communication_s + drafted * r.communication_s,
      overhead: r.overhead_s + drafted * r.overhead_s,
    };
  },
};

/** @type {Phase} */
export const PREFILL = {
  name: "prefill",
  bound: r => r.prefill_bound,
  total_s: r => r.ttft_s,
  parts_s: r => ({
    memory: r.prefill_memory_s,
    compute: r.prefill_compute_s,
    comms: r.prefill_communication_s,
    overhead: r.overhead_s,
  }),
};

/**
 * What binds a phase before a move and after it; nothing where that changed.
 * @param {Phase} phase
 * @param {Report} b
 * @param {Report} a
 */
export function boundThroughout({bound}, b, a) { return bound(b) === bound(a) ? bound(a) : null; }

/**
 * What binds a phase, as its share of the time.
 * @param {Phase} phase
 * @param {Report} r
 */
function share({bound, total_s, parts_s}, r) { return parts_s(r)[bound(r)] / total_s(r); }

/**
 * What all the time of a phase goes to, before a move and after it: it is proportional to that.
 * @param {Phase} phase
 * @param {Report} b
 * @param {Report} a
 */
export function allOf(phase, b, a) {
  return Math.min(share(phase, b), share(phase, a)) >= ALL ? boundThroughout(phase, b, a) : null;
}

/**
 * What a phase waits for: "waits longest for memory, 61 % of its time"; where a move changed it, both.
 * @param {Phase} phase
 * @param {Report} b
 * @param {Report} a
 */
export function waits(phase, b, a) {
  const was = WAITED_FOR[phase.bound(b)], is = WAITED_FOR[phase.bound(a)];
  if (was !== is) return `waited longest for ${was}, now for ${is}`;
  return allOf(phase, b, a) ? `waits for ${is}` : `waits longest for ${is}, ${percent(share(phase, a))} of its time`;
}
