import assert from "node:assert/strict";
import {test} from "node:test";

import {inLabel, inText} from "#modules/core/words/terms.mjs";

/** Terms between brackets. */
function shown(pieces) {
  return pieces.map(piece => typeof piece === "string" ? piece : `[${piece.text}]`).join("");
}

test("terms are found in running text, each once", () => {
  assert.equal(shown(inText("KV cache went from 8.59 to 34.4 GB: each of the 32 query heads keeps its own; the KV cache")),
    "[KV cache] went from 8.59 to 34.4 GB: each of the 32 [query heads] keeps its own; the KV cache");
  assert.equal(shown(inText("memory-bound, 61× below the ridge")), "[memory-bound], 61× below the [ridge]");
});

test("what every line would have is a term in labels alone", () => {
  assert.equal(shown(inText("weights and batch")), "weights and batch");
  assert.equal(shown(inLabel("Batch, B")), "[Batch], B");
  assert.equal(shown(inLabel("Prefill of one prompt")), "[Prefill] of one prompt");
});

test("a part of a word is none, and a text without terms stays whole", () => {
  assert.deepEqual(inText("bridge"), ["bridge"]);
  assert.deepEqual(inText(""), []);
});
