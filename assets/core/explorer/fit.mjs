// Which GPUs serve so many users at such a speed: `calc.studies.fit`, for the page; and what the
// present ones can serve.
import {evaluate} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {contexts as CONTEXTS, gpu_counts as COUNTS, n_replicas} from "../../built/explorer.mjs";
import {cleared, companions, plainlyShared} from "../rules.mjs";
import {filled} from "./levers.mjs";
import {goes} from "./single_change.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {object} Fit a card, how many of it share the model, how often that, at which batch
 * @property {string} gpu
 * @property {number} n_gpus
 * @property {number} n_replicas
 * @property {number} batch
 * @property {"users" | "memory" | "speed" | "limit"} binds what keeps the batch from being larger
 * @property {number} usd_per_hour of all of them; NaN where no price is known
 * @property {State} state
 * @property {Report} report
 */

const CARDS = data.inputs.gpu.options.filter(id => id !== data.own_gpu);
/** What a card brings along, or has its own of. */
const FREED = /** @type {Key[]} */ (["gpu", "gpus", "usd_per_gpu_hour", ...data.card_keys]);
const LARGEST_BATCH = data.inputs.batch.range[1];

/** What was found last, and for what: most moves ask for the same again. @type {{wish: string, found: Fit[]}} */
let last = {wish: "", found: []};

/**
 * For each card the deployment with the fewest GPUs that gives each user the speed asked for: the
 * cheapest first, then those without a price.
 * @param {State} state
 * @param {number} users at once
 * @param {number} speed of each, at least [tokens/s]
 * @returns {Fit[]}
 */
export function fits(state, users, speed) {
  const free = {...cleared(plainlyShared(state), FREED), batch: 1}, wish = JSON.stringify([free, users, speed]);
  if (wish !== last.wish) last = {wish, found: CARDS.flatMap(gpu => cheapest(free, gpu, users, speed)).sort(order)};
  return last.found;
}

/** @param {Fit} a @param {Fit} b */
function order(a, b) {
  const unknown = Number(isNaN(a.usd_per_hour)) - Number(isNaN(b.usd_per_hour));
  return unknown || (a.usd_per_hour - b.usd_per_hour || 0) || size(a) - size(b);
}

/** @param {Fit} fit */
export function size({n_gpus, n_replicas}) { return n_gpus * n_replicas; }

/**
 * Of a card's ways the one with the fewest GPUs, of equals the one with fewer that share the model:
 * once so many are enough, as many that share it are not better.
 * @param {State} state of one user
 * @param {string} gpu
 * @param {number} users
 * @param {number} speed
 * @returns {Fit[]} one or none
 */
function cheapest(state, gpu, users, speed) {
  /** @type {Fit[]} */
  let best = [];
  for (const count of COUNTS) {
    if (best.length && count >= size(best[0])) break;
    const found = way(state, gpu, count, users, speed);
    if (found.length && !(best.length && size(found[0]) >= size(best[0]))) best = found;
  }
  return best;
}

/**
 * @param {State} state of one user
 * @param {string} gpu
 * @param {number} count
 * @param {number} users
 * @param {number} speed
 * @returns {Fit[]} one, or none where they cannot share the model or are too slow
 */
function way(state, gpu, count, users, speed) {
  const one = {...state, ...companions("gpu", gpu), gpu, gpus: count};
  if (!goes(one)) return [];
  const alone = evaluate(one), room = Math.min(alone.max_batch, LARGEST_BATCH), wanted = Math.floor(Math.min(users, room));
  /** @param {number} batch */
  const at = batch => evaluate({...one, batch});
  /** @param {Report} each */
  const isFast = each => each.tokens_per_s_per_user >= speed;
  if (wanted < 1 || !isFast(alone)) return [];
  // The speed falls as the batch grows: all that are wanted, or the last one that keeps it.
  let low = 1, high = wanted, report = alone;
  const all = at(wanted);
  if (isFast(all)) [low, report] = [wanted, all];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2), tried = at(middle);
    if (isFast(tried)) [low, report] = [middle, tried];
    else high = middle;
  }
  const times = n_replicas(users, low), isPriced = data.prices[gpu] !== undefined;
  return [{
    gpu,
    n_gpus: count,
    n_replicas: times,
    batch: low,
    binds: low === users ? "users" : low === report.max_batch ? "memory" : low === LARGEST_BATCH ? "limit" : "speed",
    usd_per_hour: isPriced ? report.usd_per_hour_in_all * times : NaN,
    state: {...one, batch: low},
    report,
  }];
}

/**
 * What the present GPUs serve at each length of context: a report with as many sequences as fit, up
 * to the first length of which none does.
 * @param {State} state
 */
export function served(state) {
  const reports = CONTEXTS.map(context => {
    const at = {...state, context}, report = evaluate(at);
    return filled(at, report) ?? report;
  });
  const none = reports.findIndex(each => each.max_batch < 1);
  return none < 0 ? reports : reports.slice(0, none + 1);
}
