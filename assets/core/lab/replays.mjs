// The same requests, served in two ways: the replay is calc's, printed; here it is asked for.
import {blocks_per_request} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {
  DONE, HOST_LINK_BYTES_PER_S, NO_LIMIT, allocators, cache_bytes, costs, n_good, policies, preemptions, replay, trace_file,
} from "../../built/replay.mjs";
import {MS} from "../numbers.mjs";
import {largest} from "./picture.mjs";
import {drawn, mean, outline, prompt} from "./traces.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Costs, Requests} from "../../built/replay.mjs"
 * @import {Own} from "./traces.mjs"
 * @typedef {Record<string, string>} Lab its settings, as in the address
 * @typedef {{policy: keyof typeof policies, allocator: keyof typeof allocators}} Way
 * @typedef {ReturnType<typeof served>} Served
 */

/**
 * Why a scenario cannot be replayed, or "".
 * @param {State} state
 * @param {Lab} lab
 * @param {Own} own
 */
export function obstacle(state, lab, own) {
  if (outline(state, lab, own).n > mostWithin(data.lab.most_blocks, state, lab, own)) {
    return "So many tokens take too long here: ask for fewer requests, shorter answers, larger blocks or larger chunks. The command `simulate` replays any number.";
  }
  if (state.dp * state.pp > 1) {
    return "What is replayed has one batch at a time: not with data or pipeline parallelism (dp, pp).";
  }
  if (own) return "";
  const rate = Number(lab.rate), latest_s = trace_file.columns.arrival_s[1];
  if (rate && Math.max(Number(lab.requests), Number(lab.burst)) / rate > latest_s) {
    return `The last request comes after more than ${latest_s.toLocaleString("en-US")} s, where the clock is no longer exact to microseconds: ask for a higher rate, or fewer requests.`;
  }
  if (prompt(state) + state.output <= state.context) return "";
  return `A prompt of ${prompt(state)} and an output of ${state.output} tokens are longer than the context, ${state.context}: the longest sequence that is served.`;
}

/**
 * Requests that are served by the time in which so many blocks are taken.
 * @param {number} n_blocks
 * @param {State} state
 * @param {Lab} lab
 * @param {Own} own
 */
export function mostWithin(n_blocks, state, lab, own) {
  const {prompt_len, output_len} = outline(state, lab, own);
  const isChunked = ways(lab).some(({policy}) => policy === "chunked");
  const chunk_len = isChunked ? Number(lab.chunk) : Infinity;
  return Math.floor(n_blocks / blocks_per_request(prompt_len, output_len, Number(lab.block), chunk_len, Number(lab.slots)));
}

/**
 * The ways in which both replays serve.
 * @param {Lab} lab
 */
export function ways(lab) {
  return /** @type {Way[]} */ ([
    {policy: lab.policy, allocator: lab.allocator},
    {policy: lab.other_policy, allocator: lab.other_allocator},
  ]);
}

/**
 * Settings that say nothing: what is drawn by chance, where a trace of one's own is served; and what
 * neither replay asks for, as the others are.
 * @param {Lab} lab
 * @param {Own} own
 */
export function unused(lab, own) {
  const {conditions, replays: {first, second}, drawn: chance} = data.lab;
  const isAsked = [first, second].map(keys => {
    /** @param {[string, number | string | null]} value of a setting */
    const has = ([key, value]) => lab[keys[first.indexOf(key)] ?? key] === String(value);
    /** @param {string} key */
    return key => Object.entries(conditions[key].only).every(has) && !Object.entries(conditions[key].unless).some(has);
  });
  const idle = Object.keys(conditions).filter(key => !isAsked.some(isAskedBy => isAskedBy(key)));
  return own ? [...idle, ...chance] : idle;
}

/**
 * A trace, served in one way.
 * @param {Way} way
 * @param {State} state
 * @param {Lab} lab
 * @param {Costs} cost
 * @param {Requests} trace
 */
export function served({policy, allocator}, state, lab, cost, trace) {
  const block_len = allocators[allocator] ? Math.min(Number(lab.block), state.context) : state.context;
  const n_slots = Number(lab.slots);
  const rules = {
    policy: policies[policy],
    n_slots,
    chunk_len: Number(lab.chunk),
    block_len,
    max_len: state.context,
    watermark: Number(lab.watermark),
    swap_bytes_per_s: preemptions[/** @type {keyof typeof preemptions} */ (lab.preemption)] ? HOST_LINK_BYTES_PER_S : 0,
  };
  const {outcome, n_taken, requests, passes, n_runs, phases, n_phases, totals} = replay(rules, cost, trace, NO_LIMIT);
  const n = totals.n_finished;
  const good = n_good(requests, n, Number(lab.ttft_limit), Number(lab.tpot_limit) * MS);
  return {
    policy, allocator, n_slots,
    refused: outcome === DONE ? null : refused(n_taken, rules, cost, trace),
    start_s: trace.arrival_s[0],
    end_s: largest(requests.finish_s, n),
    means: {prompt_len: mean(trace.prompt_len), output_len: mean(trace.output_len)},
    pool_bytes: cost.pool_bytes,
    watermark: rules.watermark,
    // Without a shared prefix: what of the pool the longest prompt takes at most.
    prompt_fraction: cache_bytes(cost, Math.ceil(largest(trace.prompt_len) / block_len) * block_len) / cost.pool_bytes,
    requests: {...requests, n},
    passes: {...passes, n: n_runs},
    phases: {...phases, n: n_phases},
    totals: {...totals, goodput_per_s: good / totals.makespan_s},
  };
}

/**
 * A request that could not be served even by itself, and what it is too large for.
 * @param {number} at
 * @param {{max_len: number, block_len: number}} rules
 * @param {Costs} cost
 * @param {Requests} trace
 */
function refused(at, {max_len, block_len}, cost, trace) {
  const prompt_len = trace.prompt_len[at], output_len = trace.output_len[at];
  const length = Math.max(prompt_len + output_len - 1, block_len);
  return {number: at + 1, prompt_len, output_len, max_len, pool_bytes: cost.pool_bytes, cache_bytes: cache_bytes(cost, length)};
}

/**
 * Both replays of a trace.
 * @param {State} state
 * @param {Lab} lab
 * @param {Own} own
 */
export function replays(state, lab, own) {
  const cost = costs(state);
  const trace = own ? own.requests : drawn(state, lab, Number(lab.requests), Number(lab.rate));
  return ways(lab).map(way => served(way, state, lab, cost, trace));
}

/**
 * What the first of both replays comes to in all.
 * @param {State} state
 * @param {Lab} lab
 */
export function totals(state, lab) {
  const trace = drawn(state, lab, Number(lab.requests), Number(lab.rate));
  return served(ways(lab)[0], state, lab, costs(state), trace).totals;
}
