// Texts that are no config.json, or meant to do harm: each ends in one sentence, soon.
import assert from "node:assert/strict";
import {test} from "node:test";
import {readConfig} from "#modules/core/config/read.mjs";
import {ConfigError} from "#modules/core/config/values.mjs";

/** @param {string} text @param {string} sentence */
function refused(text, sentence) {
  assert.throws(() => readConfig(text), error => error instanceof ConfigError && error.message === sentence);
}

const LLAMA = {
  model_type: "llama", hidden_size: 4096, intermediate_size: 14336, num_hidden_layers: 32,
  num_attention_heads: 32, num_key_value_heads: 8, vocab_size: 128256,
};

test("what is no JSON says in which line", () => {
  refused("", "The file is not JSON: a value is missing or none in line 1.");
  refused('{"a": 1,\n "b": }', "The file is not JSON: a value is missing or none in line 2.");
  refused('{"a": 1\n "b": 2}', "The file is not JSON: a comma or bracket is missing in line 2.");
  refused('{"a" 1}', "The file is not JSON: a colon is missing in line 1.");
  refused("{a: 1}", "The file is not JSON: a name in quotes is missing in line 1.");
  refused('{"a": "\n"}', "The file is not JSON: a text is not closed, or holds what none can in line 1.");
  refused("{} {}", "The file is not JSON: something follows its end in line 1.");
  refused("[1]", "The file holds no JSON object, so it is not a config.json.");
});

test("what is meant to do harm ends in a sentence", () => {
  const deep = "The file is nested too deeply to be a config.json.";
  refused("[".repeat(1e6), deep);
  refused(`${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`, deep);
  refused(" ".repeat(8 * 2 ** 20 + 1), "The file is larger than 8 MiB, as no config.json is.");
  refused(`{"a": ${"7".repeat(5000)}}`, "The file holds a number with thousands of digits.");
  refused('{"a": 1, "a": 2}', "a stands twice with different values.");
  refused('{"__proto__": {"hidden_size": 64}, "constructor": 1}', "hidden_size is missing.");
  refused(JSON.stringify({...LLAMA, model_type: "t5"}),
    "model_type t5 is an encoder-decoder: its cross-attention's cache is not modelled here.");
  refused(`{"hidden_act": "constructor", "model_type": "toString", "layer_types": ["valueOf"]}`,
    "layer_types names a kind of layer that is not known: 'valueOf'.");
});

test("eight megabytes of text and of entries are read in a moment, and refused by name", () => {
  refused(JSON.stringify({...LLAMA, layer_types: Array(500_000).fill("conv")}),
    "layer_types has 500,000 entries; no model has so many.");
  const {ignored, model} = readConfig(JSON.stringify({...LLAMA, note: `"\\${"x".repeat(7e6)}`}));
  assert.deepEqual(ignored, ["note"]);
  assert.equal(model.n_params, 8_030_261_248);
});
