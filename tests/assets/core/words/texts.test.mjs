// The default: 7 B parameters in bf16 are 14 GB; a token's KV cache is 2 · 32 layers · 8 KV heads
// · 128 · 2 bytes = 128 KiB, so 8 sequences of 8,192 tokens hold 8.59 GB. One H100 of the lesson:
// 80 GB, 3.3 TB/s, 990 TFLOP/s, ridge 300.
import assert from "node:assert/strict";
import {test} from "node:test";

import {SETTINGS, state, whole} from "../../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {spoken, unitOf} from "#modules/core/words/controls.mjs";
import {hints} from "#modules/core/words/hints.mjs";
import {meter} from "#modules/core/words/meter.mjs";
import {boundWord} from "#modules/core/words/phrases.mjs";
import {readouts} from "#modules/core/words/readouts.mjs";
import {scenarioBar} from "#modules/core/words/scenario_bar.mjs";

/** All texts of a state that differs from the default by these inputs. */
function texts(changes) {
  const asked = state(changes), report = evaluate(asked);
  const units = ["gqa", "context", "batch", "spec_k", "alpha"].map(key => [`unit_${key}`, unitOf(key, asked, report)]);
  return Object.assign(
    Object.fromEntries(units), scenarioBar(asked, report), hints(asked, report), meter(report), readouts(asked, report));
}

/** Some of them, by name. */
function says(changes, expected) {
  const said = texts(changes);
  for (const [name, text] of Object.entries(expected)) assert.equal(said[name], text, name);
}

test("the default in words", () => {
  says({}, {
    model: "7B class",
    hardware: "1 × H100 80GB",
    request: "8,192 in, 500 out",
    assumed: "nothing is lost",
    scenario: "7B class · 1 × H100 80GB · ceiling",
    hint_architecture: "32 layers, 32 query heads of 128, 8 KV heads: Llama-style, interpolated",
    meter: "22.6 GB of 80 GB",
    room: "28 % · room for 61 sequences",
    limit: "memory 80 GB",
    meter_weights: "weights 14.0 GB",
    meter_kv: "KV cache 8.59 GB = 8 × 1.07 GB",
    meter_draft: "",
    meter_reserve: "",
    meter_free: "free 57.4 GB",
    kv_bytes_per_token: "128",
    kv_bytes_per_token_unit: "KiB",
    kv_bytes_per_token_sub: "131,072 bytes · GQA: 2 × 8 × 128 numbers per token and layer",
    tokens_per_s: "1,170",
    tokens_per_s_sub: "one step takes 6.85 ms",
    tokens_per_s_per_user: "146",
    tokens_per_s_per_user_sub: "6.85 ms per token",
    kv_bytes: "8.59",
    kv_bytes_unit: "GB",
    kv_bytes_sub: "38 % of what a step reads",
    ttft_s: "116",
    ttft_s_unit: "ms",
    ttft_s_sub: "8,192 FLOP/byte: compute-bound, 27× above the ridge",
    decode_flops_per_byte: "4.96",
    decode_flops_per_byte_sub: "memory-bound, 61× below the ridge",
  });
});

test("no text is broken, whatever is set", () => {
  for (const changes of SETTINGS) {
    for (const [name, text] of Object.entries(texts(changes))) whole(text, `${name} of ${JSON.stringify(changes)}`);
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
    meter: "151 GB asked, 71.4 GB over",
    room: "189 % · 3 of 8 sequences fit",
    meter_free: "nothing free",
    tokens_per_s_sub: "if it fitted · one step takes 45.9 ms",
    tokens_per_s_per_user_sub: "if it fitted · 45.9 ms per token",
  });
  says({context: 1048576, batch: 1}, {room: "189 % · 0 of 1 sequences fit"});
  // Of several GPUs the bar is one of them: half of everything.
  says({gpus: 2}, {meter: "11.3 GB of 80 GB per GPU", room: "14 % · room for 135 sequences"});
  says({context: 32768, gqa: 1, gpus: 2, batch: 16}, {meter: "144 GB per GPU, 64.4 GB over"});
  // And of groups with sequences of their own it is one of them: 3 of 9.
  says({gpus: 3, dp: 3, batch: 9}, {meter_kv: "KV cache 3.22 GB = 3 × 1.07 GB"});
});

test("speculation speaks of passes", () => {
  // (1 − 0.7⁵) / 0.3 = 2.77 tokens for 1 + 4 · 0.05 steps; the draft model takes 0.05 of 22.6 GB.
  says({spec_k: 4}, {
    unit_spec_k: "",
    hint_alpha: "The draft model has 5 % of the big one's size and step time.",
    meter_draft: "draft model 1.13 GB",
    tokens_per_s_sub: "2.31× by 2.77 tokens per pass",
    // A pass checks 5 tokens for each of 8: 5 times the arithmetic, the same bytes; 300 / 24.8 = 12.1.
    decode_flops_per_byte: "24.8",
    decode_flops_per_byte_sub: "the pass that verifies is memory-bound, 12× below the ridge",
  });
});

test("a pass that waits for memory may lie above the ridge of the card, where half the bandwidth is reached", () => {
  // 450 tokens share a read of the weights, and little cache: 448 FLOP/byte, and 990 ÷ 3.3 = 300.
  says({assumptions: "engine", mbu: 0.5, mfu_decode: 1, context: 1, batch: 450},
    {decode_flops_per_byte_sub: "memory-bound, 1.49× above the ridge"});
});

test("an estimate says what the ceiling is, in its place", () => {
  // 22.3 GB of 8 tokens' step take 7.96 ms at 0.85 of 3.3 TB/s, and 32 layers 2.56 ms.
  says({assumptions: "engine"}, {
    tokens_per_s: "760",
    tokens_per_s_sub: "ceiling 1,170, engines 526 to 925 · one step takes 10.5 ms",
  });
});

test("the ceiling beside an estimate has none of its losses, and is above it", () => {
  // Whatever share of the bandwidth a reader sets, the ceiling stays what the hardware allows: 1,170.
  const own = texts({assumptions: "engine", mbu: 0.5, layer_us: 500, step_overhead_ms: 50});
  assert.match(own.tokens_per_s_sub, /^ceiling 1,170/);
  // 233 read the table of the input embedding, too, which this estimate does not.
  const lossless = texts({assumptions: "engine", batch: 1, context: 1024, mbu: 1, layer_us: 0});
  assert.doesNotMatch(lossless.tokens_per_s_sub, /ceiling/);
});

test("numbers that nobody reads are words", () => {
  // 2^10 sequences of 2^20 tokens of 2^19 bytes: 563 TB in 80 GB.
  says({batch: 1024, context: 1048576, gqa: 1}, {room: "7,040 times · 0 of 1,024 sequences fit"});
  says({model: "llama-3-70b"}, {hint_architecture: "70.6 billion parameters in 80 layers, 64 query heads, 8 KV heads: g = 8."});
});

test("bounds by name", () => {
  assert.deepEqual(["memory", "compute", "comms", "overhead"].map(boundWord),
    ["memory", "compute", "communication", "overhead"]);
  // 8 GPUs read 14 GB in 0.63 ms at 0.85 of their bandwidth; 32 layers take 2.56 ms to start.
  says({gpus: 8, batch: 1, assumptions: "engine"}, {decode_flops_per_byte_sub: "overhead-bound"});
});
