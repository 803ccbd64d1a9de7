// What is drawn of a replay along its time: few shapes, however many requests there are.
import {rounds} from "../curves.mjs";
import {cache} from "./passes.mjs";
import {bars, waiting} from "./picture.mjs";

/**
 * @import {Served} from "./replays.mjs"
 * @import {Bar, What} from "./picture.mjs"
 * @typedef {Omit<Bar, "what"> & {what: What | "idle"}} Shape
 */

/**
 * Moments from one to another, evenly.
 * @param {number} from [s]
 * @param {number} to [s]
 * @param {number} n spans between them
 */
export function moments(from, to, n) {
  return Array.from({length: n + 1}, (_, i) => from + (to - from) * i / n);
}

/**
 * What each slot does all the time: its bars, and where it has no request.
 * @param {Bar[]} all of each slot in their order
 * @param {number} n_slots
 * @param {number} from [s]
 * @param {number} to [s]
 * @returns {Shape[][]} by slot
 */
export function timelines(all, n_slots, from, to) {
  /** @type {Shape[][]} */
  const rows = Array.from({length: n_slots}, () => []);
  /** @type {(slot: number, until: number) => void} */
  const idle = (slot, until) => {
    const since = rows[slot].at(-1)?.to ?? from;
    if (until > since) rows[slot].push({slot, from: since, to: until, what: "idle", request: -1});
  };
  for (const bar of all) {
    idle(bar.slot, bar.from);
    rows[bar.slot].push(bar);
  }
  for (let slot = 0; slot < n_slots; slot++) idle(slot, to);
  return rows;
}

/** @type {Shape["what"][]} */
const WHATS = ["prefill", "decode", "transit", "away", "held", "idle"];

/**
 * What a slot does most of the time in each place along it: neighbours that are alike are one.
 * @param {Shape[]} timeline
 * @param {number[]} at_s where places begin, and where the last one ends
 * @returns {Shape[]}
 */
export function mostly(timeline, at_s) {
  /** @type {Shape[]} */
  const rows = [];
  for (let i = 0, first = 0; i < at_s.length - 1; i++) {
    const from = at_s[i], to = at_s[i + 1];
    while (first < timeline.length && timeline[first].to <= from) first++;
    if (first === timeline.length) break;
    // Most places lie in one shape.
    const {slot, what} = timeline[first].to >= to ? timeline[first] : longest(timeline, first, from, to);
    const before = rows[rows.length - 1];
    if (before?.what === what) before.to = to;
    else rows.push({slot, from, to, what, request: -1});
  }
  return rows;
}

/**
 * Of what a slot does between two moments, a shape of what takes the most time.
 * @param {Shape[]} timeline
 * @param {number} first that ends after the first moment
 * @param {number} from [s]
 * @param {number} to [s]
 */
function longest(timeline, first, from, to) {
  const spent_s = new Array(WHATS.length).fill(0);
  let most = timeline[first];
  for (let i = first; i < timeline.length && timeline[i].from < to; i++) {
    const each = timeline[i], kind = WHATS.indexOf(each.what);
    spent_s[kind] += Math.min(to, each.to) - Math.max(from, each.from);
    if (spent_s[kind] > spent_s[WHATS.indexOf(most.what)]) most = each;
  }
  return most;
}

/**
 * Layers over time as columns that stand on each other: neighbours that look alike are one, and what
 * is not nothing is seen.
 * @param {number[]} at_s where they begin, and where the last one ends
 * @param {number[][]} layers from the ground up: how much of each
 * @param {number} least what can be told apart
 */
export function columns(at_s, layers, least) {
  /** @typedef {{layer: number, left: number, right: number, from: number, to: number}} Column */
  /** @type {Column[]} */
  const rows = [];
  /** @type {Column[]} of each layer */
  const last = [];
  for (let i = 0; i < at_s.length - 1; i++) {
    let sum = 0, from = 0;
    layers.forEach((values, layer) => {
      sum += values[i];
      const to = Math.ceil(sum / least) * least, before = last[layer];
      if (before && before.from === from && before.to === to && before.right === at_s[i]) before.right = at_s[i + 1];
      else if (to > from) rows.push(last[layer] = {layer, left: at_s[i], right: at_s[i + 1], from, to});
      from = to;
    });
  }
  return rows;
}

/**
 * Up to where the memory of some replays is drawn: a round size above what they take, or the pool.
 * @param {Served[]} runs
 * @param {number} unit_bytes in which it is round
 */
export function memoryScale(runs, unit_bytes) {
  const pool_bytes = Math.max(...runs.map(each => each.pool_bytes));
  const most_bytes = Math.max(...runs.map(each => each.totals.kv_most_fraction * each.pool_bytes));
  if (!most_bytes) return pool_bytes;
  const round = /** @type {number} */ (rounds(most_bytes / unit_bytes).at(-1));
  return Math.min(pool_bytes, round * unit_bytes);
}

/**
 * Slots by what they do, requests that wait, and what the cache has, at some moments.
 * @param {Served} run
 * @param {number[]} at_s
 */
export function states(run, at_s) {
  const all = bars(run.phases), waits = waiting(run.requests), memory = cache(run.passes, at_s);
  return at_s.map((at, i) => {
    const n = {prefill: 0, decode: 0, transit: 0, away: 0, held: 0};
    let idle = run.n_slots;
    for (const {from, to, what} of all) {
      if (from > at || at >= to) continue;
      n[what]++;
      idle--;
    }
    return {
      at, ...n, idle, waiting: waits(at),
      holding: memory.holding[i], toCome: memory.toCome[i], never: memory.never[i],
    };
  });
}
