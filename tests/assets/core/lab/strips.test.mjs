// What is drawn along the time: idle slots, bars that go on, columns, and what all of it says.
import assert from "node:assert/strict";
import {test} from "node:test";
import {columns, memoryScale, moments, mostly, states, timelines} from "#modules/core/lab/strips.mjs";
import {bars} from "#modules/core/lab/picture.mjs";
import {replays} from "#modules/core/lab/replays.mjs";
import {defaults} from "#modules/core/rules.mjs";
import {defaultSettings} from "#modules/core/settings.mjs";
import {memory, memoryAt, queued, queuedAt, statesInWords} from "#modules/core/words/strips.mjs";

const bar = (slot, from, to, what = "decode") => /** @type {any} */ ({slot, from, to, what, request: 0});
const lab = changes => ({...defaultSettings, ...changes});

test("a slot without a request is idle, also one that never has any", () => {
  const found = timelines([bar(0, 1, 2), bar(0, 2, 3), bar(0, 4, 5)], 2, 0, 5);
  assert.deepEqual(found.map(line => line.map(({from, to, what}) => [from, to, what])), [
    [[0, 1, "idle"], [1, 2, "decode"], [2, 3, "decode"], [3, 4, "idle"], [4, 5, "decode"]],
    [[0, 5, "idle"]],
  ]);
});

test("each place shows what a slot does most of its time", () => {
  const all = [bar(0, 0, 1.6), bar(0, 1.6, 2, "held"), bar(0, 2, 2.3), bar(0, 2.3, 3, "prefill"), bar(0, 3, 4)];
  assert.deepEqual(mostly(all, [0, 1, 2, 3, 4, 5]).map(({from, to, what}) => [from, to, what]),
    [[0, 2, "decode"], [2, 3, "prefill"], [3, 4, "decode"]]);
  // What comes in pieces counts together.
  const pieces = [bar(0, 0, 0.3), bar(0, 0.3, 0.7, "prefill"), bar(0, 0.7, 1)];
  assert.deepEqual(mostly(pieces, [0, 1]).map(({what}) => what), ["decode"]);
});

test("of very many bars as much is drawn as there is", () => {
  for (const run of replays(defaults, lab({requests: "2000"}), null)) {
    const places = moments(0, run.end_s, 800);
    const drawn = timelines(bars(run.phases), run.n_slots, 0, run.end_s).flatMap(line => mostly(line, places));
    const share = is => drawn.filter(is).reduce((sum, {from, to}) => sum + to - from, 0) / (run.n_slots * run.end_s);
    const busy = share(({what}) => what === "prefill" || what === "decode");
    assert.ok(Math.abs(share(() => true) - 1) < 1e-6);
    assert.ok(Math.abs(busy - run.totals.slot_utilisation) < 0.04, `${busy} of ${run.totals.slot_utilisation}`);
  }
});

test("columns stand on each other, alike ones are one, and a little is seen", () => {
  assert.deepEqual(columns([0, 1, 2, 3], [[3, 3, 0.1], [1, 0, 0]], 1), [
    {layer: 0, left: 0, right: 2, from: 0, to: 3},
    {layer: 1, left: 0, right: 1, from: 3, to: 4},
    {layer: 0, left: 2, right: 3, from: 0, to: 1},
  ]);
  // What was alike before nothing was there is another column.
  assert.equal(columns([0, 1, 2, 3], [[1, 0, 1]], 1).length, 2);
});

test("memory is drawn up to a round size, or up to the pool", () => {
  const of = (kv_most_fraction, pool_bytes) => /** @type {any} */ ({pool_bytes, totals: {kv_most_fraction}});
  assert.equal(memoryScale([of(0.02, 60e9), of(0.01, 60e9)], 1e9), 1.5e9);
  assert.equal(memoryScale([of(0.9, 60e9), of(0.01, 60e9)], 1e9), 60e9);
  assert.equal(memoryScale([of(0, 60e9)], 1e9), 60e9);
});

test("what a run says at its beginning, in its midst and in all", () => {
  const [run] = replays({...defaults, prompt: 512}, lab({requests: "10", slots: "4", lengths: "fixed"}));
  // Three batches: six wait, then two, then nobody.
  assert.equal(queuedAt(run, 0), "6 requests now");
  assert.equal(queuedAt(run, run.end_s / 2), "2 requests now");
  assert.equal(queuedAt(run, run.end_s), "nobody now");
  assert.match(queued(run, 6), /^at most 6 requests at once; over the run 2\.\d+ in the mean$/);
  assert.equal(queued(run, 0), "nobody");
  // At the end of a batch each of four sequences has 1,011 of 1,012 tokens' blocks, of 131,072 B each.
  assert.match(memory(run), /^at most 1 % of the pool of 66\.0 GB taken; of what is taken over the run, 99 % holds tokens$/);
  assert.match(memoryAt(run, run.end_s / 4), /^1 % of the pool of 66\.0 GB taken now; of that, 9[89] % holds tokens$/);
  assert.equal(memoryAt(run, run.end_s + 1), "nothing taken now");
});

test("the table has what there is, and no column for what never is", () => {
  const [run] = replays({...defaults, prompt: 512}, lab({requests: "10", slots: "4", lengths: "fixed"}));
  const rows = statesInWords(states(run, moments(0, run.end_s, 4)), 0);
  const titles = ["time, s", "in prefill", "in decode", "idle", "waiting", "memory holding tokens, GB", "for tokens to come, bytes", "holding nothing, MB"];
  assert.deepEqual(rows[0], titles);
  // One unit in a column, be the number small in it.
  assert.deepEqual(rows.slice(1).map(row => Number(row[0])).sort((a, b) => a - b), rows.slice(1).map(row => Number(row[0])));
  assert.deepEqual(rows[1].slice(0, 5), ["0", "4", "0", "0", "6"]);
  assert.deepEqual(rows.at(-1).slice(1, 5), ["0", "0", "4", "0"]);
  assert.equal(rows.length, 6);
});
