// The default: 7 B parameters in bf16 are 14 GB; a token's KV cache is 2 · 32 layers · 8 KV heads
// · 128 · 2 bytes = 128 KiB, so 8 sequences of 8,192 tokens hold 8.59 GB. One H100 of the lesson:
// 80 GB, 3.3 TB/s, 990 TFLOP/s, ridge 300.
import assert from "node:assert/strict";
import {test} from "node:test";

import {SETTINGS, state, whole} from "../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import * as memory from "#modules/parts/charts/memory.mjs";
import * as roofline from "#modules/parts/charts/roofline.mjs";
import * as steptime from "#modules/parts/charts/steptime.mjs";
import * as throughput from "#modules/parts/charts/throughput.mjs";

const CHARTS = {throughput, memory, roofline, steptime};

/** Stands in for a plot: what it is told to draw, by what is drawn. */
class Drawing {
  ends = {x: [1e-2, 1e7], y: [1e10, 1e16]};

  axes({range = {}, ...ticks}) {
    Object.assign(this.ends, range);
    this.ticks = ticks;
  }

  range(axis) { return this.ends[axis]; }

  span(axis, values) { return [Math.min(...values), Math.max(...values)]; }

  wall(x) { this.beyond = x; }

  colour(token) { return token; }

  fill(source, rows) { this[source] = rows; }

  lines(...rows) { this.drawnLines = rows; }

  points(...rows) { this.drawnPoints = rows; }

  labels(...rows) { this.drawnLabels = rows; }
}

/** What a chart draws of a state, after a move from another one. */
function drawing({draw}, changes = {}, before = null) {
  const plot = new Drawing(), asked = state(changes);
  draw(plot, asked, evaluate(asked), before && evaluate(state(before)));
  return plot;
}

const labelTexts = ({drawnLabels}) => drawnLabels.map(([, , text]) => text);

/** What a chart's legend says, by name. */
function legend({legend: entries}, changes = {}) {
  const asked = state(changes), report = evaluate(asked);
  return Object.fromEntries(Object.entries(entries).map(([name, [, text]]) => [name, text(asked, report)]));
}

/** What stands under a chart. */
function sentenceOf({sentence}, changes = {}) {
  const asked = state(changes);
  return sentence(asked, evaluate(asked));
}

/** A chart's table without its head. */
function rows({table}, changes = {}) {
  const asked = state(changes);
  return table(asked, evaluate(asked)).slice(1);
}

test("legends carry the values of their lines", () => {
  assert.deepEqual(legend(throughput), {
    total: "all users together 1,170 tokens/s",
    user: "one user 146 tokens/s",
    plain: "",
  });
  assert.deepEqual(legend(memory), {
    weights: "weights 14.0 GB", kv: "KV cache 8.59 GB", used: "in all 22.6 GB", limit: "memory 80 GB",
  });
  assert.deepEqual(legend(roofline), {
    roof: "roof at 16 bit",
    reached: "",
    ridge: "ridge: 990 TFLOP/s ÷ 3.3 TB/s = 300 FLOP/byte",
  });
  assert.equal(legend(roofline, {weights: "fp8"}).ridge, "ridge: 1,980 TFLOP/s ÷ 3.3 TB/s = 600 FLOP/byte");
  assert.deepEqual(legend(steptime), {
    binding: "memory binds: 6.85 ms",
    weights: "weights 4.24 ms",
    kv: "KV cache 2.60 ms",
    compute: "arithmetic 0.113 ms",
    comms: "",
    overhead: "",
    draft: "",
  });
  assert.equal(legend(steptime, {assumptions: "engine"}).overhead, "starting layers 2.56 ms");
  // 14 GB on 8 cards take less: 0.61 ms at 0.85 of their bandwidth.
  assert.equal(legend(steptime, {assumptions: "engine", gpus: 8}).binding, "overhead binds: 2.56 ms");
});


test("tables say what the charts draw", () => {
  assert.deepEqual(rows(throughput).find(([batch]) => batch === "64"), ["64", "2,550", "39.9", "no"]);
  assert.deepEqual(rows(roofline)[0], ["decode", "4.96", "16.4", "memory"]);
  assert.deepEqual(rows(roofline)[2], ["ridge", "300", "990", "both"]);
  assert.deepEqual(rows(memory).find(([context]) => context === "8,192"),
    ["8,192", "14.0 GB", "8.59 GB", "22.6 GB", "yes"]);
  assert.deepEqual(rows(steptime)[0], ["reading weights", "4.24"]);
  assert.deepEqual(rows(steptime, {assumptions: "engine"}).at(-1), ["starting layers", "2.56"]);
});

test("every table has a cell under each head", () => {
  for (const {table} of Object.values(CHARTS)) {
    for (const changes of SETTINGS) {
      const asked = state(changes), [head, ...body] = table(asked, evaluate(asked));
      for (const row of body) assert.equal(row.length, head.length);
    }
  }
});

test("what does not fit, and where the cache outweighs the weights", () => {
  assert.deepEqual(labelTexts(drawing(throughput)), ["does not fit beyond 61"]);
  assert.equal(drawing(throughput).beyond, 61);
  assert.deepEqual(labelTexts(drawing(throughput, {params_b: 70})), ["not even one sequence fits"]);
  // 8 sequences of 131,072 bytes a token: 14 GB at 13,351 tokens, the 66 GB left at 62,942.
  assert.deepEqual(labelTexts(drawing(memory)), ["KV = weights at 13,351", "does not fit beyond 62,942"]);
});

test("speculation's curve crosses the one without it", () => {
  const changes = {spec_k: 4, context: 1};
  assert.equal(legend(throughput, changes).plain, "without speculation (slower up to batch 154, then faster)");
  const {drawnLines, drawnPoints} = drawing(throughput, changes);
  assert.equal(drawnLines.length, 4);   // the ridge, without speculation, all users, one user
  assert.equal(drawnPoints[0][0], 154);
  assert.equal(legend(throughput, {spec_k: 4}).plain, "without speculation (slower at every batch)");
  assert.ok(labelTexts(drawing(throughput, changes)).includes("ridge: batch 60"));   // 300 / 5 tokens
});

test("experts: speculation pays beyond a batch, and the curves cross there", () => {
  const changes = {model: "minimax-m2.5", spec_k: 8, alpha: 0.3};
  const [, batch] = /^without speculation \(faster up to batch (\d+), then slower\)$/.exec(legend(throughput, changes).plain);
  assert.equal(drawing(throughput, changes).drawnPoints[0][0], Number(batch));
  assert.ok(sentenceOf(throughput, changes).endsWith(`; without speculation it is faster up to batch ${batch}, then slower.`));
});

test("what binds decode over the batch is said of every batch", () => {
  assert.match(sentenceOf(throughput, {context: 1}), /; decode is memory-bound up to batch 300, then compute-bound\.$/);
  const changes = {assumptions: "engine", bandwidth_factor: 10, draft_cost: 1, kv: "fp8"};
  assert.match(sentenceOf(throughput, changes), /; decode is overhead-bound up to batch \d+, then compute-bound\.$/);
  assert.deepEqual(labelTexts(drawing(throughput, changes)).filter(text => text.startsWith("ridge")), []);
});

test("the cache outweighs the weights at every context of the chart, or beyond a place", () => {
  // 14 GB / (256 · 131,072 bytes) = 417 tokens.
  assert.match(sentenceOf(memory, {batch: 256}), /; it weighs more than they do beyond 417 tokens; /);
  assert.deepEqual(labelTexts(drawing(memory, {batch: 256})).filter(text => text.startsWith("KV")), []);
  assert.match(sentenceOf(memory, {params_b: 405, batch: 1, gqa: 8, kv: "int4"}), /; it weighs less than they do; /);
});

test("the curve before a move stays as a ghost, on axes that do not jump", () => {
  const plain = drawing(throughput), moved = drawing(throughput, {gqa: 1}, {});
  assert.equal(moved.drawnLines.length, plain.drawnLines.length + 2);
  assert.deepEqual(moved.drawnLines[0].slice(0, 2), plain.drawnLines[0].slice(0, 2));
  assert.ok(moved.drawnLines[0].at(-1) < 1);
  assert.deepEqual(moved.ticks, plain.ticks);
  // A step grows from 6.85 to 14.7 ms and back: the axis keeps both in sight.
  assert.equal(drawing(steptime, {gqa: 1}, {}).ends.x[1], drawing(steptime, {}, {gqa: 1}).ends.x[1]);
});

test("decode and prefill stand apart, with their values", () => {
  assert.deepEqual(drawing(roofline).drawnLabels.map(([, , text, , place]) => [text, place]),
    [["decode 4.96", "below"], ["prefill 8,192", "above"], ["ridge 300", "aside"]]);
  assert.match(labelTexts(drawing(roofline, {spec_k: 4}))[0], /^decode \(verify pass\) 24\.8$/);
});

test("an estimate has a roof of its own, under the ideal one", () => {
  const [, ideal, own] = drawing(roofline, {assumptions: "engine"}).drawnLines;
  assert.equal(Math.max(...ideal[1]), 990e12);
  assert.equal(Math.max(...own[1]), 0.6 * 990e12);
  assert.equal(own[1][0] / ideal[1][0], 0.85);
  const {drawnPoints: [[x, y]]} = drawing(roofline, {assumptions: "engine"});
  assert.equal(y, x * (3.3e12 * 0.85));
  assert.equal(drawing(roofline).drawnLines.length, 2);
});

test("curves can be read", () => {
  const r = evaluate(state());
  assert.deepEqual(throughput.reading.at(64, r).lines,
    ["64 sequences", "all users together 2,550 tokens/s", "one user 39.9 tokens/s", "does not fit"]);
  assert.deepEqual(memory.reading.at(8192, r).lines,
    ["8,192 tokens", "weights 14.0 GB", "KV cache 8.59 GB", "in all 22.6 GB"]);
  assert.deepEqual(roofline.reading.at(100, r).lines,
    ["100 FLOP/byte", "at most 330 TFLOP/s", "below the ridge: memory-bound"]);
  assert.equal(roofline.reading.at(5, r).lines[0], "decode 4.96");
  // A pass has a bound of its own: one sequence in an estimate waits for the layers to start.
  const {lines} = roofline.reading.at(3.7, evaluate(state({assumptions: "engine", batch: 1, weights: "int4"})));
  assert.deepEqual([lines[0], lines.at(-1)], ["decode 3.73", "below the ridge, but overhead-bound"]);
});

test("no text of a chart is broken, whatever is set", () => {
  for (const [name, chart] of Object.entries(CHARTS)) {
    for (const changes of SETTINGS) {
      const asked = state(changes), r = evaluate(asked);
      const read = chart.reading ? chart.reading.axis.flatMap(value => chart.reading.at(value, r).lines) : [];
      const texts = [
        ...Object.values(legend(chart, changes)), ...rows(chart, changes).flat(),
        ...labelTexts({drawnLabels: [], ...drawing(chart, changes, {})}), chart.sentence(asked, r), ...read,
      ];
      for (const text of texts) whole(text, `${name} of ${JSON.stringify(changes)}`);
    }
  }
});
