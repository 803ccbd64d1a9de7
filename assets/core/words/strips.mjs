// What the strips of a replay say: of its whole run, at a moment, and as a table.
import {cache} from "../lab/passes.mjs";
import {waiting} from "../lab/picture.mjs";
import {amount, number, percent} from "./format.mjs";
import {column, many, transposed} from "./phrases.mjs";
/**
 * @import {states} from "../lab/strips.mjs"
 * @import {Served} from "../lab/replays.mjs"
 */

/**
 * What a replay's memory does, in all.
 * @param {Served} served
 */
export function memory({totals, pool_bytes}) {
  const share = totals.kv_holding_fraction;   // of nothing, none
  const holding = isNaN(share) ? "" : `; of what is taken over the run, ${percent(share)} holds tokens`;
  return `at most ${percent(totals.kv_most_fraction)} of the pool of ${amount(pool_bytes, "B")} taken${holding}`;
}

/**
 * The same at a moment.
 * @param {Served} served
 * @param {number} at [s]
 */
export function memoryAt({passes, pool_bytes}, at) {
  const {holding: [holding], toCome: [toCome], never: [never]} = cache(passes, [at]);
  const taken = holding + toCome + never;
  if (!taken) return "nothing taken now";
  return `${percent(taken / pool_bytes)} of the pool of ${amount(pool_bytes, "B")} taken now; of that, ${percent(holding / taken)} holds tokens`;
}

/**
 * How many requests wait for a slot, in all; the mean over the time is Little's.
 * @param {Served} served
 * @param {number} most at once
 */
export function queued({totals}, most) {
  const mean = totals.wait_mean_s * totals.n_finished / totals.makespan_s;
  return most ? `at most ${many(most, "request")} at once; over the run ${number(mean)} in the mean` : "nobody";
}

/**
 * The same at a moment.
 * @param {Served} served
 * @param {number} at [s]
 */
export function queuedAt({requests}, at) {
  const n = waiting(requests)(at);
  return n ? `${many(n, "request")} now` : "nobody now";
}

/**
 * States of a replay as rows of a table; what never is has no column.
 * @param {ReturnType<typeof states>} all
 * @param {number} since_s the first arrival
 */
export function statesInWords(all, since_s) {
  /** @type {[string, (state: typeof all[number]) => number, string][]} */
  const titles = [
    ["in prefill", each => each.prefill, ""],
    ["in decode", each => each.decode, ""],
    ["cache on its way", each => each.transit, ""],
    ["gave way", each => each.away, ""],
    ["held", each => each.held, ""],
    ["idle", each => each.idle, ""],
    ["waiting", each => each.waiting, ""],
    ["memory holding tokens", each => each.holding, "B"],
    ["for tokens to come", each => each.toCome, "B"],
    ["holding nothing", each => each.never, "B"],
  ];
  const columns = titles.filter(([, value]) => all.some(value))
    .map(([title, value, unit]) => column(title, all.map(value), unit));
  return transposed([column("time", all.map(each => each.at - since_s), "s"), ...columns]);
}
