// The default: 7 B parameters in bf16 are 14 GB; a token's KV cache is 2 · 32 layers · 8 KV heads
// · 128 · 2 bytes = 128 KiB, so 8 sequences of 8,192 tokens hold 8.59 GB. One H100 of the lesson:
// 80 GB, 3.3 TB/s, 990 TFLOP/s, ridge 300. A step of 22.6 GB takes 6.85 ms: 1,170 tokens/s for 8
// users, 146 for one. A prompt of 8,192 tokens takes 2 · 7e9 · 8,192 / 990e12 = 116 ms.
import assert from "node:assert/strict";
import {test} from "node:test";

import {SETTINGS, state, whole} from "../../state.mjs";
import {consistent} from "#modules/core/rules.mjs";
import {sentence} from "#modules/core/words/sentence.mjs";

/** The sentence for a move from one set of inputs to another, its lead between stars. */
function move(moved, to, from = {}) {
  const before = consistent(state(from)), after = consistent({...before.state, ...to});
  const {lead, rest} = sentence({moved, before, ...after});
  return `${lead && `*${lead}*`}${rest}`;
}

/** The sentence before anything was moved. */
function opening(changes = {}) {
  return move("", changes);
}

test("the opening sentence follows the state", () => {
  assert.equal(opening(),
    "Each step reads 14.0 GB of weights and 8.59 GB of KV cache to make 8 tokens: decode is memory-bound.");
  assert.equal(opening({batch: 1}),
    "Each step reads 14.0 GB of weights and 1.07 GB of KV cache to make 1 token: decode is memory-bound.");
  assert.match(opening({gpus: 2}), /^On each GPU a step reads 7\.00 GB of weights and 4\.29 GB .* to make 8 tokens: /);
  assert.match(opening({gpus: 2, dp: 2}), /^On each GPU a step reads 14\.0 GB of weights and 4\.29 GB .* to make 4 tokens: /);
  assert.equal(opening({spec_k: 4}),
    "Each pass reads 14.0 GB of weights to check 4 guesses for 8 sequences, and yields 2.77 tokens of each: " +
    "it is memory-bound.");
  assert.match(opening({spec_k: 1, batch: 1}), / to check 1 guess for 1 sequence, /);
});

test("the stages of a pipeline read in turn, each its own layers", () => {
  // A quarter of the layers on each GPU, 3.50 GB; one sequence goes through all four.
  assert.match(opening({gpus: 4, pp: 4, batch: 1}),
    /^Over its 4 stages a step reads 14\.0 GB of weights and 1\.07 GB of KV cache to make 1 token: /);
  // 8 sequences are on their way, 2 to a stage; with two GPUs in a stage each reads half.
  assert.match(opening({gpus: 4, pp: 4}), /^Over its 4 stages a step reads 14\.0 GB of weights and 2\.15 GB .* to make 2 tokens: /);
  assert.match(opening({gpus: 8, pp: 4}),
    /^Over its 4 stages, with one GPU of each, a step reads 7\.00 GB of weights and 1\.07 GB .* to make 2 tokens: /);
  assert.match(opening({gpus: 4, pp: 4, spec_k: 4}), /^Over its 4 stages a pass reads 14\.0 GB of weights to check 4 guesses for 2 sequences, /);
  assert.match(move("weights", {weights: "int8"}, {gpus: 4, pp: 4}),
    /^\*Over its 4 stages a step reads 7\.00 GB of weights instead of 14\.0\*: /);
  assert.match(move("weights", {weights: "int8-wo"}, {gpus: 2, weights: "int8"}), /^\*On each GPU a step still reads 3\.50 GB of weights\*: /);
  // Of sparse attention each step reads the best, in stages, too.
  assert.match(move("context", {context: 65536}, {model: "deepseek-v3.2", gpus: 2, pp: 2, batch: 1}), / tokens, of which every step reads the best/);
  for (const [context, percent] of [[1024, 52], [16384, 26]]) {   // CSA layers read all up to 2,048 tokens, HCA layers always
    const said = move("context", {context}, {model: "deepseek-v4-flash", gpus: 8, batch: 1, context: 8192});
    assert.match(said, new RegExp(`holds ${context.toLocaleString("en-US")} tokens, and every step reads ${percent} % of what it keeps`));
  }
});

test("an opening that does not fit says so first, and one that reads less than all says why", () => {
  // 8 · 2^20 tokens · 2^17 bytes are 1,100 GB.
  assert.match(opening({context: 2 ** 20}), /^\*Not even one sequence fits, 1,030 GB missing\.\* Each step reads /);
  // The input embedding: 32,000 · 4,096 parameters of 2 bytes, 0.262 GB.
  assert.match(opening({assumptions: "engine"}),
    /^Each step reads 13\.7 GB of weights, without the input embedding \(only looked up\), and 8\.59 GB /);
});

test("the cache: what it holds, and what that costs a user", () => {
  // 14 + 34.4 GB at 3.3 TB/s take 14.7 ms; 14 + 4.29 GB 5.54 ms.
  assert.equal(move("gqa", {gqa: 1}),
    "*KV cache went from 8.59 to 34.4 GB*: each of the 32 query heads keeps its own keys and values. " +
    "One user falls from 146 to 68.2 tokens/s.");
  assert.equal(move("gqa", {gqa: 8}),
    "*KV cache went from 8.59 to 4.29 GB*: 8 query heads share each pair of key and value. " +
    "One user rises from 146 to 180 tokens/s.");
  assert.equal(move("context", {context: 32768}),
    "*KV cache went from 8.59 to 34.4 GB*: each sequence holds 32,768 tokens, all read in every step. " +
    "One user falls from 146 to 68.2 tokens/s.");
  assert.equal(move("kv", {kv: "fp8"}),
    "*KV cache went from 8.59 to 4.29 GB*: a token keeps 64 KiB instead of 128, so that 122 sequences fit " +
    "instead of 61. One user rises from 146 to 180 tokens/s.");
  // Of Gemma 3's 62 layers 10 keep all 131,072 tokens, 52 the last 1,024: 10 · 131,072 of 10 · 131,072 + 52 · 1,024.
  assert.match(move("context", {context: 131072}, {model: "gemma-3-27b", batch: 1}),
    /: each sequence holds 131,072 tokens; 96 % of the cache that a step reads is in layers that keep all of them\. /);
  assert.match(move("context", {context: 1024}, {model: "gemma-3-27b", batch: 1}), / 1,024 tokens, all read in every step\. /);
});

test("what gives way to a move is said, too", () => {
  // 40 heads in groups of 4 are 10 KV heads, which 8 GPUs cannot share.
  assert.match(move("params_b", {params_b: 13}, {gpus: 8}),
    / tokens\/s\. What GPUs share has to come out even: GQA group size 1 instead of 4\.$/);
  assert.match(move("params_b", {params_b: 3}, {gpus: 16, gqa: 32}), /: GQA group size 24 instead of 32, GPUs 12 instead of 16\.$/);
  assert.match(move("gpus", {gpus: 4}, {model: "mixtral-8x7b", gpus: 8, dp: 2, ep: 8}),
    /: Data parallelism 1 instead of 2, Expert parallelism 1 instead of 8\.$/);
  assert.match(move("gpus", {gpus: 2}, {gpus: 8, dp: 2, tp: 4}), /: Tensor parallelism open instead of 4, /);
  assert.match(move("params_b", {params_b: 13}, {params_b: 70, gqa: 64}), / Groups of heads have to come out even: GQA group size 40 /);
  assert.doesNotMatch(move("gpus", {gpus: 2}), /come out even/);
});

test("a format of the cache that the model cannot have gives way, and comes back", () => {
  const follows = " The format of the KV cache follows the model: ";
  assert.ok(move("model", {model: "llama-3-8b"}, {model: "deepseek-v3", kv: "fp8_ds_mla"})
    .endsWith(`${follows}fp8 instead of fp8_ds_mla.`));
  assert.ok(move("model", {model: "deepseek-v4-flash"}, {model: "deepseek-v3", kv: "fp8_ds_mla"})
    .endsWith(`${follows}fp8_ds_v4 instead of fp8_ds_mla.`));
  assert.ok(!move("model", {model: "deepseek-v3.2"}, {model: "deepseek-v3", kv: "fp8_ds_mla"}).includes(follows));
  assert.ok(!move("kv", {kv: "fp8"}, {model: "deepseek-v3", kv: "fp8_ds_mla"}).includes(follows));
});

test("the cache: so many sequences fit, or as few as before", () => {
  // 30 B in bf16 leave 20 GB; a sequence of 65,536 tokens keeps 25.2 GB, or 12.6.
  assert.match(move("kv", {kv: "fp8"}, {params_b: 30, context: 65536}), / instead of 376, so that 1 sequence fits instead of none\. /);
  assert.match(move("kv", {kv: "bf16"}, {params_b: 30, context: 65536, kv: "fp8"}), /, so that no sequence fits instead of 1\. /);
  assert.match(move("kv", {kv: "fp8"}, {params_b: 70}), / KiB instead of 640, and still no sequence fits\. /);
});

test("weights: what is read, and whether arithmetic goes with it", () => {
  // 3.5 + 8.59 GB take 3.66 ms, 1.87 times as fast; fp8 multiplies at 1,979 TFLOP/s.
  assert.equal(move("weights", {weights: "int4"}),
    "*A step reads 3.50 GB of weights instead of 14.0*: beside 8.59 GB of KV cache, that makes 1.87× the speed. " +
    "One user rises from 146 to 273 tokens/s. Prefill still takes 116 ms: its arithmetic stays 16 bit wide.");
  assert.match(move("weights", {weights: "fp8"}), /\. Prefill falls from 116 to 57\.9 ms: its arithmetic is 8 bit wide now\.$/);
  assert.equal(move("params_b", {params_b: 13}),
    "*Weights went from 14.0 to 26.0 GB*: every step reads all of them, once for all 8 sequences. " +
    "One user falls from 146 to 83.7 tokens/s.");
  assert.match(move("params_b", {params_b: 13}, {batch: 1}), / once for one sequence\. /);
});

test("a move that changes nothing says why it changed nothing", () => {
  // 2 · 7e9 · 8 FLOP for 7 + 8.59 GB are 7.18 FLOP/byte, 300 / 7.18 = 42.
  assert.equal(move("weights", {weights: "int8-wo"}, {weights: "int8"}),
    "*A step still reads 7.00 GB of weights*: arithmetic runs at half the rate, which does not matter to decode, " +
    "42× below the ridge. One user still gets 212 tokens/s. " +
    "Prefill rises from 57.9 to 116 ms: its arithmetic is 16 bit wide now.");
  assert.match(move("weights", {weights: "mxfp4"}, {weights: "int4"}),
    /: these formats differ in how they scale their numbers, which is left out here\. One user still gets 273 tokens\/s\. /);
  assert.equal(move("kv", {kv: "int8"}, {kv: "fp8"}),
    "*KV cache stays at 4.29 GB*: both formats take the same bytes. One user still gets 180 tokens/s.");
  assert.match(move("peak_factor", {peak_factor: 2}),
    /^\*Arithmetic runs at twice the rate\*: decode is memory-bound and follows the bandwidth alone; prefill follows the FLOP\/s, from 116 to 57\.9 ms\. One user still gets 146 tokens\/s\.$/);
});

test("guesses help until checking them is arithmetic", () => {
  // 1 + 0.7 + … + 0.7^4 = 2.77 tokens for 1 + 4 · 0.05 steps.
  assert.equal(move("spec_k", {spec_k: 4}),
    "*All users together went from 1,170 to 2,700 tokens/s*: a pass checks 4 guesses in one read of the " +
    "weights and yields 2.77 tokens, its own and the guesses that stand: 2.31× the speed without guesses. One user rises from 146 to 338 tokens/s.");
  // A pass of 8 guesses yields 3.20 tokens in 1.40 steps, 2.28 in one.
  assert.match(move("spec_k", {spec_k: 4}, {spec_k: 8}), /: 2\.31× the speed without guesses, where 8 made 2\.28×\. /);
  assert.equal(move("alpha", {alpha: 0.1}, {spec_k: 4}),
    "*All users together went from 2,700 to 1,080 tokens/s*: fewer guesses stand, so that a pass yields " +
    "1.11 tokens instead of 2.77: 0.926× the speed without guesses. One user falls from 338 to 135 tokens/s.");
  // Arithmetic took longest before, too: what changed are the guesses. (1 − 0.3^5) / 0.7 = 1.43.
  assert.match(move("alpha", {alpha: 0.3}, {spec_k: 4, batch: 1024, context: 512, params_b: 3, kv: "int4"}),
    /: fewer guesses stand, so that a pass yields 1\.43 tokens instead of 2\.77: /);
  // 4 · 0.25 of a step of 6.85 ms instead of 4 · 0.05; 2.77 tokens in two steps.
  assert.match(move("draft_cost", {draft_cost: 0.25}, {spec_k: 4}),
    /: the draft takes 6\.85 ms instead of 1\.37 for 4 guesses: 1\.39× the speed without guesses\. /);
  assert.match(move("alpha", {alpha: 0.3}), /: nothing is guessed\. One user still gets 146 tokens\/s\.$/);
  assert.match(move("spec_k", {spec_k: 8}, {batch: 1024, context: 512, params_b: 3, kv: "int4"}),
    /: checking 8 guesses for 1,024 sequences is compute-bound, so that guesses cost more than they yield\. /);
  // Also where it is the batch that has grown.
  assert.match(move("batch", {batch: 1024}, {spec_k: 8, context: 512, params_b: 3, kv: "int4", batch: 512}),
    /: arithmetic takes longest, so that more sequences help less and less\. .* Without guesses it would be faster: they make 0\.\d+× the speed\.$/);
  assert.match(move("spec_k", {spec_k: 0}, {spec_k: 4}), /: every pass yields one token of each sequence again\. /);
});

test("int4 helps prefill only where the prompt is too short to be arithmetic", () => {
  // 64 tokens: 2 · 7e9 · 64 / 990e12 = 0.905 ms, less than 3.5 GB at 3.3 TB/s, 1.06 ms.
  assert.match(move("weights", {weights: "int4"}, {prompt: 64}),
    / Prefill falls from 4\.24 to 1\.06 ms: a prompt this short waits for the weights, too\.$/);
  assert.match(move("weights", {weights: "mxfp4"}, {prompt: 64, weights: "int4"}), / Prefill still takes 1\.06 ms: it waits for memory\.$/);
  // Of an estimate only the reading gets shorter: 32 layers take 2.56 of 4.16 ms to start.
  assert.match(move("weights", {weights: "int4"}, {prompt: 100, assumptions: "engine", batch: 2, gpus: 2}),
    / Prefill falls from 5\.45 to 4\.16 ms: no further, as it waits longest for its layers to start, 62 % of its time\.$/);
  // 128 tokens take 1.81 ms.
  assert.match(move("weights", {weights: "int4"}, {prompt: 128}),
    / Prefill falls from 4\.24 to 1\.81 ms: it waited longest for memory, now for arithmetic\.$/);
});

test("8 bit help a short prompt by their bytes, and as 8-bit numbers where it is arithmetic", () => {
  assert.match(move("weights", {weights: "fp8"}, {prompt: 64}),
    / Prefill falls from 4\.24 to 2\.12 ms: a prompt this short waits for the weights, too\.$/);
  // GeForce cards run fp8 at half their int8 rate.
  assert.match(move("weights", {weights: "int8"}, {weights: "fp8", gpu: "rtx-4090"}), / Prefill falls .*: its arithmetic runs at twice the rate\.$/);
  assert.match(move("weights", {weights: "fp8"}, {gpu: "a100-sxm-80gb"}), / Prefill still takes .*: this GPU has no arithmetic as narrow\.$/);
});

test("weights: where decode waits for something else after the move, it says what it waited for", () => {
  assert.equal(move("weights", {weights: "int4"}, {assumptions: "engine", batch: 1}),
    "*A step reads 3.76 GB of weights instead of 13.7*: decode waited longest for memory, now for its layers to start. " +
    "One user rises from 128 to 233 tokens/s. Prefill still takes 222 ms: its arithmetic stays 16 bit wide.");
  // 300 tokens: 14 GFLOP each take 4.24 ms, as 14 GB do; with 128 tokens of cache each, 5.03 GB, 5.77 ms.
  assert.match(move("weights", {weights: "int4"}, {batch: 300, context: 128}),
    /\*: decode waited longest for memory, now for arithmetic\. One user rises from 173 to 236 tokens\/s\. /);
  assert.match(move("weights", {weights: "fp8"}, {batch: 512, context: 128}),
    /\*: arithmetic runs at twice the rate; decode waited longest for arithmetic, now for memory\. One user rises from 138 to 212 /);
  assert.match(move("weights", {weights: "int4"}, {batch: 512, context: 128}),
    /\*: but decode is compute-bound and does not wait for them\. One user still gets 138 tokens\/s\. /);
  assert.match(move("weights", {weights: "fp8"}, {batch: 1024, context: 1}),
    /\*: arithmetic runs at twice the rate, which decode feels, as it is compute-bound\. /);
  assert.match(move("weights", {weights: "fp8"}, {assumptions: "engine", gpus: 8, batch: 1}),
    /\*: decode waits longest for its layers to start, \d\d % of its time\. One user rises /);
});

test("another model, other cards", () => {
  assert.equal(move("model", {model: "llama-3-70b"}, {gpus: 4}),
    "*Weights went from 14.0 to 141 GB*: Llama 3 / 3.1 / 3.3 70B has 70.6 billion parameters, and a token keeps " +
    "320 KiB instead of 128. One user falls from 584 to 81.2 tokens/s.");
  assert.match(move("model", {model: "deepseek-v3"}, {gpus: 8, gpu: "h200-sxm", weights: "fp8"}),
    / has 671 billion parameters \(a token uses 37\.6 billion\), and a token keeps 68\.6 KiB instead of 128\. /);
  assert.match(move("model", {model: "7b-class"}, {model: "llama-3-8b"}), /: a model of this size has 7 billion parameters, /);
  // An A100 reads 2.039 TB/s and multiplies 312 TFLOP/s.
  assert.equal(move("gpu", {gpu: "a100-sxm-80gb"}),
    "*Memory is read at 2.04 TB/s instead of 3.30*: decode is memory-bound and follows the bandwidth alone; prefill " +
    "follows the FLOP/s, from 116 to 368 ms. One user falls from 146 to 90.3 tokens/s.");
  // An own card begins as the lesson's; twice its peak halves prefill, 116 ms, and nothing else.
  assert.match(move("gpu", {gpu: "custom"}), /^\*The figures that count here stay as they were\*: decode is memory-bound and /);
  assert.equal(move("bf16_tflops", {bf16_tflops: 1980}, {gpu: "custom"}),
    "*Arithmetic runs at twice the rate*: decode is memory-bound and follows the bandwidth alone; prefill " +
    "follows the FLOP/s, from 116 to 57.9 ms. One user still gets 146 tokens/s.");
  assert.match(move("hbm_gb_per_s", {hbm_gb_per_s: 6600}, {gpu: "custom"}),
    /^\*Memory is read at 6\.60 TB\/s instead of 3\.30\*: .* One user rises from 146 to 292 tokens\/s\.$/);
  assert.equal(move("gpus", {gpus: 4}),
    "*Each of 4 GPUs holds 3.50 GB of weights instead of 14.0*: each reads its share of the weights at the same time, and " +
    "of the KV cache. One user rises from 146 to 584 tokens/s.");
  assert.match(move("gpus", {gpus: 1}, {gpus: 4}), /^\*One GPU holds 14\.0 GB of weights instead of 3\.50\*: it reads all of them alone\. /);
  assert.match(move("gpus", {gpus: 4}, {assumptions: "engine"}), /, and what they tell each other takes \d/);
  assert.match(move("gpus", {gpus: 2}, {gqa: 32}), /, but each keeps as much KV cache as before\. /);
  // 16 GPUs in groups of 32 cannot be, so that all of them share each layer: of a latent each has a copy.
  const groups = {model: "deepseek-v3", gpus: 32, dp: 32, ep: 32, batch: 64};
  assert.match(move("gpus", {gpus: 16}, groups), /each reads its share of the weights at the same time, but each keeps all of the KV cache/);
  const split = {model: "deepseek-v4-flash", gpus: 8, dcp: 8};
  assert.match(move("gpus", {gpus: 4}, split), /, but each keeps all of the KV cache/);
});

test("hardware: decode and prefill follow what takes all of their time", () => {
  // 14 GB in 4.24 ms are more than the arithmetic of 100 tokens; an H200 reads 4.8 TB/s.
  assert.equal(move("gpu", {gpu: "h200-sxm"}, {prompt: 100}),
    "*Memory is read at 4.80 TB/s instead of 3.30*: decode is memory-bound and follows the bandwidth alone; prefill " +
    "follows the bandwidth, from 4.24 to 2.92 ms. One user rises from 146 to 212 tokens/s.");
  assert.match(move("peak_factor", {peak_factor: 2}, {batch: 1024, context: 1}), /: decode is compute-bound here and follows the FLOP\/s\. One user rises from 69\.1 to 138 /);
  // 2 · 7e9 · 1,024 / 990e12 = 14.5 ms, a tenth of that with 10 × the FLOP/s.
  assert.match(move("peak_factor", {peak_factor: 10}, {context: 1024}),
    /; prefill waited longest for arithmetic, now for memory, from 14\.5 to 4\.24 ms\. One user still gets 219 /);
  assert.match(move("gpu", {gpu: "h20"}, {bandwidth_factor: 10, context: 128}),
    /: decode waited longest for memory, now for arithmetic; prefill follows the FLOP\/s, from 1\.81 to 12\.1 ms\. /);
});

test("hardware in an estimate: layers take as long to start as before", () => {
  // 22.3 GB at 0.85 · 6.6 TB/s take 3.97 ms, 32 layers 2.56 ms: 61 % of 6.53 ms.
  assert.equal(move("bandwidth_factor", {bandwidth_factor: 2}, {assumptions: "engine"}),
    "*Memory is read at 6.60 TB/s instead of 3.30*: decode waits longest for memory, 61 % of its time. " +
    "One user rises from 95.1 to 153 tokens/s.");
  assert.match(move("bandwidth_factor", {bandwidth_factor: 10}, {assumptions: "engine"}),
    /: decode waited longest for memory, now for its layers to start\. One user rises from 95\.1 to 298 /);
  assert.match(move("peak_factor", {peak_factor: 2}, {assumptions: "engine"}), /; prefill follows the FLOP\/s, from 222 to 112 ms\. /);
  assert.match(move("link_gb_per_s", {link_gb_per_s: 100}, {gpu: "custom", gpus: 8, assumptions: "engine"}),
    /^\*What the GPUs tell each other in a step went from [\d.]+ to [\d.]+ ms\*: decode waits longest for its layers to start, 65 % /);
});

test("ceiling and estimate", () => {
  assert.equal(move("assumptions", {assumptions: "engine"}),
    "*All users together went from 1,170 to 760 tokens/s*: engines reach 85 % of the bandwidth, start layers for 2.56 ms of a step, and may fill " +
    "72 GB of 80 GB. One user falls from 146 to 95.1 tokens/s. Prefill went from 116 to 222 ms, at 60 % of the peak.");
  assert.match(move("assumptions", {assumptions: "engine"}, {gpus: 4}),
    / of the bandwidth, start layers for 2\.56 ms of a step, the GPUs tell each other for [\d.]+ ms of a step, and may fill 72 GB /);
  assert.match(move("assumptions", {assumptions: "lesson"}, {assumptions: "engine"}),
    /: the whole bandwidth counts, and every byte of memory\. One user rises from 95\.1 to 146 tokens\/s\. Prefill went from 222 to 116 ms, at the full peak\.$/);
  // One token is no arithmetic: 13.7 GB take 4.9 ms, an eighth of them less than 32 · 80 µs.
  assert.match(move("assumptions", {assumptions: "engine"}, {prompt: 1}), /, at 85 % of the bandwidth\.$/);
  assert.match(move("assumptions", {assumptions: "engine"}, {prompt: 1, gpus: 8}), /, and waits longest for its layers to start, 73 % of its time\.$/);
});

test("a request: its prompt is arithmetic, its output is steps", () => {
  // 2 · 7e9 · 2,000 / 990e12 = 28.3 ms. The mean context of 8,192 in and 2,000 out is 9,192 tokens:
  // 14 + 8 · 9,192 · 2^17 bytes take 7.16 ms. 2,250 tokens: 4.96 ms, so that a request's 500 steps,
  // shared by 8, and its prefill take 338 ms of a GPU at 3 USD/h: 0.000282 USD.
  assert.equal(move("prompt", {prompt: 2000}),
    "*Prefill went from 116 to 28.3 ms*: all 2,000 tokens go through the weights in one pass. " +
    "Decode does not change: it reads what is in the cache. A request takes 2.50 s and costs 0.000282 USD.");
  assert.equal(move("output", {output: 2000}),
    "*A request went from 3.57 to 14.4 s*: after 116 ms of prefill its 2,000 tokens come, one every 7.16 ms " +
    "on average. It costs 0.00159 USD.");
  assert.match(move("prefix_hit", {prefix_hit: 0.5}), /^\*Prefill went from 116 to 57\.9 ms\*: 4,096 tokens of the prompt are not /);
});

test("a request: what is cached of a prompt does not go through the weights", () => {
  assert.match(move("prompt", {prompt: 4000}, {prefix_hit: 0.5}),
    /^\*Prefill went from 57\.9 to 28\.3 ms\*: 2,000 of its 4,000 tokens go through the weights in one pass, the rest is in the cache\. /);
  assert.match(move("prompt", {prompt: 4000}, {prefix_hit: 1}), /: 1 of its 4,000 tokens goes through the weights in one pass, the rest /);
  assert.match(move("prompt", {prompt: 1}), /: its one token goes through the weights in one pass\. /);
  assert.match(move("prefix_hit", {prefix_hit: 1}), /: 1 token of the prompt is not in the cache yet\. /);
});

test("a request of one token ends with its prefill", () => {
  assert.equal(move("output", {output: 1}),
    "*A request went from 3.57 s to 116 ms*: its one token comes with the prefill. It costs 0.0000973 USD.");
});

test("more sequences share one read of the weights, until they do not fit", () => {
  assert.equal(move("batch", {batch: 32}),
    "*All users together went from 1,170 to 2,180 tokens/s*: one read of the weights serves 32 sequences, but each " +
    "brings 1.07 GB of cache to read. One user falls from 146 to 68.2 tokens/s.");
  assert.match(move("batch", {batch: 1}), /: every read of the weights serves one sequence alone\. /);
  assert.equal(move("batch", {batch: 64}),
    "*Only 61 of the 64 sequences fit, 2.72 GB missing.* All users together went from 1,170 to 2,550 tokens/s: one " +
    "read of the weights serves 64 sequences, but each brings 1.07 GB of cache to read. " +
    "If it fitted, one user would get 39.9 tokens/s.");
  // Beyond batch 300 only arithmetic takes longer; a smaller batch loses by it, too.
  assert.match(move("batch", {batch: 1024}, {batch: 512, context: 1}), /: arithmetic takes longest, so that more sequences yield no more\. /);
  assert.match(move("batch", {batch: 512}, {batch: 1024, context: 1}), /: arithmetic takes longest, so that more sequences yield no more\. /);
  assert.match(move("batch", {batch: 8}, {gqa: 8, spec_k: 4, params_b: 30, batch: 1024, bandwidth_factor: 10}),
    / went from 8,800 to 7,750 tokens\/s: arithmetic takes longest, so that more sequences help less and less\. /);
  assert.match(move("params_b", {params_b: 70}), /^\*Not even the weights fit, 103 GB missing\.\* Weights went from 14\.0 to 140 GB: /);
  assert.match(move("batch", {batch: 8}, {batch: 64}), /^\*Now it fits\.\* All users together went .*\. One user gets 146 tokens\/s\.$/);
});

test("several inputs at once: the first leads, both say why; nothing at all is the opening", () => {
  assert.equal(move("set", {context: 32768, gqa: 1}),
    "*Only 3 of the 8 sequences fit, 71.4 GB missing.* KV cache went from 8.59 to 137 GB: each sequence holds " +
    "32,768 tokens, all read in every step; each of the 32 query heads keeps its own keys and values. " +
    "If it fitted, one user would get 21.8 tokens/s.");
  assert.equal(move("undo", {gqa: 4}, {gqa: 1}), move("gqa", {gqa: 4}, {gqa: 1}));
  for (const kind of ["set", "reset"]) assert.equal(move(kind, {}), opening());
});

test("an input without words of its own has its label's", () => {
  assert.match(move("mbu", {mbu: 0.5}), /: bandwidth reached is 0\.5 now\. One user falls from 146 to 73\.0 tokens\/s\.$/);
  assert.match(move("kv_heads", {kv_heads: 4}), /: KV heads is 4 now\. /);
});

test("no sentence is broken, or longer than its place, whatever is moved", () => {
  for (const from of SETTINGS) {
    for (const to of SETTINGS) {
      for (const moved of ["", "set", ...Object.keys(to)]) {
        const said = move(moved, to, from);
        whole(said, JSON.stringify([from, to]));
        assert.ok(said.length < 315, said);
      }
    }
  }
});
