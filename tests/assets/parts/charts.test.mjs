// The default: 7 B parameters in bf16 are 14 GB; a token's KV cache is 2 · 32 layers · 8 KV heads
// · 128 · 2 bytes = 128 KiB, so 8 sequences of 8,192 tokens hold 8.59 GB. One H100 of the lesson:
// 80 GB, 3.3 TB/s, 990 TFLOP/s, ridge 300.
import assert from "node:assert/strict";
import {test} from "node:test";

import {evaluate} from "#modules/built/arithmetic.mjs";
import * as roofline from "#modules/parts/charts/roofline.mjs";
import * as steptime from "#modules/parts/charts/steptime.mjs";
import * as throughput from "#modules/parts/charts/throughput.mjs";
import {SETTINGS, state, whole} from "../state.mjs";

const CHARTS = {throughput, roofline, steptime};

/** What a chart's legend says, by name. */
function legend({legend: entries}, changes = {}) {
  const asked = state(changes), report = evaluate(asked);
  return Object.fromEntries(Object.entries(entries).map(([name, [, text]]) => [name, text(asked, report)]));
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
    wall: "does not fit beyond 61",
  });
  assert.deepEqual(legend(roofline), {
    roof: "roof: 3.3 TB/s up to 990 TFLOP/s",
    ridge: "ridge 300 FLOP/byte",
  });
  assert.deepEqual(legend(steptime), {
    binding: "reading HBM binds: 6.85 ms",
    weights: "reading weights 4.24 ms",
    kv: "reading KV cache 2.60 ms",
    compute: "arithmetic 0.113 ms",
    comms: "",
    draft: "",
  });
});


test("tables say what the charts draw", () => {
  assert.deepEqual(rows(throughput).find(([batch]) => batch === "64"), ["64", "2,550", "39.9", "no"]);
  assert.deepEqual(rows(roofline)[0], ["decode", "4.96", "memory"]);
  assert.deepEqual(rows(steptime)[0], ["reading weights", "4.24"]);
});

test("no legend and no table is broken, whatever is set", () => {
  for (const [name, chart] of Object.entries(CHARTS)) {
    for (const changes of SETTINGS) {
      const texts = [...Object.values(legend(chart, changes)), ...rows(chart, changes).flat()];
      for (const text of texts) whole(text, `${name} of ${JSON.stringify(changes)}`);
    }
  }
});
