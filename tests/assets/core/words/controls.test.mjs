import assert from "node:assert/strict";
import {test} from "node:test";

import {evaluate} from "#modules/built/arithmetic.mjs";
import {placeholder} from "#modules/core/words/controls.mjs";
import {state} from "../../state.mjs";

test("what is left open follows something, in its own unit", () => {
  const report = evaluate(state({context: 4096, gpu: "custom", bf16_tflops: 500}));
  assert.equal(placeholder("prompt", report), "4,096");
  assert.equal(placeholder("hbm_gb", report), "80");
  assert.equal(placeholder("fp8_tflops", report), "1,000");   // twice the 16-bit peak
  assert.equal(placeholder("batch", report), "");
});
