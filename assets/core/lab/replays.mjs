// The same requests, served in two ways: the replay is calc's, printed; here it is asked for.
import {
  DONE, NO_LIMIT, Requests as ARRIVALS, USUAL_PROMPT_LEN, WATERMARK, allocators, arrays, costs, draw, goodput_per_s, lengths, policies, replay, source,
} from "../../built/replay.mjs";
import {MS} from "../numbers.mjs";
import {largest} from "./picture.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Costs, Requests} from "../../built/replay.mjs"
 * @typedef {Record<string, string>} Lab its settings, as in the address
 * @typedef {{policy: keyof typeof policies, allocator: keyof typeof allocators}} Way
 * @typedef {ReturnType<typeof served>} Served
 */

/** The slowest of 100 requests is chance: of so many at least the load curve is made. */
const LOAD_REQUESTS = 300;

/** Blocks that a reader waits for, in a replay and in each of the load curve; fewer requests tell nothing. */
const MOST_BLOCKS = 2_000_000, MOST_LOAD_BLOCKS = 250_000, FEWEST = 20;

/** Points of the load curve, as shares of what the better replay serves in its own time. */
const SHARES = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1, 1.1, 1.3];

/** Mean prompt of a trace. @param {State} state */
export function prompt(state) {
  return isNaN(state.prompt) ? USUAL_PROMPT_LEN : state.prompt;
}

/**
 * Why a scenario cannot be replayed, or "".
 * @param {State} state
 * @param {Lab} lab
 */
export function obstacle(state, lab) {
  if (Number(lab.requests) > mostWithin(MOST_BLOCKS, state, lab)) {
    return "So many tokens take too long here: ask for fewer requests, shorter answers, larger blocks or larger chunks. The command `simulate` replays any number.";
  }
  if (state.dp * state.pp > 1) {
    return "What is replayed has one batch at a time: not with data or pipeline parallelism (dp, pp).";
  }
  if (prompt(state) + state.output <= state.context) return "";
  return `A prompt of ${prompt(state)} and an output of ${state.output} tokens are longer than the context, ${state.context}: the longest sequence that is served.`;
}

/**
 * Requests that are served by the time in which so many blocks are taken. A chunk is a pass of its
 * own, which looks at each slot, and that takes as long as a block.
 * @param {number} n_blocks
 * @param {State} state
 * @param {Lab} lab
 */
function mostWithin(n_blocks, state, lab) {
  const isChunked = ways(lab).some(({policy}) => policy === "chunked");
  const n_chunks = isChunked ? prompt(state) / Number(lab.chunk) : 0;
  return Math.floor(n_blocks / (state.output / Number(lab.block) + n_chunks * Number(lab.slots)));
}

/**
 * Requests by chance: the same for the same seed, however they are served.
 * @param {State} state
 * @param {Lab} lab
 * @param {number} rate_per_s 0 = all at once
 */
function requests(state, lab, rate_per_s) {
  const n = Number(lab.requests), drawn = arrays(ARRIVALS, n);
  draw({
    rate_per_s,
    burst: 1,
    lengths: lengths[/** @type {keyof typeof lengths} */ (lab.lengths)],
    prompt_len: prompt(state),
    output_len: state.output,
    max_len: state.context,
  }, source(Number(lab.seed)), drawn, n);
  return drawn;
}

/**
 * The ways in which both replays serve.
 * @param {Lab} lab
 */
function ways(lab) {
  return /** @type {Way[]} */ ([
    {policy: lab.policy, allocator: lab.allocator},
    {policy: lab.other_policy, allocator: lab.other_allocator},
  ]);
}

/**
 * A trace, served in one way.
 * @param {Way} way
 * @param {State} state
 * @param {Lab} lab
 * @param {Costs} cost
 * @param {Requests} drawn
 */
function served({policy, allocator}, state, lab, cost, drawn) {
  const block_len = allocators[allocator] ? Math.min(Number(lab.block), state.context) : state.context;
  const n_slots = Number(lab.slots);
  const rules = {
    policy: policies[policy],
    n_slots,
    chunk_len: Number(lab.chunk),
    block_len,
    max_len: state.context,
    watermark: WATERMARK,
    swap_bytes_per_s: 0,
  };
  const {outcome, requests, passes, n_runs, totals} = replay(rules, cost, drawn, NO_LIMIT);
  const n = totals.n_finished;
  const goodput = goodput_per_s(requests, n, Number(lab.ttft_limit), Number(lab.tpot_limit) * MS);
  return {
    policy, allocator, n_slots, block_len,
    isDone: outcome === DONE,
    end_s: largest(requests.finish_s, n),
    means: {prompt_len: mean(drawn.prompt_len), output_len: mean(drawn.output_len)},
    pool_tokens: cost.pool_bytes / cost.kinds.reduce((sum, each) => sum + each.bytes_per_token, 0),
    requests: {...requests, n},
    passes: {...passes, n: n_runs},
    totals: {...totals, goodput_per_s: goodput},
  };
}

/** @param {Float64Array} values */
function mean(values) {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

/**
 * Both replays of a trace.
 * @param {State} state
 * @param {Lab} lab
 */
export function replays(state, lab) {
  const cost = costs(state), drawn = requests(state, lab, Number(lab.rate));
  return ways(lab).map(way => served(way, state, lab, cost, drawn));
}

/**
 * What the first of both replays comes to in all.
 * @param {State} state
 * @param {Lab} lab
 */
export function totals(state, lab) {
  return served(ways(lab)[0], state, lab, costs(state), requests(state, lab, Number(lab.rate))).totals;
}

/**
 * The load curve's rates, from what both replays serve when all requests are there at once; and,
 * of each rate, how long both let readers wait for the first token.
 * @param {State} state
 * @param {Lab} lab
 */
export function load(state, lab) {
  const most = mostWithin(MOST_LOAD_BLOCKS, state, lab);
  if (most < FEWEST) return [];
  const n = Math.min(Math.max(Number(lab.requests), LOAD_REQUESTS), most);
  const cost = costs(state), trace = {...lab, requests: String(n)};
  /** @param {number} rate_per_s */
  const both = rate_per_s => {
    const drawn = requests(state, trace, rate_per_s);
    return ways(lab).map(way => served(way, state, lab, cost, drawn));
  };
  const fastest = Math.max(...both(0).map(({totals}) => totals.n_finished / totals.makespan_s));
  return SHARES.map(share => () => {
    const rate_per_s = share * fastest;
    return both(rate_per_s).map(({totals}) => ({rate_per_s, ttft_p99_s: totals.ttft_p99_s}));
  });
}
