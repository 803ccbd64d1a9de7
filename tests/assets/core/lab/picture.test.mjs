// Two requests in two slots, by hand: one is static, so that the short answer waits for the long.
import assert from "node:assert/strict";
import {test} from "node:test";
import {cache, gaps, mostReserved, nextEnd, progress} from "#modules/core/lab/passes.mjs";
import {bars, heldFraction, largest, mostAtOnce, mostDelayed, upTo, visible} from "#modules/core/lab/picture.mjs";

const requests = {
  n: 2,
  arrival_s: Float64Array.of(0, 0), output_len: Float64Array.of(2, 4), slot: Float64Array.of(0, 1),
  start_s: Float64Array.of(0, 0), first_token_s: Float64Array.of(1, 1), finish_s: Float64Array.of(2, 5),
  n_preemptions: Float64Array.of(0, 0), longest_gap_s: Float64Array.of(1, 2),
};
// Prefill of both until 1; steps until 2, 3 and 5.
const passes = {
  n: 4, start_s: Float64Array.of(0, 1, 2, 3), end_s: Float64Array.of(1, 2, 3, 5), is_apart: Float64Array.of(0, 0, 0, 0),
  first_s: Float64Array.of(1, 1, 1, 2), last_s: Float64Array.of(1, 1, 1, 2), n_passes: Float64Array.of(1, 1, 1, 1),
  blocks_grown: Float64Array.of(0, 0, 0, 0),
  n_decoding: Float64Array.of(0, 2, 1, 1), prefilled_tokens: Float64Array.of(20, 0, 0, 0),
  blocks_held: Float64Array.of(2, 4, 4, 3), tokens_held: Float64Array.of(20, 22, 13, 14),
};

test("slots prefill until the first token and decode until the last", () => {
  assert.deepEqual(bars(requests, "continuous"), [
    {slot: 0, from: 0, to: 1, what: "prefill", request: 0},
    {slot: 0, from: 1, to: 2, what: "decode", request: 0},
    {slot: 1, from: 0, to: 1, what: "prefill", request: 1},
    {slot: 1, from: 1, to: 5, what: "decode", request: 1},
  ]);
});

test("of a static batch a slot is held until the longest answer ends", () => {
  assert.deepEqual(bars(requests, "static").filter(each => each.what === "held"),
    [{slot: 0, from: 2, to: 5, what: "held", request: 0}]);
});

test("who comes at the moment at which another ends is not beside that one", () => {
  assert.equal(mostAtOnce(requests), 2);
  const three = {n: 3, start_s: Float64Array.of(2, 0, 0, 9), finish_s: Float64Array.of(3, 2, 5, 9)};
  assert.equal(mostAtOnce(/** @type {any} */ (three)), 2);
});

test("of bars narrower than a pixel one is seen where nothing else is", () => {
  const bar = (slot, from, to) => ({slot, from, to, what: "decode", request: 0});
  const [wide, thin, other, far] = [bar(0, 0, 5), bar(0, 5, 5.2), bar(1, 5, 5.2), bar(0, 7, 7.1)];
  assert.deepEqual(visible([far, wide, thin, other], 1), [wide, other, far]);
});

test("a request of one token has no time of decode", () => {
  const one = {...requests, finish_s: requests.first_token_s};
  assert.deepEqual(bars(one, "continuous").map(each => each.what), ["prefill", "prefill"]);
});

test("what came out by a moment", () => {
  const at = progress(requests, passes, 2);
  assert.deepEqual(at(0.5), {tokens: 0, passed_s: 0.5, busy: 1});
  assert.deepEqual(at(1), {tokens: 2, passed_s: 1, busy: 1});
  assert.equal(at(2).tokens, 4);
  // Both tokens first, four by 2, then one each: 6 in all, as the outputs say. Busy 2 + 5 of 10 s.
  assert.deepEqual(at(5), {tokens: 6, passed_s: 5, busy: 0.7});
});

test("the waits of a reader, since the first token", () => {
  assert.deepEqual(gaps(requests, passes, 1), {at_s: [1, 2, 4], gap_s: [1, 1, 2]});
  assert.deepEqual(gaps(requests, passes, 0), {at_s: [1], gap_s: [1]});
  assert.equal(mostDelayed(requests), 1);
  assert.equal(mostDelayed({...requests, n_preemptions: Float64Array.of(0, 1)}), 0);
  // One that gave way was out of passes that are not known.
  assert.deepEqual(gaps({...requests, n_preemptions: Float64Array.of(0, 1)}, passes, 1), {at_s: [], gap_s: []});
  // A cache that comes late is in none of the passes before: three tokens, the last three passes.
  const late = {...requests, first_token_s: Float64Array.of(0.5, 0.5), output_len: Float64Array.of(2, 3)};
  assert.deepEqual(gaps(late, passes, 1), {at_s: [2.5, 4.5], gap_s: [2.5, 2]});
});

test("the cache over time, and the most of it", () => {
  const {at_s, held, reserved} = cache(passes, 16, 5, 5);
  assert.deepEqual(at_s, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(held, [20, 20, 22, 13, 14, 14]);
  assert.deepEqual(reserved, [32, 32, 64, 64, 48, 48]);
  assert.equal(mostReserved(passes, 16), 64);
  // Nobody is there from 1 to 1.5.
  const late = {...passes, start_s: Float64Array.of(0, 1.5, 2, 3)};
  assert.deepEqual(cache(late, 16, 5, 4).held, [20, 0, 13, 14, 14]);
});

test("the largest of very many, and what a static batch holds for nothing", () => {
  assert.equal(largest(new Float64Array(400_000).fill(2)), 2);
  assert.equal(largest(Float64Array.of(1, 9), 1), 1);
  assert.equal(heldFraction(requests, "static", 2, 5), 0.3);   // 3 of 2 · 5 s
});

test("how many are not above", () => {
  assert.deepEqual([0, 1, 1.5, 3, 9].map(value => upTo([1, 2, 3], value)), [0, 1, 1, 3, 3]);
  assert.equal(upTo([1, 2, 3, 0, 0], 9, 3), 3);
});

// Three steps of 1, 2 and 3 s in one row, by two sequences that take two blocks on the way.
const run = {
  n: 1, start_s: Float64Array.of(0), end_s: Float64Array.of(6), is_apart: Float64Array.of(0), first_s: Float64Array.of(1),
  last_s: Float64Array.of(3), n_passes: Float64Array.of(3), n_decoding: Float64Array.of(2), prefilled_tokens: Float64Array.of(0),
  blocks_held: Float64Array.of(4), blocks_grown: Float64Array.of(3), tokens_held: Float64Array.of(26),
};

test("passes that stand in one row are drawn one by one", () => {
  assert.deepEqual([0, 0.5, 1, 2.5, 3, 5.9].map(at => nextEnd(run, at)), [1, 1, 3, 3, 6, 6]);
  assert.equal(nextEnd(run, 6), Infinity);
  const {held, reserved} = cache(run, 16, 6, 6);
  assert.deepEqual(held, [22, 24, 24, 26, 26, 26, 26]);
  assert.deepEqual(reserved, [32, 48, 48, 64, 64, 64, 64]);
  const one = {...requests, output_len: Float64Array.of(4, 4), first_token_s: Float64Array.of(0, 0), finish_s: Float64Array.of(6, 6)};
  assert.deepEqual(gaps(one, run, 0), {at_s: [1, 3, 6], gap_s: [1, 2, 3]});
  assert.deepEqual([0.5, 1, 5, 6].map(at => progress(one, run, 2)(at).tokens), [2, 4, 6, 8]);
});
