import assert from "node:assert/strict";
import {test} from "node:test";

import {beyond, ends, frontier, strength} from "#modules/core/explorer/heat_map.mjs";
import {grid} from "#modules/core/explorer/sweep.mjs";
import {consistent, defaults} from "#modules/core/rules.mjs";
import {cell, mapSentence, mapTable} from "#modules/core/words/sweep.mjs";

import {SETTINGS, whole} from "../../state.mjs";

function at(inputs, over = "context", against = "batch") {
  const {state, report} = consistent({...defaults, ...inputs});
  return grid(state, report, over, against);
}

test("a grid has the powers of two of both, and each cell the report of both values", () => {
  const {xs, ys, rows} = at({});
  assert.deepEqual([xs[0], xs.at(-1), ys[0], ys.at(-1)], [512, 1048576, 1, 1024]);
  const report = rows[ys.indexOf(8)][xs.indexOf(8192)];
  assert.deepEqual([report.batch, report.context_len, report.fits], [8, 8192, true]);
  // 61 sequences of 8,192 tokens fit.
  assert.deepEqual([32, 64].map(batch => rows[ys.indexOf(batch)][xs.indexOf(8192)].fits), [true, false]);
});

test("cells in which two values do not go together are left out", () => {
  // 5 query heads for each of 8 KV heads, for one: 40 heads of 13B on up to 8 GPUs.
  const {xs, ys, rows} = at({params_b: 13, gqa: 5}, "gpus", "gqa");
  assert.ok(rows.flat().some(each => each === undefined));
  for (const [y, row] of rows.entries()) {
    for (const [x, each] of row.entries()) if (each) assert.deepEqual([each.n_gpus, each.inputs.gqa], [xs[x], ys[y]]);
  }
});

/** Cells that fit, do not, or are not there. */
const cells = text => [...text].map(sign => sign === "." ? undefined : {fits: sign === "o"});

test("runs of what does not fit, and the line around them", () => {
  assert.deepEqual(beyond(cells("oxx.xo")), [{left: 1, right: 3}, {left: 4, right: 5}]);
  const lines = frontier({xs: [1, 2], ys: [1, 2], rows: [cells("oo"), cells("ox")]});
  assert.deepEqual(lines, [{xs: [1, 2], ys: [1, 1]}, {xs: [1, 1], ys: [1, 2]}]);
  assert.deepEqual(frontier({xs: [1, 2], ys: [1], rows: [cells("o.")]}), []);
});

test("twice is as much stronger as half is weaker, and one value alone has half the colour", () => {
  const scale = {low: 1, high: 16};
  assert.deepEqual([1, 4, 16].map(value => strength(value, scale)), [0, 0.5, 1]);
  assert.equal(strength(7, {low: 7, high: 7}), 0.5);
  assert.ok(isNaN(strength(0, scale)) && isNaN(strength(Infinity, scale)));
  assert.ok(isNaN(ends({xs: [1], ys: [1], rows: [cells(".")]}, "tokens_per_s").low));
});

for (const inputs of SETTINGS) {
  for (const [over, against, quantity] of [["context", "batch", "kv_bytes"], ["gpus", "params_b", "max_batch"], ["batch", "output", "request_usd"]]) {
    test(`every text is whole: ${JSON.stringify(inputs)}, ${quantity} over ${over} and ${against}`, () => {
      const found = at(inputs, over, against), keys = [over, against];
      whole(mapSentence(found, keys, quantity), "sentence");
      for (const text of mapTable(found, keys, quantity).flat()) whole(text, "table");
      for (const text of cell(found, keys, quantity, 0, 0)) whole(text, "cell");
    });
  }
}
