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
 * Where slots have no request.
 * @param {Bar[]} all what they do, of each slot in order
 * @param {number} n_slots
 * @param {number} from [s]
 * @param {number} to [s]
 * @returns {Shape[]}
 */
export function idle(all, n_slots, from, to) {
  /** @type {Shape[]} */
  const rows = [];
  const ends = new Array(n_slots).fill(from);
  /** @type {(slot: number, until: number) => void} */
  const add = (slot, until) => {
    if (until > ends[slot]) rows.push({slot, from: ends[slot], to: until, what: "idle", request: -1});
  };
  for (const bar of all) {
    add(bar.slot, bar.from);
    ends[bar.slot] = bar.to;
  }
  for (let slot = 0; slot < n_slots; slot++) add(slot, to);
  return rows;
}

/** @type {Shape["what"][]} */
const WHATS = ["prefill", "decode", "transit", "away", "held", "idle"];

/**
 * What slots do most of the time in each place along it: neighbours that are alike are one.
 * @param {Shape[]} shapes
 * @param {number[]} at_s where places begin, evenly, and where the last one ends
 * @returns {Shape[]}
 */
export function mostly(shapes, at_s) {
  const n = at_s.length - 1, start_s = at_s[0], place_s = (at_s[n] - start_s) / n;
  /** @type {Map<number, Float64Array>} by slot, of each place the time of each */
  const times = new Map();
  for (const {slot, from, to, what} of shapes) {
    const spent_s = times.get(slot) ?? new Float64Array(n * WHATS.length), kind = WHATS.indexOf(what);
    times.set(slot, spent_s);
    for (let i = Math.floor((from - start_s) / place_s); i < n && at_s[i] < to; i++) {
      spent_s[i * WHATS.length + kind] += Math.max(Math.min(to, at_s[i + 1]) - Math.max(from, at_s[i]), 0);
    }
  }
  /** @type {Shape[]} */
  const rows = [];
  for (const [slot, spent_s] of times) {
    for (let i = 0; i < n; i++) {
      const place = spent_s.subarray(i * WHATS.length, (i + 1) * WHATS.length), most_s = Math.max(...place);
      if (!most_s) continue;
      const what = WHATS[place.indexOf(most_s)], before = rows[rows.length - 1];
      if (before?.slot === slot && before.what === what && before.to === at_s[i]) before.to = at_s[i + 1];
      else rows.push({slot, from: at_s[i], to: at_s[i + 1], what, request: -1});
    }
  }
  return rows;
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
