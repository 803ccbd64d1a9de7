// Which GPUs do what is asked for, in words.
import data from "../../built/data.mjs";
import {size} from "../explorer/fit.mjs";
import {amount, count, inputText} from "./format.mjs";
import {many} from "./phrases.mjs";
import {scenarioBar} from "./scenario_bar.mjs";
/**
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {State} from "../../built/data.mjs"
 * @import {Fit} from "../explorer/fit.mjs"
 */

/** The heads of the table of cards. */
export const HEADS = ["GPUs, press to take them", "price", "in all", "on each", "one user", "what binds"];

/** @param {Fit} fit */
export function gpusOf(fit) {
  const once = `${count(fit.n_gpus)} × ${data.names.gpu[fit.gpu]}`, {n_replicas: times} = fit;
  return times > 1 ? `${once}, ${times === 2 ? "twice" : `${count(times)} times`}` : once;
}

/** @param {Fit} fit */
function binds({binds, batch}) {
  if (binds === "memory") return `memory: no more than ${count(batch)} ${batch === 1 ? "fits" : "fit"}`;
  if (binds === "limit") return `no more than ${count(batch)} are tried`;
  if (binds === "speed") return `speed: ${count(batch + 1)} at once are too slow`;
  return "nothing: all fit and are fast";
}

/**
 * A card's row, without what is pressed.
 * @param {Fit} fit
 */
export function cells(fit) {
  return [
    isNaN(fit.usd_per_hour) ? "no price known" : amount(fit.usd_per_hour, "USD/h"),
    many(size(fit), "GPU"),
    `${count(fit.batch)} at once`,
    amount(fit.report.tokens_per_s_per_user, "tokens/s"),
    binds(fit),
  ];
}

/**
 * @param {Fit[]} found
 * @param {State} state
 * @param {Report} r
 * @param {number} users
 * @param {number} speed
 */
export function sentence(found, state, r, users, speed) {
  const what = `${many(users, "user")} of ${many(state.context, "token")} at ${inputText(speed)} tokens/s each`;
  // Those with a price stand first, the cheapest before all; without one, the fewest GPUs.
  const [best] = found;
  if (!best) return `No card serves ${what}: ask for less speed, a shorter context, or narrower formats.`;
  const which = isNaN(best.usd_per_hour) ? `no price is known of the cards that do it; the fewest GPUs are ${gpusOf(best)}`
    : `cheapest is ${gpusOf(best)}, ${amount(best.usd_per_hour, "USD/h")}`;
  return `${scenarioBar(state, r, false).model} for ${what}: ${which}. ${state.assumptions === "lesson" ? "A ceiling: engines reach less." : "An estimate."} Prompts are not counted: Request & cost says what they take.`;
}

/** The heads of the table of contexts. */
export const SERVED_HEADS = ["context, tokens", "sequences at once", "all together", "one user"];

/** @param {Report} r */
export function servedCells(r) {
  const fits = r.max_batch >= 1;
  return [
    count(r.context_len),
    count(r.max_batch),
    fits ? amount(r.tokens_per_s, "tokens/s") : "none fits",
    fits ? amount(r.tokens_per_s_per_user, "tokens/s") : "",
  ];
}
