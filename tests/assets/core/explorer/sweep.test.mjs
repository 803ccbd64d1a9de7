// 14e9 bytes of weights leave 66e9: 61 sequences of 8,192 · 131,072 bytes, or 8 of 62,942 tokens.
import assert from "node:assert/strict";
import {test} from "node:test";

import {draws, fuzz} from "../../hostile.mjs";
import {place, whole} from "../../state.mjs";
import data from "#modules/built/data.mjs";
import {singleChange} from "#modules/core/explorer/single_change.mjs";
import {edges, sweep, swept, unfit} from "#modules/core/explorer/sweep.mjs";
import {consistent, defaults} from "#modules/core/rules.mjs";
import {sentence} from "#modules/core/words/sweep.mjs";

/** What is said of a sweep, and what is hatched. */
function at(inputs, key) {
  const {state, report} = consistent({...defaults, ...inputs}), points = sweep(state, report, key, "tokens_per_s");
  return {said: sentence(points, key, "tokens_per_s"), unfit: unfit(points, key)};
}

test("it fits up to the limit, not up to the last stop below it", () => {
  assert.match(at({}, "batch").said, / It fits up to 61\.$/);
  assert.deepEqual(at({}, "batch").unfit, [[61, Infinity]]);
  assert.match(at({}, "context").said, / It fits up to 62,942\.$/);
});

test("what fits from some value on does not fit below it", () => {
  // 141 GB of weights: one and two GPUs of 80 GB do not hold 8 sequences beside them; three cannot share 64 heads.
  const {said, unfit} = at({model: "llama-3-70b"}, "gpus");
  assert.match(said, / Of the values tried it fits only from 4 on\.$/);
  assert.deepEqual(unfit, [[0, 4]]);
});

test("a sweep of one value is no sweep", () => {
  assert.match(at({model: "falcon-7b"}, "gpus").said, /^GPUs: 1 alone goes with the rest\. All users together [\d,]+ tokens\/s; it fits\.$/);
});

test("all of it, and none", () => {
  assert.deepEqual(at({}, "spec_k").unfit, []);
  assert.deepEqual(at({params_b: 405}, "batch").unfit, [[0, Infinity]]);
});

test("whatever is tried along an input fits where it is said to, and is hatched where it does not", () => {
  const said = new Set();
  fuzz(chance => {
    const found = place(chance);
    if (!found) return;
    const {below, one} = draws(chance), key = one(swept(found.state, found.report));
    const points = sweep(found.state, found.report, key, "tokens_per_s"), text = sentence(points, key, "tokens_per_s");
    whole(text, text);
    if (points.length < 2) return;
    const hatched = unfit(points, key), isExact = edges(points, key).every(each => each.isExact);
    const [low, high] = [points[0].x, points.at(-1).x], isBeyond = x => hatched.some(([from, to]) => x > from && x < to);
    const [, limit, from] = /it fits (?:up to ([\d,.]+)|only from ([\d,.]+) on)\.$/i.exec(text) ?? [];
    said.add(limit ? "up to" : from ? "from" : "");
    const number = words => Number(words.replaceAll(",", ""));
    for (const {x, report} of points) assert.equal(report.fits, !isBeyond(x), `${x}: ${text}`);
    if (!isExact) return assert.match(text, /Of (the|these)/);
    for (let tried = 0; tried < 6; tried++) {
      const value = low * (high / low) ** chance(), x = data.inputs[key].whole ? Math.round(value) : value;
      const there = singleChange(found.state, key, below(2) && limit ? number(limit) + below(2) : x);
      if (!there) continue;
      const now = there.state[key];
      assert.equal(there.report.fits, !isBeyond(now), `${now}: ${text}`);
      if (limit) assert.equal(there.report.fits, now <= number(limit), `${now}: ${text}`);
      if (from) assert.equal(there.report.fits, now >= number(from), `${now}: ${text}`);
    }
  }, 200);
  assert.deepEqual([...said].sort(), ["", "from", "up to"]);
});
