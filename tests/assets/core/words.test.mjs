// The default: 7 B parameters in bf16 are 14 GB; a token's KV cache is 2 · 32 layers · 8 KV heads
// · 128 · 2 bytes = 128 KiB, so 8 sequences of 8,192 tokens hold 8.59 GB. One H100 of the lesson:
// 80 GB, 3.3 TB/s, 990 TFLOP/s, ridge 300.
import assert from "node:assert/strict";
import {test} from "node:test";

import {evaluate} from "#modules/built/model.mjs";
import {boundWord, legends, sentence, spoken, texts} from "#modules/core/words.mjs";
import {state} from "../state.mjs";

const opening = report => sentence({moved: "", before: report, report});

/** The texts of a state that differs from the default by these inputs. */
function page(changes) {
  const asked = state(changes);
  return texts(asked, evaluate(asked));
}

/** Some texts of it, by name. */
function says(changes, expected) {
  const said = page(changes);
  for (const [name, text] of Object.entries(expected)) assert.equal(said[name], text, name);
}

/** The sentence for a move from one set of inputs to another. */
function move(key, to, from = {}) {
  return sentence({moved: key, before: evaluate(state(from)), report: evaluate(state({...from, ...to}))});
}

test("the default in words", () => {
  says({}, {
    card: "one H100, 80 GB at 3.3 TB/s",
    assumptions: "ceiling",
    architecture: "32 layers, 32 query heads of 128, 8 KV heads: Llama-style, interpolated",
    meter: "22.6 GB of 80 GB",
    room: "28 % · room for 61 sequences",
    limit: "HBM 80 GB",
    meter_weights: "weights 14.0 GB",
    meter_kv: "KV cache 8.59 GB = 8 × 1.07 GB",
    meter_draft: "",
    meter_reserve: "",
    meter_free: "free 57.4 GB",
    kv_bytes_per_token: "128",
    kv_bytes_per_token_unit: "KiB",
    kv_bytes_per_token_sub: "131,072 bytes",
    tokens_per_s: "1,169",
    tokens_per_s_sub: "one step takes 6.85 ms",
    tokens_per_s_per_user: "146.1",
    tokens_per_s_per_user_sub: "6.85 ms per token",
    kv_bytes: "8.59",
    kv_bytes_unit: "GB",
    kv_bytes_sub: "38 % of what a step reads",
    prefill_flops_per_byte: "8,192",
    prefill_flops_per_byte_sub: "compute-bound, 27× above the ridge",
    decode_flops_per_byte: "4.96",
    decode_flops_per_byte_sub: "memory-bound, 61× below the ridge",
  });
});

test("nothing on the page is undefined, whatever is set", () => {
  for (const changes of [
    {}, {batch: 1024, context: 1048576}, {spec_k: 4}, {gpus: 4}, {assumptions: "engine"},
    {kv_heads: 4}, {weights: "int4", kv: "int4"}, {prompt: 1000, output: 1},
  ]) {
    const asked = state(changes), report = evaluate(asked);
    const all = Object.assign(texts(asked, report), ...Object.values(legends).map(legend => legend(asked, report)));
    for (const [name, text] of Object.entries({...all, opening: opening(report)})) {
      assert.equal(typeof text, "string", name);
      assert.doesNotMatch(text, /undefined|NaN|null|∞|\[object/, `${name} of ${JSON.stringify(changes)}`);
    }
  }
});

test("one is said as one", () => {
  assert.equal(spoken("context", 1), "1 token");
  assert.equal(spoken("context", 32768), "32,768 tokens");
  assert.equal(spoken("gqa", 1), "1 query head per KV head");
  assert.equal(spoken("gqa", 8), "8 query heads per KV head");
  assert.equal(spoken("params_b", 7), "7 billion parameters");
  assert.equal(spoken("batch", 64), "64 sequences");
});

test("the attention is named by its KV heads", () => {
  says({gqa: 1}, {unit_gqa: "· MHA"});
  says({gqa: 4}, {unit_gqa: "· GQA"});
  says({gqa: 32}, {unit_gqa: "· MQA"});
});

test("what does not fit says by how much, and the speeds say if", () => {
  // 8 × 32,768 tokens × 512 KiB with g = 1 are 137.4 GB; (80 − 14) / 17.18 = 3.8.
  says({context: 32768, gqa: 1}, {
    meter: "151.4 GB asked, 71.4 GB over",
    room: "189 % · 3 of 8 sequences fit",
    meter_free: "",
    tokens_per_s_sub: "if it fitted · one step takes 45.9 ms",
    tokens_per_s_per_user_sub: "if it fitted · 45.9 ms per token",
  });
  says({context: 1048576, batch: 1}, {room: "189 % · 0 of 1 sequences fit"});
});

test("speculation speaks of passes", () => {
  // (1 − 0.7⁵) / 0.3 = 2.77 tokens for 1 + 4 · 0.05 steps; the draft model takes 0.05 of 22.6 GB.
  says({spec_k: 4}, {
    unit_spec_k: "",
    draft: "Draft model: 0.05 of the big one.",
    meter_draft: "draft model 1.13 GB",
    tokens_per_s_sub: "2.31× by 2.77 tokens per pass",
  });
});

test("the opening sentence follows the state", () => {
  assert.equal(opening(evaluate(state())),
    "Each step reads 14.0 GB of weights and 8.59 GB of KV cache to make 8 tokens: decode is memory-bound.");
  assert.equal(opening(evaluate(state({batch: 1}))),
    "Each step reads 14.0 GB of weights and 1.07 GB of KV cache to make 1 token: decode is memory-bound.");
  assert.match(opening(evaluate(state({gpus: 2}))), /^On each GPU a step reads 7\.00 GB of weights and 4\.29 GB /);
  assert.equal(opening(evaluate(state({spec_k: 4}))),
    "Each pass reads 14.0 GB of weights to check 4 guesses for 8 sequences, and yields 2.77 tokens of each: " +
    "it is memory-bound.");
  assert.match(opening(evaluate(state({spec_k: 1, batch: 1}))), / to check 1 guess for 1 sequence, /);
});

test("each control's move says what it did and why", () => {
  assert.equal(move("gqa", {gqa: 1}),
    "KV cache went from 8.59 GB to 34.4 GB: each of the 32 query heads now keeps its own keys and values.");
  assert.equal(move("gqa", {gqa: 8}),
    "KV cache went from 8.59 GB to 4.29 GB: 8 query heads share each pair of key and value.");
  assert.equal(move("context", {context: 32768}),
    "KV cache went from 8.59 GB to 34.4 GB: every sequence holds 32,768 tokens, and every step reads all of them.");
  assert.equal(move("weights", {weights: "int4"}),
    "All users together went from 1,169 tokens/s to 2,184 tokens/s (1.87×): a step reads 3.50 GB of weights " +
    "instead of 14.0 GB, and decode stays memory-bound.");
  assert.equal(move("kv", {kv: "fp8"}),
    "KV cache went from 8.59 GB to 4.29 GB, all users together went from 1,169 tokens/s to 1,443 tokens/s: " +
    "room for 122 sequences.");
  assert.equal(move("spec_k", {spec_k: 4}),
    "2.77 tokens per pass, 2.31× the speed: the big model checks 4 guesses in one read of its weights.");
  assert.equal(move("alpha", {alpha: 0.1}, {spec_k: 4}),
    "1.11 tokens per pass, 0.926× the speed: drafting and checking now cost more than they yield.");
  assert.equal(move("spec_k", {spec_k: 0}, {spec_k: 4}),
    "Speculation is off: every pass yields one token per sequence.");
});

test("a move past the limit, and back", () => {
  assert.equal(move("batch", {batch: 64}),
    "All users together went from 1,169 tokens/s to 2,553 tokens/s (2.18×), one user went from 146.1 tokens/s " +
    "to 39.9 tokens/s: one read of the weights serves 64 sequences, but each brings its own cache. " +
    "64 sequences no longer fit (61 do).");
  assert.equal(move("params_b", {params_b: 70}),
    "Weights went from 14.0 GB to 140.0 GB: every step reads them all, once. " +
    "8 sequences no longer fit (not even one does).");
  assert.match(move("batch", {batch: 8}, {batch: 64}), / Now it fits\.$/);
});

test("a move that changes nothing says that it stays", () => {
  assert.match(move("kv", {kv: "bf16"}), /^KV cache stays at 8\.59 GB, all users together stays? at 1,169 tokens\/s/);
});

test("a control without a sentence of its own gets the opening one", () => {
  assert.equal(move("gpus", {gpus: 2}), opening(evaluate(state({gpus: 2}))));
});

test("legends carry the values of their lines", () => {
  const asked = state(), report = evaluate(asked);
  assert.deepEqual(legends.throughput(asked, report), {
    legend_total: "all users together 1,169 tokens/s",
    legend_user: "one user 146.1 tokens/s",
    legend_wall: "does not fit beyond 61",
  });
  assert.deepEqual(legends.roofline(asked, report), {
    legend_roof: "roof: 3.3 TB/s up to 990 TFLOP/s",
    legend_ridge: "ridge 300 FLOP/byte",
  });
  assert.deepEqual(legends.steptime(asked, report), {
    legend_binding: "reading HBM binds: 6.85 ms",
    legend_weights: "reading weights 4.24 ms",
    legend_kv: "reading KV cache 2.60 ms",
    legend_compute: "arithmetic 0.113 ms",
    legend_comms: "",
    legend_draft: "",
  });
});

test("bounds by name", () => {
  assert.deepEqual(["memory", "compute", "comms"].map(boundWord), ["memory", "compute", "communication"]);
});
