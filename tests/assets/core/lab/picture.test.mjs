// Two requests in two slots, by hand: one is static, so that the short answer waits for the long.
import assert from "node:assert/strict";
import {test} from "node:test";
import {DECODING, IN_TRANSIT, PADDING, PREEMPTED, PREFILLING} from "#modules/built/replay.mjs";
import {cache, gaps, nextEnd, progress} from "#modules/core/lab/passes.mjs";
import {
  bars, heldFractions, largest, meanQueue, mostAtOnce, mostDelayed, promptEnds, queue, upTo, waiting,
} from "#modules/core/lab/picture.mjs";

/** Rows of [slot, request, status, start_s, end_s]. */
const phasesOf = (...rows) => ({
  n: rows.length,
  ...Object.fromEntries(["slot", "request", "status", "start_s", "end_s"].map((name, i) =>
    [name, Float64Array.from(rows, row => row[i])])),
});

const phases = phasesOf(
  [0, 0, PREFILLING, 0, 1], [1, 1, PREFILLING, 0, 1], [0, 0, DECODING, 1, 2], [1, 1, DECODING, 1, 5],
  [0, 0, PADDING, 2, 5], [1, 1, PADDING, 5, 5],
);
// Prefill of both until 1; steps until 2, 3 and 5. Blocks of 8 B, 1 B a token.
const passes = {
  n: 4, start_s: Float64Array.of(0, 1, 2, 3), end_s: Float64Array.of(1, 2, 3, 5), is_apart: Float64Array.of(0, 0, 0, 0),
  first_s: Float64Array.of(1, 1, 1, 2), last_s: Float64Array.of(1, 1, 1, 2), n_passes: Float64Array.of(1, 1, 1, 1),
  n_decoding: Float64Array.of(0, 2, 1, 1), prefilled_tokens: Float64Array.of(20, 0, 0, 0),
  reserved_bytes: Float64Array.of(32, 32, 32, 32), reserved_more_bytes: Float64Array.of(0, 0, 0, 0),
  holding_bytes: Float64Array.of(20, 22, 13, 14), holding_more_bytes: Float64Array.of(0, 0, 0, 0),
  to_come_bytes: Float64Array.of(4, 2, 1, 0),
};

test("what slots do has its bars, but for what takes no time", () => {
  assert.deepEqual(bars(/** @type {any} */ (phases)), [
    {slot: 0, from: 0, to: 1, what: "prefill", request: 0},
    {slot: 1, from: 0, to: 1, what: "prefill", request: 1},
    {slot: 0, from: 1, to: 2, what: "decode", request: 0},
    {slot: 1, from: 1, to: 5, what: "decode", request: 1},
    {slot: 0, from: 2, to: 5, what: "held", request: 0},
  ]);
});

// It gives way in decode for a second, is computed again for one more, and then once in its prefill.
const away = phasesOf(
  [0, 0, PREFILLING, 0, 1], [0, 0, DECODING, 1, 2], [0, 0, PREEMPTED, 2, 3], [0, 0, PREFILLING, 3, 4],
  [0, 0, PREEMPTED, 4, 4], [0, 0, PREFILLING, 4, 5], [0, 0, DECODING, 5, 6],
);
// Its steps, and one of others while it is away.
const others = {
  ...passes, n: 3, start_s: Float64Array.of(1, 2, 5), end_s: Float64Array.of(2, 3, 6), is_apart: Float64Array.of(0, 0, 0),
  first_s: Float64Array.of(1, 1, 1), last_s: Float64Array.of(1, 1, 1), n_passes: Float64Array.of(1, 1, 1),
  n_decoding: Float64Array.of(1, 1, 1),
};

test("who gave way is away, neither in prefill nor in decode", () => {
  assert.deepEqual(bars(/** @type {any} */ (away)).map(({what, from, to}) => [what, from, to]), [
    ["prefill", 0, 1], ["decode", 1, 2], ["away", 2, 3], ["prefill", 3, 4], ["prefill", 4, 5], ["decode", 5, 6],
  ]);
  assert.deepEqual([...promptEnds(away)], [1, 5]);
  // Tokens at 1 and 2, then computed again at 5, and at 6; of others one at 3.
  assert.deepEqual(gaps(away, others, 0), {at_s: [1, 4, 5], gap_s: [1, 3, 1]});
  const at = progress(away, others, 1, 0);
  assert.deepEqual([2, 3, 4.5, 6].map(each => at(each).tokens), [2, 3, 3, 5]);
  assert.deepEqual([2, 3, 6].map(each => at(each).busy), [1, 2 / 3, 5 / 6]);
  assert.equal(mostAtOnce(away), 1);
});

test("a cache on its way to its slot is neither prefill nor decode, and serves somebody", () => {
  const sent = phasesOf([0, 0, PREFILLING, 0, 1], [0, 0, IN_TRANSIT, 1, 3], [0, 0, DECODING, 3, 4]);
  assert.deepEqual(bars(sent).map(({what}) => what), ["prefill", "transit", "decode"]);
  assert.equal(progress(sent, {...passes, n: 0}, 1, 0)(4).busy, 1);
  // It is in none of the steps that have begun before its cache is there.
  assert.deepEqual(gaps(sent, {...passes, start_s: Float64Array.of(0, 1, 2.5, 3), end_s: Float64Array.of(1, 2.5, 3.5, 4)}, 0),
    {at_s: [3], gap_s: [3]});
});

test("who comes at the moment at which another ends is not beside that one", () => {
  assert.equal(mostAtOnce(phases), 2);
  const three = phasesOf([0, 0, DECODING, 2, 3], [0, 1, DECODING, 0, 2], [1, 2, DECODING, 0, 5]);
  assert.equal(mostAtOnce(three), 2);
});

test("what came out by a moment", () => {
  const at = progress(phases, passes, 2, 0);
  assert.deepEqual(at(0.5), {tokens: 0, passed_s: 0.5, busy: 1});
  assert.deepEqual(at(1), {tokens: 2, passed_s: 1, busy: 1});
  assert.equal(at(2).tokens, 4);
  // Both tokens first, four by 2, then one each: 6 in all, as the outputs say. Busy 2 + 5 of 10 s.
  assert.deepEqual(at(5), {tokens: 6, passed_s: 5, busy: 0.7});
  // Since the first arrival, a second after the clock's beginning.
  assert.equal(progress(phases, passes, 2, -1)(5).passed_s, 6);
});

test("the waits of a reader, since the first token", () => {
  assert.deepEqual(gaps(phases, passes, 1), {at_s: [1, 2, 4], gap_s: [1, 1, 2]});
  assert.deepEqual(gaps(phases, passes, 0), {at_s: [1], gap_s: [1]});
  assert.equal(mostDelayed(/** @type {any} */ ({n: 2, longest_gap_s: Float64Array.of(1, 2, 0)})), 1);
});

test("the cache over time: what holds tokens, what is for tokens to come, what is for none", () => {
  const found = cache(passes, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(found.holding, [20, 20, 22, 13, 14, 14]);
  assert.deepEqual(found.toCome, [4, 4, 2, 1, 0, 0]);
  assert.deepEqual(found.never, [8, 8, 8, 18, 18, 18]);
  // Nobody is there from 1 to 1.5.
  const late = {...passes, start_s: Float64Array.of(0, 1.5, 2, 3)};
  assert.deepEqual(cache(late, [0, 1.25, 2.5, 3.75, 5]).holding, [20, 0, 13, 14, 14]);
});

test("how many wait, and the most of it in each place", () => {
  // Two come at 0, of which one waits until 2; one comes at 2.5 and waits for a tenth of a second.
  const requests = {n: 3, arrival_s: Float64Array.of(0, 0, 2.5), start_s: Float64Array.of(0, 2, 2.6)};
  const waits = waiting(/** @type {any} */ (requests));
  assert.deepEqual([0, 1.9, 2, 2.5, 2.6].map(waits), [1, 1, 0, 1, 0]);
  assert.deepEqual(queue(/** @type {any} */ (requests), [0, 1, 2, 3, 4]), [1, 1, 1, 0]);
  // Whoever waits for a moment fills no place along the time.
  const arrival_s = [0, 0, 0.5, 3], start_s = [0, 2.5, 0.75, 3.001];
  const mean = meanQueue(/** @type {any} */ ({n: 4, arrival_s, start_s}), [0, 1, 2, 3, 4]);
  [1.25, 1, 0.5, 0.001].forEach((each, i) => assert.ok(Math.abs(mean[i] - each) < 1e-12, String(mean)));
});

test("the largest of very many, and what a static batch holds for nothing", () => {
  assert.equal(largest(new Float64Array(400_000).fill(2)), 2);
  assert.equal(largest(Float64Array.of(1, 9), 1), 1);
  const outputs = (...output_len) => ({n: 2, finish_s: Float64Array.of(1, 4), output_len});
  assert.deepEqual(heldFractions(phases, {n: 2, finish_s: [2, 5], output_len: [1, 4]}, 2, 5), {all: 0.3, forLonger: 0.3});   // 3 of 2 · 5 s
  // One prompt after the other: the first answer ends at 1 s, the last prompt at 3 s, all at 4 s.
  const inTurn = phasesOf([0, 0, PREFILLING, 0, 1], [0, 0, PADDING, 1, 4], [1, 1, PREFILLING, 1, 3], [1, 1, DECODING, 3, 4]);
  assert.deepEqual(heldFractions(inTurn, outputs(1, 2), 2, 4), {all: 3 / 8, forLonger: 1 / 8});
  assert.deepEqual(heldFractions(inTurn, outputs(2, 2), 2, 4), {all: 3 / 8, forLonger: 0});
});

test("how many are not above", () => {
  assert.deepEqual([0, 1, 1.5, 3, 9].map(value => upTo([1, 2, 3], value)), [0, 1, 1, 3, 3]);
  assert.equal(upTo([1, 2, 3, 0, 0], 9, 3), 3);
});

// Three steps of 1, 2 and 3 s in one row, by two sequences that take two blocks on the way.
const run = {
  ...passes,
  n: 1, start_s: Float64Array.of(0), end_s: Float64Array.of(6), is_apart: Float64Array.of(0), first_s: Float64Array.of(1),
  last_s: Float64Array.of(3), n_passes: Float64Array.of(3), n_decoding: Float64Array.of(2), prefilled_tokens: Float64Array.of(0),
  reserved_bytes: Float64Array.of(64), reserved_more_bytes: Float64Array.of(48), holding_bytes: Float64Array.of(26),
  holding_more_bytes: Float64Array.of(6), to_come_bytes: Float64Array.of(30),
};

test("passes that stand in one row are drawn one by one", () => {
  assert.deepEqual([0, 0.5, 1, 2.5, 3, 5.9].map(at => nextEnd(run, at)), [1, 1, 3, 3, 6, 6]);
  assert.equal(nextEnd(run, 6), Infinity);
  const {holding, toCome, never} = cache(run, [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(holding, [22, 24, 24, 26, 26, 26, 26]);
  assert.deepEqual(toCome, [2, 16, 16, 30, 30, 30, 30]);
  assert.deepEqual(never, [8, 8, 8, 8, 8, 8, 8]);
  const both = phasesOf([0, 0, PREFILLING, 0, 0], [1, 1, PREFILLING, 0, 0], [0, 0, DECODING, 0, 6], [1, 1, DECODING, 0, 6]);
  assert.deepEqual(gaps(both, run, 0), {at_s: [1, 3, 6], gap_s: [1, 2, 3]});
  assert.deepEqual([0.5, 1, 5, 6].map(at => progress(both, run, 2, 0)(at).tokens), [2, 4, 6, 8]);
});
