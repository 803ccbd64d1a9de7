// Random moves: what a sentence says of a cause is held against the numbers before the move and after it.
import assert from "node:assert/strict";
import {test} from "node:test";

import {draws, fuzz} from "../../hostile.mjs";
import {drawn, place, state} from "../../state.mjs";
import data from "#modules/built/data.mjs";
import {complaint} from "#modules/core/complaint.mjs";
import {consistent, presetKeys} from "#modules/core/rules.mjs";
import {Store} from "#modules/core/store.mjs";
import {sentence} from "#modules/core/words/sentence.mjs";

/** What is moved: rather that of which a sentence names a cause. */
const MOVED = [
  "weights", "weights", "weights", "gpu", "gpu", "bandwidth_factor", "bandwidth_factor", "peak_factor", "peak_factor",
  "batch", "batch", "context", "kv", "spec_k", "prompt", "prefix_hit", "output", "link_gb_per_s", "gpus", "gpus",
];
const WORDS = {memory: "memory", arithmetic: "compute", "what the GPUs tell each other": "comms", "its layers to start": "overhead"};
const PHASES = {
  decode: {bound: "verify_bound", part: "verify_", rate: r => r.tokens_per_s, total: r => r.cycle_s},
  prefill: {bound: "prefill_bound", part: "prefill_", rate: r => 1 / r.ttft_s, total: r => r.ttft_s},
};
PHASES.it = PHASES.prefill;

/** What all layers keep of a token for good. */
const kept = r => r.full_bytes_per_token + r.index_bytes_per_token + r.hca_bytes_per_token;

const near = (value, other, within = 0.031) => Math.abs(value / other - 1) < within;
const both = (bound, phase, b, a) => b[PHASES[phase].bound] === bound && a[PHASES[phase].bound] === bound;

/** How many times as fast a phase became. */
const gain = (phase, b, a) => PHASES[phase].rate(a) / PHASES[phase].rate(b);

/** Whether a phase followed the arithmetic: attention multiplies at 16 bit, whatever the weights do. */
function followsPeak(phase, b, a) {
  const ratios = [a.peak_flops_per_s / b.peak_flops_per_s, a.peak_16bit_flops_per_s / b.peak_16bit_flops_per_s];
  const gained = gain(phase, b, a);
  return gained > 0.969 * Math.min(...ratios) && gained < 1.031 * Math.max(...ratios);
}

/** The share of a phase's time that goes to what binds it; drafts are no part of it. */
function share(phase, bound, r) {
  const {part, total} = PHASES[phase];
  const name = {memory: `${part}memory_s`, compute: `${part}compute_s`, comms: `${part}communication_s`, overhead: "overhead_s"}[bound];
  return r[name] / total(r);
}

/**
 * What sentences claim: its words, and whether the reports before and after bear it out.
 * @type {Record<string, [RegExp, (found: string[], b: any, a: any) => boolean]>}
 */
const CLAIMS = {
  "does not wait": [/but decode is (\w+)-bound and does not wait for them/, ([, bound], b, a) =>
    bound !== "memory" && both(bound === "communication" ? "comms" : bound, "decode", b, a) && near(gain("decode", b, a), 1, 0.01)],
  "does not matter": [/which does not matter to decode/, (_, b, a) => near(gain("decode", b, a), 1, 0.01)],
  "feels": [/which decode feels, as it is compute-bound/, (_, b, a) => both("compute", "decode", b, a) && !near(gain("decode", b, a), 1, 1e-3)],
  "makes the speed": [/that makes ([\d.,]+)× the speed/, ([, times], b, a) =>
    both("memory", "decode", b, a) && near(gain("decode", b, a), Number(times.replace(",", "")), 0.06)],
  "decode follows the bandwidth": [/decode is memory-bound and follows the bandwidth alone/, (_, b, a) =>
    both("memory", "decode", b, a) && near(gain("decode", b, a), a.hbm_bytes_per_s / b.hbm_bytes_per_s)],
  "prefill follows the bandwidth": [/prefill follows the bandwidth/, (_, b, a) =>
    both("memory", "prefill", b, a) && near(gain("prefill", b, a), a.hbm_bytes_per_s / b.hbm_bytes_per_s)],
  "decode follows the FLOP/s": [/decode is compute-bound here and follows the FLOP\/s/, (_, b, a) =>
    both("compute", "decode", b, a) && followsPeak("decode", b, a)],
  "prefill follows the FLOP/s": [/prefill follows the FLOP\/s/, (_, b, a) =>
    both("compute", "prefill", b, a) && followsPeak("prefill", b, a)],
  "waited, and waits": [/(decode|prefill|it) waited longest for ([a-zA-Z ]+), now for ([a-zA-Z ]+)/, ([, phase, was, is], b, a) =>
    was !== is && b[PHASES[phase].bound] === WORDS[was] && a[PHASES[phase].bound] === WORDS[is]],
  "waits longest": [/(decode|prefill|it) waits longest for ([a-zA-Z ]+), (\d+) % of its time/, ([, phase, is, percent], b, a) =>
    both(WORDS[is], phase, b, a) && (phase === "decode" && a.n_drafted > 0 || Math.abs(100 * share(phase, WORDS[is], a) - percent) <= 0.51)],
  "waits": [/(decode|prefill|it) waits for (memory|arithmetic|what the GPUs tell each other|its layers to start)/, ([, phase, is], b, a) =>
    both(WORDS[is], phase, b, a) && (a.n_drafted > 0 || share(phase, WORDS[is], a) >= 0.969)],
  "prefill's arithmetic": [/Prefill [^:]*: (its arithmetic|this GPU has no arithmetic as narrow)/, (_, b, a) => both("compute", "prefill", b, a)],
  "prefill follows its arithmetic": [/Prefill [fr][^:]*: (its arithmetic|this GPU has no arithmetic as narrow)/, (_, b, a) =>
    gain("prefill", b, a) > 1 === a.peak_flops_per_s > b.peak_flops_per_s],
  "a short prompt": [/a prompt this short waits for the weights, too/, (_, b, a) =>
    both("memory", "prefill", b, a) && gain("prefill", b, a) > 1 === a.prefill_bytes < b.prefill_bytes],
  "arithmetic takes longest": [/arithmetic takes longest/, (_, b, a) => a.verify_bound === "compute"],
  "more yield no more": [/more sequences yield no more/, (_, b, a) =>
    near(a.tokens_per_s, b.tokens_per_s, 0.006) || a.batch > b.batch === a.tokens_per_s < b.tokens_per_s],
  "more help": [/more sequences help less and less/, (_, b, a) => a.batch > b.batch === a.tokens_per_s > b.tokens_per_s],
  "checking costs": [/is compute-bound, so that guesses cost more than they yield/, (_, b, a) =>
    a.verify_bound === "compute" && a.spec_tokens_per_pass / a.verify_s <= 1 / a.step_s],
  "so many fit": [/so that (no|[\d,.]+(?: \w+)?) sequences? fits? instead of ([\w,]+)/, ([, is, was], b, a) =>
    is !== was && a.max_batch !== b.max_batch && (is === "no") === (a.max_batch < 1) && (was === "none") === (b.max_batch < 1)],
  "as many fit": [/and still (no|1|[\d,.]+(?: \w+)?) sequences? fits?/, (_, b, a) => near(a.max_batch + 1, b.max_batch + 1, 0.006)],
  "all tokens are read": [/each sequence holds [\d,]+ tokens?, all read in every step/, (_, b, a) =>
    near((kept(a) + a.window_bytes_per_token) * a.context_len, a.kv_bytes_per_sequence, 1e-9)],
  "a share is read": [/every step reads ([\d.]+) % of what it keeps/, ([, percent], b, a) =>
    Math.abs(100 * a.kv_read_bytes_per_gpu / a.batch_per_pass * a.stage_fraction / a.kv_bytes_per_sequence_per_gpu - percent) <= 0.51],
  "a share of the layers keeps all": [/; (\d+) % of the cache that a step reads is in layers that keep all of them/, ([, percent], b, a) =>
    a.n_gpus > 1 || a.context_len <= a.window_kept_len
    || Math.abs(100 * kept(a) * a.context_len / a.kv_bytes_per_sequence - percent) <= 0.51],
  "the whole prompt": [/all [\d,]+ tokens go through the weights|its one token goes/, (_, b, a) => a.computed_prompt_len === a.prompt_len],
  "a part of the prompt": [/([\d,.]+) of its [\d,]+ tokens goe?s? through the weights/, ([, n], b, a) =>
    a.computed_prompt_len < a.prompt_len && near(Number(n.replace(",", "")), a.computed_prompt_len)],
  "one every": [/one every/, (_, b, a) => a.output_len > 1],
  "with the prefill": [/its one token comes with the prefill/, (_, b, a) => a.output_len === 1 && a.request_s === a.ttft_s],
  "decode stays": [/Decode does not change/, (_, b, a) => near(gain("decode", b, a), 1, 1e-9)],
  "figures stay": [/The figures that count here stay as they were/, (_, b, a) => near(gain("decode", b, a), 1, 0.01)],
  "a share of the cache": [/its share of the weights at the same time, and of the KV cache/, (_, b, a) => a.kv_bytes_per_gpu < (1 - 1e-9) * a.kv_bytes],
  "all of the cache": [/but each keeps all of the KV cache/, (_, b, a) => a.n_gpus > 1 && near(a.kv_bytes_per_gpu, a.kv_bytes, 1e-9)],
  "now it fits": [/^Now it fits/, (_, b, a) => a.fits && !b.fits],
};

/** Of one is said nothing as of many, of none nothing as of some. */
const ODD = /(?<![\d.,])1 (tokens|sequences|guesses)\b|(?<![\d.,])1 (token|sequence) (come|go|fit|are)\b|(?<![\d.,])0 sequences?\b|NaN|undefined|∞/;

test("a sentence names each input that a move changes beside its own", () => {
  let named = 0;
  fuzz(chance => {
    const {one} = draws(chance), store = new Store(state(), state());
    const values = {
      params_b: [1, 3, 7, 13, 30, 70], gqa: [1, 4, 8, 32], gpus: [1, 2, 4, 8, 12, 16], dp: [1, 2, 4], pp: [1, 2], tp: [NaN, 2, 4],
      model: ["dense", "llama-3-70b", "mixtral-8x7b"], ep: [1, 2, 4], dcp: [1, 2],
    };
    for (let times = 0; times < 12; times++) {
      const key = one(Object.keys(values));
      if (store.move(key, one(values[key]))) continue;
      store.settle();
      const {rest} = sentence(store), {state: was} = store.before;
      for (const other of Object.keys(values)) {
        if (other === key || Object.is(was[other], store.state[other]) || presetKeys(store.state).includes(other)) continue;
        named += 1;
        assert.ok(rest.includes(`${data.inputs[other].label.split(",")[0]} `), `${key}, ${other}: ${rest}`);
      }
    }
  }, 400);
  assert.ok(named > 0, `${named}`);
});

test("which share of the cache a GPU reads is said as it is, where groups and splits fall away", () => {
  const said = new Set();
  fuzz(chance => {
    const {one} = draws(chance), [n, to] = [one([8, 16, 32, 64]), one([1, 2, 4, 8, 16, 32, 64])];
    const from = {...state(), model: one(["deepseek-v3", "deepseek-v4-flash", "llama-3-70b", "gemma-3-27b"]), gpus: n, batch: one([1, 8, 64])};
    from[one(["dp", "dcp", "pp"])] = one([1, 2, 8, n]);
    if (n === to || complaint(from, [])) return;
    const before = consistent(from), after = consistent({...before.state, gpus: to});
    if (before.state.gpus === after.state.gpus) return;
    const {lead, rest} = sentence({moved: "gpus", before, ...after});
    for (const claim of ["a share of the cache", "all of the cache"]) {
      const [words, holds] = CLAIMS[claim], found = words.exec(lead + rest);
      if (!found) continue;
      said.add(claim);
      assert.ok(holds(found, before.report, after.report), `${claim}: ${lead}${rest}`);
    }
  }, 400);
  assert.equal(said.size, 2);
});

test("what a sentence says of a cause is so in the numbers before and after", () => {
  fuzz(chance => {
    const {below} = draws(chance);
    const from = Object.assign(state(), ...Array.from({length: below(6)}, () => drawn(chance)));
    const to = drawn(chance, MOVED), [moved] = Object.keys(to);
    if (complaint(from, []) || complaint({...from, ...to}, [moved])) return;
    const before = consistent(from), after = consistent({...before.state, ...to});
    if (Object.is(before.state[moved], after.state[moved])) return;
    isTrue(moved, before, after);
  }, 4000);
});

/** Holds what the sentence of a move claims against the numbers; gives what it says. */
function isTrue(moved, before, after) {
  const {lead, rest} = sentence({moved, before, ...after}), said = lead + rest, words = said.replace(/\bDecode waits/, "decode waits");
  assert.doesNotMatch(said, ODD);
  for (const [claim, [pattern, holds]] of Object.entries(CLAIMS)) {
    const found = pattern.exec(words);
    if (found) assert.ok(holds(found, before.report, after.report), `${claim}: ${said}`);
  }
  return said;
}

test("of several inputs that are moved at once no cause is claimed that another may be, and each is named", () => {
  let named = 0;
  fuzz(chance => {
    const before = place(chance), {below} = draws(chance);
    if (!before) return;
    const next = Object.assign({...before.state}, ...Array.from({length: 2 + below(3)}, () => drawn(chance, [...MOVED, "model", "dp"])));
    if (complaint(next, [])) return;
    const after = consistent(next), said = isTrue("set", before, after), own = presetKeys(after.state);
    const changed = Object.keys(next).filter(key => !Object.is(before.state[key], after.state[key]) && !own.includes(key));
    if (changed.length < 3 || changed.length > 5) return;
    named += 1;
    for (const key of changed) assert.ok(said.includes(`${data.inputs[key].label.split(",")[0]} `), `${key}: ${said}`);
    assert.doesNotMatch(said, /follows the|that makes|instead of [^,.]* guesses|so that|feels/);
  }, 1500);
  assert.ok(named > 50, `${named}`);
});

test("a card, how many of it, their split and the batch at once", () => {
  const from = {...state(), model: "mixtral-8x7b", gpus: 8, dp: 2, ep: 8}, before = consistent(from);
  const after = consistent({...state(), model: "mixtral-8x7b", gpu: "mi300x", usd_per_gpu_hour: data.prices.mi300x, batch: 30});
  const said = isTrue("set", before, after);
  assert.match(said, /: GPU Instinct MI300X 192GB instead of H100 80GB, GPUs 1 instead of 8, Data parallelism 1 instead of 2, Expert parallelism 1 instead of 8, Batch 30 instead of 8\. /);
  assert.match(said, / Decode waits for memory; prefill rises from 53\.3 to 161 ms\.$/);
  const t4 = isTrue("set", consistent(state()), consistent({...state(), gpu: "t4", gpus: 8, usd_per_gpu_hour: data.prices.t4 ?? 3, batch: 64}));
  assert.match(t4, /went from 1,170 to 1,980 tokens\/s: GPU T4 16GB instead of H100 80GB, GPUs 8 instead of 1, Batch 64 instead of 8\. /);
});
