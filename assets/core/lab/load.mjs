// How long readers wait for the first token the more requests come, and where that crosses the limit.
import data from "../../built/data.mjs";
import {costs} from "../../built/replay.mjs";
import {mostWithin, served, ways} from "./replays.mjs";
import {apart, drawn, isRush, largestGroup, outline, paced} from "./traces.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Lab, Served} from "./replays.mjs"
 * @import {Requests} from "../../built/replay.mjs"
 * @import {Own} from "./traces.mjs"
 * @typedef {Served["totals"]} Totals
 * @typedef {{rate_per_s: number, ttft_p99_s: number}} Point
 * @typedef {object} Curve of one replay
 * @property {Point[]} points by their rate
 * @property {number} alone_s what the first token takes where readers come one at a time, and hardly anybody comes
 * @property {number} grouped_s and where those who come together still do
 * @property {number} rush_s and where all come at once
 * @property {number} n requests
 * @property {number} n_together of them that come at once, at most
 */

/** The slowest of 100 requests is chance: of so many at least the load curve is made. */
const LOAD_REQUESTS = 300;

/** Fewer requests tell nothing. */
const FEWEST = 20;

/** Rates that are tried, as shares of what the better replay serves in its own time. */
const SHARES = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1, 1.1, 1.3];

/** So little that nobody meets another; and how often the rate is halved, or doubled, on the way to a crossing. */
const ALONE = 1e-6, MOST_HALVINGS = 6, MOST_DOUBLINGS = 10;

/**
 * Why no rates are tried, or "".
 * @param {State} state
 * @param {Lab} lab
 * @param {Own} own
 */
export function unpaced(state, lab, own) {
  if (own && isRush(own.requests)) return "a trace whose requests all come at once has no rate";
  const isLong = mostWithin(data.lab.most_blocks_of_many, state, lab, own) < (own ? outline(state, lab, own).n : FEWEST);
  return isLong ? "answers are too long to try many rates here" : "";
}

/**
 * The curves of both replays, each time a rate more, until both have crossed the limit or never will; and
 * nothing after each replay on the way.
 * @param {State} state
 * @param {Lab} lab
 * @param {Own} own
 * @returns {Generator<Curve[] | undefined>}
 */
export function* load(state, lab, own) {
  if (unpaced(state, lab, own)) return;
  const most = mostWithin(data.lab.most_blocks_of_many, state, lab, own), {n} = outline(state, lab, own);
  const cost = costs(state), n_drawn = Math.min(Math.max(n, LOAD_REQUESTS), most), limit_s = Number(lab.ttft_limit);
  // What is greyed has no say: where all come at once, the size of groups.
  const arrivals = Number(lab.rate) ? lab : {...lab, burst: "1"};
  /** @param {number} rate_per_s 0 = all at once */
  const traceOf = rate_per_s => own ? paced(own.requests, rate_per_s) : drawn(state, arrivals, n_drawn, rate_per_s);
  /** @param {Requests} trace @returns {Generator<undefined, Totals[]>} */
  const both = function* (trace) {
    const totals = [];
    for (const way of ways(lab)) {
      totals.push(served(way, state, lab, cost, trace).totals);
      yield;
    }
    return totals;
  };
  const rush = yield* both(traceOf(0)), fastest = Math.max(...rush.map(each => each.n_finished / each.makespan_s));
  const seldom = traceOf(ALONE * fastest), n_together = largestGroup(seldom);
  const grouped = yield* both(seldom), alone = n_together > 1 ? yield* both(apart(seldom, ALONE * fastest)) : grouped;
  /** @type {Curve[]} */
  const curves = rush.map((each, i) => ({
    points: [], n: each.n_finished, n_together,
    alone_s: alone[i].ttft_p99_s, grouped_s: grouped[i].ttft_p99_s, rush_s: each.ttft_p99_s,
  }));
  /** @param {number} share @returns {Generator<Curve[] | undefined>} */
  const tried = function* (share) {
    const rate_per_s = share * fastest, totals = yield* both(traceOf(rate_per_s));
    curves.forEach(({points}, i) => {
      points.push({rate_per_s, ttft_p99_s: totals[i].ttft_p99_s});
      points.sort((a, b) => a.rate_per_s - b.rate_per_s);
    });
    yield curves;
  };
  for (const share of SHARES) yield* tried(share);
  const isBelow = () => curves.some(({points, grouped_s}) => grouped_s <= limit_s && points[0].ttft_p99_s > limit_s);
  for (let i = 1; i <= MOST_HALVINGS && isBelow(); i++) yield* tried(SHARES[0] / 2 ** i);
  const isAbove = () => curves.some(({points, rush_s}) => rush_s > limit_s && points.every(each => each.ttft_p99_s <= limit_s));
  for (let i = 1; i <= MOST_DOUBLINGS && isAbove(); i++) yield* tried(SHARES[SHARES.length - 1] * 2 ** i);
}

/**
 * The rate at which the wait first crosses a limit: between two that were tried, where the line between
 * them does that on axes by powers of ten; undefined where it does not.
 * @param {Point[]} points by their rate
 * @param {number} limit_s
 */
export function crossing(points, limit_s) {
  const next = points.findIndex(each => each.ttft_p99_s > limit_s);
  if (next < 1) return undefined;
  const [from, to] = points.slice(next - 1, next + 1);
  const share = Math.log(limit_s / from.ttft_p99_s) / Math.log(to.ttft_p99_s / from.ttft_p99_s);
  return from.rate_per_s * (to.rate_per_s / from.rate_per_s) ** share;
}
