// The lesson's default: a step reads 14.0 GB of weights and 8.59 GB of cache at 3.3 TB/s.
import assert from "node:assert/strict";
import {test} from "node:test";

import {state} from "../../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {derivation} from "#modules/core/words/derivation.mjs";

const derive = (number, changes = {}) => derivation(number, evaluate(state(changes)));
const names = ({steps}) => steps.map(({name}) => name);

test("a number comes first, then what it is made of, each once", () => {
  const {steps, givens} = derive("tokens_per_s");
  assert.deepEqual(steps[0], {
    name: "plain_tokens_per_s", symbols: "B / t_step", values: "8 / 6.85 ms", result: "1,170 tokens/s"});
  assert.equal(names({steps})[1], "step_s");
  assert.equal(new Set(names({steps})).size, steps.length);
  assert.ok(givens.includes("batch") && !givens.some(name => names({steps}).includes(name)));
});

test("with speculation on, a number is derived by the cycle", () => {
  assert.equal(names(derive("tokens_per_s", {spec_k: 4}))[0], "tokens_per_s");
  assert.equal(names(derive("decode_flops_per_byte", {spec_k: 4}))[0], "verify_flops_per_byte");
});

test("where it lies from the ridge follows the number", () => {
  assert.deepEqual(names(derive("decode_flops_per_byte")).slice(0, 2), ["decode_flops_per_byte", "decode_times_from_ridge"]);
});
