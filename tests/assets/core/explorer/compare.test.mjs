// By hand, as in tests/e2e/test_explorer.py: 14e9 bytes of weights and 1.0737e9 of each sequence a step.
import assert from "node:assert/strict";
import {test} from "node:test";

import {draws, fuzz} from "../../hostile.mjs";
import {whole} from "../../state.mjs";
import {complaint} from "#modules/core/complaint.mjs";
import {compare, differing} from "#modules/core/explorer/compare.mjs";
import {consistent, defaults} from "#modules/core/rules.mjs";
import {differenceRows, quantityRows, sentence} from "#modules/core/words/compare.mjs";

const moment = inputs => consistent({...defaults, ...inputs});

/** Two scenarios compared: what is measured, each difference and what it does alone, the sentence. */
function between(one, other) {
  const [a, b] = [one, other].map(moment), found = compare(a, b);
  return {
    quantity: found.quantity, ratio: found.ratio,
    does: Object.fromEntries(found.differences.map(({keys, ratio}) => [keys.join(" "), Number(ratio.toFixed(3))])),
    text: sentence(a, b, found), rows: quantityRows(a, b), differ: differenceRows(a, b, found),
  };
}

test("one difference is all that differs, and says why", () => {
  const {text, does} = between({}, {bandwidth_factor: 2});
  assert.deepEqual(does, {bandwidth_factor: 2});
  assert.equal(text, "From A to B all users together: from 1,170 to 2,340 tokens/s, 2.00×. The only difference is bandwidth. Memory is read at 6.60 TB/s instead of 3.30: decode is memory-bound and follows the bandwidth alone.");
});

test("the difference that does most is named, and that they multiply is not", () => {
  const {text, does, ratio} = between({}, {bandwidth_factor: 2, batch: 16});
  assert.deepEqual(Object.entries(does), [["bandwidth_factor", 2], ["batch", 1.449]]);
  assert.equal(ratio.toFixed(3), "2.898");
  assert.match(text, /Most comes from bandwidth, 2\.00× alone\. Memory is read at [^:]*: decode [^.]*\.$/);
});

test("that they act on each other is said where they do", () => {
  const {text, does} = between({}, {weights: "int4", batch: 64});
  assert.deepEqual(Object.entries(does), [["batch", 2.185], ["weights", 1.868]]);
  assert.match(text, /2\.50×.* Most comes from batch, 2\.18× alone\. One read .* What each does alone multiplies to 4\.08×: they act on each other\.$/);
});

test("what works against it and what does nothing are named", () => {
  const {text} = between({}, {bandwidth_factor: 4, context: 16384, peak_factor: 2});
  assert.match(text, /Most comes from bandwidth, 4\.00× alone/);
  assert.match(text, /Against it goes context, 0\.725× alone\./);
  assert.match(text, /Nothing comes of peak alone\./);
});

test("what does not fit says which difference is too much", () => {
  assert.match(between({}, {context: 131072, weights: "fp8"}).text, /B does not fit, 64\.4 GB missing; too much by itself: context\./);
  assert.match(between({}, {context: 32768, batch: 16}).text, /no difference is too much by itself, only together\./);
  assert.match(between({context: 131072}, {}).text, /A does not fit, B does\./);
});

test("where no speed of decode changes, something else is measured", () => {
  const {quantity, text} = between({}, {prefix_hit: 0.5});
  assert.equal(quantity, "ttft_s");
  assert.match(text, /^From A to B time to first token: from 116 to 57\.9 ms, 0\.500×\./);
  assert.equal(between({}, {usd_per_gpu_hour: 6}).quantity, "request_usd");
});

test("inputs that a model has its own of go over with it", () => {
  const a = moment({params_b: 70, gqa: 8}), b = moment({model: "llama-3-8b"});
  assert.deepEqual(differing(a, b), [["model", "params_b", "gqa"]]);
  assert.deepEqual(differing(moment({gpus: 4, tp: 2, dp: 2}), moment({gpus: 2})), [["gpus", "tp", "dp"]]);
  assert.deepEqual(differing(moment({alpha: 0.5}), moment({})), []);
  const {differ} = between({params_b: 70, gqa: 8}, {model: "llama-3-8b"});
  assert.deepEqual(differ.map(row => row.slice(0, 3)), [
    ["Model", "7B class", "Llama 3 / 3.1 8B"], ["Parameters", "70 billion", "–"], ["GQA group size", "8 GQA", "–"],
  ]);
});

test("both amounts of a row have the same unit", () => {
  const {rows} = between({}, {context: 131072, batch: 64});
  assert.deepEqual(rows.find(([what]) => what === "First token"), ["First token", "s", "0.116", "1.85", "16×"]);
  assert.deepEqual(rows.at(-1), ["Fits", "", "yes", "no", ""]);
});

test("whatever is compared is said", () => {
  fuzz(chance => {
    const {below, key, taken} = draws(chance);
    const drawn = () => Object.fromEntries(Array.from({length: below(5)}, () => key()).map(each => [each, taken(each)]));
    const pair = [drawn(), drawn()];
    if (pair.some(inputs => complaint({...defaults, ...inputs}, []))) return;
    const {text, rows, differ} = between(...pair);
    whole(text, JSON.stringify(pair));
    for (const cell of [...rows, ...differ].flat()) whole(cell, JSON.stringify(pair));
  }, 1500);
});
