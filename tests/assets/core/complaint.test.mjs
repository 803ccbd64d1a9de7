// The default is a 7 B model of the reader's own with 32 query heads; 70 B has 64, 3 B 24.
import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../state.mjs";
import {complaint} from "#modules/core/complaint.mjs";
import {defaults, isOwnModel} from "#modules/core/rules.mjs";

/** What is wrong with a state that these inputs led to. */
function wrong(inputs) {
  return complaint(state(inputs), Object.keys(inputs));
}

test("the default breaks no rule", () => {
  assert.equal(complaint(defaults, []), undefined);
  assert.equal(complaint(defaults, Object.keys(defaults).filter(key => !Number.isNaN(defaults[key]))), undefined);
});

test("a rule that is broken names what to leave out", () => {
  assert.deepEqual(wrong({gqa: 3}), {sentence: "gqa=3: allowed is a divisor of the 32 query heads: 1, 2, 4, 8, 16 or 32", keys: ["gqa"]});
  assert.deepEqual(wrong({params_b: 70, gqa: 3}).sentence, "gqa=3: allowed is a divisor of the 64 query heads: 1, 2, 4, 8, 16, 32 or 64");
  assert.deepEqual(wrong({experts: 8}), {sentence: "experts need their number per token (top_k)", keys: ["experts"]});
  assert.deepEqual(wrong({top_k: 4}).keys, ["top_k"]);
  assert.deepEqual(wrong({experts: 8, top_k: 9}).keys, ["experts", "top_k"]);
});

test("what a published model has its own of cannot be given", () => {
  const model = "llama-3-8b";
  assert.ok(!isOwnModel(state({model})));
  assert.equal(wrong({model}), undefined);
  assert.deepEqual(wrong({model, params_b: 8, gqa: 4}),
    {sentence: "params_b, gqa: Llama 3 / 3.1 8B has its own", keys: ["params_b", "gqa"]});
});

test("what follows the heads is no complaint", () => {
  assert.equal(wrong({params_b: 13}), undefined);
  assert.equal(complaint(state({params_b: 3, gpus: 8}), ["params_b"]), undefined);
  assert.equal(complaint(state({model: "phi-4", gpus: 4}), ["model"]), undefined);
});

test("GPUs that cannot share the heads give way", () => {
  assert.deepEqual(wrong({gpus: 3}), {
    sentence: "tp=3 (gpus / dp / pp): allowed is a divisor of the 32 query heads: 1, 2, 4, 8, 16 or 32", keys: ["gpus"],
  });
  assert.match(wrong({params_b: 3, gpus: 8}).sentence, /^tp=8 .*: it must divide the 6 KV heads, or be a multiple of them; with 24 query heads these do: 1, 2, 3, 6, 12 or 24$/);
  assert.deepEqual(wrong({gpus: 8, dp: 3}).keys, ["gpus", "dp"]);
  assert.equal(wrong({gpus: 8, dp: 2, tp: 4}), undefined);
});

test("a format of another model's cache gives way, but not where it was asked for", () => {
  const latent = state({model: "deepseek-v3", kv: "fp8_ds_mla"});
  assert.equal(complaint({...latent, model: "llama-3-8b"}, ["model"]), undefined);
  assert.equal(complaint({...latent, model: "llama-3-8b", gpus: 2, tp: 2}, ["model", "gpus", "tp"]), undefined);
  for (const cause of [["kv"], ["model", "kv"]]) {
    assert.match(complaint({...latent, model: "llama-3-8b"}, cause).sentence, /^this KV format \(kv\) is for models that cache one vector of 576 numbers/);
  }
});

test("a number of GPUs goes before ways of sharing that came with an address", () => {
  assert.equal(complaint(state({gpus: 4, tp: 8}), ["gpus"]), undefined);
  assert.match(complaint(state({gpus: 8, tp: 4}), ["tp"]).sentence, /^gpus=8: allowed is tp · dp · pp, here 4 · 1 · 1 = 4$/);
});
