import assert from "node:assert/strict";
import {test} from "node:test";

import data from "#modules/built/data.mjs";
import {formulas} from "#modules/built/formulas.mjs";
import {evaluate, quantities} from "#modules/built/model.mjs";
import * as w from "#modules/core/formula.mjs";

const defaults = Object.fromEntries(
  Object.entries(data.defaults).map(([key, value]) => [key, value ?? NaN]));

/** A formula in symbols, at the default with some inputs changed. */
function symbols(name, inputs = {}) {
  return formulas[name](evaluate({...defaults, ...inputs}), each => quantities[each][2]);
}

test("at the default the formulas are the lesson's", () => {
  const due = {
    kv_bytes_per_token: "2 · L · n_kv · d_head · b_kv",
    full_n_kv_heads: "h / g",
    weight_bytes: "N · b_w",
    kv_bytes: "B · KV_seq",
    hbm_used_bytes: "reserve + W + KV + draft",
    max_batch: "max(0, ⌊(HBM − reserve − W · (1 + s)) / (KV_seq · (1 + s))⌋)",
    decode_bytes: "W + KV",
    decode_flops: "2 · N_active · B",
    memory_s: "bytes / BW",
    compute_s: "FLOPs / peak",
    step_s: "max(t_mem, t_comp)",
    plain_tokens_per_s: "B / t_step",
    tokens_per_s: "B · E / t_cycle",
    cycle_s: "t_draft + t_verify",
    draft_s: "k · c · t_step",
    spec_tokens_per_pass: "(1 − α^(k + 1)) / (1 − α)",
    prefill_flops_per_byte: "FLOPs_prefill / W",
    peak_flops_per_s: "peak_16",
    fits: "used ≤ HBM",
  };
  for (const [name, text] of Object.entries(due)) assert.equal(symbols(name), text, name);
});

test("what is nothing is left out where it says nothing, and comes back where it counts", () => {
  const engine = {assumptions: "engine"}, several = {gpus: 4, params_b: 70, gqa: 8};
  assert.equal(symbols("decode_bytes", engine), "W_read + KV");
  assert.equal(symbols("weight_bytes_read", engine), "W − W_in");
  assert.equal(symbols("memory_s", engine), "bytes / (BW · mbu)");
  assert.equal(symbols("decode_flops", engine), "FLOPs_lin + FLOPs_att");
  assert.equal(symbols("hbm_used_bytes", several), "reserve + W_gpu + KV_gpu + draft");
  // Beyond the window one more token costs what the full layers keep of it.
  const windows = {model: "gemma-3-27b"}, sequence = "kv_bytes_per_sequence";
  assert.equal(symbols(sequence, windows), "T · KV_token + min(T, kept_win) · KV_win");
  assert.equal(symbols(sequence, {...windows, context: 512}), "T · KV_full + min(T, kept_win) · KV_win");
  assert.equal(symbols("weight_bytes_read", {model: "deepseek-v3", gpus: 8}), "(W − W_E · idle) / n");
});

test("a quantity at the value that says nothing is that value", () => {
  assert.equal(symbols("attention_flops"), "0");
  assert.equal(symbols("kv_share"), "1");
});

test("every formula can be written at every kind of scenario, with a symbol for each name", () => {
  const models = ["7b-class", "deepseek-v3", "gemma-3-27b", "qwen3.5-27b", "gpt-oss-120b"];
  for (const model of models) {
    for (const assumptions of ["lesson", "engine"]) {
      for (const spec_k of [0, 4]) {
        const q = evaluate({...defaults, model, assumptions, spec_k, gpus: 2});
        for (const [name, text] of Object.entries(formulas)) {
          const shown = text(q, each => {
            assert.ok(quantities[each], `${name} names ${each}`);
            return quantities[each][2];
          });
          assert.doesNotMatch(shown, /undefined|NaN/, name);
          assert.notEqual(shown, quantities[name][2], `${name} says only itself`);
        }
      }
    }
  }
});

// What is written of a formula of a and b, with their values.
function written(write, values, declared = {}) {
  return w.formulaTexts({whole: write}, {}, declared).whole(values, name => name);
}

test("brackets stand where the order of operations needs them, and nowhere else", () => {
  const cases = [
    ["a − (b − c)", ({a, b, c}) => w.subtract(a, w.subtract(b, c))],
    ["a + (b + c)", ({a, b, c}) => w.add(a, w.add(b, c))],
    ["a + b · c", ({a, b, c}) => w.add(a, w.multiply(b, c))],
    ["(a + b) · c", ({a, b, c}) => w.multiply(w.add(a, b), c)],
    ["a / (b · c)", ({a, b, c}) => w.divide(a, w.multiply(b, c))],
    ["(a^b)^c", ({a, b, c}) => w.power(w.power(a, b), c)],
    ["−(a + b)", ({a, b}) => w.negative(w.add(a, b))],
    ["min(a + b, c)", ({a, b, c}) => w.minimum(w.add(a, b), c)],
  ];
  for (const [due, write] of cases) assert.equal(written((q, $) => write($), {a: 2, b: 3, c: 4}), due);
});

test("brackets go with what made them needed", () => {
  const declared = {b: {neutral: 0}};
  const write = (q, $) => w.multiply(w.add($.a, $.b), $.c);
  assert.equal(written(write, {a: 2, b: 0, c: 4}, declared), "a · c");
  assert.equal(written(write, {a: 2, b: 1, c: 4}, declared), "(a + b) · c");
});

test("a zero that declares nothing is shown", () => {
  assert.equal(written((q, $) => w.add($.a, $.b), {a: 2, b: 0}), "a + b");
});

test("a switch that is on is left out; off, it takes its product along", () => {
  const declared = {on: {neutral: 1}};
  const write = (q, $) => w.add($.a, w.multiply($.on, $.b));
  assert.equal(written(write, {a: 2, b: 3, on: 1}, declared), "a + b");
  assert.equal(written(write, {a: 2, b: 3, on: 0}, declared), "a");
});
