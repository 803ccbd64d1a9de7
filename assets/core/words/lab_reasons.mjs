// Why one replay does better than another: what differs between them, and only where it is so.
import {heldFractions, largest, mostAtOnce} from "../lab/picture.mjs";
import {isRush} from "../lab/traces.mjs";
import {amount, count, percent} from "./format.mjs";
import {many} from "./phrases.mjs";
/** @import {Served} from "../lab/replays.mjs" */

/** Two figures nearer than this are alike. [share] */
const ALIKE = 0.005;

/**
 * Whether a figure is lower than another by more than what counts as alike.
 * @param {number} one
 * @param {number} other
 */
function isLower(one, other) {
  return one < other * (1 - ALIKE);
}

/**
 * A time, and the other replay's where a reader sees a difference.
 * @param {number} one_s
 * @param {number} other_s
 */
function against(one_s, other_s) {
  const [one, other] = [one_s, other_s].map(each => amount(each, "s"));
  return one === other ? `${one} in both` : `${one}, against ${other}`;
}

/**
 * What differs between two replays, a sentence each; of two that are the same nothing.
 * @param {Served} first
 * @param {Served} second
 */
export function reasons(first, second) {
  return [memory, room, batch, waits, preemptions, pieces].map(each => each(first, second)).filter(Boolean);
}

/**
 * The one that writes more tokens per second, and the other; undefined where they are alike.
 * @param {Served} first
 * @param {Served} second
 */
export function order(first, second) {
  const [a, b] = [first, second].map(each => each.totals.tokens_per_s);
  if (isLower(a, b)) return {faster: second, slower: first};
  if (isLower(b, a)) return {faster: first, slower: second};
}

/**
 * @param {Served} first
 * @param {Served} second
 */
function memory(first, second) {
  const shares = [first, second].map(({totals}) => totals.kv_holding_fraction);
  if (first.allocator === second.allocator || shares.some(isNaN)) return "";   // no memory is ever taken for one token
  const [a, b] = shares.map(percent), holds = a === b ? `${a} holds tokens either way`
    : `${a} holds tokens when it is ${first.allocator}, ${b} when it is ${second.allocator}`;
  const [m, n] = [first, second].map(({phases}) => mostAtOnce(phases));
  const most = m === n ? `; either way up to ${many(m, "reader")} at once` : `; up to ${many(m, "reader")} at once, against ${count(n)}`;
  return `Of the memory that is taken, ${holds}${most}.`;
}

/**
 * Where all come at once and a slot stays free, memory keeps the next reader out, or what of it stays free.
 * @param {Served} first
 * @param {Served} second
 */
function room(first, second) {
  if (first.allocator !== second.allocator) return "";
  const both = [first, second], most = both.map(({phases}) => mostAtOnce(phases));
  // The least that was ever free, less what one more prompt takes.
  const left = both.map(({totals, prompt_fraction}) => 1 - totals.kv_most_fraction - prompt_fraction);
  const short = both.flatMap(({requests, n_slots, watermark}, i) =>
    isRush(requests) && most[i] < Math.min(n_slots, requests.n) && left[i] < watermark ? [left[i]] : []);
  if (!short.length) return "";
  const against = most[0] === most[1] ? "" : `, against ${count(most[1])}`;
  const readers = `up to ${many(most[0], "reader")} at once${against}, in ${many(first.n_slots, "slot")}`;
  return short.every(each => each >= 0) ? `What is kept free, ${percent(first.watermark)} of the memory, keeps readers out: ${readers}.`
    : `Memory is what is short, not slots: ${readers}.`;
}

/**
 * @param {Served} first
 * @param {Served} second
 */
function batch(first, second) {
  const isStatic = [first, second].map(each => each.policy === "static");
  if (isStatic[0] === isStatic[1]) return "";
  const batch = isStatic[0] ? first : second, speeds = order(first, second);
  const {all: share, forLonger} = heldFractions(batch.phases, batch.requests, batch.n_slots, batch.totals.makespan_s);
  const held = `${percent(share)} of its slot time is held and empty`;
  if (speeds?.faster === batch) return `The static batch is not the slower one here${share < ALIKE ? "" : `, though ${held}`}.`;
  const last = 2 * forLonger > share ? "longest" : "last";
  if (share >= ALIKE) return `The static batch waits for its ${last} answer: ${held}${speeds ? "" : ", at no cost in time"}.`;
  return speeds ? "The static batch starts with those who are there, and lets nobody in until it has ended."
    : "Hardly a slot is held here without work.";
}

/**
 * @param {Served} first
 * @param {Served} second
 */
function waits(first, second) {
  const policies = [first.policy, second.policy];
  if (policies[0] === policies[1] || policies.includes("static")) return "";
  const isApart = policies.includes("disaggregated");
  const smooth = policies.indexOf(isApart ? "disaggregated" : "chunked");
  const [ours, theirs] = smooth ? [second, first] : [first, second];
  const [most, usual] = [ours.totals.itl_p99_s, theirs.totals.itl_p99_s];
  if (isNaN(most)) return "Answers of one token leave no next one to wait for.";
  const why = isApart ? "Nobody waits for another's prompt where prefill has GPUs of its own"
    : "A long prompt in pieces holds nobody up for long";
  const within = `99 in 100 tokens come within ${against(most, usual)}`;
  if (isLower(most, usual)) return `${why}: ${within}.`;
  if (ours.requests.n === 1) return `There is no other prompt to wait for: ${within}.`;
  // Whoever gave way has waited for room, not for another's prompt.
  const [longest, before] = [ours, theirs].map(({requests: {n, longest_gap_s, n_preemptions}}) =>
    largest(longest_gap_s.slice(0, n).filter((_, i) => !n_preemptions[i])));
  const who = ours.totals.n_preemptions + theirs.totals.n_preemptions ? " of those who never gave way" : "";
  const shorter = isLower(usual, most) ? "Prompts hold up more tokens here, each for a shorter time" : why;
  if (isLower(longest, before)) return `${shorter}: the longest wait${who} is ${against(longest, before)}; ${within}.`;
  return `Other people's prompts hold nobody up any less here: ${within}.`;
}

/**
 * @param {Served} first
 * @param {Served} second
 */
function preemptions(first, second) {
  const {slower, faster} = order(first, second) ?? {};
  const n = slower?.totals.n_preemptions ?? 0;
  return n > (faster?.totals.n_preemptions ?? 0)
    ? `Blocks ran out: ${many(n, "time")} somebody gave way in the slower one.` : "";
}

/**
 * @param {Served} first
 * @param {Served} second
 */
function pieces(first, second) {
  const {slower, faster} = order(first, second) ?? {};
  if (slower?.policy !== "chunked" || faster?.policy === "chunked") return "";
  const n = slower.totals.n_steps - /** @type {Served} */ (faster).totals.n_steps;
  return n > 0 ? `Pieces take ${many(n, "pass", "passes")} more, and each reads all weights.` : "";
}
