// Of random traces, in which many give way: what the page counts from the log is what the totals say.
import assert from "node:assert/strict";
import {test} from "node:test";
import {arrays, costs, draw, NO_LIMIT, replay, Requests, source} from "#modules/built/replay.mjs";
import {gaps, progress} from "#modules/core/lab/passes.mjs";
import {bars, largest, waiting} from "#modules/core/lab/picture.mjs";
import {states} from "#modules/core/lab/strips.mjs";
import {defaults} from "#modules/core/rules.mjs";

const N = 24;

/** Requests that are served in memory for about 600 tokens. */
function served(seed, policy, swap_bytes_per_s) {
  const cost = {...costs(defaults), pool_bytes: 131_072 * 600};
  const trace = arrays(Requests, N), max_len = 512;
  const mix = {rate_per_s: seed % 3 ? 40 : 0, burst: 1 + seed % 2, lengths: seed % 3, prompt_len: 60, output_len: 60, max_len};
  draw(/** @type {any} */ (mix), source(seed), trace, N);
  const rules = {policy, n_slots: 1 + seed % 7, chunk_len: 32, block_len: 16, max_len, watermark: 0, swap_bytes_per_s};
  const found = replay(rules, cost, trace, NO_LIMIT);
  return {
    ...found, n_slots: rules.n_slots, pool_bytes: cost.pool_bytes, start_s: trace.arrival_s[0], end_s: largest(found.requests.finish_s, N),
    requests: {...found.requests, n: N}, passes: {...found.passes, n: found.n_runs}, phases: {...found.phases, n: found.n_phases},
  };
}

const runs = [0, 1, 2, 3].flatMap(policy => [0, 64e9].flatMap(swap =>
  Array.from({length: 25}, (_, i) => served(i + 1, policy, swap))));

test("somebody gives way in many of them", () => {
  const n = runs.filter(each => each.totals.n_preemptions > 0).length;
  assert.ok(n > 60 && n < runs.length, String(n));
});

test("the numbers in the head are at the end those of the totals, to the last bit", () => {
  for (const {phases, passes, n_slots, start_s, end_s, totals} of runs) {
    const {tokens, busy, passed_s} = progress(phases, passes, n_slots, start_s)(end_s);
    assert.equal(tokens, totals.output_tokens);
    assert.equal(tokens / passed_s, totals.tokens_per_s);
    assert.equal(busy, totals.slot_utilisation);
  }
});

test("each reader's waits are all of the answer's, and the longest is known", () => {
  for (const {requests, phases, passes} of runs) {
    for (let request = 0; request < N; request++) {
      const {gap_s} = gaps(phases, passes, request);
      assert.equal(gap_s.length, requests.output_len[request] - 1);
      assert.ok(Math.abs(largest(gap_s) - requests.longest_gap_s[request]) < 1e-9);
    }
  }
});

test("who is away is so often, and for the rest of its time in the slots it is served", () => {
  for (const {requests, phases} of runs) {
    const all = bars(phases);
    for (let request = 0; request < N; request++) {
      const own = all.filter(each => each.request === request && each.what !== "held");
      assert.ok(own.filter(each => each.what === "away").length <= requests.n_preemptions[request]);
      const whole_s = own.reduce((sum, {from, to}) => sum + to - from, 0);
      assert.ok(Math.abs(whole_s - (requests.finish_s[request] - requests.start_s[request])) < 1e-9);
    }
  }
});

test("at each moment slots, and requests that have come, are all accounted for", () => {
  for (const run of runs) {
    const at_s = Array.from({length: 9}, (_, i) => run.start_s + (run.end_s - run.start_s) * i / 9);
    for (const state of states(/** @type {any} */ (run), at_s)) {
      const {at, prefill, decode, transit, away, held, idle} = state;
      assert.equal(prefill + decode + transit + away + held + idle, run.n_slots);
      assert.ok(idle >= 0);
      const come = run.requests.arrival_s.filter(each => each <= at).length;
      const gone = run.requests.finish_s.filter(each => each <= at).length;
      assert.equal(prefill + decode + transit + away + state.waiting, come - gone);
      assert.equal(waiting(run.requests)(at), state.waiting);
      assert.ok(state.holding + state.toCome + state.never <= run.pool_bytes * (1 + 1e-9));
    }
  }
});
