// Figures of cards as their vendors publish them; Llama 3 70B: 80 layers, 64 query heads, 8 KV heads.
import assert from "node:assert/strict";
import {test} from "node:test";

import {whole} from "../../state.mjs";
import {options} from "#modules/core/words/options.mjs";

const facts = (key, id) => options(key).find(option => option.id === id).facts;

test("an option of a list has what one chooses by", () => {
  assert.equal(facts("gpu", "h200-sxm"), "141 GB at 4.8 TB/s · 2.9 USD/h · no fp4");
  assert.equal(facts("gpu", "a100-sxm-40gb"), "40 GB at 1.555 TB/s · no price known · no fp8, fp4");
  assert.equal(facts("gpu", "b200-sxm"), "180 GB at 7.672 TB/s · 3.7 USD/h");
  assert.equal(facts("model", "llama-3-70b"), "70.6 billion parameters, 80 layers, 64 query heads, 8 KV heads: g = 8");
  assert.match(facts("model", "deepseek-v3"), /, 128 query heads, one latent for all of them \(MLA\): no g$/);
  for (const key of ["model", "gpu"]) {
    for (const option of options(key)) for (const text of Object.values(option)) whole(text, option.id);
  }
  assert.deepEqual([options("model")[0].id, options("gpu")[0].id], ["7b-class", "custom"]);
});

test("of a choice that has no facts the options are its names", () => {
  const [first] = options("acceptance");
  assert.deepEqual(first, {id: first.id, name: first.id, facts: ""});
});
