// Which GPUs serve so many users at such a speed: `calc.studies.fit`, for the page; and what the
// present ones can serve.
import {evaluate} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {contexts as CONTEXTS, gpu_counts as COUNTS, n_replicas} from "../../built/explorer.mjs";
import {complaint} from "../complaint.mjs";
import {companions, consistent, plainlyShared} from "../rules.mjs";
import {filled} from "./levers.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {object} Fit a card, how many of it share the model, how often that, at which batch
 * @property {string} gpu
 * @property {number} n_gpus
 * @property {number} n_replicas
 * @property {number} batch
 * @property {"users" | "memory" | "speed"} binds what keeps the batch from being larger
 * @property {number} usd_per_hour of all of them; NaN where no price is known
 * @property {State} state
 * @property {Report} report
 */

const CARDS = data.inputs.gpu.options.filter(id => id !== data.own_gpu);
const LARGEST_BATCH = data.inputs.batch.range[1];

/**
 * For each card the deployment with the fewest GPUs that gives each user the speed asked for: the
 * cheapest first, then those without a price.
 * @param {State} state
 * @param {number} users at once
 * @param {number} speed of each, at least [tokens/s]
 * @returns {Fit[]}
 */
export function fits(state, users, speed) {
  const found = CARDS.flatMap(gpu => cheapest(COUNTS.flatMap(count => way(state, gpu, count, users, speed))));
  return found.sort(order);
}

/** @param {Fit} a @param {Fit} b */
function order(a, b) {
  const unknown = Number(isNaN(a.usd_per_hour)) - Number(isNaN(b.usd_per_hour));
  return unknown || (a.usd_per_hour - b.usd_per_hour || 0) || size(a) - size(b);
}

/** @param {Fit} fit */
export function size({n_gpus, n_replicas}) { return n_gpus * n_replicas; }

/** @param {Fit[]} ways of one card */
function cheapest(ways) {
  const [first, ...others] = ways;
  return first ? [others.reduce((best, each) => size(each) < size(best) ? each : best, first)] : [];
}

/**
 * @param {State} state
 * @param {string} gpu
 * @param {number} count
 * @param {number} users
 * @param {number} speed
 * @returns {Fit[]} one, or none where they cannot share the model or are too slow
 */
function way(state, gpu, count, users, speed) {
  const asked = {...plainlyShared(state), ...companions("gpu", gpu), gpu, gpus: count, batch: 1};
  const one = consistent(asked);
  if (one.state.gpus !== count || !Object.is(one.state.gqa, state.gqa) || complaint(one.state, [])) return [];
  const room = Math.min(one.report.max_batch, LARGEST_BATCH), wanted = Math.min(users, room);
  /** @param {number} batch */
  const at = batch => evaluate({...one.state, batch});
  /** @param {number} batch */
  const isFast = batch => at(batch).tokens_per_s_per_user >= speed;
  if (wanted < 1 || !isFast(1)) return [];
  // The speed falls as the batch grows: the last one that keeps it lies between these.
  let [low, high] = [1, Math.floor(wanted) + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isFast(middle)) low = middle;
    else high = middle;
  }
  const times = n_replicas(users, low), report = at(low), isPriced = data.prices[gpu] !== undefined;
  return [{
    gpu,
    n_gpus: count,
    n_replicas: times,
    batch: low,
    binds: low === users ? "users" : low === room ? "memory" : "speed",
    usd_per_hour: isPriced ? report.usd_per_hour_in_all * times : NaN,
    state: {...one.state, batch: low},
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
    const at = {...state, context};
    return filled(at, evaluate(at));
  });
  const none = reports.findIndex(each => each.max_batch < 1);
  return none < 0 ? reports : reports.slice(0, none + 1);
}
